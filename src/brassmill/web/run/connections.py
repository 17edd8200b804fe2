"""How many connections the server holds, and for how long without a request.

Each one takes a file descriptor. Without any left the server could not even refuse a connection, so
requests are refused before that (503), and then connections are closed at once.
"""

from __future__ import annotations

import asyncio
import sys

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 60_000  # connections; a larger limit on descriptors is not needed
ACCEPTED = 16  # connections that asyncio accepts in a round; it closes them rounds later
QUEUED = 2048  # connections that wait to be accepted, when all browsers come back at once
RESERVED = 5 * ACCEPTED + 64  # descriptors: these, and for the database, files and threads
CLOSED_AT_ONCE = 16  # connections that may still be answered with a 503
HEADERS = 10.0  # seconds until the headers of a request have arrived


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


class LimitedProtocol(H11Protocol):
    """uvicorn's connection, closed when there are too many or its request does not come."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limit = self.limit_concurrency
        if limit is not None and len(self.connections) > limit + CLOSED_AT_ONCE:
            transport.abort()
        else:
            self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_waiting():
            self._await_request()
        else:
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _is_waiting(self) -> bool:
        """Is no request being answered?"""
        return self.cycle is None or self.cycle.response_complete

    def _await_request(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEADERS, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if self._is_waiting():
            self.transport.close()
