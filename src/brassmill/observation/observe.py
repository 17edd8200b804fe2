"""A position as numbers: one function for a CPU, a GPU and plain Python.

It reads only what a view shows: public fields, the own hand, everyone's wild cards, and the distant
tiles revealed so far.
"""

from __future__ import annotations

from typing import Any

from brassmill.observation.cards import see_hand, see_unseen
from brassmill.observation.map import see_lines, see_spaces
from brassmill.observation.markets import see_markets
from brassmill.observation.moment import see_action, see_options, see_progress
from brassmill.observation.seats import see_mats, see_points, see_seats
from brassmill.rules.jit import entry, rule


@rule
def observe(state: Any, board: Any, seat: int, values: Any) -> Any:
    """Write what a seat may know; return how many numbers. `Layout` has their meaning."""
    for index in range(len(values)):
        values[index] = 0
    at = see_options(board, values, 0)
    at = see_progress(state, values, at)
    at = see_action(state, board, values, at)
    at = see_seats(state, board, seat, values, at)
    at = see_mats(state, board, seat, values, at)
    at = see_hand(state, board, seat, values, at)
    at = see_unseen(state, board, seat, values, at)
    at = see_markets(state, board, values, at)
    at = see_spaces(state, board, seat, values, at)
    at = see_lines(state, board, seat, values, at)
    return see_points(state, board, seat, values, at)


@entry
def observe_all(
    boards: Any, states: Any, seats: Any, observations: Any, first: int, last: int
) -> None:
    """Observe positions, each from its given seat."""
    for game in range(first, last):
        observe(states[game], boards[0], int(seats[game]), observations[game])
