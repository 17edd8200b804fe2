"""Check all games against the current rules when the server starts."""

from __future__ import annotations

import logging

from brassmill.web.models import Table
from brassmill.web.table.fitting import stamp_for
from brassmill.web.table.session import BrokenLog, TableSession

log = logging.getLogger("brassmill.web")


def survey() -> None:
    """Check every game not yet checked against the current rules; log those that do not fit."""
    stamps: dict[tuple[str, int, str], str] = {}
    for table in Table.objects.order_by("-touched").iterator():
        kind = (table.edition, table.players, repr(sorted(table.options.items())))
        stamp = stamps.setdefault(kind, stamp_for(table))
        if table.misfit == stamp or (table.rules == stamp and not table.misfit):
            continue
        try:
            TableSession(table, table.seats.all()).catch_up()  # not cached: it may not be in use
        except (BrokenLog, Table.DoesNotExist):
            continue
    aside = Table.objects.exclude(misfit="").order_by("pk").values_list("pk", flat=True)
    if aside:
        log.warning("tables played with different rules, opened as records: %s", ", ".join(aside))
