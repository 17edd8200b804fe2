"""What is due by now at any table, done by a thread of every process.

Who does something claims it by a conditional update, or by the number of an entry: each thing is
done by one process. While no process is alive nobody can play, so that time does not count.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from brassmill.web.mail import notifications
from brassmill.web.models import Entry, Pulse, Seat, Table
from brassmill.web.server import database, periodic
from brassmill.web.server.database import TROUBLE
from brassmill.web.setup.clocks import CLOCKS, DAY
from brassmill.web.table import bots, clock, live, sessions
from brassmill.web.table.session import Stale, TableSession
from brassmill.web.table.start import start

ROUND = 2.0  # seconds between two rounds
BEAT = timedelta(seconds=20)  # between two signs of life
OUTAGE = timedelta(minutes=2)  # without one: nobody was alive
SOON = timedelta(minutes=2)  # before a mail it is told who has the page open
PRESENT = timedelta(seconds=30)  # since that was told last

log = logging.getLogger("brassmill.web")


def run() -> None:
    """Do what is due; for ever."""
    periodic.repeat(do_what_is_due, ROUND)


def do_what_is_due() -> None:
    """Do what is due now."""
    now = database.now()
    beat(now)
    mark_present(now)
    tell(now)
    warn(now)
    begin_forgotten(now)
    for table_id in overdue(now):
        _try(stand_in, table_id)


def _try(deed: Callable[[str], None], table_id: str) -> None:
    """Do something at a table; where it cannot be done the others go on."""
    try:
        deed(table_id)
    except TROUBLE:
        raise
    except Exception:
        log.exception("the table %s cannot go on", table_id)


# --- who is alive --------------------------------------------------------------------------------


def beat(now: datetime) -> None:
    """Say that somebody is alive. Whoever finds that nobody was puts off what came due."""
    last = Pulse.objects.order_by("pk").first()
    if last is None:
        Pulse.objects.get_or_create(pk=1, defaults={"at": now})
        return
    if now - last.at < BEAT:
        return
    with transaction.atomic():
        mine = Pulse.objects.filter(pk=last.pk, at=last.at).update(at=now)
        if mine and now - last.at > OUTAGE:
            put_off(now - last.at)


def put_off(time: timedelta) -> None:
    """Nobody could play for that long."""
    Table.objects.filter(due__isnull=False).update(due=F("due") + time)
    Table.objects.filter(warn_at__isnull=False).update(warn_at=F("warn_at") + time)
    Table.objects.filter(asked__isnull=False).update(asked=F("asked") + time)
    log.warning("nobody was here for %s: the clocks of all games stood still", time)


def mark_present(now: datetime) -> None:
    """Tell who has a page open here, where somebody is to be told of his turn."""
    hub = live.hub
    soon = Table.objects.filter(pk__in=hub.watched(), tell_at__lte=now + SOON)
    for table_id in soon.values_list("pk", flat=True):
        here = Seat.objects.filter(table=table_id, holder__in=hub.visitors(table_id))
        here.update(seen=now)


# --- mails ---------------------------------------------------------------------------------------


def tell(now: datetime) -> None:
    """Tell those whose turn it is and who are not here."""
    for table in Table.objects.filter(tell_at__lte=now):
        seat = _awaited(table)
        if seat is None:
            continue
        is_here = seat.seen is not None and now - seat.seen < PRESENT
        with transaction.atomic():
            mine = Table.objects.filter(pk=table.pk, tell_at=table.tell_at)
            if mine.update(tell_at=now + SOON if is_here else None) and not is_here:
                notifications.your_turn(table, seat, now)


def warn(now: datetime) -> None:
    """Tell those whose time runs out."""
    for table in Table.objects.filter(warn_at__lte=now):
        seat = _awaited(table)
        if seat is None:
            continue
        with transaction.atomic():
            mine = Table.objects.filter(pk=table.pk, warn_at=table.warn_at)
            if mine.update(warn_at=None):
                notifications.running_out(table, seat, now)


def _awaited(table: Table) -> Seat | None:
    """Whom a table waits for; None if it was deleted meanwhile."""
    return table.seats.filter(number=-1 if table.awaited is None else table.awaited).first()


# --- games that begin ----------------------------------------------------------------------------


def begin_forgotten(now: datetime) -> None:
    """Begin the games whose last player has sat down with a process that was killed just then."""
    waiting = Table.objects.filter(
        gathering=False, over=False, misfit="", asked=None, entries=None, touched__gt=now - DAY
    )
    with_friends = waiting.filter(seats__invite__gt="").values_list("pk", flat=True).distinct()
    for table_id in with_friends:
        _try(start, table_id)


# --- time that is over ---------------------------------------------------------------------------


def overdue(now: datetime) -> list[str]:
    """Tables where somebody's time is over."""
    return list(Table.objects.filter(due__lte=now).values_list("pk", flat=True))


def stand_in(table_id: str) -> None:
    """Let a bot play for who has no time left; the number of the entry decides who does it."""
    session = sessions.get(table_id)
    with session.lock:
        session.catch_up()
        # Read after the log: the time of who is waited for by now, not of who has just played.
        due = Table.objects.values_list("due", flat=True).get(pk=table_id)
        waiting, now = session.waiting, database.now()
        if waiting is None or due is None or due > now or _is_away(session, waiting.seat, now):
            return
        try:
            session.append({"seat": waiting.seat, "bot": session.table.standby, "why": Entry.TIME})
        except Stale:
            return  # he has played at the last moment, or another process was faster
    bots.wake(session)


def _is_away(session: TableSession, seat: int, now: datetime) -> bool:
    """Has somebody gone on vacation just when his turn came?"""
    return (
        clock.away_until(session.seats[seat].holder, CLOCKS[session.table.clock], now) is not None
    )
