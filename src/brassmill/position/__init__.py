"""Positions as data and as text: any point between two choices can be written and set up again.

>>> from brassmill import position
>>> start = position.read({"edition": "birmingham", "players": 2, "Y": {"cash": 20}})
>>> int(start.state.cash[0]), int(start.state.cash[1])
(20, 17)
>>> position.write(start.edition, start.state)["to move"]
'Y'

`docs/formats/scenarios.md` explains every key. The same as short text (`docs/formats/notation.md`):

>>> position.from_text("birmingham 2 | Y: £20")
{'players': '2', 'edition': 'birmingham', 'Y': {'cash': '20'}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brassmill.core.deal import Deal
from brassmill.editions.edition import Edition
from brassmill.position.draft import PositionDraft, draft_of
from brassmill.position.law import check_laws
from brassmill.position.reader import read_record
from brassmill.position.text import BETWEEN, from_text, to_text, view_text
from brassmill.position.words import SEAT_NAMES
from brassmill.position.writer import as_text, write
from brassmill.rules.layout import CANAL

__all__ = [
    "BETWEEN",
    "SEAT_NAMES",
    "Position",
    "PositionDraft",
    "as_text",
    "draft_of",
    "from_text",
    "of_state",
    "read",
    "to_text",
    "view_text",
    "write",
]


@dataclass(frozen=True)
class Position:
    """A position that was set up: everything a game needs to continue from it."""

    edition: Edition
    state: Any  # a STATE record
    deal: Deal  # what was dealt, as far as it is known, and everything to come
    seats: tuple[str, ...]


def read(mapping: Mapping[str, Any]) -> Position:
    """Set up a position; `InvalidPosition` lists everything wrong with it."""
    reading = read_record(mapping)
    check_laws(reading.edition, reading.seats, reading.state)
    deal = deal_of(reading.edition, reading.state, reading.deal)
    return Position(reading.edition, reading.state, deal, reading.seats)


def of_state(edition: Edition, state: Any, seats: tuple[str, ...]) -> Position:
    """A position that the rules themselves have reached, as a `STATE` record."""
    return Position(edition, state, deal_of(edition, state, Deal.from_seed(edition, 1)), seats)


def deal_of(edition: Edition, state: Any, dealt: Deal) -> Deal:
    """The deal of a position: what has been revealed and what is to come.

    Past cards and tiles, and their order, come from another deal where the position does not say:
    playing from this deal need not lead to the position.
    """

    def row(field: str, size: int) -> tuple[int, ...]:
        return tuple(int(number) for number in state[field][:size])

    cards, tiles = len(dealt.decks[CANAL]), len(edition.distant)
    decks = (row("deck", cards), row("rail_deck", cards))
    distant = (row("distant", tiles), row("rail_distant", tiles))
    if state.era != CANAL:
        decks, distant = (dealt.decks[CANAL], decks[0]), (dealt.distant[CANAL], distant[0])
    merchants = row("merchant", len(edition.merchants))
    order = first_order(edition, state)
    return Deal(decks, distant, merchants, order)


def first_order(edition: Edition, state: Any) -> tuple[int, ...]:
    """The first turn order: known in the first round, later assumed to be the seating order."""
    players = edition.players
    order = tuple(int(seat) for seat in state.order[:players])
    if state.era != CANAL or state.round_number > 1 or state.turn == players:
        return tuple(range(players))
    if edition.traits.clockwise_start:
        return tuple((order[0] + place) % players for place in range(players))
    return order
