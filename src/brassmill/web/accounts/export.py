"""Everything kept about a player in one file: account, sign-ins, games, messages and so on.

A game with a result is exported as its full record; any other game only as what is public.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from brassmill.errors import BrassError
from brassmill.web.accounts.accounts import address_of
from brassmill.web.archive import following
from brassmill.web.clubs import clubs
from brassmill.web.delivery import choices
from brassmill.web.mail import addresses
from brassmill.web.models import (
    Account,
    AnalysisBoard,
    Attempt,
    GameAnalysis,
    Message,
    Profile,
    Report,
    Seat,
    Table,
    Upload,
)
from brassmill.web.moderation import player_reports
from brassmill.web.page.game_list import tables_of
from brassmill.web.puzzles import ratings
from brassmill.web.ratings import results
from brassmill.web.setup.fair_play import are_hints_allowed
from brassmill.web.table.archive import stored_record
from brassmill.web.table.planning import plan_of
from brassmill.web.table.session import TableSession
from brassmill.web.tournaments import entrants

VERSION = 1


def export_of(account: Account) -> dict[str, Any]:
    """Return plain data for JSON."""
    key, user = account.key, account.user
    tables = tables_of(key).order_by("began").prefetch_related("seats")
    said, contact = Message.objects.filter(author=key), addresses.of(key)
    reported = Report.objects.filter(visitor=key).select_related("message").order_by("at")
    uploads = Upload.objects.filter(visitor=key).order_by("at")
    return {
        "brassmill": VERSION,
        "account": {
            "name": account.name,
            **address_of(account)._asdict(),
            "since": _at(user.date_joined),
            "sign_ins": [_at(one.at) for one in account.sign_ins.order_by("at")],
            "networks": [
                {"hash": one.network, "at": _at(one.at)} for one in account.networks.order_by("at")
            ],
        },
        "mails": {
            "confirmed": contact.confirmed,
            "language": contact.language,
            "away_until": contact.away_until and _at(contact.away_until),
        },
        "notifications": choices.export(key),
        "games": [_game(table, key) for table in tables],
        "messages": [
            {"game": one.table_id, "seat": one.seat, "name": one.name}
            | {"at": _at(one.at), "text": one.text}
            for one in said
        ],
        # Another player's words are theirs: a report only says where they were.
        "reports": [
            {"game": one.message.table_id, "seat": one.message.seat, "at": _at(one.at)}
            for one in reported
        ],
        "player_reports": player_reports.export(key),
        "daily": [
            {"day": one.day.isoformat(), "game": one.table_id, "at": _at(one.began)}
            for one in Attempt.objects.filter(visitor=key).order_by("day")
        ],
        "puzzles": ratings.export(key),
        "following": following.export(key),
        "ratings": results.export(account),
        "tournaments": entrants.export(account),
        "profile": _profile(account),
        "clubs": clubs.export(account),
        "programs": {
            "is_program": account.program,
            "tokens": [
                {"name": one.name, "scopes": one.scopes.split(), "at": _at(one.at)}
                for one in account.tokens.all()
            ],
        },
        "uploads": [{"name": one.name, "at": _at(one.at), "text": one.text} for one in uploads],
        "analyses": [
            {"id": one.id, "game": one.table_id, "record": one.upload_id, "at": _at(one.at)}
            for one in GameAnalysis.objects.filter(visitor=key).order_by("at")
        ],
        "boards": [
            {"analysis": one.analysis_id, "at": _at(one.touched), "variations": one.variations}
            for one in AnalysisBoard.objects.filter(visitor=key).order_by("touched")
        ],
    }


def _profile(account: Account) -> dict[str, bool]:
    """Return which parts of the profile others see."""
    row = Profile.objects.filter(account=account).first() or Profile(account=account)
    return {part: getattr(row, part) for part in ("results", "style", "games", "practice")}


def _game(table: Table, key: str) -> dict[str, Any]:
    seats = list(table.seats.all())
    game = {
        "id": table.id,
        "edition": table.edition,
        "players": table.players,
        "options": table.options,
        "rated": table.rated,
        "hints": are_hints_allowed(table, seats),
        "began": _at(table.began),
        "played": _at(table.touched),
        "host": table.host == key,
        "seats": [
            {"seat": seat.number, "name": seat.name, "yours": seat.holder == key} for seat in seats
        ],
        "over": table.over,
        "stands": table.summary,
    }
    plans = [
        {"seat": seat.number, "actions": plan}
        for seat in seats
        if seat.holder == key and (plan := plan_of(table, seat))
    ]
    if plans:
        game["plans"] = plans
    if "result" in table.summary and not table.held:  # a game ended without a result may be resumed
        game["record"] = _record(table, seats)
    return game


def _record(table: Table, seats: list[Seat]) -> str | None:
    """Return the stored record of a finished game, or None if there is none."""
    if not table.rules:  # the game is older than stored records
        with suppress(BrassError):
            TableSession(table, seats).catch_up()  # not cached: that room is for live games
    return stored_record(table, seats) or None


def _at(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
