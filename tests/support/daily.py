"""The deal of the day, for tests: another day, and results as if games had been played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from time import sleep
from typing import TYPE_CHECKING
from unittest import mock

if TYPE_CHECKING:
    from brassmill.web.models import Table

MARGIN = timedelta(minutes=10)  # longer than a story takes


@contextmanager
def on(day: date) -> Iterator[None]:
    """Let it be another day, in this process."""
    with mock.patch("brassmill.web.setup.deal_of_the_day.today", return_value=day):
        yield


def day_with_time_left() -> date:
    """Return the day by the clock of a real server; shortly before midnight, wait for the next."""
    now = datetime.now(UTC)
    if (now + MARGIN).date() != now.date():
        sleep((datetime.combine(now.date() + timedelta(days=1), time(), UTC) - now).total_seconds())
    return datetime.now(UTC).date()


def finish(
    table: Table, vp: int, *others: int, conceded: bool = False, at: datetime | None = None
) -> None:
    """Write down a result as if the game had been played."""
    from django.utils import timezone

    from brassmill.web.models import Entry
    from brassmill.web.table.fitting import stamp_for

    rivals = [*others, *[1] * (table.players - 1 - len(others))]
    totals = sorted([(vp, 0), *((points, n) for n, points in enumerate(rivals, 1))], reverse=True)
    ranked = [[seat, rank, points] for rank, (points, seat) in enumerate(totals, 1)]
    table.summary = {"result": ranked, "conceded": [0] if conceded else []}
    table.over = True
    table.rules = stamp_for(table)  # no server looks whether its log fits them
    table.save(update_fields=["summary", "over", "rules"])
    number = 1 + table.entries.count()
    Entry.objects.create(table=table, number=number, body={"end": True}, at=at or timezone.now())


def result_on(day: date, name: str, vp: int, key: str = "") -> Table:
    """Make a result of a day for a visitor."""
    from brassmill.web.daily import attempts

    with on(day):
        table = attempts.begin(key or f"daily-{day}-{name}"[:32], name)
    finish(table, vp, 100, at=datetime.combine(day, time(), UTC))
    return table
