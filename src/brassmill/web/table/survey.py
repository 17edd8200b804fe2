"""All games are compared with the rules of today when a server starts."""

from __future__ import annotations

import logging

from brassmill.web.models import Table
from brassmill.web.table.fitting import stamp_for
from brassmill.web.table.session import BrokenLog, TableSession

log = logging.getLogger("brassmill.web")


def survey() -> None:
    """Compare every game that was not compared with the rules of today; say which do not fit."""
    stamps: dict[tuple[str, int, str], str] = {}
    for table in Table.objects.order_by("-touched").iterator():
        kind = (table.edition, table.players, repr(sorted(table.options.items())))
        stamp = stamps.setdefault(kind, stamp_for(table))
        if table.misfit == stamp or (table.rules == stamp and not table.misfit):
            continue
        try:
            TableSession(table, table.seats.all()).catch_up()  # not kept: others are played now
        except (BrokenLog, Table.DoesNotExist):
            continue
    aside = Table.objects.exclude(misfit="").order_by("pk").values_list("pk", flat=True)
    if aside:
        log.warning("games that open as records, played by other rules: %s", ", ".join(aside))
