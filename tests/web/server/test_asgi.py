"""A few threads render all pages, and never for a client that has disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from tempfile import SpooledTemporaryFile
from threading import Event
from typing import Any
from unittest import mock

import pytest
from django.core.handlers.base import BaseHandler
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from brassmill.web.asgi import AT_ONCE, MOST, MOST_UPLOADED, UPLOADED_AT_ONCE, UPLOADS, Application
from brassmill.web.table.live import Listener

SCOPE: dict[str, Any] = {
    "type": "http",
    "http_version": "1.1",
    "scheme": "http",
    "method": "GET",
    "root_path": "",
    "path": "/",
    "query_string": b"",
    "headers": [],
    "client": ("203.0.113.7", 5000),
    "server": ("127.0.0.1", 8000),
}


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

    def __init__(self, *body: bytes, **scope: Any) -> None:
        self.scope = {**SCOPE, **scope}
        self.body = list(body or [b""])  # in parts
        self.got: list[Mapping[str, Any]] = []
        self.left = asyncio.Event()
        self.is_slow = False  # the rest of the body never comes

    async def receive(self) -> dict[str, Any]:
        if self.body:
            part = self.body.pop(0)
            return {
                "type": "http.request",
                "body": part,
                "more_body": bool(self.body) or self.is_slow,
            }
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        self.got.append(message)

    def come(self, application: Application) -> asyncio.Task[None]:
        return asyncio.create_task(application(self.scope, self.receive, self.send))

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


def test_pages_are_shown_while_all_clicks_wait_for_the_database() -> None:
    clicks = SlowPages()

    def make(request: HttpRequest) -> HttpResponseBase:
        return HttpResponse(b"page") if request.method == "GET" else clicks.make(request)

    async def story(application: Application) -> None:
        waiting = [Guest(method="POST") for _each in range(3 * AT_ONCE)]
        asked = [guest.come(application) for guest in waiting]
        while clicks.begun < AT_ONCE:
            await asyncio.sleep(0.01)
        for _each in range(2 * AT_ONCE):
            await (reader := Guest()).come(application)
            assert reader.page == b"page"
        assert not any(guest.page for guest in waiting)
        clicks.ready.set()
        await asyncio.gather(*asked)
        assert [guest.page for guest in waiting] == [b"done"] * len(waiting)

    run_scenario(make, story)


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
        assert sent == MOST_UPLOADED // len(piece) + 1

    run_scenario(never, story)


def test_a_form_that_is_too_large_is_received_to_its_end_but_not_kept() -> None:
    """A proxy that cannot send it all would answer 502 instead of passing the 413 on."""

    async def story(application: Application) -> None:
        guest, kept = Guest(*[bytes(MOST)] * 20, method="POST", path="/new/birmingham/"), 0

        class Measured(SpooledTemporaryFile[bytes]):
            def write(self, part: Any) -> int:
                nonlocal kept
                kept += len(part)
                return super().write(part)

        with mock.patch("brassmill.web.asgi.SpooledTemporaryFile", Measured):
            await guest.come(application)
        assert guest.got[0]["status"] == 413
        assert not guest.body and kept == 2 * MOST

    run_scenario(lambda _request: HttpResponse(b"page"), story)


def test_records_are_uploaded_a_few_at_a_time() -> None:
    """Each takes a descriptor. The next one is not even read, and pages are shown meanwhile."""

    async def story(application: Application) -> None:
        half = bytes(2 * MOST)
        slow = [Guest(half, method="POST", path=UPLOADS) for _ in range(UPLOADED_AT_ONCE + 1)]
        for each in slow:
            each.is_slow = True
        asked = [each.come(application) for each in slow]
        while any(each.body for each in slow[:-1]):
            await asyncio.sleep(0.01)
        await (reader := Guest()).come(application)
        assert reader.page == b"page" and slow[-1].body
        slow[0].left.set()
        await asked[0]
        while slow[-1].body:
            await asyncio.sleep(0.01)
        for each in slow:
            each.left.set()
        await asyncio.gather(*asked)

    run_scenario(lambda _request: HttpResponse(b"page"), story)


def test_a_page_sees_the_whole_request() -> None:
    seen: list[HttpRequest] = []

    def page(request: HttpRequest) -> HttpResponseBase:
        seen.append(request)
        response = HttpResponse(request.POST["name"] + request.GET["name"])
        response.set_cookie("visitor", "Ada")
        return response

    guest = Guest(
        b"name=",
        b"%C3%A9",
        method="POST",
        scheme="https",
        root_path="/brass",
        path="/brass/caf\u00e9/",
        query_string=b"name=%C3%A8",
        headers=[
            (b"host", b"localhost"),
            (b"content-type", b"application/x-www-form-urlencoded"),  # without a length
            (b"accept", b"text/html"),
            (b"accept", b"text/plain"),
            (b"x_forwarded_for", b"192.0.2.1"),  # not the header with hyphens
        ],
    )

    async def story(application: Application) -> None:
        await guest.come(application)

    run_scenario(page, story)
    (request,) = seen
    assert (request.method, request.scheme) == ("POST", "https")
    assert (request.path, request.path_info) == ("/brass/caf\u00e9/", "/caf\u00e9/")
    assert request.META["REMOTE_ADDR"] == "203.0.113.7"
    assert request.headers["Accept"] == "text/html,text/plain"
    assert "X-Forwarded-For" not in request.headers
    assert guest.page.decode() == "\u00e9\u00e8"
    cookies = [value for name, value in guest.got[0]["headers"] if name == b"Set-Cookie"]
    assert cookies == [b"visitor=Ada; Path=/"]


def test_every_request_begins_and_finishes_and_its_response_is_closed() -> None:
    responses: list[StreamingHttpResponse] = []
    began, finished = mock.Mock(), mock.Mock()
    request_started.connect(began)  # by a weak reference: forgotten after the test
    request_finished.connect(finished)

    async def events() -> Any:
        yield b"event"

    def page(request: HttpRequest) -> HttpResponseBase:
        content = events() if request.path == "/events/" else [b"a ", b"file"]
        responses.append(StreamingHttpResponse(content))
        return responses[-1]

    async def story(application: Application) -> None:
        guests = Guest(path="/events/"), Guest()
        for guest in guests:
            await guest.come(application)
        application.readers.shutdown()
        assert [guest.page for guest in guests] == [b"event", b"a file"]

    run_scenario(page, story)
    assert all(response.closed for response in responses)
    assert (began.call_count, finished.call_count) == (2, 2)


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


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/new/birmingham/", MOST, 200),
        ("/new/birmingham/", MOST + 1, 413),
        ("/t/abc/choose/", 9_900_000, 413),
        (UPLOADS, MOST_UPLOADED, 200),
        (UPLOADS, MOST_UPLOADED + 1, 413),
        (f"{UPLOADS}abc/", MOST + 1, 413),
        (f"/prefix{UPLOADS}", MOST_UPLOADED, 200),
    ],
)
def test_only_uploads_may_be_large(path: str, size: int, status: int) -> None:
    made = 0

    def page(request: HttpRequest) -> HttpResponseBase:
        nonlocal made
        made += 1
        return HttpResponse(b"done")

    async def story(application: Application) -> None:
        pieces = [bytes(50_000)] * (size // 50_000)
        prefix = "/prefix" if path.startswith("/prefix") else ""
        guest = Guest(*pieces, bytes(size % 50_000), path=path, root_path=prefix, method="POST")
        await guest.come(application)
        assert guest.got[0]["status"] == status

    run_scenario(page, story)
    assert made == (status == 200)
