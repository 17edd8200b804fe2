"""A thread of every process does what has come due at any table.

A process claims a task by a conditional update or by the number of an entry, so each task is done
once. While no process runs nobody can play, so that time does not count.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from brassmill.web.delivery import queue as deliveries
from brassmill.web.mail import held, notifications
from brassmill.web.models import Delivery, Entry, Mail, Pulse, Seat, Table, Tournament
from brassmill.web.ratings import counting
from brassmill.web.server import database, periodic
from brassmill.web.server.database import TROUBLE
from brassmill.web.setup.clocks import CLOCKS, DAY
from brassmill.web.table import bots, clock, live, sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.start import start
from brassmill.web.table.writing import Stale

ROUND = 2.0  # seconds between rounds
BEAT = timedelta(seconds=20)  # between heartbeats
OUTAGE = timedelta(minutes=2)  # no heartbeat for this long: no process was running
SOON = timedelta(minutes=2)  # before an e-mail, start noting who has the page open
AT_A_TIME = 200  # e-mails of a kind in a round: after an outage thousands are due, and clocks run
PRESENT = timedelta(seconds=30)  # seen within this time: the page is still open

log = logging.getLogger("brassmill.web")


def run() -> None:
    """Do what is due, forever."""
    periodic.repeat(do_what_is_due, ROUND)


def do_what_is_due() -> None:
    """Do what is due now."""
    now = database.now()
    beat(now)
    mark_present(now)
    tell(now)
    warn(now)
    held.release(now)
    begin_forgotten(now)
    for table_id in overdue(now):
        _try(stand_in, table_id)
    counting.count_all()  # results that a killed process has left, or an operator has changed


def _try(task: Callable[[str], None], table_id: str) -> None:
    """Do a task at a table; a failure there does not stop the other tables."""
    try:
        task(table_id)
    except TROUBLE:
        raise
    except Exception:
        log.exception("a due task failed at table %s", table_id)


# --- heartbeat -----------------------------------------------------------------------------------


def beat(now: datetime) -> None:
    """Record that a process is running. After an outage, postpone all deadlines.

    A clock that is set looks the same, forwards or backwards: deadlines move with it.
    """
    last = Pulse.objects.order_by("pk").first()
    if last is None:
        Pulse.objects.get_or_create(pk=1, defaults={"at": now})
        return
    passed = now - last.at
    if -OUTAGE < passed < BEAT:
        return
    with transaction.atomic():
        mine = Pulse.objects.filter(pk=last.pk, at=last.at).update(at=now)
        if mine and passed > OUTAGE:
            put_off(passed)
            log.warning("no process was running for %s: all deadlines were extended", passed)
        elif mine and passed < -OUTAGE:
            put_off(passed)
            # E-mails that are late after an outage would never be due by this clock.
            Table.objects.filter(tell_at__isnull=False).update(tell_at=F("tell_at") + passed)
            for queued in (Mail, Delivery):
                queued.objects.filter(next_at__isnull=False).update(next_at=F("next_at") + passed)
            log.warning("the clock was set back by %s: all deadlines were moved", -passed)


def put_off(time: timedelta) -> None:
    """Postpone all deadlines."""
    Table.objects.filter(due__isnull=False).update(due=F("due") + time)
    Table.objects.filter(warn_at__isnull=False).update(warn_at=F("warn_at") + time)
    Table.objects.filter(asked__isnull=False).update(asked=F("asked") + time)
    going = (Tournament.RUNNING, Tournament.PAUSED)
    arenas = Tournament.objects.filter(state__in=going, lasting__isnull=False)
    arenas.update(lasting=F("lasting") + time)


def mark_present(now: datetime) -> None:
    """Note which players have a table open here, where a turn e-mail is due soon."""
    hub = live.hub
    matters = Q(tell_at__lte=now + SOON) | Q(pk__in=deliveries.tables_to_watch(now + SOON))
    soon = Table.objects.filter(matters, pk__in=hub.watched())
    for table_id in soon.values_list("pk", flat=True):
        here = Seat.objects.filter(table=table_id, holder__in=hub.visitors(table_id))
        here.update(seen=now)


# --- e-mails -------------------------------------------------------------------------------------


def tell(now: datetime) -> None:
    """E-mail players whose turn it is, unless they have the page open."""
    for table in _longest_due("tell_at", now):
        seat = _awaited(table)
        if seat is None:
            continue
        is_here = seat.seen is not None and now - seat.seen < PRESENT
        with transaction.atomic():
            mine = Table.objects.filter(pk=table.pk, tell_at=table.tell_at)
            if mine.update(tell_at=now + SOON if is_here else None) and not is_here:
                notifications.your_turn(table, seat, now)


def warn(now: datetime) -> None:
    """E-mail players whose time is running out."""
    for table in _longest_due("warn_at", now):
        seat = _awaited(table)
        if seat is None:
            continue
        with transaction.atomic():
            mine = Table.objects.filter(pk=table.pk, warn_at=table.warn_at)
            if mine.update(warn_at=None):
                notifications.running_out(table, seat, now)


def _longest_due(moment: str, now: datetime) -> QuerySet[Table]:
    """Some of the tables where an e-mail is due; the others wait for the next round."""
    due = Table.objects.filter(awaited__isnull=False, **{f"{moment}__lte": now})
    return due.order_by(moment)[:AT_A_TIME]


def _awaited(table: Table) -> Seat | None:
    """The seat a table is waiting for; None if the table has just been deleted."""
    return table.seats.filter(number=-1 if table.awaited is None else table.awaited).first()


# --- games to start ------------------------------------------------------------------------------


def begin_forgotten(now: datetime) -> None:
    """Start games whose process was killed just after the last player joined."""
    waiting = Table.objects.filter(
        gathering=False, over=False, misfit="", asked=None, touched__gt=now - DAY
    )
    # Looked up for each of the few tables: a join would read the entries of all games.
    has_begun = Exists(Entry.objects.filter(table=OuterRef("pk"), number=1))
    with_friends = Exists(Seat.objects.filter(table=OuterRef("pk"), invite__gt=""))
    for table_id in waiting.filter(with_friends, ~has_begun).values_list("pk", flat=True):
        _try(start, table_id)


# --- players out of time -------------------------------------------------------------------------


def overdue(now: datetime) -> list[str]:
    """Tables where a player's time is up."""
    return list(Table.objects.filter(due__lte=now).values_list("pk", flat=True))


def stand_in(table_id: str) -> None:
    """Hand the seat of a player who is out of time to a bot."""
    session = sessions.get(table_id)
    with session.lock:
        session.catch_up()
        # Read this after the log: it must be the deadline of the player to move now.
        due = Table.objects.values_list("due", flat=True).get(pk=table_id)
        waiting, now = session.waiting, database.now()
        if waiting is None or due is None or due > now or _is_away(session, waiting.seat, now):
            return
        try:
            session.append({"seat": waiting.seat, "bot": session.table.standby, "why": Entry.TIME})
        except Stale:
            return  # the player moved at the last moment, or another process was faster
    bots.wake(session)


def _is_away(session: TableSession, seat: int, now: datetime) -> bool:
    """Did the player go on vacation just when their turn came?"""
    return (
        clock.away_until(session.seats[seat].holder, CLOCKS[session.table.clock], now) is not None
    )
