"""Who has set up a table."""

from __future__ import annotations

from collections.abc import Iterable

from brassmill.web.models import Seat, Table


def host_name(table: Table, seats: Iterable[Seat]) -> str:
    """The name of the host, for those they invite; empty if they have left."""
    return next((seat.name for seat in seats if table.host and seat.holder == table.host), "")
