"""Bots play at a pace that people can follow. A few threads play the bots of all tables.

Tables where a player is waiting come first, then those that someone watches, then the rest. In a
game of one person against bots, the bots wait while that person has left and nobody watches.

When several processes share the database, the one with a table's lease plays its bots.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from django.db import Error, connection

from brassmill.bots.elsewhere import ElsewhereBot
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.play.host import Host
from brassmill.web.models import Table
from brassmill.web.server import database, metrics, notify, periodic, processes, startup
from brassmill.web.server.database import TROUBLE
from brassmill.web.setup import meanwhile
from brassmill.web.table import archive, leases, live, sessions
from brassmill.web.table.archive import Body
from brassmill.web.table.pool import Pool, Urgency, Work
from brassmill.web.table.session import TableSession
from brassmill.web.table.writing import Stale

CLOCK = 60.0  # seconds a bot may think before it forfeits the move
ROUND = 2.0  # seconds between rounds of the thread that resumes bots
GLANCE = 15.0  # seconds that a request counts as watching: a page without a stream asks every ten

log = logging.getLogger("brassmill.web")


def wake(session: TableSession) -> None:
    """Let the bots of a table play, if it is their turn and they are not playing yet."""
    with session.lock:
        if session.mover_is_bot and not session.fault:
            now = monotonic()
            pool.add(BotWork(session.table.id, now)).glanced = now


def skip(session: TableSession) -> None:
    """Let the bots play without pauses until a person is to move, in whichever process."""
    if session.mover_is_bot:
        hurry(session.table.id)
        notify.send(notify.SKIP, session.table.id)


def hurry(table_id: str) -> None:
    """Skip the pauses if this process plays the bots."""
    pool.hurry(table_id)


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
    leases.renew(pool.underway())  # those of analyses are no table's
    for table_id in leases.forsaken(live.hub.watched()):
        session = sessions.at_hand(table_id)
        if not (session and session.fault):
            pool.add(BotWork(table_id))


# --- a table -------------------------------------------------------------------------------------


class BotWork(Work):
    """The bots of a table at work: a step thinks, or plays what was decided."""

    def __init__(self, table_id: str, glanced: float = float("-inf")) -> None:
        """The time is when someone last asked for the table, on the monotonic clock."""
        super().__init__(table_id)
        self.table_id = table_id
        self.glanced = glanced
        self._host: Host | None = None
        self._cast = 0, False  # the session's, when the host was made; were the rules compiled?
        self._shown = monotonic()  # when the last action was shown
        # A move, and the session and the length of its log when it was decided.
        self._decided: tuple[TableSession, int, Body] | None = None

    def urgency(self) -> Urgency:
        """First come decided moves, then tables where a player waits, then those that are watched.

        The session may have left the memory; a table on a screen is back there soon.
        """
        if self._decided:
            return Urgency.DECIDED
        session, here = sessions.at_hand(self.table_id), live.hub.visitors(self.table_id)
        if session and any(
            seat.holder in here and not bot
            for seat, bot in zip(session.seats, session.bots, strict=True)
        ):
            return Urgency.LIVE
        return Urgency.WATCHED if here else Urgency.UNWATCHED

    def step(self) -> float | None:
        """Think or play; return the pause until the next step, None when there is none."""
        table_id = self.table_id
        try:
            return self._step()
        except Table.DoesNotExist:
            pass  # deleted meanwhile
        except TROUBLE as error:  # the thread that resumes bots tries again
            log.warning("bots interrupted at table %s: %s", table_id, error)
            connection.close()
        except Exception as error:
            log.exception("bots failed at table %s", table_id)
            session = sessions.at_hand(table_id)
            if session and isinstance(error, BrassError):  # anything else may be temporary
                session.fault = str(error)  # shown on the page, and stops further attempts
                live.moved(table_id)
            with suppress(Error):
                leases.give_back(table_id)
        finally:
            _spare_connection()
        return None

    def _step(self) -> float | None:
        if self._decided:
            _play(*self._decided)
            self._decided, self._shown = None, monotonic()
            return 0.0
        session = sessions.get(self.table_id)
        with session.lock:
            if not session.mover_is_bot:
                leases.give_back(self.table_id)  # perhaps taken after the bot's last entry
                pool.remove(self)  # the next bot's turn is new work
                return None
            length, game = session.length, session.game.copy()
            specs, cast, spec = list(session.bots), session.cast, session.bots[game.engine.seat]
        if meanwhile.waits(self.table_id, spec):
            leases.give_back(self.table_id)
            return None  # the thread that resumes bots asks again
        if not leases.take(self.table_id, self._is_watched()):
            leases.give_back(self.table_id)  # others may watch it in another process
            return None
        if game.question == "turn over":
            _play(session, length, {"end": True})
            return 0.0
        _spare_connection()
        choices = self._think(session, game, meanwhile.for_now(specs), cast)
        self._decided = session, length, {"choose": list(choices)}
        return max(0.0, self._shown + session.table.pace / 1000 - monotonic())

    def _is_watched(self) -> bool:
        return live.hub.is_watched(self.table_id) or monotonic() < self.glanced + GLANCE

    def _think(
        self, session: TableSession, game: Game, specs: Sequence[str], cast: int
    ) -> tuple[int, ...]:
        made_for = cast, startup.is_compiled()
        if not self._host or self._cast != made_for:
            self.close()
            self._host, self._cast = host_of(session, specs), made_for
        forfeits = len(self._host.forfeits)
        with metrics.thinking.time():
            choices = self._host.ask(game)
        metrics.forfeits.inc(len(self._host.forfeits) - forfeits)
        return choices

    def close(self) -> None:
        """Close the bots."""
        if self._host:
            self._host.close()
            self._host = None


pool = Pool(max(1, (os.cpu_count() or 1) // processes.number()))


def _reconsider(table_id: str) -> None:
    pool.reconsider(table_id)


live.hub.on_change = _reconsider


def _spare_connection() -> None:
    """Give the connection back if others may need it: PostgreSQL allows few of them."""
    if database.is_shared():
        connection.close()


def host_of(session: TableSession, specs: Sequence[str]) -> Host:
    """The bots of a table. Only its seed and their views matter: a new host plays the same.

    As long as the rules are plain Python, they think in other processes, and no move is late.
    """
    seed = archive.bot_seed(session.table, session.archive)
    seats, edition = [spec or None for spec in specs], session.game.edition
    if startup.is_compiled():
        host = Host.of(seats, edition, seed, CLOCK, all_start=False)
    else:
        host = Host.of(seats, edition, seed, all_start=False, maker=ElsewhereBot)
    host.forfeits = session.forfeits  # the page shows them
    return host


def _play(session: TableSession, length: int, body: Body) -> None:
    """Play a bot's move, unless the table has changed since."""
    connection.ensure_connection()  # never wait for one while holding the lock
    with session.lock:
        try:
            if session.length == length:
                session.append_next(body)
                metrics.bot_turns.inc("end" in body)
        except Stale:
            log.info("a bot's move was dropped: table %s has changed meanwhile", session.table.id)
