"""Server-sent events: "something moved", "something was said". What, each browser fetches itself.

A stream never waits for the database: it knows only desks in memory. Whoever opens one fetches the
table once anyway; who is signed in is asked for once, at its beginning. What another process does
comes by telegraph, and the thread that hears it lets the desk catch up before anybody is woken.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator
from threading import RLock

from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from brassmill.web.identity.auth import is_signed_in
from brassmill.web.identity.visitor import VISITOR, held_by, visitor
from brassmill.web.server import metrics
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import sessions

ALIVE = 20.0  # seconds after which a silent stream says that it is still there

log = logging.getLogger("brassmill.web")


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


def catch_up(table_id: str) -> None:
    """A table was changed elsewhere: its desk catches up, then who looks at it here is told."""
    if table_id not in hub.watched():
        return  # whoever asks for it next catches up
    try:
        sessions.desk(table_id)
    except TROUBLE:
        raise
    except Exception:  # gone, or played by other rules: the page says so
        log.info("the table %s cannot be followed", table_id, exc_info=True)
    hub.wake(table_id)


def anything_moved() -> None:
    """Nobody knows what has moved: look at every table that somebody looks at."""
    for table_id in hub.watched():
        catch_up(table_id)


def anew(_everything: str) -> None:
    """The whole database is another one: nothing that is in memory is true any more."""
    sessions.forget_all()
    anything_moved()
    for table_id in hub.watched():
        said(table_id)


def said(table_id: str) -> None:
    """Tell everybody who looks at a table that somebody has said something; from any thread."""
    hub.say(table_id)
    hub.wake(table_id)


@require_GET
def events(request: HttpRequest, table_id: str) -> StreamingHttpResponse:
    """The stream of a table for one browser."""
    key = visitor(request) if is_signed_in(request) else request.session.get(VISITOR, "")
    return StreamingHttpResponse(
        stream(table_id, key),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def stream(table_id: str, key: str) -> AsyncGenerator[str]:
    """The stamp of the table as this visitor sees it, now and whenever it changes."""
    listener, woken = Listener(key), True
    last: str | None = None
    hub.add(table_id, listener)
    metrics.open_streams.inc()
    heard = hub.said[table_id]
    try:
        while not hub.closed:
            desk = sessions.at_hand(table_id)
            if desk:
                stamp = desk.stamp(held_by(desk, key))
            elif woken:  # it is gone, or not in memory yet: whoever fetches it knows
                stamp = ""
            if stamp != last:
                last = stamp
                yield f"event: moved\ndata: {stamp}\n\n"
            if heard != hub.said[table_id]:
                heard = hub.said[table_id]
                yield "event: said\ndata: something\n\n"
            woken = await listener.wait()
            if not woken:
                yield ":\n\n"
    finally:
        hub.remove(table_id, listener)
        metrics.open_streams.dec()
