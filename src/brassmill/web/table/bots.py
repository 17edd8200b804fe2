"""Bots think in threads of their own, one for each table, and play at a pace one can follow.

Of several processes that share the database one plays the bots of a table: the one with its lease.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Semaphore, Thread
from time import monotonic

from django.db import Error, connection

from brassmill.errors import BrassError
from brassmill.play.host import Host
from brassmill.web.models import Table
from brassmill.web.server import metrics, notify, periodic, processes
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import archive, leases, live, sessions
from brassmill.web.table.archive import Body
from brassmill.web.table.session import Stale, TableSession

CLOCK = 60.0  # seconds for an answer, before it is forfeited
ROUND = 2.0  # seconds between two rounds of the thread that resumes them

log = logging.getLogger("brassmill.web")

_working: dict[str, Event] = {}  # tables with a thread; set: it does not wait between actions
_lock = Lock()
_thinking = Semaphore(max(1, (os.cpu_count() or 1) // processes.number()))


def wake(session: TableSession) -> None:
    """Let the bots of a table play, if it is their turn and they do not yet."""
    with session.lock:
        if session.mover_is_bot and not session.fault:
            _start(session.table.id)


def _start(table_id: str) -> None:
    with _lock:
        if table_id in _working:
            return
        hurry = _working[table_id] = Event()
    Thread(target=_work, args=[table_id, hurry], daemon=True, name=f"bots of {table_id}").start()


def skip(session: TableSession) -> None:
    """Let the bots play without a pause until a person is to move, whichever process plays them."""
    if session.mover_is_bot:
        hurry(session.table.id)
        notify.send(notify.SKIP, session.table.id)


def hurry(table_id: str) -> None:
    """Without a pause, if this process plays them."""
    with _lock:
        if table_id in _working:
            _working[table_id].set()


# --- bots that were interrupted -------------------------------------------------------------------


def run(also: Callable[[], None] = lambda: None) -> None:
    """Go on wherever bots were interrupted, in this process or another; for ever.

    What is `also` to be done now and then is done in each round.
    """

    def rounds() -> None:
        also()
        resume_interrupted()

    periodic.repeat(rounds, ROUND)


def resume_interrupted() -> None:
    """Keep the leases of this process, and find tables whose bots nobody plays."""
    with _lock:
        working = list(_working)
    leases.renew(working)
    for table_id in leases.forsaken():
        session = sessions.at_hand(table_id)
        if not (session and session.fault):
            _start(table_id)


# --- a table -------------------------------------------------------------------------------------


def _work(table_id: str, hurry: Event) -> None:
    try:
        _play_on(table_id, hurry)
    except Table.DoesNotExist:
        pass  # it was removed meanwhile
    except TROUBLE as error:  # the thread that resumes them tries again
        log.warning("the bots of %s are interrupted: %s", table_id, error)
    except Exception as error:
        log.exception("the bots of %s cannot go on", table_id)
        session = sessions.at_hand(table_id)
        if session and isinstance(error, BrassError):  # anything else may pass
            session.fault = str(error)  # its page says so, and nobody tries again and again
            live.moved(table_id)
        with suppress(Error):
            leases.give_back(table_id)
    finally:
        with _lock:
            if _working.get(table_id) is hurry:
                del _working[table_id]
        connection.close()


def _play_on(table_id: str, hurry: Event) -> None:
    """Play for as long as it is the turn of a bot and nobody else plays it."""
    host: Host | None = None
    cast = 0  # for which the host was made
    shown = monotonic()  # when something was last to be seen
    try:
        while True:
            session = sessions.get(table_id)
            with session.lock:
                if not session.mover_is_bot:
                    leases.give_back(table_id)  # it may have been taken after another's last entry
                    with _lock:
                        del _working[table_id]  # who makes it a bot's turn again wakes others
                    return
                length, game = session.length, session.game.copy()
            if not leases.take(table_id):
                return
            connection.close()  # others may need it while this one thinks
            body: Body = {"end": True}
            if game.question != "turn over":
                if host and cast != session.cast:
                    host.close()
                    host = None
                if not host:
                    host, cast = host_of(session), session.cast
                forfeits = len(host.forfeits)
                with _thinking, metrics.thinking.time():
                    body = {"choose": list(host.ask(game))}
                metrics.forfeits.inc(len(host.forfeits) - forfeits)
                hurry.wait(max(0.0, shown + session.table.pace / 1000 - monotonic()))
                shown = monotonic()
            _play(session, length, body)
    finally:
        if host:
            host.close()


def host_of(session: TableSession) -> Host:
    """The bots of a table. They think by its key and what they see: a new host plays the same."""
    specs = [bot or None for bot in session.bots]
    seed = archive.bot_seed(session.table, session.archive)
    host = Host.of(specs, session.game.edition, seed, CLOCK, all_start=False)
    host.forfeits = session.forfeits  # they are told there
    return host


def _play(session: TableSession, length: int, body: Body) -> None:
    """Play what a bot has thought of, if the table is still the one that it saw."""
    connection.ensure_connection()  # nobody waits for one with the lock in hand
    with session.lock:
        try:
            session.catch_up()
            if session.length == length:
                session.append(body)
                metrics.bot_turns.inc("end" in body)
        except Stale:
            log.info("another process plays the bots of %s too", session.table.id)
