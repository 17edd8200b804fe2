"""The bodies of requests: each is received in full, and only a few long ones at a time.

A body is in memory while it is small; a larger one is a file, which takes a descriptor. So a long
one needs a place until its request is answered. If all places are taken, a newcomer ends the
arrival of a body and gets its place at once: the oldest one of the network that has the most
bodies. Bodies wait only while those in all places have arrived, and a free place goes to the
network that has the fewest. Half-sent requests therefore hold up nobody, however many come at once.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Self

from brassmill.web.server.network import network_of

PATIENCE = 60.0  # seconds for a body to arrive
SHORT = 10_000  # bytes: nothing that is posted at a table is longer
IN_MEMORY = 100_000  # bytes; a larger body is a file
LONGEST = 4_000_000  # bytes of a body that are received, even if it is refused
PLACES = 16  # for long bodies


class Places:
    """The places for long bodies, and the bodies that wait for one."""

    def __init__(self) -> None:
        self.taken: list[BodyPlace] = []  # the oldest first
        self.waiting: dict[BodyPlace, asyncio.Event] = {}  # the oldest first

    async def enter(self, body: BodyPlace) -> None:
        """Wait for a place."""
        given = self.waiting[body] = asyncio.Event()
        if len(self.taken) == PLACES:
            self._end_an_arrival()
        self._give_free_places()
        try:
            await given.wait()
        finally:
            self.waiting.pop(body, None)

    def leave(self, body: BodyPlace) -> None:
        """Give a place back, for the next body that waits."""
        self.taken.remove(body)
        self._give_free_places()

    def _end_an_arrival(self) -> None:
        """Take the place of a body that is still arriving, if any is."""
        if arriving := [body for body in self.taken if body.is_arriving]:
            bodies = self._by_network()
            oldest = max(arriving, key=lambda body: bodies[body.network])
            self.taken.remove(oldest)
            oldest.end_arrival()

    def _give_free_places(self) -> None:
        while self.waiting and len(self.taken) < PLACES:
            bodies = self._by_network()
            following = min(self.waiting, key=lambda body: bodies[body.network])
            self.waiting.pop(following).set()
            self.taken.append(following)

    def _by_network(self) -> Counter[str]:
        return Counter(body.network for body in (*self.taken, *self.waiting))


class BodyPlace:
    """The place of one body, taken once it is long. Leaving the context gives it back."""

    def __init__(self, places: Places, client: str) -> None:
        self._places, self.network = places, client
        with suppress(ValueError):  # a client at a socket file has no address
            self.network = network_of(client)
        self._arrival: asyncio.Timeout | None = None  # of a long body
        self._is_ended = False  # its place went to another body

    @property
    def is_arriving(self) -> bool:
        return self._arrival is not None

    async def take(self, arrival: asyncio.Timeout) -> None:
        """Wait for a place; the arrival of this body may be ended for another one."""
        if self._is_ended:  # and another part came before its time was up
            raise TimeoutError
        if self._arrival is None:
            self._arrival = arrival
            await self._places.enter(self)

    def end_arrival(self) -> None:
        """Another body has this place now."""
        assert self._arrival is not None
        self._is_ended = True
        if not self._arrival.expired():
            self._arrival.reschedule(0)  # its time is up

    def keep(self) -> None:
        """The body has arrived: nobody else gets its place now."""
        if self._is_ended:
            raise TimeoutError
        self._arrival = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Give it back before the context ends."""
        if self in self._places.taken:
            self._places.leave(self)


async def read(receive: Any, most: int, place: BodyPlace) -> IO[bytes] | None:
    """The body of a request, cut off where it is too large; None if the client disconnects.

    What is cut off is still received: a proxy that cannot send it all answers 502 instead of 413.
    Raises `TimeoutError` if it takes too long.
    """
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (the caller closes it)
    more, received = True, 0
    try:
        async with asyncio.timeout(PATIENCE) as arrival:
            while more and received <= LONGEST:
                message = await receive()
                if message["type"] == "http.disconnect":
                    body.close()
                    return None
                part = message.get("body", b"")
                received += len(part)
                if received > SHORT:
                    await place.take(arrival)
                if body.tell() <= most:
                    body.write(part)
                more = message.get("more_body", False)
            place.keep()
    except BaseException:  # a cancellation, too
        body.close()
        raise
    return body
