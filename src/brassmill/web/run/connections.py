"""How many connections the server holds, and for how long without a request.

Each one takes a file descriptor. Without any left the server could not even refuse a connection.
Before that, a new connection takes the place of the one that has kept the server waiting longest:
it is idle, its request is incomplete, or it does not read the answer. If there is none, requests
are refused (503), and then connections are closed at once.

Reading must be cheap as well: all connections share one thread. Hundreds of headers, long ones, and
bodies in tiny chunks are refused as soon as they are noticed (400). No browser or proxy sends them.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, ClassVar

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 60_000  # connections; a larger limit on descriptors is not needed
ACCEPTED = 16  # connections that asyncio accepts in a round; it closes them rounds later
QUEUED = 2048  # connections that wait to be accepted, when all browsers come back at once
RESERVED = 5 * ACCEPTED + 64  # descriptors: these, and for the database, files and threads
CLOSED_AT_ONCE = 16  # connections that may still be answered with a 503
HEADERS = 10.0  # seconds until the headers of a request have arrived
READING = 60.0  # seconds until a client has read what was sent
LONGEST_HEADERS = 16_384  # bytes
MOST_HEADERS = 500  # a browser sends about 20
AT_ONCE = 4096  # bytes that are read at once, before anything is checked
TINY = 100  # bytes of a chunk; a body may have this many that are smaller


def raise_limit() -> int:
    """Allow as many descriptors as the system does; return how many connections that leaves."""
    if sys.platform == "win32":  # it has no such limit
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = MOST + RESERVED if hard == unlimited else min(MOST + RESERVED, hard)
    if soft != unlimited and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(1, wanted - RESERVED - CLOSED_AT_ONCE)


class Reader(h11.Connection):
    """A reader of requests without tiny chunks or headers: each takes as long as a large one."""

    _lines = 0  # of headers that are not read yet
    _chunks = 0  # of the body
    _bytes = 0

    def receive_data(self, data: bytes) -> None:
        if self.their_state is not h11.SEND_BODY:
            self._lines += data.partition(b"\r\n\r\n")[0].count(b"\n")
        super().receive_data(data)

    def next_event(self) -> Any:
        if self._lines > MOST_HEADERS:
            raise h11.RemoteProtocolError("too many headers")
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._lines = self._chunks = self._bytes = 0
        elif isinstance(event, h11.Data):
            self._chunks += 1
            self._bytes += len(event.data)
            if self._bytes < TINY * (self._chunks - TINY):
                raise h11.RemoteProtocolError("tiny chunks")
        return event


class LimitedProtocol(H11Protocol):
    """uvicorn's connection, closed when there are too many or its client is too slow."""

    # The connections of this process that wait for their clients, the longest waiting first.
    waiting: ClassVar[dict[LimitedProtocol, None]] = {}

    _timer: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def __init__(self, config: Config, *more: Any, **named: Any) -> None:
        super().__init__(config, *more, **named)
        self.conn = Reader(h11.SERVER, LONGEST_HEADERS)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # writing pauses while anything is unread
        limit, number = self.limit_concurrency, len(self.connections)
        if limit is not None and number >= limit and self.waiting:
            next(iter(self.waiting)).drop()
        elif limit is not None and number > limit + CLOSED_AT_ONCE:
            transport.abort()
            return
        self._await_request()
        self._note_waiting()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), AT_ONCE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + AT_ONCE])
        if self._is_idle():
            self._await_request()
        else:
            self._stop_timer()
        self._note_waiting()

    def send_400_response(self, msg: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:  # another response has begun
            self.drop()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note_waiting()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(READING, self.drop)
        self._note_waiting()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread()
        self._note_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.pop(self, None)
        self._stop_timer()
        self._stop_unread()
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close the connection, whatever has not been sent yet."""
        self.waiting.pop(self, None)
        self.transport.abort()

    def _is_idle(self) -> bool:
        """Is no request being answered?"""
        return self.cycle is None or self.cycle.response_complete

    def _note_waiting(self) -> None:
        """Note whether the client is next to act; if it was already, it keeps its place."""
        is_waiting = self._is_idle() or self.cycle.more_body or self._unread
        if is_waiting and self in self.connections:
            self.waiting.setdefault(self)
        else:
            self.waiting.pop(self, None)

    def _await_request(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEADERS, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _stop_unread(self) -> None:
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _give_up(self) -> None:
        self._timer = None
        if self._is_idle():
            self.transport.close()
