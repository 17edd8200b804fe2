"""The formats: who is in a round, in which groups, and when a tournament is over.

Pure functions. What looks random follows from the key of the tournament and the number of the
round, so the same tournament is always seated the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from brassmill.web.tournaments.points import Decided, TablePlace, share_of, standings
from brassmill.web.tournaments.seating import (
    History,
    Seating,
    circle,
    seat_round,
    sizes_for,
)

SWISS, ROUND_ROBIN, KNOCK_OUT = "swiss", "round-robin", "knock-out"
LEAGUE, ARENA = "league", "arena"
FORMATS = (SWISS, ROUND_ROBIN, KNOCK_OUT, LEAGUE, ARENA)


def random_of(key: str, number: int) -> Random:
    """The random numbers of a round."""
    return Random(f"{key} {number}")


def drawn(players: Collection[int], key: str) -> list[int]:
    """The players in the order of the draw."""
    order = sorted(players)
    random_of(key, 0).shuffle(order)
    return order


def rounds_of(style: str, players: int, size: int, wanted: int) -> int:
    """How many rounds there are, in a league in a season; 0: as many as it takes."""
    if style == SWISS:
        return wanted
    if style in (ROUND_ROBIN, LEAGUE):
        # Everyone meets everyone; at a single table everyone has every seat.
        return players if players <= size else -(-(players - 1 + players % size % 2) // (size - 1))
    return 0


def swiss(
    players: Collection[int],
    tables: Sequence[Decided],
    history: History,
    kind: tuple[int, Collection[int]],
    key: str,
) -> Seating:
    """A round: equals play each other, and nobody meets again while that can be avoided."""
    order = [row.player for row in standings(drawn(players, key), tables)]
    return seat_round(order, *kind, history, random_of(key, 1 + len(tables)))


def round_robin(
    players: Collection[int],
    number: int,
    history: History,
    kind: tuple[int, Collection[int]],
    key: str,
) -> Seating:
    """A round, from 1: everyone meets everyone, as evenly as tables allow."""
    size, allowed = kind
    order = drawn(players, key)
    if size == 2 and len(order) > 2:
        return circle(order, number)
    random = random_of(key, number)
    random.shuffle(order)
    return seat_round(order, size, allowed, history, random)


def knock_out(
    players: Sequence[int], number: int, kind: tuple[int, Collection[int]], key: str
) -> Seating:
    """A round: the players in their order meet over all tables, the best of each far apart."""
    size, allowed = kind
    sizes = sizes_for(len(players), size, allowed)
    byes = len(players) - sum(sizes)
    order = [*players[byes:]]
    tables: list[list[int]] = [[] for _ in sizes]
    at, step = 0, 1
    for player in order:  # like a snake, past tables that are full
        while len(tables[at]) == sizes[at]:
            at, step = _next(at, step, len(tables))
        tables[at].append(player)
        at, step = _next(at, step, len(tables))
    random = random_of(key, number)
    for table in tables:
        random.shuffle(table)
    return [*map(tuple, tables), *((bye,) for bye in players[:byes])]


def _next(at: int, step: int, number: int) -> tuple[int, int]:
    return (at + step, step) if 0 <= at + step < number else (at, -step)


def survivors(tables: Sequence[Decided], order: Sequence[int], least: int) -> list[int]:
    """Who plays on in a knock-out, best first: the better half of each table, and byes.

    If they are too few for the smallest table, the best of the others play on, too.
    """
    through: list[tuple[tuple[int, int, Fraction, int], int]] = []
    others: list[tuple[tuple[int, int, Fraction, int], int]] = []
    for table in tables:
        best = sorted((_worth(place, table, order), place.player) for place in table.places)
        number = max(1, len(best) // 2)
        present = [pair for pair in best if not pair[0][0]]
        through += present[:number]
        others += present[number:]
    found = sorted(through) + sorted(others)
    return [player for _worth_of, player in found[: max(least, len(through))]]


def _worth(
    place: TablePlace, table: Decided, order: Sequence[int]
) -> tuple[int, int, Fraction, int]:
    """What decides at a table; the order of the draw is the last word."""
    return place.is_away, place.rank, -share_of(place, table), order.index(place.player)


def knock_out_places(players: Sequence[int], tables: Sequence[Decided]) -> dict[int, int]:
    """The places of a knock-out: by the last round played, then by the rank there."""
    last: dict[int, tuple[int, int, int]] = {}
    for table in tables:
        for place in table.places:
            mine = -table.round, int(place.is_away), place.rank
            last[place.player] = min(mine, last.get(place.player, (0, 0, 0)))
    keys = [last.get(player, (0, 0, 0)) for player in players]
    return {
        player: 1 + sum(other < own for other in keys)
        for player, own in zip(players, keys, strict=True)
    }


def arena(
    waiting: Sequence[int],
    is_patient: bool,
    history: History,
    kind: tuple[int, Collection[int]],
    random: Random,
) -> Seating:
    """Tables of those who wait, the longest first; whoever finds none goes on waiting."""
    size, allowed = kind
    fitting = [each for each in allowed if each == size or not is_patient]
    found = seat_round(waiting, size, fitting, history, random)
    return [table for table in found if len(table) > 1]


# --- leagues -------------------------------------------------------------------------------------


def divided(players: Sequence[int], size: int, least: int) -> list[list[int]]:
    """Divisions in order; a last one too small for a table joins the one above."""
    cut = [list(players[at : at + size]) for at in range(0, len(players), size)]
    if len(cut) > 1 and len(cut[-1]) < least:
        cut[-2:] = [cut[-2] + cut[-1]]
    return cut


def promoted(divisions: Sequence[Sequence[int]], movers: int) -> list[int]:
    """All players after a season, given best first.

    The best of each division change places with the last of the one above.
    """
    found = [list(division) for division in divisions]
    for above, below in pairwise(found):
        number = min(movers, len(above) // 2, len(below) // 2)
        if number:
            risen, fallen = below[:number], above[-number:]
            above[-number:], below[:number] = risen, fallen
    return [player for division in found for player in division]
