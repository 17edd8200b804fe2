"""Positions as plain data: any point between two choices, written down and set up again.

>>> from brassmill import position
>>> start = position.read({"edition": "birmingham", "players": 2, "Y": {"cash": 20}})
>>> int(start.state.cash[0]), int(start.state.cash[1])
(20, 17)
>>> position.write(start.edition, start.state)["to move"]
'Y'

`docs/scenarios.md` explains every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from brassmill.deal import Deal
from brassmill.editions.edition import Edition
from brassmill.position.law import check_laws
from brassmill.position.reader import Reading, read_record
from brassmill.position.words import SEAT_NAMES
from brassmill.position.writer import as_text, write
from brassmill.rules.layout import CANAL

__all__ = ["SEAT_NAMES", "Position", "as_text", "read", "write"]


@dataclass(frozen=True)
class Position:
    """A position that was set up: everything a game needs to go on from it."""

    edition: Edition
    state: Any  # a STATE record
    deal: Deal
    seats: tuple[str, ...]


def read(mapping: Mapping[str, Any]) -> Position:
    """Set up a position; `InvalidPosition` lists everything wrong with it."""
    reading = read_record(mapping)
    check_laws(reading.edition, reading.seats, reading.state)
    return Position(reading.edition, reading.state, deal_of(reading), reading.seats)


def deal_of(reading: Reading) -> Deal:
    """What chance has decided by this position; the rest is the deal of the seed."""
    state, edition, dealt = reading.state, reading.edition, reading.deal

    def row(field: str, size: int) -> tuple[int, ...]:
        return tuple(int(number) for number in state[field][:size])

    cards, tiles = len(dealt.decks[CANAL]), len(edition.distant)
    decks = (row("deck", cards), row("rail_deck", cards))
    distant = (row("distant", tiles), row("rail_distant", tiles))
    if state.era != CANAL:
        decks, distant = (dealt.decks[CANAL], decks[0]), (dealt.distant[CANAL], distant[0])
    merchants = row("merchant", len(edition.merchants))
    return replace(dealt, decks=decks, distant=distant, merchants=merchants, seed=None)
