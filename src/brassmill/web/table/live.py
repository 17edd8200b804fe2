"""The browsers showing a table, waiting for a move or a chat message."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from threading import RLock
from time import monotonic
from typing import NamedTuple

# Open streams. A whole club may share a network; without a stream a page asks every ten seconds.
MOST_OF_VISITOR, MOST_OF_NETWORK, MOST_AT_TABLE = 10, 100, 100
ALIVE = 20.0  # seconds between keep-alives of a stream
OPENING = 10.0  # seconds for an admitted stream to open


class Listener:
    """A browser waiting for news."""

    def __init__(self, key: str = "", address: str = "") -> None:
        self.key = key  # of its visitor
        self.address = address  # of its network; empty: this machine
        self.loop = asyncio.get_running_loop()
        self.woken = asyncio.Event()

    def wake(self) -> None:
        """Wake the browser; callable from any thread."""
        self.loop.call_soon_threadsafe(self.woken.set)

    async def wait(self, until: float) -> bool:
        """Wait for news until a time of the event loop; False if there is none."""
        try:
            async with asyncio.timeout_at(until):  # `wait_for` may miss a cancellation
                await self.woken.wait()
        except TimeoutError:
            return False
        self.woken.clear()
        return True


class Opening(NamedTuple):
    """A stream that was admitted and is not open yet."""

    table_id: str
    key: str
    address: str
    until: float  # then its browser has disconnected


class Hub:
    """All event streams of this process, by table."""

    def __init__(self) -> None:
        self.closed = False
        self._lock = RLock()  # a signal handler may call `close` while this thread holds it
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._of_visitor: Counter[str] = Counter()  # streams by key
        self._of_network: Counter[str] = Counter()  # streams by address
        self._opening: list[Opening] = []
        self.said: Counter[str] = Counter()  # chat messages by table
        self.on_change: Callable[[str], None] = lambda _table_id: None  # a browser came or left

    def admit(self, table_id: str, key: str, address: str, plays: bool) -> bool:
        """May another stream be opened? Not beyond the limits of visitor, network and table.

        However many watch, those who play at the table get theirs. Streams count from now on, not
        only once they are open: many may be requested at the same moment.
        """
        with self._lock:
            now = monotonic()
            self._opening = [each for each in self._opening if each.until > now]
            at_table = [each for each in self._opening if each.table_id == table_id]
            by_visitor = [each for each in self._opening if each.key == key]
            by_network = [each for each in self._opening if each.address == address]
            if (
                not plays
                and len(at_table) + len(self._listeners.get(table_id, ())) >= MOST_AT_TABLE
            ):
                return False
            if key and len(by_visitor) + self._of_visitor[key] >= MOST_OF_VISITOR:
                return False
            if address and len(by_network) + self._of_network[address] >= MOST_OF_NETWORK:
                return False
            self._opening.append(Opening(table_id, key, address, now + OPENING))
            return True

    def add(self, table_id: str, listener: Listener) -> None:
        """Register a browser that opened a table."""
        with self._lock:
            self._listeners[table_id].add(listener)
            self._of_visitor[listener.key] += 1
            self._of_network[listener.address] += 1
            for each in self._opening:
                if each[:3] == (table_id, listener.key, listener.address):
                    self._opening.remove(each)
                    break
        self.on_change(table_id)

    def remove(self, table_id: str, listener: Listener) -> None:
        """Unregister a browser."""
        with self._lock:
            self._listeners[table_id].discard(listener)
            self._of_visitor -= Counter([listener.key])  # without those that have none left
            self._of_network -= Counter([listener.address])
            if not self._listeners[table_id]:
                del self._listeners[table_id]
                self.said.pop(table_id, None)
        self.on_change(table_id)

    def wake(self, table_id: str) -> None:
        """Wake the browsers that show a table."""
        with self._lock:
            for listener in self._listeners.get(table_id, ()):
                listener.wake()

    def say(self, table_id: str) -> None:
        """Count a chat message; a table that nobody is viewing needs no count."""
        with self._lock:
            if table_id in self._listeners:
                self.said[table_id] += 1

    def watched(self) -> list[str]:
        """The tables shown in some browser."""
        with self._lock:
            return list(self._listeners)

    def is_watched(self, table_id: str) -> bool:
        """Is a table shown in some browser?"""
        with self._lock:
            return table_id in self._listeners

    def visitors(self, table_id: str) -> set[str]:
        """The keys of the visitors viewing a table."""
        with self._lock:
            return {listener.key for listener in self._listeners.get(table_id, ())}

    def close(self) -> None:
        """End all streams: an open one would keep the server from stopping."""
        self.closed = True
        for table_id in self.watched():
            self.wake(table_id)


hub = Hub()


def moved(table_id: str) -> None:
    """Notify everyone viewing a table of a change; callable from any thread."""
    hub.wake(table_id)


def said(table_id: str) -> None:
    """Notify everyone viewing a table of a chat message; callable from any thread."""
    hub.say(table_id)
    hub.wake(table_id)
