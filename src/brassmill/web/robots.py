"""Bots think in threads of their own, one for each table, and play at a pace one can follow."""

from __future__ import annotations

import logging
from datetime import timedelta
from threading import Lock, Thread
from time import monotonic

from django.db import connection
from django.utils import timezone

from brassmill.errors import BrassError
from brassmill.host import Host
from brassmill.web import desks, readiness, streams
from brassmill.web.desk import Body, Desk, Stale
from brassmill.web.models import Table

PACES = {"slow": 2500, "normal": 1200, "fast": 400}  # milliseconds for an action
CLOCK = 60.0  # seconds for an answer, before it is forfeited
RECENT = timedelta(days=7)  # tables at which bots go on by themselves after a restart

log = logging.getLogger("brassmill.web")

_working: set[str] = set()  # tables with a thread
_lock = Lock()


def wake(desk: Desk) -> None:
    """Let the bots of a table play, if it is their turn and they do not yet."""
    table_id = desk.table.id
    with desk.lock, _lock:
        if table_id in _working or not desk.mover_is_bot or desk.fault:
            return
        _working.add(table_id)
    Thread(target=_work, args=[table_id], daemon=True, name=f"bots of {table_id}").start()


def skip(desk: Desk) -> None:
    """Let the bots play without a pause until a person is to move."""
    if desk.mover_is_bot:
        desk.hurry.set()


def wake_all() -> None:
    """Go on wherever bots were interrupted; it waits until they are compiled."""
    readiness.wait()
    since = timezone.now() - RECENT
    recent = Table.objects.filter(over=False, touched__gt=since).prefetch_related("seats")
    try:
        for table in recent:
            if table.summary.get("to_move") in [s.number for s in table.seats.all() if s.is_bot]:
                try:
                    wake(desks.desk(table.id))
                except Exception:  # one table must not hold up the others
                    log.exception("the table %s cannot go on", table.id)
    finally:
        connection.close()


def _work(table_id: str) -> None:
    try:
        _play_on(table_id)
    except Exception as error:
        if not isinstance(error, Table.DoesNotExist):  # else it was removed meanwhile
            log.exception("the bots of %s cannot go on", table_id)
            desk = desks.at_hand(table_id)
            if desk and isinstance(error, BrassError):  # anything else may pass
                desk.fault = str(error)  # its page says so, and nobody tries again and again
                streams.moved(table_id)
        with _lock:
            _working.discard(table_id)
    finally:
        connection.close()


def _play_on(table_id: str) -> None:
    """Play for as long as it is the turn of a bot."""
    host: Host | None = None
    shown = monotonic()  # when something was last to be seen
    try:
        while True:
            desk = desks.desk(table_id)
            with desk.lock, _lock:
                if not desk.mover_is_bot:
                    desk.hurry.clear()
                    _working.discard(table_id)  # who makes it a bot's turn again wakes others
                    return
                length, game = desk.length, desk.game.copy()
            body: Body = {"end": True}
            if game.question != "turn over":
                host = host or host_of(desk)
                body = {"choose": list(host.ask(game))}
                desk.hurry.wait(max(0.0, shown + desk.table.pace / 1000 - monotonic()))
                shown = monotonic()
            _play(desk, length, body)
    finally:
        if host:
            host.close()


def host_of(desk: Desk) -> Host:
    """The bots of a table. They think by its seed and what they see: a new host plays the same."""
    specs = [seat.bot or None for seat in desk.seats]
    host = Host.of(specs, desk.game.edition, int(desk.table.seed), CLOCK, all_start=False)
    host.forfeits = desk.forfeits  # they are told there
    return host


def _play(desk: Desk, length: int, body: Body) -> None:
    """Play what a bot has thought of, if the table is still the one that it saw."""
    with desk.lock:
        desk.catch_up()
        if desk.length == length:
            try:
                desk.append(body)
            except Stale:
                log.info("another process plays the bots of %s too", desk.table.id)
