"""All that is kept of a player, as one file: the account, seats, games, messages, uploads.

Of games with a result it has the whole record; of any other only what everybody knows.
"""

from __future__ import annotations

from typing import Any

from brassmill.errors import BrassError
from brassmill.web import contacts
from brassmill.web.desk import Desk
from brassmill.web.games import tables_of
from brassmill.web.models import Account, Message, Seat, Table, Upload
from brassmill.web.pages.uploads import record_of

VERSION = 1


def export_of(account: Account) -> dict[str, Any]:
    """Plain data that JSON can hold."""
    key, user = account.key, account.user
    tables = tables_of(key).order_by("began").prefetch_related("seats")
    said, contact = Message.objects.filter(author=key), contacts.of(key)
    brought = Upload.objects.filter(visitor=key).order_by("at")
    return {
        "brassmill": VERSION,
        "account": {
            "name": account.name,
            "address": user.email,
            "since": user.date_joined.isoformat(timespec="seconds"),
        },
        "mails": {
            "address": contact.address,
            "confirmed": contact.confirmed,
            "language": contact.language,
            "away_until": contact.away_until and contact.away_until.isoformat(timespec="seconds"),
        },
        "games": [_game(table, key) for table in tables],
        "messages": [
            {"game": one.table_id, "seat": one.seat, "name": one.name}
            | {"at": one.at.isoformat(timespec="seconds"), "text": one.text}
            for one in said
        ],
        "uploads": [
            {"name": one.name, "at": one.at.isoformat(timespec="seconds"), "text": one.text}
            for one in brought
        ],
    }


def _game(table: Table, key: str) -> dict[str, Any]:
    seats = list(table.seats.all())
    game = {
        "id": table.id,
        "edition": table.edition,
        "players": table.players,
        "options": table.options,
        "began": table.began.isoformat(timespec="seconds"),
        "played": table.touched.isoformat(timespec="seconds"),
        "host": table.host == key,
        "seats": [
            {"seat": seat.number, "name": seat.name, "yours": seat.holder == key} for seat in seats
        ],
        "over": table.over,
        "stands": table.summary,
    }
    if "result" in table.summary:  # one that was ended without may yet go on
        game["record"] = _record(table, seats)
    return game


def _record(table: Table, seats: list[Seat]) -> str | None:
    """The record of a game that is over; None if it was played by other rules."""
    desk = Desk(table, seats)  # it is not kept: that would put those out that are played now
    try:
        desk.catch_up()
    except BrassError:
        return None
    return str(record_of(desk, None)) if desk.over else None
