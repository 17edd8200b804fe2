"""Rematches: the first player to ask sets up a table, and the others join it."""

from __future__ import annotations

from collections.abc import Iterable

from brassmill.web.models import Seat, Table
from brassmill.web.setup.host import host_name


def place_of(table: Table, seats: Iterable[Seat], key: str) -> Seat | None:
    """A player's seat in the rematch of a finished game.

    It is the seat they took there, or an open one, preferably the one they had. None if they did
    not play, there is no rematch, or no seat is left.
    """
    had = {seat.number for seat in seats if key and seat.holder == key}
    if not (had and table.over and table.sequel) or table.sequel.over:
        return None
    places = [seat for seat in table.sequel.seats.all() if seat.is_open or seat.holder == key]
    places.sort(key=lambda seat: (seat.is_open, seat.number not in had))
    return places[0] if places else None


def who_waits(table: Table, seats: Iterable[Seat], key: str) -> str:
    """The name of the player who waits for this visitor in a rematch; empty: nobody."""
    place = place_of(table, seats, key)
    if place is None or not place.is_open:
        return ""
    sequel = place.table
    return host_name(sequel, sequel.seats.all())


def prequels_of(table_id: str) -> list[str]:
    """The games that a table is a rematch of."""
    return list(Table.objects.filter(sequel=table_id).values_list("pk", flat=True))
