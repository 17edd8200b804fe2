"""A few threads that serve all networks in turn.

Whoever sends a hundred requests at once waits for them alone: each network has its own queue, and a
free thread takes the first request of the network that has waited longest. A queue has an end, so
nobody can fill the memory either.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from brassmill.web.server.network import network_of, parsed

MOST_WAITING = 200  # requests of one network: a club that reconnects after a restart

Work = tuple["Future[Any]", Callable[[], Any]]


class Full(Exception):  # noqa: N818 (the name says what happened)
    """Too many requests of a network are waiting."""


class FairThreads:
    """Threads, and the queues of work for them. Used from one event loop."""

    def __init__(self, number: int, name: str) -> None:
        self.pool = ThreadPoolExecutor(number, thread_name_prefix=name)
        self._free = number
        self._waiting: OrderedDict[str, deque[Work]] = OrderedDict()  # the next network first

    def submit(self, address: str, task: Callable[[], Any]) -> Future[Any]:
        """Let a thread do something for a client; `Full` if too much of its network is waiting."""
        network = queue_of(address)
        queue = self._waiting.setdefault(network, deque())
        if network and len(queue) >= MOST_WAITING:
            raise Full
        work: Future[Any] = Future()
        queue.append((work, task))
        self._start(asyncio.get_running_loop())
        return work

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._free and self._waiting:
            network, queue = self._waiting.popitem(last=False)
            work, task = queue.popleft()
            if queue:
                self._waiting[network] = queue  # at the end
            if work.set_running_or_notify_cancel():  # otherwise its client has disconnected
                self._free -= 1
                self.pool.submit(self._do, work, task, loop)

    def _do(
        self, work: Future[Any], task: Callable[[], Any], loop: asyncio.AbstractEventLoop
    ) -> None:
        try:
            work.set_result(task())
        except BaseException as error:
            work.set_exception(error)
        finally:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._done, loop)

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        self._free += 1
        self._start(loop)


def queue_of(address: str) -> str:
    """The network of a client; empty for this machine, whose queue has no end."""
    try:
        return "" if parsed(address).is_loopback else network_of(address)
    except ValueError:  # a client at a socket file has no address
        return ""
