"""What a player has achieved: games, wins and points by edition, from what lists know of a table.

Introductory games are half as long and stand apart. Only games count in which the player had one
seat: of several at one screen nobody knows which was whose.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from brassmill.web.page.game_list import tables_of, title_of


@dataclass(frozen=True)
class Score:
    """The finished games of one edition, whole or introductory ones."""

    edition: str
    title: str
    intro: bool
    games: int
    wins: int  # shared ones too
    points: float  # the mean
    best: int

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


def scores_of(key: str) -> list[Score]:
    """One for each edition that was played to an end, whole games first."""
    results: dict[tuple[str, bool], list[tuple[int, int]]] = defaultdict(list)
    for table in tables_of(key).filter(over=True).prefetch_related("seats"):
        own = [seat.number for seat in table.seats.all() if seat.holder == key]
        for seat, rank, points in table.summary.get("result", []):
            if own == [seat]:
                results[table.edition, bool(table.options.get("intro"))].append((rank, points))
    return [
        Score(
            edition=edition,
            title=title_of(edition),
            intro=intro,
            games=len(played),
            wins=sum(rank == 1 for rank, _points in played),
            points=round(fmean(points for _rank, points in played), 1),
            best=max(points for _rank, points in played),
        )
        for (edition, intro), played in sorted(results.items())
    ]
