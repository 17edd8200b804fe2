"""The deal of the day: which day it is, and who may see a table that was started with its deal.

All days are UTC, by the clock of the database, so that every process agrees when one ends. Until
then a table shows itself to its own player and to those who have played the deal themselves. Then
the deal is published.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from brassmill.web.models import Attempt, Seat, Table
from brassmill.web.server import database

PERSON = 0  # the seat of the person; bots have all others


def today() -> date:
    """The current day."""
    return database.now().astimezone(UTC).date()


def end_of(day: date) -> datetime:
    """When a day is over and its deal is published."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def is_over(day: date) -> bool:
    """Has a day ended?"""
    return day < today()


def may_see(table: Table, seats: Iterable[Seat], key: str) -> bool:
    """May a visitor see anything of a table?"""
    if table.day is None or any(key and seat.holder == key for seat in seats):
        return True
    return is_over(table.day) or has_played(table.day, key)


def has_played(day: date, key: str) -> bool:
    """Has a visitor played the deal of a day, so that nothing they see can help them?"""
    attempt = Attempt.objects.filter(day=day, visitor=key).select_related("table").first()
    return attempt is not None and is_done(attempt)


def is_done(attempt: Attempt) -> bool:
    """Can the player do nothing more? The game is over, conceded or deleted."""
    table = attempt.table
    return table is None or table.over or PERSON in table.summary.get("conceded", ())
