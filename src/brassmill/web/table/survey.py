"""Check all games against the current rules when the server starts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from time import sleep
from typing import TypeVar

from django.db import connection

from brassmill.web.models import Table
from brassmill.web.server.database import TROUBLE
from brassmill.web.table.fitting import stamp_for
from brassmill.web.table.session import BrokenLog, TableSession

PAUSE = 0.02  # seconds after each game: players who wait for SQLite's lock come first
OUTAGE = 2.0  # seconds until the next attempt when the database does not respond

Result = TypeVar("Result")

log = logging.getLogger("brassmill.web")


def survey() -> None:
    """Check every game not yet checked against the current rules; log those that do not fit."""
    for table_id in _patiently(_unchecked):
        _patiently(partial(_check, table_id))
        sleep(PAUSE)
    if aside := _patiently(_set_aside):
        log.warning("tables played with different rules, opened as records: %s", ", ".join(aside))
    connection.close()


def _patiently(work: Callable[[], Result]) -> Result:
    """Do some work; if the database does not respond, try again."""
    while True:
        try:
            return work()
        except TROUBLE:
            connection.close()
            sleep(OUTAGE)


def _unchecked() -> list[str]:
    """The games not yet checked against the current rules, the latest first."""
    stamps: dict[tuple[str, int, str], str] = {}
    found = []
    columns = ("edition", "players", "options", "rules", "misfit")
    for table in Table.objects.only(*columns).order_by("-touched"):
        kind = (table.edition, table.players, repr(sorted(table.options.items())))
        stamp = stamps.get(kind) or stamps.setdefault(kind, stamp_for(table))
        if not _is_checked(table, stamp):
            found.append(table.pk)
    return found


def _is_checked(table: Table, stamp: str) -> bool:
    return table.misfit == stamp or (table.rules == stamp and not table.misfit)


def _check(table_id: str) -> None:
    """Check a game, unless another process has done so meanwhile: several begin together."""
    try:
        table = Table.objects.get(pk=table_id)
        if not _is_checked(table, stamp_for(table)):
            TableSession(table, table.seats.all()).catch_up()  # not cached: it may not be in use
    except (BrokenLog, Table.DoesNotExist):
        pass  # set aside, or deleted meanwhile


def _set_aside() -> list[str]:
    return list(Table.objects.exclude(misfit="").order_by("pk").values_list("pk", flat=True))
