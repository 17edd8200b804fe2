"""What came of a day: the table of results, its history, and streaks.

Everything follows from the tables and their logs, so a game that an operator repairs is listed as
it stands. A result counts if the game ended before the day did, and was not conceded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from brassmill.web.daily import deals
from brassmill.web.daily.deals import DailyGame
from brassmill.web.models import Attempt, DailyDeal, Entry, Seat
from brassmill.web.setup.deal_of_the_day import PERSON, end_of

LISTED = 100  # rows of a table of results, besides the visitor's own
PAST = 10  # days in the history of a page


@dataclass(frozen=True)
class DailyResult:
    """A row of the table of results."""

    place: int  # from 1; equal results share a place
    name: str
    vp: int
    margin: int  # to the best of the others
    rank: int  # in the game
    finished: str  # the time, UTC
    table: str
    is_yours: bool

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


@dataclass(frozen=True)
class PastDay:
    """A day in the history."""

    day: date
    game: DailyGame
    begun: int  # by how many people
    best: DailyResult | None
    own: DailyResult | None

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return {
            "day": self.day.isoformat(),
            "edition": self.game.edition,
            "players": self.game.players,
            "begun": self.begun,
            "best": self.best and self.best.as_dict(),
            "own": self.own and self.own.as_dict(),
        }


@dataclass(frozen=True)
class Streak:
    """On how many days in a row a player has finished."""

    current: int
    best: int
    days: int  # in all

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


# --- a day ---------------------------------------------------------------------------------------


def results_of(day: date, key: str) -> list[DailyResult]:
    """The results of a day, best first: by VP, then by margin, then by time."""
    return _ranked(_finished(Attempt.objects.filter(day=day)), key)


def own_of(rows: Sequence[DailyResult]) -> DailyResult | None:
    """The visitor's row."""
    return next((row for row in rows if row.is_yours), None)


def shown(rows: Sequence[DailyResult]) -> list[DailyResult]:
    """The rows that a page lists: the best, and the visitor's own wherever it is."""
    return [row for number, row in enumerate(rows) if number < LISTED or row.is_yours]


def finishers(day: date) -> int:
    """How many people have finished."""
    return sum(1 for _one in _finished(Attempt.objects.filter(day=day)))


class Finished(NamedTuple):
    """An attempt that counts."""

    day: date
    visitor: str
    table: str
    name: str
    vp: int
    margin: int
    rank: int
    at: datetime  # when the game ended


def _finished(attempts: QuerySet[Attempt]) -> Iterator[Finished]:
    last = Entry.objects.filter(table=OuterRef("table")).order_by("-number").values("at")[:1]
    person = Seat.objects.filter(table=OuterRef("table"), number=PERSON).values("name")[:1]
    rows = attempts.filter(table__over=True).annotate(at=Subquery(last), name=Subquery(person))
    known = "day", "visitor", "table", "name", "at", "table__summary"
    for day, visitor, table, name, at, summary in rows.values_list(*known):
        standings = {seat: (rank, vp) for seat, rank, vp in summary.get("result", ())}
        has_conceded = PERSON in summary.get("conceded", ())
        if PERSON not in standings or has_conceded or at is None or at >= end_of(day):
            continue
        rank, vp = standings.pop(PERSON)
        margin = vp - max(others for _rank, others in standings.values())
        yield Finished(day, visitor, table, name, vp, margin, rank, at)


def _ranked(finished: Iterable[Finished], key: str) -> list[DailyResult]:
    rows: list[DailyResult] = []
    best_first = sorted(finished, key=lambda one: (-one.vp, -one.margin, one.at))
    for number, one in enumerate(best_first, 1):
        last = rows[-1] if rows else None
        is_equal = last is not None and (last.vp, last.margin) == (one.vp, one.margin)
        rows.append(
            DailyResult(
                place=last.place if last and is_equal else number,
                name=one.name,
                vp=one.vp,
                margin=one.margin,
                rank=one.rank,
                finished=f"{one.at.astimezone(UTC):%H:%M}",
                table=one.table,
                is_yours=one.visitor == key,
            )
        )
    return rows


# --- many days -----------------------------------------------------------------------------------


def history(before: date, key: str) -> list[PastDay]:
    """The days before one, the latest first."""
    kept = DailyDeal.objects.filter(day__lt=before).defer("deal").order_by("-day")[:PAST]
    attempts = Attempt.objects.filter(day__in=[deal.day for deal in kept])
    begun = Counter(attempts.values_list("day", flat=True))
    finished = defaultdict(list)
    for one in _finished(attempts):
        finished[one.day].append(one)
    days = []
    for deal in kept:
        rows = _ranked(finished[deal.day], key)
        best, own = next(iter(rows), None), own_of(rows)
        days.append(PastDay(deal.day, deals.played_on(deal), begun[deal.day], best, own))
    return days


def streak_of(key: str, today: date) -> Streak:
    """The streak of a player. It stands until a whole day has passed without a finished game."""
    days = {one.day for one in _finished(Attempt.objects.filter(visitor=key))}
    lengths: dict[date, int] = {}
    for day in sorted(days):
        lengths[day] = lengths.get(day - timedelta(days=1), 0) + 1
    current = lengths.get(today) or lengths.get(today - timedelta(days=1), 0)
    return Streak(current, max(lengths.values(), default=0), len(days))
