"""A gate that lets a few threads through at a time: the most urgent first, then in order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from threading import Condition


class Gate:
    """Threads wait here until there is room for them."""

    def __init__(self, places: int) -> None:
        """Let this many threads through at a time."""
        self._free = places
        self._waiting: list[
            tuple[int, int]
        ] = []  # tickets: urgency and arrival, the next one first
        self._arrivals = count()
        self._changed = Condition()

    @contextmanager
    def enter(self, urgency: int) -> Iterator[None]:
        """Wait for a place and keep it; the lowest number is the most urgent."""
        with self._changed:
            ticket = (urgency, next(self._arrivals))
            heappush(self._waiting, ticket)
            self._changed.wait_for(lambda: self._free > 0 and self._waiting[0] == ticket)
            heappop(self._waiting)
            self._free -= 1
            self._changed.notify_all()  # there may be room for the next one
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
