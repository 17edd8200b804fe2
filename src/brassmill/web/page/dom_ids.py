"""Which page elements stand for a choice.

The pictures of `brassmill.svg` give ids to what they draw; all other choices have a button.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from brassmill.core.choice import ABOUT, MEANING
from brassmill.core.engine import Engine
from brassmill.editions.edition import INDUSTRY, NUMBER, Edition
from brassmill.editions.names import slug
from brassmill.rules.choices import SELL_FAR, TWO_CARDS, Subject
from brassmill.rules.layout import SYMBOLS
from brassmill.svg.lights import industry_built

DISTANT, END_TURN = "distant-market", "do-end"
ALONE = {TWO_CARDS: "two-cards", SELL_FAR: DISTANT}  # in a picture, but without an object
BUTTONS = ("LOAN", "SCOUT", "PASS", "DONE")  # kinds of choice that are not in any picture
VERBS = ("build", "link", "sell", "develop", "loan")  # with one button for the whole kind


def elements_of(engine: Engine, choice: int) -> tuple[str, ...]:
    """The elements that stand for an open choice; equal empty spaces of a town all do.

    A build has elements on the map and on the mat, where people look for it first.
    """
    edition = engine.edition
    subject, offset = ABOUT[choice]
    match subject:
        case Subject.SITE:
            spaces = equal_spaces(engine, offset // SYMBOLS)
            mat = mat_element(engine.seat, industry_built(edition, choice))
            return (*(space_element(edition, space) for space in spaces), mat)
        case Subject.SPACE:
            return (space_element(edition, offset),)
        case Subject.LINE:
            return (line_element(edition, offset),)
        case Subject.MERCHANT:
            return (merchant_element(edition, offset),)
        case Subject.PLACE:
            return (place_element(edition, offset),)
        case Subject.CARD:
            return (card_element(edition, offset),)
        case Subject.INDUSTRY:
            return (mat_element(engine.seat, offset),)
    return (ALONE.get(choice) or button(choice),)


def tile_placed(engine: Engine, choice: int) -> str:
    """The tile on the player's mat that a build places; empty for other choices."""
    if ABOUT[choice][0] != Subject.SITE:
        return ""
    return mat_element(engine.seat, industry_built(engine.edition, choice))


def button(choice: int) -> str:
    """The button of a choice that is not in any picture: `do-pass`, `do-loan-30`."""
    kind, offset = MEANING[choice]
    words = kind.lower().replace("_", "-")
    return f"do-{words}-{10 * (offset + 1)}" if kind == "LOAN" else f"do-{words}"


def equal_spaces(engine: Engine, space: int) -> list[int]:
    """A space and, if it is empty, all equivalent empty spaces of its town."""
    edition, tile = engine.edition, engine.state.tile
    if tile[space]:
        return [space]
    row = edition.spaces[space]
    return [
        other
        for other in edition.place_spaces[row.place]
        if not tile[other] and edition.spaces[other].symbols == row.symbols
    ]


@cache
def space_element(edition: Edition, space: int) -> str:
    row = edition.spaces[space]
    return f"space-{edition.places[row.place].id}-{row.number}"


@cache
def line_element(edition: Edition, line: int) -> str:
    return f"line-{edition.lines[line].id}"


@cache
def place_element(edition: Edition, place: int) -> str:
    return f"place-{edition.places[place].id}"


@cache
def merchant_element(edition: Edition, merchant: int) -> str:
    place = edition.merchants[merchant]
    number = merchant - edition.merchants.index(place) + 1
    return f"merchant-{edition.places[edition.place_number[place]].id}-{number}"


@cache
def card_element(edition: Edition, card: int) -> str:
    return f"card-{slug(edition.card_name(card))}"


def mat_element(seat: int, industry: int) -> str:
    return f"mat-{seat}-{INDUSTRY[industry]}"


# --- by the names in events ----------------------------------------------------------------------


def space_named(edition: Edition, name: str) -> str:
    place, number = edition.find_space(name)
    return space_element(edition, edition.space_at(place, number or 1))


def line_named(edition: Edition, name: str) -> str:
    return line_element(edition, edition.find_line(name))


def merchant_named(edition: Edition, name: str) -> str:
    names = [edition.merchant_name(n) for n in range(len(edition.merchants))]
    return merchant_element(edition, names.index(name))


# --- from elements to things ---------------------------------------------------------------------


class Thing(NamedTuple):
    """What an element represents."""

    kind: str  # space, line, place, merchant, card, mat, coal, iron, distant, button, end or a verb
    number: int = 0  # of the space, line, place, merchant, card or industry; or a choice
    seat: int = 0  # of a mat
    level: int = 0  # of a tile on a mat; 0: the next


def thing_of(edition: Edition, element: str) -> Thing | None:
    """What a page element represents; None if it is not part of the game."""
    return things_of(edition).get(element)


def card_of(edition: Edition, element: str) -> int | None:
    """The card that an element stands for; None if it is not a card."""
    thing = thing_of(edition, element)
    return thing.number if thing and thing.kind == "card" else None


@cache
def things_of(edition: Edition) -> dict[str, Thing]:
    """What each element that can be explained represents."""
    found = {
        DISTANT: Thing("distant"),
        "coal-market": Thing("coal"),
        "iron-market": Thing("iron"),
        END_TURN: Thing("end"),
        **{f"do-{verb}": Thing(verb) for verb in VERBS},
    }
    numbered: tuple[tuple[str, Callable[[Edition, int], str], Iterable[int]], ...] = (
        ("space", space_element, range(len(edition.spaces))),
        ("line", line_element, range(len(edition.lines))),
        ("place", place_element, range(len(edition.places))),
        ("merchant", merchant_element, range(len(edition.merchants))),
        ("card", card_element, edition.cards),
    )
    for kind, name, numbers in numbered:
        found |= {name(edition, number): Thing(kind, number) for number in numbers}
    for seat in range(edition.players):
        for industry in edition.industries:
            mat = mat_element(seat, industry)
            found[mat] = Thing("mat", industry, seat)
            for row in edition.tiles:
                if NUMBER[row.industry] == industry:
                    found[f"{mat}-{row.level}"] = Thing("mat", industry, seat, row.level)
    for choice, (kind, _offset) in enumerate(MEANING):
        if kind in BUTTONS:
            found[button(choice)] = Thing("button", choice)
    found[ALONE[TWO_CARDS]] = Thing("button", TWO_CARDS)
    return found
