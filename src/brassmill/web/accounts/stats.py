"""A player's statistics: games, wins and VP by edition, from the summaries of tables.

Introductory games are half as long and counted separately. Only games in which the player had one
seat count: with several seats on one screen, nobody knows which was whose. Games that the players
ended early do not count either, nor those begun at a moment of another game. A game whose deal is
still played at other tables counts once they are over.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from brassmill.web.page.game_list import tables_of, title_of


@dataclass(frozen=True)
class EditionResults:
    """The finished games of one edition, either full or introductory ones."""

    edition: str
    title: str
    intro: bool
    games: int
    wins: int  # including shared ones
    points: float  # on average
    best: int

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def results_of(key: str) -> list[EditionResults]:
    """Return the results of each edition with finished games, full games first."""
    results: dict[tuple[str, bool], list[tuple[int, int]]] = defaultdict(list)
    for table in tables_of(key).filter(over=True, held=False).prefetch_related("seats"):
        if table.summary.get("agreed") or table.begun_at:
            continue
        own = [seat.number for seat in table.seats.all() if seat.holder == key]
        for seat, rank, points in table.summary.get("result", []):
            if own == [seat]:
                results[table.edition, bool(table.options.get("intro"))].append((rank, points))
    return [
        EditionResults(
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
