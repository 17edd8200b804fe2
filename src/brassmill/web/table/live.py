"""The browsers that look at a table, and wait for something to move or to be said there."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from threading import RLock

ALIVE = 20.0  # seconds after which a silent stream says that it is still there


class Listener:
    """A browser that waits for something to move."""

    def __init__(self, key: str = "") -> None:
        self.key = key  # of its visitor
        self.loop = asyncio.get_running_loop()
        self.woken = asyncio.Event()

    def wake(self) -> None:
        """From any thread."""
        self.loop.call_soon_threadsafe(self.woken.set)

    async def wait(self) -> bool:
        """Wait for news; False if there was none for a while."""
        try:
            async with asyncio.timeout(ALIVE):  # `wait_for` may miss that the browser has gone
                await self.woken.wait()
        except TimeoutError:
            return False
        self.woken.clear()
        return True


class Hub:
    """All streams of this process by their tables."""

    def __init__(self) -> None:
        self.closed = False
        self._lock = RLock()  # a signal may close it while the same thread has it
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self.said: Counter[str] = Counter()  # how often something was said at a table

    def add(self, table_id: str, listener: Listener) -> None:
        """A browser looks at a table."""
        with self._lock:
            self._listeners[table_id].add(listener)

    def remove(self, table_id: str, listener: Listener) -> None:
        """It looks no longer."""
        with self._lock:
            self._listeners[table_id].discard(listener)
            if not self._listeners[table_id]:
                del self._listeners[table_id]
                self.said.pop(table_id, None)

    def wake(self, table_id: str) -> None:
        """Wake who looks at a table."""
        with self._lock:
            for listener in self._listeners.get(table_id, ()):
                listener.wake()

    def say(self, table_id: str) -> None:
        """Something was said at a table; where nobody looks it is found later anyway."""
        with self._lock:
            if table_id in self._listeners:
                self.said[table_id] += 1

    def watched(self) -> list[str]:
        """The tables that somebody looks at."""
        with self._lock:
            return list(self._listeners)

    def visitors(self, table_id: str) -> set[str]:
        """The keys of who looks at a table."""
        with self._lock:
            return {listener.key for listener in self._listeners.get(table_id, ())}

    def close(self) -> None:
        """End all streams: a server with an open one does not stop."""
        self.closed = True
        for table_id in self.watched():
            self.wake(table_id)


hub = Hub()


def moved(table_id: str) -> None:
    """Tell everybody who looks at a table; from any thread."""
    hub.wake(table_id)


def said(table_id: str) -> None:
    """Tell everybody who looks at a table that somebody has said something; from any thread."""
    hub.say(table_id)
    hub.wake(table_id)
