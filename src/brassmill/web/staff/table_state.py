"""The state of a table, as the operator's lists name and filter it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brassmill.language import N_

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from brassmill.web.models import Table

WAITING, RUNNING, OVER, VOID = "waiting", "running", "over", "void"
STATES = {
    RUNNING: N_("running"),
    WAITING: N_("waiting for players"),
    OVER: N_("finished"),
    VOID: N_("without a result"),
}
MISFIT = "misfit"  # in any of these states, but played by other rules: it opens as a record


def state_of(table: Table) -> str:
    if table.gathering:
        return WAITING
    if table.over:
        return VOID if table.summary.get("void") else OVER
    return RUNNING


def in_state(tables: QuerySet[Table], state: str) -> QuerySet[Table]:
    """Return the tables in a state."""
    if state == MISFIT:
        return tables.exclude(misfit="")
    if state in (OVER, VOID):
        return tables.filter(over=True, summary__void__isnull=state == OVER)
    return tables.filter(over=False, gathering=state == WAITING)


def turn_of(table: Table) -> str:
    """Return the name of the player to move, or nothing."""
    mover = table.summary.get("to_move")
    return "" if mover is None or table.over else table.seats.all()[mover].name
