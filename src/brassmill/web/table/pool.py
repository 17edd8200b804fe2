"""A pool: a few threads share the work at many tables, the most urgent first.

Work is done in steps. After each step a table goes to the end of the queue, so tables of the same
urgency take turns. A pause between two steps occupies no thread.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from enum import IntEnum
from threading import Condition, Thread
from time import monotonic
from typing import Generic, TypeVar

log = logging.getLogger("brassmill.web")


class Urgency(IntEnum):
    """How soon a table needs a thread."""

    DECIDED = 0  # its next move is known: writing it takes no time
    LIVE = 1  # a player is waiting
    WATCHED = 2
    UNWATCHED = 3


class Work(ABC):
    """The work at one table."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
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


class Pool(Generic[SomeWork]):
    """The work at all tables of this process, and the threads that do it."""

    def __init__(self, threads: int) -> None:
        """Work in this many threads, and in one more that is kept for urgent tables.

        Without that one a player would wait while all the others think about unwatched games.
        """
        self._work: dict[str, SomeWork] = {}  # by table
        self._queue: dict[str, SomeWork] = {}  # those that no thread works on, in order of arrival
        self._changed = Condition()
        self._threads = [
            Thread(target=self._run, args=[least], daemon=True, name=f"bots {number}")
            for number, least in enumerate([*[Urgency.UNWATCHED] * threads, Urgency.LIVE], 1)
        ]
        self._has_started = False

    def add(self, work: SomeWork) -> SomeWork:
        """Add the work at a table, unless there is some already; return the work there."""
        with self._changed:
            if known := self._work.get(work.table_id):
                return known
            self._work[work.table_id] = self._queue[work.table_id] = work
            self._changed.notify_all()
            if not self._has_started:
                self._has_started = True
                for thread in self._threads:
                    thread.start()
        return work

    def tables(self) -> list[str]:
        """The tables where there is work."""
        with self._changed:
            return list(self._work)

    def hurry(self, table_id: str) -> None:
        """Skip the pauses at a table until its work ends."""
        with self._changed:
            if work := self._work.get(table_id):
                work.is_hurried, work.due = True, 0.0
                self._changed.notify_all()

    def remove(self, work: SomeWork) -> None:
        """End the work at a table after its current step; other work can be added from now on."""
        with self._changed:
            if self._work.get(work.table_id) is work:
                del self._work[work.table_id]

    def _run(self, least: Urgency) -> None:
        while True:
            work = self._take(least)
            pause = None
            try:
                pause = work.step()
            except Exception:  # no other thread would take the place of this one
                log.exception("work failed at table %s", work.table_id)
            if pause is None:
                self.remove(work)
            if not self._put_back(work, pause or 0.0):
                work.close()

    def _take(self, least: Urgency) -> SomeWork:
        """Wait for work that is due and at least this urgent, and take it."""
        with self._changed:
            now = monotonic()  # once: a pause that ends between two readings would be overlooked
            while not (work := self._most_urgent(least, now)):
                self._changed.wait(self._until_due(now))
                now = monotonic()
            return self._queue.pop(work.table_id)

    def _most_urgent(self, least: Urgency, now: float) -> SomeWork | None:
        """The next table. Urgency is asked for now, as players come and go while a table waits."""
        due = [(work.urgency(), work) for work in self._queue.values() if work.due <= now]
        urgency, work = min(due, key=lambda each: each[0], default=(None, None))  # the first such
        return work if urgency is not None and urgency <= least else None

    def _until_due(self, now: float) -> float | None:
        """Seconds until the next pause ends; None: there is none."""
        return min(
            (work.due - now for work in self._queue.values() if work.due > now), default=None
        )

    def _put_back(self, work: SomeWork, pause: float) -> bool:
        """Add work to the end of the queue; False if it was removed."""
        with self._changed:
            if self._work.get(work.table_id) is not work:
                return False
            work.due = 0.0 if work.is_hurried else monotonic() + pause
            self._queue[work.table_id] = work
            self._changed.notify_all()
            return True
