"""Compare rated results with their tables, and ratings with their results; nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from brassmill.web.models import Archive, Ladder, RatedGame
from brassmill.web.ratings import counting


class VerifiedLadder(NamedTuple):
    """What was found on a ladder."""

    ladder: str
    games: int
    problem: str = ""  # empty: everything matches


def verified(table_ids: Iterable[str] = ()) -> Iterator[VerifiedLadder]:
    """Verify all ladders; if tables are named, only theirs."""
    known = Ladder.objects.order_by("pk")
    named = list(table_ids)
    if named:
        known = known.filter(games__table__in=named).distinct()
    for name in known.values_list("pk", flat=True):
        recounted = counting.verify(name)
        problem = next(_mismatches(name), "")
        if recounted.differing:
            problem = f"{recounted.differing} ratings do not follow from the results"
        yield VerifiedLadder(name, recounted.games, problem)


def _mismatches(ladder_id: str) -> Iterator[str]:
    """Results that differ from those of their tables; a deleted table is left out."""
    games = RatedGame.objects.filter(ladder=ladder_id, withdrawn="").prefetch_related("seats")
    for game in games.iterator(500):
        kept = Archive.objects.filter(pk=game.table).values_list("outcome", flat=True).first()
        if not kept:
            continue
        totals = {row["seat"]: row["total"] for row in kept["results"]}
        ranks = {row["seat"]: row["rank"] for row in kept["results"]}
        seats = list(game.seats.all())
        stayed = [seat for seat in seats if not seat.left]
        in_order = sorted(stayed, key=lambda seat: seat.rank)
        if {seat.seat: seat.vp for seat in seats} != totals or in_order != sorted(
            in_order, key=lambda seat: ranks[seat.seat]
        ):
            yield f"the result of {game.table} is another one at its table"
