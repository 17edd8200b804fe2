"""Delete an account and deal with its games.

A game belongs to everyone who plays it. Games without other people are deleted. All others stay,
without the name: a bot plays on, an open seat becomes free again, another player becomes the host.
"""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction

from brassmill.web.archive import following
from brassmill.web.clubs import clubs
from brassmill.web.delivery import choices
from brassmill.web.mail import addresses, notifications
from brassmill.web.models import (
    Account,
    AnalysisBoard,
    Attempt,
    Entry,
    GameAnalysis,
    Message,
    Report,
    Seat,
    Table,
    Upload,
)
from brassmill.web.moderation import player_reports
from brassmill.web.page.game_list import tables_of
from brassmill.web.puzzles import ratings
from brassmill.web.ratings import results
from brassmill.web.server import notify
from brassmill.web.setup.chairs import names_beside
from brassmill.web.table import bots, live, repair, sessions, unplayable, waiting_room
from brassmill.web.table.session import BrokenLog
from brassmill.web.tournaments import entrants


def delete(account: Account) -> int:
    """Delete an account and all that belongs to it alone; return how many games stay, unnamed.

    If it is interrupted, run it again.
    """
    key = account.key
    stayed = sum(_leave(table, account) for table in tables_of(key).prefetch_related("seats"))
    _delete_messages(key)
    Upload.objects.filter(visitor=key).delete()
    Attempt.objects.filter(visitor=key).delete()
    AnalysisBoard.objects.filter(visitor=key).delete()
    GameAnalysis.objects.filter(visitor=key, waits=True).delete()
    GameAnalysis.objects.filter(visitor=key).update(visitor="")  # of games that others played, too
    Report.objects.filter(visitor=key).delete()
    addresses.erase(key)
    ratings.erase(key)
    following.erase(key)
    choices.erase(key)
    player_reports.erase(key)
    Seat.objects.filter(former=key).update(former="")
    entrants.erase(account)
    clubs.leave_all(account)
    account.user.delete()
    return stayed


def _leave(table: Table, account: Account) -> bool:
    """Leave a table; return whether it stays because others play there or are still invited."""
    key, seats = account.key, table.seats.all()
    others = [seat.holder for seat in seats if seat.holder not in ("", key)]
    if table.host == key:
        notifications.forget_invited(table)
    if not others and (table.over or not any(seat.offered for seat in seats)):
        repair.delete(table.id)
        return False
    Table.objects.filter(pk=table.pk, host=key).update(host=others[0] if others else "")
    if table.gathering:
        waiting_room.leave(table, key)
        return True
    if not table.over:
        if table.rated:  # it will count, under a number instead of the name
            results.stay_rated(table, account)
        _stand_in(table, key)
    _go_unnamed(table, key)
    return True


def _stand_in(table: Table, key: str) -> None:
    """Let the table's standby bot take over the seat."""
    try:
        session = sessions.get(table.id)
    except BrokenLog:
        for seat in table.seats.all():
            if seat.holder == key:
                unplayable.leave(table.id, seat.number)
        return
    for seat in session.seats:
        if seat.holder == key and not session.bots[seat.number]:
            session.replace(seat.number, table.standby, Entry.LEFT)


def _go_unnamed(table: Table, key: str) -> None:
    """Give the seats period names that belong to nobody."""
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=table.pk)
        seats = list(table.seats.order_by("number"))
        own = [seat for seat in seats if seat.holder == key]
        taken = {seat.name.casefold() for seat in seats}
        for seat, name in zip(own, names_beside(taken, len(own)), strict=True):
            seat.name, seat.holder, seat.handover = name, "", ""
        Seat.objects.bulk_update(own, ["name", "holder", "handover"])
        sessions.changed(table.id)
    if not table.over:
        with suppress(BrokenLog):
            bots.wake(sessions.get(table.id))


def _delete_messages(key: str) -> None:
    """Remove a person's chat messages, on open pages too."""
    said = Message.objects.filter(author=key)
    tables = set(said.values_list("table", flat=True))
    with transaction.atomic():
        said.delete()
        for table_id in tables:
            notify.send(notify.SAID, table_id)
    for table_id in tables:
        live.said(table_id)
