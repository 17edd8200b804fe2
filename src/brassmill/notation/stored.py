"""Choices in the words of stored games: English notation, spaces with their numbers.

These words are frozen. What players read depends on the language of a page; what is stored is never
shown and never typed. If a verb of the notation ever changes, the old one stays here; if a name
does, the old one stays in `editions/stored_names.py`.

Older games have the numbers of the first vocabulary, which are frozen here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from brassmill.core.choice import NUMBER
from brassmill.editions.edition import Edition
from brassmill.editions.stored_names import INDUSTRIES, StoredNames, stored_name
from brassmill.errors import UnknownName
from brassmill.rules.layout import INDUSTRY_CARD, SYMBOLS, WILD_LOCATION

# The first vocabulary: how many choices of each kind there were, in their order.
FIRST_SYMBOLS, FIRST_PLACES, FIRST_INDUSTRIES = 2, 27, 8
FIRST_SIZES = {
    "BUILD": 49 * FIRST_SYMBOLS, "LINK": 39, "SELL": 49, "DEVELOP": FIRST_INDUSTRIES, "LOAN": 3,
    "SCOUT": 1, "PASS": 1, "CARD": FIRST_PLACES + FIRST_INDUSTRIES + 2, "TWO_CARDS": 1,
    "COAL_FROM": 49, "IRON_FROM": 49, "BEER_FROM": 49, "BARREL_OF": 9, "COAL_AT": FIRST_PLACES,
    "SELL_TO_PORT": 49, "SELL_FAR": 1, "REMOVE": FIRST_INDUSTRIES, "GIVE_UP": 49, "DONE": 1,
}  # fmt: skip

ALONE = {
    "SCOUT": "scout", "PASS": "pass", "TWO_CARDS": "two cards", "SELL_FAR": "distant",
    "DONE": "done",
}  # fmt: skip
OF_SPACES = {
    "SELL": "sell", "COAL_FROM": "coal", "IRON_FROM": "iron", "BEER_FROM": "beer",
    "SELL_TO_PORT": "port", "GIVE_UP": "give up",
}  # fmt: skip
OF_INDUSTRIES = {"DEVELOP": "develop", "REMOVE": "remove"}


class Words(NamedTuple):
    """The stored words of an edition, in both directions."""

    of_choice: dict[int, str]
    choice: dict[str, int]


@cache
def words_of(edition: Edition) -> Words:
    """All choices of an edition in stored words, cached."""
    of_choice = {NUMBER[kind, offset]: words for kind, offset, words in _rows(edition)}
    choice = {words: number for number, words in of_choice.items()}
    assert len(choice) == len(of_choice), "two choices are stored in the same words"
    return Words(of_choice, choice)


def _rows(edition: Edition) -> Iterator[tuple[str, int, str]]:
    names = StoredNames(edition)
    for kind, words in ALONE.items():
        yield kind, 0, words
    for size in range(3):
        yield "LOAN", size, f"loan {10 * (size + 1)}"
    for space, row in enumerate(edition.spaces):
        name = names.space(space)
        for symbol, industry in enumerate(row.symbols):
            yield "BUILD", space * SYMBOLS + symbol, f"build {stored_name(industry)} {name}"
        for kind, word in OF_SPACES.items():
            yield kind, space, f"{word} {name}"
    for line in range(len(edition.lines)):
        yield "LINK", line, f"link {names.line(line)}"
    for number in edition.industries:
        for kind, word in OF_INDUSTRIES.items():
            yield kind, number, f"{word} {INDUSTRIES[number]}"
    for card in edition.cards:
        yield "CARD", card, f"card {names.card(card)}"
    for merchant in range(len(edition.merchants)):
        yield "BARREL_OF", merchant, f"beer merchant {names.merchant(merchant)}"
    for place in range(len(edition.places)):
        yield "COAL_AT", place, f"end {names.place(place)}"


def write(edition: Edition, choices: Sequence[int]) -> list[str]:
    """Legal choices in stored words."""
    words = words_of(edition).of_choice
    return [words[choice] for choice in choices]


def read(edition: Edition, stored: Sequence[str | int]) -> list[int]:
    """The choices that stored words stand for; a number belongs to the first vocabulary.

    Raises `UnknownName` if this version of the edition has no such choice.
    """
    known = words_of(edition).choice
    try:
        return [known[item] if isinstance(item, str) else from_first(item) for item in stored]
    except KeyError as error:
        raise UnknownName("stored choice", str(error.args[0]), ()) from error


@cache
def from_first(number: int) -> int:
    """Convert a number of the first vocabulary to the current one; `KeyError` if it is gone."""
    offset = number
    for kind, size in FIRST_SIZES.items():
        if 0 <= offset < size:
            return NUMBER[kind, _offset_now(kind, offset)]
        offset -= size
    raise KeyError(number)


def _offset_now(kind: str, offset: int) -> int:
    if kind == "BUILD":
        space, symbol = divmod(offset, FIRST_SYMBOLS)
        return space * SYMBOLS + symbol
    if kind != "CARD" or offset < FIRST_PLACES:
        return offset
    industry = offset - FIRST_PLACES
    if industry < FIRST_INDUSTRIES:
        return INDUSTRY_CARD + industry
    return WILD_LOCATION + industry - FIRST_INDUSTRIES
