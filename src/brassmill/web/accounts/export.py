"""All that is kept of a player, as one file: account, sign-ins, games, messages, reports, uploads.

Of games with a result it has the whole record; of any other only what everybody knows.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from brassmill.errors import BrassError
from brassmill.web.mail import addresses
from brassmill.web.models import Account, Message, Report, Seat, Table, Upload
from brassmill.web.page.game_list import tables_of
from brassmill.web.table.archive import stored_record
from brassmill.web.table.session import TableSession

VERSION = 1


def export_of(account: Account) -> dict[str, Any]:
    """Plain data that JSON can hold."""
    key, user = account.key, account.user
    tables = tables_of(key).order_by("began").prefetch_related("seats")
    said, contact = Message.objects.filter(author=key), addresses.of(key)
    reported = Report.objects.filter(visitor=key).select_related("message").order_by("at")
    brought = Upload.objects.filter(visitor=key).order_by("at")
    return {
        "brassmill": VERSION,
        "account": {
            "name": account.name,
            "address": user.email,
            "since": _at(user.date_joined),
            "sign_ins": [_at(one.at) for one in account.sign_ins.order_by("at")],
        },
        "mails": {
            "address": contact.address,
            "confirmed": contact.confirmed,
            "language": contact.language,
            "away_until": contact.away_until and _at(contact.away_until),
        },
        "games": [_game(table, key) for table in tables],
        "messages": [
            {"game": one.table_id, "seat": one.seat, "name": one.name}
            | {"at": _at(one.at), "text": one.text}
            for one in said
        ],
        # What another has said is his: a report says where it was.
        "reports": [
            {"game": one.message.table_id, "seat": one.message.seat, "at": _at(one.at)}
            for one in reported
        ],
        "uploads": [{"name": one.name, "at": _at(one.at), "text": one.text} for one in brought],
    }


def _game(table: Table, key: str) -> dict[str, Any]:
    seats = list(table.seats.all())
    game = {
        "id": table.id,
        "edition": table.edition,
        "players": table.players,
        "options": table.options,
        "began": _at(table.began),
        "played": _at(table.touched),
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
    """The record of a game that is over, as it is stored; None if there is none."""
    if not table.rules:  # a game from before records were stored
        with suppress(BrassError):
            TableSession(table, seats).catch_up()  # not kept: others are played now
    return stored_record(table, seats) or None


def _at(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
