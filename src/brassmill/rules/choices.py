"""The vocabulary of choices: one flat range of numbers for all phases and editions.

A choice is kind + offset. Names, notation and docs are made from the table `KINDS`. A kind's
`Subject` says what it is about; code that shows or explains choices depends on that alone. Each
kind has one function that makes its choices and one that reads them, so nothing else adds offsets.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    CARDS,
    INDUSTRIES,
    LINES,
    MERCHANTS,
    PLACES,
    SPACES,
    SYMBOLS,
)

LOANS = 3  # sizes of a loan


class Subject(StrEnum):
    """What a choice is about, and so what its offset counts."""

    SITE = "site"  # an industry on a space: space * 2 + symbol
    SPACE = "space"  # the tile there
    LINE = "line"
    PLACE = "place"
    MERCHANT = "merchant"  # the merchant's space
    CARD = "card"  # the kind of card
    INDUSTRY = "industry"  # the lowest tile on the mat
    SIZE = "size"  # of a loan
    NOTHING = "nothing"  # there is only one such choice


class ChoiceKind(NamedTuple):
    """A row of the vocabulary."""

    name: str
    size: int
    subject: Subject
    word: str  # its word in the notation
    meaning: str


KINDS = (
    ChoiceKind(
        "BUILD", SPACES * SYMBOLS, Subject.SITE, "build", "build that industry on that space"
    ),
    ChoiceKind("LINK", LINES, Subject.LINE, "link", "place a link, or one more rail"),
    ChoiceKind("SELL", SPACES, Subject.SPACE, "sell", "sell the tile there, or one more"),
    ChoiceKind(
        "DEVELOP", INDUSTRIES, Subject.INDUSTRY, "develop", "remove the lowest tile, or one more"
    ),
    ChoiceKind("LOAN", LOANS, Subject.SIZE, "loan", "borrow 10, 20 or 30 pounds"),
    ChoiceKind("SCOUT", 1, Subject.NOTHING, "scout", "take two wild cards for three cards"),
    ChoiceKind("PASS", 1, Subject.NOTHING, "pass", "do nothing"),
    ChoiceKind("CARD", CARDS, Subject.CARD, "card", "discard such a card"),
    ChoiceKind(
        "TWO_CARDS", 1, Subject.NOTHING, "two cards", "build with any two cards and both actions"
    ),
    ChoiceKind("COAL_FROM", SPACES, Subject.SPACE, "coal", "take the coal from the mine there"),
    ChoiceKind("IRON_FROM", SPACES, Subject.SPACE, "iron", "take the iron from the works there"),
    ChoiceKind("BEER_FROM", SPACES, Subject.SPACE, "beer", "take a barrel from the brewery there"),
    ChoiceKind(
        "BARREL_OF",
        MERCHANTS,
        Subject.MERCHANT,
        "beer",
        "sell to that merchant and take the barrel",
    ),
    ChoiceKind("COAL_AT", PLACES, Subject.PLACE, "end", "bring the rail's coal to that end"),
    ChoiceKind("SELL_TO_PORT", SPACES, Subject.SPACE, "port", "sell the mill to the port there"),
    ChoiceKind("SELL_FAR", 1, Subject.NOTHING, "distant", "sell the mill to the distant market"),
    ChoiceKind(
        "REMOVE", INDUSTRIES, Subject.INDUSTRY, "remove", "remove the lowest tile, free of iron"
    ),
    ChoiceKind("GIVE_UP", SPACES, Subject.SPACE, "give up", "remove the tile there to pay a debt"),
    ChoiceKind("DONE", 1, Subject.NOTHING, "done", "no more rails, sales or developments"),
)

_start = 0
_starts = {}
for _kind in KINDS:
    _starts[_kind.name] = _start
    _start += _kind.size

CHOICES = _start  # the size of the vocabulary

BUILD = _starts["BUILD"]
LINK = _starts["LINK"]
SELL = _starts["SELL"]
DEVELOP = _starts["DEVELOP"]
LOAN = _starts["LOAN"]
SCOUT = _starts["SCOUT"]
PASS = _starts["PASS"]
CARD = _starts["CARD"]
TWO_CARDS = _starts["TWO_CARDS"]
COAL_FROM = _starts["COAL_FROM"]
IRON_FROM = _starts["IRON_FROM"]
BEER_FROM = _starts["BEER_FROM"]
BARREL_OF = _starts["BARREL_OF"]
COAL_AT = _starts["COAL_AT"]
SELL_TO_PORT = _starts["SELL_TO_PORT"]
SELL_FAR = _starts["SELL_FAR"]
REMOVE = _starts["REMOVE"]
DEBT_TILE = _starts["GIVE_UP"]  # its name in the vocabulary
DONE = _starts["DONE"]


def kind_of(choice: int) -> tuple[ChoiceKind, int]:
    """The kind of a choice, and its offset."""
    for kind in KINDS:
        offset = choice - _starts[kind.name]
        if 0 <= offset < kind.size:
            return kind, offset
    raise ValueError(f"there is no choice {choice}: choices run from 0 to {CHOICES - 1}")


@rule
def build_on(space, symbol):
    return BUILD + space * SYMBOLS + symbol


@rule
def is_build(choice):
    return BUILD <= choice < BUILD + SPACES * SYMBOLS


@rule
def build_space(choice):
    return (choice - BUILD) // SYMBOLS


@rule
def build_symbol(choice):
    return (choice - BUILD) % SYMBOLS


@rule
def link_on(line):
    return LINK + line


@rule
def is_link(choice):
    return LINK <= choice < LINK + LINES


@rule
def link_line(choice):
    return choice - LINK


@rule
def sell_tile(space):
    return SELL + space


@rule
def is_sell(choice):
    return SELL <= choice < SELL + SPACES


@rule
def sell_space(choice):
    return choice - SELL


@rule
def develop(industry):
    return DEVELOP + industry


@rule
def is_develop(choice):
    return DEVELOP <= choice < DEVELOP + INDUSTRIES


@rule
def develop_industry(choice):
    return choice - DEVELOP


@rule
def loan(levels):
    """A loan of 10 pounds a level: 1, 2 or 3 levels (LOAN-1)."""
    return LOAN + levels - 1


@rule
def is_loan(choice):
    return LOAN <= choice < LOAN + LOANS


@rule
def loan_levels(choice):
    return choice - LOAN + 1


@rule
def card(kind):
    return CARD + kind


@rule
def is_card(choice):
    return CARD <= choice < CARD + CARDS


@rule
def card_kind(choice):
    return choice - CARD


@rule
def coal_from(space):
    return COAL_FROM + space


@rule
def is_coal_from(choice):
    return COAL_FROM <= choice < COAL_FROM + SPACES


@rule
def coal_space(choice):
    return choice - COAL_FROM


@rule
def iron_from(space):
    return IRON_FROM + space


@rule
def is_iron_from(choice):
    return IRON_FROM <= choice < IRON_FROM + SPACES


@rule
def iron_space(choice):
    return choice - IRON_FROM


@rule
def beer_from(space):
    return BEER_FROM + space


@rule
def is_beer_from(choice):
    return BEER_FROM <= choice < BEER_FROM + SPACES


@rule
def beer_space(choice):
    return choice - BEER_FROM


@rule
def barrel_of(merchant):
    return BARREL_OF + merchant


@rule
def is_barrel_of(choice):
    return BARREL_OF <= choice < BARREL_OF + MERCHANTS


@rule
def barrel_merchant(choice):
    return choice - BARREL_OF


@rule
def coal_at(place):
    return COAL_AT + place


@rule
def is_coal_at(choice):
    return COAL_AT <= choice < COAL_AT + PLACES


@rule
def coal_place(choice):
    return choice - COAL_AT


@rule
def sell_to_port(space):
    return SELL_TO_PORT + space


@rule
def is_sell_to_port(choice):
    return SELL_TO_PORT <= choice < SELL_TO_PORT + SPACES


@rule
def port_space(choice):
    return choice - SELL_TO_PORT


@rule
def remove(industry):
    return REMOVE + industry


@rule
def is_remove(choice):
    return REMOVE <= choice < REMOVE + INDUSTRIES


@rule
def remove_industry(choice):
    return choice - REMOVE


@rule
def debt_tile(space):
    return DEBT_TILE + space


@rule
def is_debt_tile(choice):
    return DEBT_TILE <= choice < DEBT_TILE + SPACES


@rule
def debt_tile_space(choice):
    return choice - DEBT_TILE
