"""Changing the seats of a table, with the table locked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from brassmill.web.models import Seat, Table
from brassmill.web.table import sessions


@contextmanager
def seats_of(table_id: str, fields: Sequence[str]) -> Iterator[tuple[Table, list[Seat]]]:
    """A table and its seats; changes to these fields are saved, and everyone is notified."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        seats = list(table.seats.all())
        yield table, seats
        Seat.objects.bulk_update(seats, fields)
        table.touched = timezone.now()
        table.save(update_fields=["gathering", "touched"])
        sessions.changed(table_id)
