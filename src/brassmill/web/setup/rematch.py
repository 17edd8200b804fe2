"""Playing again: the first who wants it sets up a table, and the others of that game come to it."""

from __future__ import annotations

from collections.abc import Iterable

from brassmill.web.models import Seat, Table


def place_of(table: Table, seats: Iterable[Seat], key: str) -> Seat | None:
    """Where somebody goes on who has played a game that is over, at the table set up for that.

    It is his seat there, or a free one, the one that he had if it can be. None: he has not played,
    or there is no such table, or no seat for him.
    """
    had = {seat.number for seat in seats if key and seat.holder == key}
    if not (had and table.over and table.sequel) or table.sequel.over:
        return None
    places = [seat for seat in table.sequel.seats.all() if seat.is_open or seat.holder == key]
    places.sort(key=lambda seat: (seat.is_open, seat.number not in had))
    return places[0] if places else None


def who_waits(table: Table, seats: Iterable[Seat], key: str) -> str:
    """Who wants to play again with somebody and waits for him; nothing: nobody."""
    place = place_of(table, seats, key)
    if place is None or not place.is_open:
        return ""
    sequel = place.table
    return next((seat.name for seat in sequel.seats.all() if seat.holder == sequel.host), "")


def prequels_of(table_id: str) -> list[str]:
    """The games whose players play again at a table."""
    return list(Table.objects.filter(sequel=table_id).values_list("pk", flat=True))
