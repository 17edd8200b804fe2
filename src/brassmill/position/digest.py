"""A digest of a whole position, to check that a stored game is still the same game.

It is made from stored names of spaces, lines, cards, industries and questions, not from sizes of
arrays or numbers of the vocabulary, so a larger map or vocabulary does not change it. It includes
hidden cards, so it never leaves the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from brassmill.editions.edition import Edition
from brassmill.editions.stored_names import INDUSTRIES, StoredNames, goods_name
from brassmill.rules.layout import NOBODY, NOWHERE, STATE

BYTES = 8

# Frozen, even if players see other words: a word changed here changes every digest.
ERAS = ("canal", "rail")
QUESTIONS = (
    "action", "card", "coal", "iron", "end", "more rails", "beer", "remove", "more sales", "buyer",
    "more development", "give up", "turn over", "game over",
)  # fmt: skip
DOINGS = ("nothing", "build", "link", "develop", "sell", "loan", "scout", "pass")
SOURCES = (*INDUSTRIES, "links", "bonus", "cash", "income", "debt")

# Fields that are plain numbers. Those of PER_SEAT have one number for each seat.
NUMBERS = (
    "round_number", "turn", "actions_left", "income_turn", "owed", "coal_market", "iron_market",
    "demand", "deck_next", "deck_end", "distant_next", "count", "loan", "cards_due", "coal_due",
    "iron_due", "beer_due", "develop_due", "barrel_used", "combined",
)  # fmt: skip
PER_SEAT = ("cash", "spent", "vp", "income", "hand_size")


class EditionNames(NamedTuple):
    """The names behind the numbers of a position."""

    spaces: tuple[str, ...]
    lines: tuple[str, ...]
    places: tuple[str, ...]
    cards: dict[int, str]
    tiles: dict[int, str]
    merchants: tuple[str, ...]


@cache
def names_of(edition: Edition) -> EditionNames:
    """The names of an edition as they were first stored, cached."""
    stored = StoredNames(edition)
    return EditionNames(
        tuple(map(stored.space, range(len(edition.spaces)))),
        tuple(map(stored.line, range(len(edition.lines)))),
        tuple(map(stored.place, range(len(edition.places)))),
        {card: stored.card(card) for card in edition.cards},
        {kind: stored.tile(kind) for kind in edition.tile},
        tuple(map(stored.merchant, range(len(edition.merchants)))),
    )


def digest_of(edition: Edition, position: bytes) -> str:
    """The digest of a packed position: 64 bits, in hexadecimal digits."""
    text = "\n".join(facts_of(edition, position))
    return blake2b(text.encode(), digest_size=BYTES).hexdigest()


def facts_of(edition: Edition, position: bytes) -> Iterator[str]:
    """Every fact of a position as a line of text, in an order that depends only on names."""
    names = names_of(edition)
    values = np.frombuffer(position, STATE)[0].item()
    state: dict[str, Any] = {
        field: value.tolist() if isinstance(value, np.ndarray) else value
        for field, value in zip(STATE.names or (), values, strict=True)
    }
    yield f"{edition.name} {edition.players}"
    yield f"phase {QUESTIONS[state['phase']]}"
    yield f"era {ERAS[state['era']]}"
    yield f"doing {DOINGS[state['doing']]}"
    yield f"seat {state['seat']}"
    yield f"order {state['order'][: edition.players]}"
    for field in NUMBERS:
        yield f"{field} {state[field]}"
    yield f"space {_name(names.spaces, state['space'])}"
    yield f"line {_name(names.lines, state['line'])}"
    yield f"end {_name(names.places, state['end'])}"
    yield f"industry {_name(INDUSTRIES, state['industry'])}"
    for seat in range(edition.players):
        yield from _seat(names, state, seat)
    yield from _map(names, state)
    for merchant, name in enumerate(names.merchants):
        goods = goods_name(state["merchant"][merchant])
        yield f"merchant {name} {goods} {state['barrel'][merchant]}"
    yield f"discards {_counted(names.cards.items(), state['discards'])}"
    for pile in ("deck", "rail_deck"):
        yield f"{pile} {[names.cards[card] for card in state[pile] if card >= 0]}"
    tiles = len(edition.distant)
    yield f"distant {state['distant'][:tiles]} {state['rail_distant'][:tiles]}"


def _seat(names: EditionNames, state: dict[str, Any], seat: int) -> Iterator[str]:
    yield f"seat {seat} {[(field, state[field][seat]) for field in PER_SEAT]}"
    yield f"hand {seat} {_counted(names.cards.items(), state['hand'][seat])}"
    yield f"gone {seat} {_counted(enumerate(INDUSTRIES), state['gone'][seat])}"
    for era, row in zip(ERAS, state["points"][seat], strict=True):
        yield f"points {seat} {era} {_counted(enumerate(SOURCES), row)}"


def _map(names: EditionNames, state: dict[str, Any]) -> Iterator[str]:
    rows = zip(state["tile"], state["owner"], state["flipped"], state["cubes"], strict=True)
    built = (
        f"tile {name} {names.tiles[kind]} {owner} {flipped} {cubes}"
        for name, (kind, owner, flipped, cubes) in zip(names.spaces, rows, strict=False)
        if kind
    )
    yield from sorted(built)
    owners = zip(names.lines, state["link_owner"], strict=False)
    yield from sorted(f"link {name} {owner}" for name, owner in owners if owner != NOBODY)


def _counted(named: Iterable[tuple[int, str]], counts: Sequence[int]) -> list[tuple[str, int]]:
    return sorted((name, counts[number]) for number, name in named if counts[number])


def _name(names: Sequence[str], number: int) -> str:
    return "" if number == NOWHERE else names[number]
