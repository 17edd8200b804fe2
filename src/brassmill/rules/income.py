"""The progress track: income levels and the moves of the marker (INC)."""

from __future__ import annotations

from brassmill.rules.emit import EventKind, emit
from brassmill.rules.jit import entry, rule

START = 10  # INC-2
LAST = 99
LOWEST_LEVEL = -10


@entry
def income_level(space):
    """INC-1: the income level of a space of the track."""
    if space <= 10:
        return space - 10
    if space <= 30:
        return (space - 9) // 2
    if space <= 60:
        return (space - 28) // 3 + 10
    if space <= 96:
        return (space - 57) // 4 + 20
    return 30


@rule
def highest_space(level):
    """INC-6: the highest-numbered space of an income level."""
    if level <= 0:
        return level + 10
    if level <= 10:
        return 10 + 2 * level
    if level <= 20:
        return 3 * level
    if level <= 29:
        return 4 * level - 20
    return LAST


@rule
def move_income(state, work, seat, space):
    """Move the marker of a seat to a space of the track."""
    emit(work, EventKind.INCOME_MOVED, seat, int(state.income[seat]), space)
    state.income[seat] = space


@rule
def raise_income(state, work, seat, spaces):
    """INC-3: move forward by spaces, at most to the last."""
    if spaces > 0:
        move_income(state, work, seat, min(LAST, int(state.income[seat]) + spaces))
