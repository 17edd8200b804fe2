"""Points and standings: pure functions of the tables that have been decided.

The winner of a table gets 12 points, the last none, and the others equal steps between. Players who
share a place share its points. A bye brings 8, and who was away at the end of the game gets none.
Ties in the standings are broken by the number of wins, then by the points of one's opponents, then
by the share of the VP of one's tables; whoever is still equal shares the place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

WIN, BYE = 12, 8


class TablePlace(NamedTuple):
    """How a player did at a table."""

    player: int
    rank: int  # from 1; players may share one
    vp: int = 0
    is_away: bool = False  # a bot played at the end, or nobody came


class Decided(NamedTuple):
    """A table that is over; one place alone is a bye."""

    round: int
    places: tuple[TablePlace, ...]


class StandingLine(NamedTuple):
    """A line of the standings."""

    player: int
    place: int  # from 1; equal players share it
    points: Fraction
    wins: int
    opponents: Fraction  # their points, on average
    share: Fraction  # of the VP of one's tables, on average
    games: int


def points_of(table: Decided) -> dict[int, Fraction]:
    """The points of each player of a table."""
    if len(table.places) == 1:
        return {table.places[0].player: Fraction(0 if table.places[0].is_away else BYE)}
    number = len(table.places)
    found = {}
    for place in table.places:
        better = sum(other.rank < place.rank for other in table.places)
        equal = sum(other.rank == place.rank for other in table.places)
        # The mean of the places that the equal players fill together.
        behind = Fraction(2 * (number - better) - equal - 1, 2)
        found[place.player] = Fraction(0) if place.is_away else WIN * behind / (number - 1)
    return found


def share_of(place: TablePlace, table: Decided) -> Fraction:
    """A player's share of the VP of a table; negative VP count as none."""
    total = sum(max(0, each.vp) for each in table.places)
    return Fraction(max(0, place.vp), total) if total else Fraction(0)


def standings(players: Iterable[int], tables: Sequence[Decided]) -> list[StandingLine]:
    """All players, best first; equals in the order given."""
    points: dict[int, Fraction] = defaultdict(Fraction)
    shares: dict[int, Fraction] = defaultdict(Fraction)
    wins: dict[int, int] = defaultdict(int)
    games: dict[int, int] = defaultdict(int)
    met: dict[int, list[int]] = defaultdict(list)
    for table in tables:
        for player, won in points_of(table).items():
            points[player] += won
        if len(table.places) == 1:
            continue
        for place in table.places:
            games[place.player] += 1
            wins[place.player] += place.rank == 1 and not place.is_away
            shares[place.player] += share_of(place, table)
            met[place.player] += [
                other.player for other in table.places if other.player != place.player
            ]
    rows = [
        StandingLine(
            player,
            0,
            points[player],
            wins[player],
            _mean(sum((points[other] for other in met[player]), Fraction()), len(met[player])),
            _mean(shares[player], games[player]),
            games[player],
        )
        for player in players
    ]
    rows.sort(key=key_of)
    keys = [key_of(row) for row in rows]
    return [row._replace(place=1 + keys.index(key_of(row))) for row in rows]


def key_of(row: StandingLine) -> tuple[Fraction, int, Fraction, Fraction]:
    """What the standings are sorted by."""
    return -row.points, -row.wins, -row.opponents, -row.share


def _mean(total: Fraction, number: int) -> Fraction:
    return total / number if number else Fraction(0)
