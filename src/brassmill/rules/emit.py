"""Events: the kinds of event row, and the function that writes one.

A row is a kind and three numbers. Effects write rows where they happen; nothing is ever
reconstructed from the difference of two positions.
"""

from __future__ import annotations

from enum import IntEnum

from brassmill.rules.jit import rule
from brassmill.rules.layout import EVENTS


class EventKind(IntEnum):
    """Kinds of event; the comment names the three numbers."""

    DISCARDED = 1  # seat, card, -
    BUILT = 2  # seat, space, tile
    OVERBUILT = 3  # owner, space, tile that left
    LINKED = 4  # seat, line, -
    PAID = 5  # seat, pounds, Money
    RECEIVED = 6  # seat, pounds, Money
    COAL_USED = 7  # seat, space or -1 for the market, pounds
    IRON_USED = 8  # seat, space or -1 for the market, pounds
    BEER_USED = 9  # seat, space, -
    BARREL_USED = 10  # seat, merchant space, -
    DELIVERED = 11  # seat, space, pounds: a cube went to the market
    FLIPPED = 12  # owner, space, tile
    INCOME_MOVED = 13  # seat, from space, to space
    SOLD = 14  # seat, space, tile
    SOLD_TO_PORT = 15  # seat, space of the mill, space of the port
    DISTANT_TILE = 16  # seat, steps, new space of the marker
    DEVELOPED = 17  # seat, industry, level
    BONUS = 18  # seat, place, amount
    BORROWED = 19  # seat, pounds, levels
    SCOUTED = 20  # seat, -, -
    PASSED = 21  # seat, -, -
    DREW = 22  # seat, cards, -
    ROUND_BEGAN = 23  # era, round, -
    ORDER_SET = 24  # position in the turn order, seat, spent
    INCOME_PAID = 25  # seat, pounds (negative: paid to the bank), -
    GAVE_UP = 26  # seat, space, tile
    VP_LOST = 27  # seat, points, -
    ERA_ENDED = 28  # era, -, -
    LINK_SCORED = 29  # seat, line, points
    TILE_SCORED = 30  # seat, space, points
    CASH_SCORED = 31  # seat, points, -
    INCOME_SCORED = 32  # seat, points, -
    REMOVED = 33  # owner, space, tile: level 1 tiles after the canal era
    GAME_ENDED = 34  # -, -, -


class Money(IntEnum):
    """The purpose of a payment, or the source of money."""

    TILE = 1
    LINK = 2
    COAL = 3
    IRON = 4
    LOAN = 5
    BONUS = 6
    TILE_GIVEN_UP = 7


@rule
def emit(work, kind, a, b, c):
    """Append a row, unless recording is off."""
    row = int(work.event_count)
    if work.recording != 0 and row < EVENTS:
        work.events[row, 0] = kind
        work.events[row, 1] = a
        work.events[row, 2] = b
        work.events[row, 3] = c
        work.event_count = row + 1
