"""The queue of analyses: who may ask for one, and how they are made without being in the way.

An analysis is made in the threads that play the bots, after everything a table needs, and in slices
of some milliseconds, each followed by as long a rest. A process works on one at a time, the oldest.
After each action its judgement is stored, so a process that takes over continues there. The budget
is a number of worlds, not a time: the same game gets the same analysis, wherever it is made.

The process that works on an analysis holds a lease, as for the bots of a table.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import suppress
from time import perf_counter

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.http import HttpRequest

from brassmill.coach import Advice
from brassmill.coach.advice import think
from brassmill.coach.analysis import PlayedAction, moments_of
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import Record
from brassmill.web.analysis.games import FinishedGame, NotOver, game_of
from brassmill.web.analysis.stored import body_of
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import GameAnalysis, Judgement, Table, Upload
from brassmill.web.server import database, periodic, startup
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import leases
from brassmill.web.table.bots import pool
from brassmill.web.table.pool import Urgency, Work

WORLDS = 12  # for each action
MOST_WAITING = 30  # analyses in the queue of the site
ROUND = 1.0  # seconds between rounds of the thread that looks for work
REST = 1.0  # after a slice, as a share of its time

log = logging.getLogger("brassmill.web")


class Busy(BrassError):  # noqa: N818 (errors are named by what happened, as in errors.py)
    """No more analyses now: the visitor's own or all together are too many."""


# --- asking --------------------------------------------------------------------------------------


def ask(
    request: HttpRequest,
    game: FinishedGame,
    table: Table | None,
    upload: Upload | None,
    number: int,
) -> GameAnalysis:
    """The analysis of a game: the one there is, or a new one at the end of the queue."""
    mine = GameAnalysis.objects.filter(table=table, upload=upload, game=number)
    known = mine.first()
    if known and known.digest == game.digest and not known.has_failed:
        return known
    key = visitor(request)
    if other := GameAnalysis.objects.filter(visitor=key, waits=True).first():
        words = _(
            "One of your games is being analysed: {done} of {all} actions. Wait until it is done."
        )
        raise Busy(words.format(done=other.done, all=other.actions))
    is_full = GameAnalysis.objects.filter(waits=True).count() >= MOST_WAITING
    if is_full or not rate_limit.is_allowed(request, rate_limit.QUEUED):
        raise Busy(_("Many games are waiting to be analysed. Try again in a few minutes."))
    if not rate_limit.is_allowed(request, rate_limit.ANALYSES):
        raise Busy(_("You have asked for many analyses today. Try again in a few hours."))
    actions = len(moments_in(game.record))
    try:
        with transaction.atomic():
            mine.delete()  # of the game as it was, or one that failed
            return GameAnalysis.objects.create(
                table=table,
                upload=upload,
                game=number,
                digest=game.digest,
                visitor=key,
                actions=actions,
            )
    except IntegrityError:  # the same click twice: the other one was faster
        return mine.get(digest=game.digest)


def place_of(analysis: GameAnalysis) -> int:
    """How many analyses come before it in the queue."""
    return GameAnalysis.objects.filter(waits=True, at__lt=analysis.at).count()


# --- leases --------------------------------------------------------------------------------------


def run() -> None:
    """Work on analyses, forever."""
    periodic.repeat(work_on_next, ROUND)


def work_on_next() -> None:
    """Renew the lease of this process, or take the next analysis that no process works on."""
    if not startup.is_compiled():
        return
    own = [work for work in pool.work() if isinstance(work, AnalysisWork)]
    if own:
        GameAnalysis.objects.filter(pk__in=[work.analysis_id for work in own], waits=True).filter(
            leased_by=leases.HOLDER
        ).update(**leases.mine())
        return
    waiting = GameAnalysis.objects.filter(leases.free(), waits=True).order_by("at")
    for analysis_id in waiting.values_list("pk", flat=True)[:1]:
        if take(analysis_id):
            pool.add(AnalysisWork(analysis_id))


def take(analysis_id: str) -> bool:
    """Take or keep the lease of an analysis; False if another process has it."""
    waiting = GameAnalysis.objects.filter(leases.free(), pk=analysis_id, waits=True)
    return bool(waiting.update(**leases.mine()))


def give_all_back() -> None:
    """Release the lease of this process, which is stopping."""
    GameAnalysis.objects.filter(leased_by=leases.HOLDER, waits=True).update(leased_until=None)


# --- working -------------------------------------------------------------------------------------


class AnalysisWork(Work):
    """One analysis at work: a step tries the actions of a moment in one more world."""

    def __init__(self, analysis_id: str) -> None:
        super().__init__(f"analysis {analysis_id}")
        self.analysis_id = analysis_id
        self._record: Record | None = None
        self._moments: list[PlayedAction] = []
        self._done = 0
        self._thinking: Generator[float, None, list[Advice]] | None = None

    def urgency(self) -> Urgency:
        """After everything that a table needs."""
        return Urgency.SPARE

    def step(self) -> float | None:
        """Think a little; return how long to rest, None when there is nothing left to do."""
        began = perf_counter()
        try:
            if not self._step():
                return None
        except GameAnalysis.DoesNotExist:
            return None  # deleted meanwhile
        except TROUBLE as error:  # the thread that looks for work tries again
            log.warning("analysis %s interrupted: %s", self.analysis_id, error)
            connection.close()
            return None
        except Exception as error:
            if not isinstance(error, NotOver):
                log.exception("analysis %s failed", self.analysis_id)
            with suppress(DatabaseError):
                GameAnalysis.objects.filter(pk=self.analysis_id).update(waits=False)
            return None
        finally:
            if database.is_shared():
                connection.close()  # others may need it: PostgreSQL allows few of them
        return REST * (perf_counter() - began)

    def _step(self) -> bool:
        if self._record is None:
            self._load()
        elif self._thinking is None:
            view, edition = self._moments[self._done].view, self._record.edition
            played = self._moments[self._done].action.ids
            self._thinking = think(edition, view, worlds=WORLDS, played=played)
        else:
            try:
                next(self._thinking)
            except StopIteration as end:
                self._thinking = None
                return self._keep(end.value)
        return self._done < len(self._moments)

    def _load(self) -> None:
        analysis = GameAnalysis.objects.select_related("table", "upload").get(pk=self.analysis_id)
        self._record = game_of(analysis).record
        self._moments, self._done = moments_in(self._record), analysis.done

    def _keep(self, advice: list[Advice]) -> bool:
        """Store a judgement; False if this was the last one, or another process has taken over."""
        assert self._record is not None
        verdict = self._moments[self._done].judged(advice)
        body = body_of(self._record.edition, verdict)
        waits = self._done + 1 < len(self._moments)
        own = GameAnalysis.objects.filter(
            pk=self.analysis_id, leased_by=leases.HOLDER, done=self._done, waits=True
        )
        with transaction.atomic():
            if not own.update(done=self._done + 1, waits=waits, **leases.mine()):
                return False
            Judgement.objects.create(analysis_id=self.analysis_id, number=verdict.number, body=body)
        self._done += 1
        return waits

    def close(self) -> None:
        """Forget the game."""
        self._moments, self._thinking = [], None


def moments_in(record: Record) -> list[PlayedAction]:
    """The moments to analyse: in a record that hides hands, those of its seat."""
    _game, moments = moments_of(record)
    wanted = [each for each in moments if not record.made_up or each.seat == record.viewer]
    if not wanted:
        raise BrassError(_("There is no action to analyse."))
    return wanted
