"""A few threads render all pages, and never for a client that has disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from threading import Event
from typing import Any
from unittest import mock

import pytest
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from brassmill.web.asgi import AT_ONCE, MOST, Application
from brassmill.web.table.live import Listener

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}


class SlowPages:
    """Renders pages when the test allows it."""

    def __init__(self) -> None:
        self.begun = 0
        self.ready = Event()

    def make(self, request: HttpRequest) -> HttpResponseBase:
        self.begun += 1
        self.ready.wait()
        return HttpResponse(b"done")


class Guest:
    """A client that requests a page."""

    def __init__(self) -> None:
        self.got: list[Mapping[str, Any]] = []
        self.left = asyncio.Event()
        self.has_asked = False

    async def receive(self) -> dict[str, Any]:
        if self.has_asked:
            await self.left.wait()
            return {"type": "http.disconnect"}
        self.has_asked = True
        return {"type": "http.request"}

    async def send(self, message: Mapping[str, Any]) -> None:
        self.got.append(message)

    def come(self, application: Application) -> asyncio.Task[None]:
        return asyncio.create_task(application(SCOPE, self.receive, self.send))

    @property
    def page(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.got)


def run_scenario(
    make: Callable[[HttpRequest], HttpResponseBase],
    story: Callable[[Application], Coroutine[Any, Any, None]],
) -> None:
    """Run a scenario with pages rendered like this."""
    with mock.patch.object(BaseHandler, "get_response", side_effect=make):
        asyncio.run(asyncio.wait_for(story(Application()), 60))


def test_pages_are_rendered_a_few_at_a_time_and_none_for_disconnected_clients() -> None:
    pages = SlowPages()

    async def story(application: Application) -> None:
        guests = [Guest() for _each in range(3 * AT_ONCE)]
        asked = [guest.come(application) for guest in guests]
        while pages.begun < AT_ONCE:
            await asyncio.sleep(0.01)
        guests[-1].left.set()
        await asked[-1]
        assert pages.begun == AT_ONCE
        pages.ready.set()
        await asyncio.gather(*asked)
        assert pages.begun == len(guests) - 1
        assert [guest.page for guest in guests] == [b"done"] * (len(guests) - 1) + [b""]

    run_scenario(pages.make, story)


def test_streams_need_no_thread_and_end_when_their_client_disconnects() -> None:
    ended = 0

    async def endless() -> Any:
        nonlocal ended
        try:
            yield b"first"
            await asyncio.Event().wait()
        finally:
            ended += 1

    async def story(application: Application) -> None:
        guests = [Guest() for _each in range(3 * AT_ONCE)]
        asked = [guest.come(application) for guest in guests]
        while not all(guest.page for guest in guests):
            await asyncio.sleep(0.01)
        assert ended == 0
        for guest in guests:
            guest.left.set()
        await asyncio.gather(*asked)
        assert ended == len(guests)

    run_scenario(lambda _request: StreamingHttpResponse(endless()), story)


def test_a_request_body_has_a_maximum_size() -> None:
    def never(request: HttpRequest) -> HttpResponseBase:
        raise AssertionError("a page was made of it")

    async def story(application: Application) -> None:
        guest, piece = Guest(), bytes(MOST // 4)
        sent = 0

        async def receive() -> dict[str, Any]:
            nonlocal sent
            sent += 1
            return {"type": "http.request", "body": piece, "more_body": True}  # endless

        await application(SCOPE, receive, guest.send)
        assert guest.got[0]["status"] == 413
        assert sent == 5

    run_scenario(never, story)


@pytest.mark.parametrize("ticks", range(4))
def test_a_client_that_disconnects_during_an_event_is_dropped(ticks: int) -> None:
    async def story() -> None:
        listener = Listener()
        waiting = asyncio.create_task(listener.wait())
        await asyncio.sleep(0)
        listener.woken.set()
        for _tick in range(ticks):
            await asyncio.sleep(0)
        has_heard = waiting.done()
        waiting.cancel()
        await asyncio.wait([waiting])
        assert has_heard or waiting.cancelled()

    asyncio.run(story())
