"""Offers: the legal choices in the notation and in the player's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from brassmill import terms
from brassmill.core.action import Action
from brassmill.core.bill import PRICED, bill_of, prices_of
from brassmill.core.choice import MEANING, NUMBER, WORD, Choice, card_text, choice_text
from brassmill.core.engine import Engine
from brassmill.editions import Edition
from brassmill.editions.names import fold
from brassmill.game import Game, Move
from brassmill.language import LANGUAGES, language
from brassmill.notation.matching import resolve
from brassmill.play.held import can_use, needs_two_cards, uses_of
from brassmill.vocabulary import say

OPEN = "..."  # at the end of a text: ask for the rest
BETWEEN = re.compile(r"[\s,;>/-]+")  # words


class Offer(NamedTuple):
    """A choice that can be played by number: a verb and its object."""

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
    """A text without the dots that leave the rest open."""
    return text.removesuffix(OPEN).rstrip("; ")


def verb_of(choice: int, code: str) -> str:
    """The first word of a choice."""
    return say(WORD[MEANING[choice][0]], code)


def words_of(engine: Engine, choice: int, code: str) -> tuple[str, str]:
    """A legal choice as a verb and its object, as it would be typed here."""
    here = engine.snapshot()
    text = without_end(Action(engine.edition, engine.seats, here, (choice,)).text_in(code))
    verb = verb_of(choice, code)
    if not text.startswith(verb):  # the text leaves out a forced buyer
        text = choice_text(engine.edition, choice, code)
    return verb, text.removeprefix(verb).strip()


def offers(game: Game, held: int | None = None) -> list[Offer]:
    """The legal choices with their numbers and prices; with a held card, those that can use it."""
    plan = game.engine.blind()  # face-down tiles stay hidden
    choices = game.legal_choices()
    prices, uses = prices_of(plan, choices.ids), uses_of(plan, choices.ids)
    return [
        Offer(
            number,
            choice,
            *words_of(plan, choice.id, language()),
            price=prices.get(choice.id, 0),
            needs_two_cards=needs_two_cards(uses.get(choice.id, ())),
        )
        for number, choice in enumerate(choices, 1)
        if held is None or can_use(uses.get(choice.id, ()), held)
    ]


def cards_of(edition: Edition, hand: Iterable[str]) -> list[Offer]:
    """The cards of a hand, to be found by name."""
    verb, cards = say("card", language()), map(edition.find_card, hand)
    return [
        Offer(n, Choice(NUMBER["CARD", card], edition), verb, card_text(edition, card, language()))
        for n, card in enumerate(cards, 1)
    ]


def ways_offered(game: Game, ways: Sequence[str]) -> list[Offer]:
    """The possible meanings of a text, each as an offer."""
    found = []
    engine = game.engine
    for number, way in enumerate((way for way in ways if way != OPEN), 1):
        choices = resolve(engine, way)
        action = Action(engine.edition, engine.seats, engine.snapshot(), choices)
        verb, _, about = without_end(action.text_in(language())).partition(" ")
        found.append(Offer(number, way, verb, about))
    return found


def cards_offered(game: Game, ways: Sequence[str]) -> tuple[str, list[Offer]]:
    """If the meanings of a text differ only by their cards: those cards, and the rest of the text.

    Further targets are asked only after the card, so a text with several cannot be played in part.
    """
    engine, found, same = game.engine, [], set()
    for number, way in enumerate(ways, 1):
        if way == OPEN:  # there are more meanings than these
            return "", []
        action = Action(engine.edition, engine.seats, engine.snapshot(), resolve(engine, way))
        cards = [choice for choice in action.ids if MEANING[choice][0] == "CARD"]
        if len(cards) != 1:
            return "", []
        text = action.text_in(language()).rpartition("; ")[0]  # the card comes last
        same.add(priced(action, text))
        card = card_text(engine.edition, MEANING[cards[0]][1], language())
        found.append(Offer(number, way, say("card", language()), card))
    return (same.pop(), found) if len(same) == 1 else ("", [])


def pending(game: Game) -> str:
    """The action in progress so far, and its price."""
    action = game.draft
    return priced(action, without_end(action.text_in(language()))) if action else ""


def priced(action: Action, words: str) -> str:
    """An action in these words, and its price if it has one."""
    if MEANING[action.ids[0]][0] not in PRICED:
        return words
    begun = Engine(action.edition, action.seats, action.before)
    return f"{words}, {terms.pounds(bill_of(begun, action.ids).total)}"


def containing(found: Sequence[Offer], words: str) -> list[Offer]:
    """The offers whose words contain all these, in the player's language or in English.

    Whole words come first: `coal` means Coalbrookdale only if there is no coal.
    """
    for word in split(words):
        found = (
            [offer for offer in found if word in words_in(offer)]
            or [offer for offer in found if any(w.startswith(word) for w in words_in(offer))]
            or [offer for offer in found if any(word in fold(text) for text in spellings(offer))]
        )
    return list(found)


def bearing(found: Sequence[Offer], name: str) -> list[Offer]:
    """The offers with exactly this name, with or without their verbs."""
    wanted = fold(name)
    return [
        offer for offer in found if wanted in [fold(text) for text in names(offer) if fold(text)]
    ]


def names(offer: Offer) -> list[str]:
    """The names of an offer, with and without its verb; all names of a card."""
    texts = [offer.about, *spellings(offer)]
    if isinstance(offer.move, Choice) and offer.move.kind == "card":
        edition, card = offer.move.edition, offer.move.offset
        texts += [card_text(edition, card, code) for code in LANGUAGES]
        texts.append(terms.card(edition.card_name(card)))
    return texts


def words_in(offer: Offer) -> set[str]:
    return {word for text in spellings(offer) for word in split(text)}


def split(text: str) -> list[str]:
    """The words of a text, without meaningless ones."""
    return [word for word in map(fold, BETWEEN.split(text)) if word]


def spellings(offer: Offer) -> list[str]:
    """An offer as shown, and in plain English."""
    return [offer.words, str(offer.move)]
