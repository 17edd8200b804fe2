"""What players read uses the rulebook's words: no odd terms, and no space numbers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from brassmill.coach import reasons as coach
from brassmill.core.bill import bill_of
from brassmill.core.choice import MEANING
from brassmill.core.events import Event
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.rules.choices import CHOICES
from brassmill.rules.reasons import Reason
from brassmill.words import EVENTS, QUESTIONS, REASONS, SPECIAL, choice_words, refusal
from brassmill.words.choices import CHOICES as CHOICE_SENTENCES
from brassmill.words.choices import OVERBUILD_RIVAL, OWN
from brassmill.words.log import log_lines
from brassmill.words.sentences import TO_CHOOSE
from support import kinds

# Terms that players never use, each with the one they do.
NEVER = {
    r"g(i|a)ves? up|given up": "discard a card, remove a tile",
    r"points?": "VP",
    r"order of play|next order|place \d": "turn order; 2nd next round",
    r"built over|build over": "overbuild",
    r"borrows?": "take a loan",
    r"rails": "railways",
    r"deeds?|calls?": "action",
    r"he|his|him": "they",
    r"told|hears?": "shown",
    r"anew": "again",
    r"so (many|much)": "that many",
    r"by chance": "random",
    r"of level|level [1-9]": "level II manufacturer",
    r"(mill|mine|works|manufacturer|pottery|brewery|port|shipyard) \d": "level II manufacturer",
}
ODD = re.compile(rf"\b({'|'.join(NEVER)})\b", re.IGNORECASE)


def numbered(edition: Edition) -> re.Pattern[str]:
    """Match a place with the number of a space or a merchant."""
    return re.compile(rf"\b({'|'.join(re.escape(place.name) for place in edition.places)}) \d")


def forms(sentence: str | tuple[str, str]) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else sentence


def test_no_sentence_uses_an_odd_term() -> None:
    sayings = [saying for group in coach.REASONS.values() for saying in group]
    sentences = [
        *(form for sentence in EVENTS.values() for form in forms(sentence)),
        *(form for saying in sayings for form in (saying.good, saying.bad)),
        *(*REASONS.values(), *SPECIAL.values(), *QUESTIONS, *TO_CHOOSE, coach.LOAN),
        *(*CHOICE_SENTENCES.values(), *OWN.values(), OVERBUILD_RIVAL),
    ]
    for sentence in sentences:
        words = re.sub(r"\{\w+\}", "", sentence)  # fields have plain names
        assert not ODD.search(words), sentence


def moments(kind: Edition, seed: int) -> Iterator[tuple[Game, list[Event]]]:
    """Yield a random game before every choice, and what the previous choice did."""
    game, chance, events = Game(kind, seed=seed), random.Random(seed), list[Event]()
    while not game.over:
        yield game, events
        choices = game.legal_choices()
        liked = [choice for choice in choices if choice.kind in ("sell", "build", "sell_far")]
        events = game.play(chance.choice(liked or choices))
    yield game, events


def displayed(game: Game, events: list[Event]) -> Iterator[str]:
    """Return everything shown at a moment: the log, the choices and the cost of the first one."""
    for line in log_lines(events, game.seats):
        yield f"{line.text}, {line.details}"
    choices = game.legal_choices().ids
    for choice in choices:
        yield choice_words(game.engine, choice)
        yield choice_words(game.engine, choice, exact=True)
    if choices:
        yield str(bill_of(game.engine, choices[:1]))


def refusals(game: Game) -> Iterator[str]:
    spaces = len(game.edition.spaces)
    for choice in range(CHOICES):
        kind, offset = MEANING[choice]
        if kind == "GIVE_UP" and offset >= spaces:  # the vocabulary is larger than this edition
            continue
        reason = game.engine.why(choice)
        if reason != Reason.SAME_AS_EARLIER_SPACE:  # this one is about the number
            yield refusal(game.engine, choice, reason).words


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_games_use_the_words_of_the_rulebook(kind: Edition) -> None:
    number = numbered(kind)
    for count, (game, events) in enumerate(moments(kind, 21)):
        shown = [*displayed(game, events), *(refusals(game) if count % 60 == 0 else ())]
        for words in shown:
            assert not ODD.search(words), words
            assert not number.search(words), words


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_no_language_shows_space_numbers(code: str) -> None:
    for kind in kinds.PLAIN[::3]:
        number = numbered(kind)
        with speaking(code):
            for count, (game, events) in enumerate(moments(kind, 22)):
                shown = [*displayed(game, events), *(refusals(game) if count % 80 == 0 else ())]
                for words in shown:
                    assert not number.search(words), words


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_exact_words_distinguish_open_choices(kind: Edition) -> None:
    for game, _events in moments(kind, 23):
        choices = game.legal_choices().ids
        count = Counter(choice_words(game.engine, choice) for choice in choices)
        alike = [choice for choice in choices if count[choice_words(game.engine, choice)] > 1]
        exact = [choice_words(game.engine, choice, exact=True) for choice in alike]
        assert len(set(exact)) == len(exact), exact


LEVELS = {
    "edition": "birmingham",
    "players": 2,
    "era": "rail",
    "round": 2,
    "tiles": ["Y coal 2 Cannock 1 (3)", "Y coal 2 Cannock 2 (1)", "R coal 2 Dudley 1 (2)"],
    "links": ["Y Cannock-Walsall"],
    "Y": {"cash": 40, "hand": ["Cannock", "coal"], "mat": {"coal": "3"}},
}


def test_two_spaces_of_a_town_are_named_by_industry() -> None:
    game = Game.from_position(LEVELS)
    found = [
        choice_words(game.engine, choice.id, exact=True)
        for choice in game.legal_choices()
        if choice.kind == "build"
        if choice_words(game.engine, choice.id)
        == "overbuild your coal mine in Cannock (level II to III)"
    ]
    assert found == [
        "overbuild your coal mine in Cannock, the manufacturer/coal space (level II to III)",
        "overbuild your coal mine in Cannock, the coal space (level II to III)",
    ]
