"""Offers: what can be done now, in the words of the notation and of the player's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brassmill import terms
from brassmill.action import Action
from brassmill.bill import bill_of
from brassmill.choice import MEANING, NUMBER, WORD, choice_text
from brassmill.editions.names import fold
from brassmill.engine import Engine
from brassmill.game import Game, Move
from brassmill.language import language
from brassmill.matching import resolve
from brassmill.vocabulary import say

OPEN = "..."  # at the end of a text: the rest is asked
PRICED = ("BUILD", "LINK", "DEVELOP")  # choices that cost something
TWO_CARDS = NUMBER["TWO_CARDS", 0]


class Offer(NamedTuple):
    """Something that can be played by its number: a verb, and what it is about."""

    number: int
    move: Move
    verb: str
    about: str
    price: int = 0
    needs_two_cards: bool = False

    @property
    def words(self) -> str:
        """As it could be typed."""
        return f"{self.verb} {self.about}".strip()


def without_end(text: str) -> str:
    """A text without the dots that leave the rest of it open."""
    return text.removesuffix(OPEN).rstrip("; ")


def verb_of(choice: int, code: str) -> str:
    """The word that a choice begins with."""
    kind = MEANING[choice][0]
    return say(WORD.get(kind, kind.lower().replace("_", " ")), code)


def words_of(engine: Engine, choice: int, code: str) -> tuple[str, str]:
    """An open choice as a verb and what it is about: as it would be typed here."""
    here = engine.snapshot()
    text = without_end(Action(engine.edition, engine.seats, here, (choice,)).text_in(code))
    verb = verb_of(choice, code)
    if not text.startswith(verb):  # a forced buyer has no words of his own
        text = choice_text(engine.edition, choice, code)
    return verb, text.removeprefix(verb).strip()


def offers(game: Game) -> list[Offer]:
    """The open choices, numbered, with their prices."""
    plan = game.engine.blind()  # what is face down stays so
    return [
        Offer(
            number,
            choice,
            *words_of(plan, choice.id, language()),
            price=bill_of(plan, [choice.id]).total if MEANING[choice.id][0] in PRICED else 0,
            needs_two_cards=needs_two_cards(plan, choice.id),
        )
        for number, choice in enumerate(game.legal_choices(), 1)
    ]


def needs_two_cards(engine: Engine, choice: int) -> bool:
    """Whether no single card allows a build: two, and both actions, would (BLD-3)."""
    if MEANING[choice][0] != "BUILD" or not engine.edition.traits.two_cards_build:
        return False
    return TWO_CARDS in engine.blind().choose(choice)


def ways_offered(game: Game, ways: Sequence[str]) -> list[Offer]:
    """The ways in which a text could be meant, each as an offer."""
    found = []
    engine = game.engine
    for number, way in enumerate((way for way in ways if way != OPEN), 1):
        choices = resolve(engine, way)
        action = Action(engine.edition, engine.seats, engine.snapshot(), choices)
        verb, _, about = without_end(action.text_in(language())).partition(" ")
        found.append(Offer(number, way, verb, about))
    return found


def pending(game: Game) -> str:
    """The action in progress as far as it goes, and its price."""
    action = game.draft
    if action is None:
        return ""
    words = without_end(action.text_in(language()))
    if MEANING[action.ids[0]][0] not in PRICED:
        return words
    begun = Engine(action.edition, action.seats, action.before)
    return f"{words}, {terms.pounds(bill_of(begun, action.ids).total)}"


def containing(found: Sequence[Offer], words: str) -> list[Offer]:
    """The offers whose words contain all these, in the player's language or in English."""
    wanted = [fold(word) for word in words.split()]
    return [
        offer
        for offer in found
        if any(all(word in fold(text) for word in wanted) for text in spellings(offer))
    ]


def spellings(offer: Offer) -> list[str]:
    """An offer as it is shown, and in plain English."""
    return [offer.words, str(offer.move)]
