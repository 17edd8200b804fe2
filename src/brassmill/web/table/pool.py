"""A pool: a few threads share the work at many tables, the most urgent first.

Work is done in steps. After each step a table goes to the end of the queue, so tables of the same
urgency take turns. A pause between two steps occupies no thread.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from enum import IntEnum
from heapq import heappop, heappush
from threading import Condition, Thread
from time import monotonic
from typing import TypeVar, cast

log = logging.getLogger("brassmill.web")


class Urgency(IntEnum):
    """How soon some work needs a thread."""

    DECIDED = 0  # its next move is known: writing it takes no time
    LIVE = 1  # a player is waiting
    WATCHED = 2
    UNWATCHED = 3
    SPARE = 4  # only what no table needs: analyses of finished games


class Work(ABC):
    """The work at one table, or on one analysis."""

    def __init__(self, key: str) -> None:
        self.key = key  # of the table, or of the analysis
        self.due = 0.0  # when its pause ends, on the monotonic clock
        self.is_hurried = False  # it makes no pauses

    @abstractmethod
    def urgency(self) -> Urgency:
        """How soon it needs a thread."""

    @abstractmethod
    def step(self) -> float | None:
        """Do the next step; return how many seconds to pause after it, None if it was the last."""

    @abstractmethod
    def close(self) -> None:
        """Release what its steps needed."""


SomeWork = TypeVar("SomeWork", bound=Work)


class Pool:
    """The work at all tables of this process, and the threads that do it.

    However many tables wait, taking the next one costs the same.
    """

    def __init__(self, threads: int) -> None:
        """Work in this many threads, and in one more that is kept for urgent tables.

        Without that one a player would wait while all the others think about unwatched games.
        """
        self._work: dict[str, Work] = {}  # by table
        # What no thread works on: tables that wait for one, in order of arrival, and tables that
        # make a pause, with the ends of all pauses as a heap. A hurried table's stays in the heap.
        self._ready: dict[Urgency, OrderedDict[str, Work]] = {
            urgency: OrderedDict() for urgency in Urgency
        }
        self._pausing: dict[str, Work] = {}
        self._ends: list[tuple[float, str]] = []
        self._changed = Condition()
        self._threads = [
            Thread(target=self._run, args=[least], daemon=True, name=f"bots {number}")
            for number, least in enumerate([*[Urgency.SPARE] * threads, Urgency.LIVE], 1)
        ]
        self._has_started = False

    def add(self, work: SomeWork) -> SomeWork:
        """Add the work at a table, unless there is some already; return the work there."""
        with self._changed:
            if known := self._work.get(work.key):
                self.reconsider(work.key)
                return cast(SomeWork, known)  # a key belongs to one kind of work
            self._work[work.key] = work
            self._enqueue(work)
            if not self._has_started:
                self._has_started = True
                for thread in self._threads:
                    thread.start()
        return work

    def underway(self) -> list[str]:
        """The keys of all work there is."""
        with self._changed:
            return list(self._work)

    def work(self) -> list[Work]:
        """All work there is."""
        with self._changed:
            return list(self._work.values())

    def hurry(self, key: str) -> None:
        """Skip the pauses at a table until its work ends."""
        with self._changed:
            if work := self._work.get(key):
                work.is_hurried, work.due = True, 0.0
            if paused := self._pausing.pop(key, None):
                self._enqueue(paused)

    def reconsider(self, key: str) -> None:
        """Someone came to a table or left it: its urgency may be another one."""
        with self._changed:
            for urgency, waiting in self._ready.items():
                work = waiting.get(key)
                if work and work.urgency() != urgency:
                    del waiting[key]
                    self._enqueue(work)
                    return

    def remove(self, work: Work) -> None:
        """End the work at a table after its current step; other work can be added from now on."""
        with self._changed:
            if self._work.get(work.key) is work:
                del self._work[work.key]

    def _run(self, least: Urgency) -> None:
        while True:
            work = self._take(least)
            pause = None
            try:
                pause = work.step()
            except Exception:  # no other thread would take the place of this one
                log.exception("work failed at %s", work.key)
            if pause is None:
                self.remove(work)
            if not self._put_back(work, pause or 0.0):
                work.close()

    def _take(self, least: Urgency) -> Work:
        """Wait for work that is due and at least this urgent, and take it."""
        with self._changed:
            now = monotonic()  # once: a pause that ends between two readings would be overlooked
            self._end_pauses(now)
            while not (work := self._most_urgent(least)):
                self._changed.wait(self._ends[0][0] - now if self._ends else None)
                now = monotonic()
                self._end_pauses(now)
            return work

    def _most_urgent(self, least: Urgency) -> Work | None:
        """Take the next table. It is asked again how urgent it is: perhaps nobody watches now."""
        for urgency, waiting in self._ready.items():
            while waiting and urgency <= least:
                _key, work = waiting.popitem(last=False)
                if (now := work.urgency()) <= urgency:
                    return work
                self._ready[now][work.key] = work
        return None

    def _end_pauses(self, now: float) -> None:
        while self._ends and self._ends[0][0] <= now:
            due, key = heappop(self._ends)
            work = self._pausing.get(key)
            if work and work.due == due:  # not that of an earlier pause
                self._enqueue(self._pausing.pop(key))

    def _enqueue(self, work: Work) -> None:
        """Add work to the end of its queue."""
        self._ready[work.urgency()][work.key] = work
        self._changed.notify_all()

    def _put_back(self, work: SomeWork, pause: float) -> bool:
        """Add work to the end of the queue, perhaps after a pause; False if it was removed."""
        with self._changed:
            if self._work.get(work.key) is not work:
                return False
            if pause <= 0 or work.is_hurried:
                self._enqueue(work)
            else:
                work.due = monotonic() + pause
                self._pausing[work.key] = work
                heappush(self._ends, (work.due, work.key))
                self._changed.notify_all()
            return True
