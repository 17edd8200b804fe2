"""Bots think in threads, one per table, and play at a pace that people can follow.

Only a few think at a time, first where players are waiting.

When several processes share the database, the one with a table's lease plays its bots.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic

from django.db import Error, connection

from brassmill.errors import BrassError
from brassmill.play.host import Host
from brassmill.web.models import Table
from brassmill.web.server import metrics, notify, periodic, processes
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import archive, leases, live, sessions
from brassmill.web.table.archive import Body
from brassmill.web.table.gate import Gate
from brassmill.web.table.session import Stale, TableSession

CLOCK = 60.0  # seconds a bot may think before it forfeits the move
ROUND = 2.0  # seconds between rounds of the thread that resumes bots

log = logging.getLogger("brassmill.web")

_working: dict[str, Event] = {}  # tables with a thread; the event, once set, skips its pauses
_lock = Lock()
_thinking = Gate(max(1, (os.cpu_count() or 1) // processes.number()))


def wake(session: TableSession) -> None:
    """Let the bots of a table play, if it is their turn and they are not playing yet."""
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
    """Let the bots play without pauses until a person is to move, in whichever process."""
    if session.mover_is_bot:
        hurry(session.table.id)
        notify.send(notify.SKIP, session.table.id)


def hurry(table_id: str) -> None:
    """Skip the pauses if this process plays the bots."""
    with _lock:
        if table_id in _working:
            _working[table_id].set()


# --- interrupted bots -----------------------------------------------------------------------------


def run(also: Callable[[], None] = lambda: None) -> None:
    """Resume bots that were interrupted in this or another process, forever.

    Each round calls `also` first.
    """

    def rounds() -> None:
        also()
        resume_interrupted()

    periodic.repeat(rounds, ROUND)


def resume_interrupted() -> None:
    """Renew the leases of this process, and play bots that no process is playing."""
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
        pass  # deleted meanwhile
    except TROUBLE as error:  # the thread that resumes bots tries again
        log.warning("bots interrupted at table %s: %s", table_id, error)
    except Exception as error:
        log.exception("bots failed at table %s", table_id)
        session = sessions.at_hand(table_id)
        if session and isinstance(error, BrassError):  # anything else may be temporary
            session.fault = str(error)  # shown on the page, and stops further attempts
            live.moved(table_id)
        with suppress(Error):
            leases.give_back(table_id)
    finally:
        with _lock:
            if _working.get(table_id) is hurry:
                del _working[table_id]
        connection.close()


def _play_on(table_id: str, hurry: Event) -> None:
    """Play while it is a bot's turn and no other process plays it."""
    host: Host | None = None
    cast = 0  # the session's, when the host was made
    shown = monotonic()  # when the last action was shown
    try:
        while True:
            session = sessions.get(table_id)
            with session.lock:
                if not session.mover_is_bot:
                    leases.give_back(table_id)  # perhaps taken after the bot's last entry
                    with _lock:
                        del _working[table_id]  # the next bot's turn starts a new thread
                    return
                length, game = session.length, session.game.copy()
                specs, cast_now = list(session.bots), session.cast
            if not leases.take(table_id):
                return
            connection.close()  # do not occupy one while thinking
            body: Body = {"end": True}
            if game.question != "turn over":
                if host and cast != cast_now:
                    host.close()
                    host = None
                if not host:
                    host, cast = host_of(session, specs), cast_now
                forfeits = len(host.forfeits)
                with _thinking.enter(urgency_of(session)), metrics.thinking.time():
                    body = {"choose": list(host.ask(game))}
                metrics.forfeits.inc(len(host.forfeits) - forfeits)
                hurry.wait(max(0.0, shown + session.table.pace / 1000 - monotonic()))
                shown = monotonic()
            _play(session, length, body)
    finally:
        if host:
            host.close()


def urgency_of(session: TableSession) -> int:
    """How soon the bots of a table should think; 0 is the most urgent.

    First come tables where a player is waiting, then those that someone watches, then the rest.
    """
    here = live.hub.visitors(session.table.id)
    players = {
        seat.holder for seat in session.seats if seat.holder and not session.bots[seat.number]
    }
    return 0 if here & players else 1 if here else 2


def host_of(session: TableSession, specs: Sequence[str]) -> Host:
    """The bots of a table. Only its seed and their views matter: a new host plays the same."""
    seed = archive.bot_seed(session.table, session.archive)
    host = Host.of(
        [spec or None for spec in specs], session.game.edition, seed, CLOCK, all_start=False
    )
    host.forfeits = session.forfeits  # the page shows them
    return host


def _play(session: TableSession, length: int, body: Body) -> None:
    """Play a bot's move, unless the table has changed since."""
    connection.ensure_connection()  # never wait for one while holding the lock
    with session.lock:
        try:
            if session.length == length:
                session.append(body)
                metrics.bot_turns.inc("end" in body)
        except Stale:
            log.info("another process also plays the bots of table %s", session.table.id)
