"""A few threads render all pages, and never for a client that has disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from tempfile import SpooledTemporaryFile
from threading import Event
from typing import Any
from unittest import mock

import pytest
from django.core.handlers.base import BaseHandler
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from brassmill.web.asgi import AT_ONCE, MOST, UPLOADS, Application
from brassmill.web.server.bodies import LONGEST, PLACES, SHORT
from brassmill.web.server.fair_threads import MOST_WAITING, FairThreads
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
        assert sent == LONGEST // len(piece) + 1

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

        with mock.patch("brassmill.web.server.bodies.SpooledTemporaryFile", Measured):
            await guest.come(application)
        assert guest.got[0]["status"] == 413
        assert not guest.body and kept == 2 * MOST

    run_scenario(lambda _request: HttpResponse(b"page"), story)


def half_sent(*networks: str) -> list[Guest]:
    """Clients that send half an upload each, one after the other, and then nothing."""
    guests = []
    for network in networks:
        guest = Guest(bytes(2 * MOST), method="POST", path=UPLOADS, client=(network, 5000))
        guest.is_slow = True
        guests.append(guest)
    return guests


async def come_one_by_one(
    application: Application, guests: Sequence[Guest]
) -> list[asyncio.Task[None]]:
    """Let clients come; each has sent what it has before the next one comes."""
    asked = []
    for guest in guests:
        asked.append(guest.come(application))
        while guest.body:
            await asyncio.sleep(0)
    return asked


@pytest.mark.parametrize("own", ["203.0.113.7", "198.51.100.1"])
def test_half_sent_uploads_hold_up_nobody(own: str) -> None:
    """A long one takes a descriptor, so there are few at a time: a newcomer takes a place."""

    async def story(application: Application) -> None:
        slow = half_sent(*["203.0.113.7"] * (3 * PLACES))
        asked = await come_one_by_one(application, slow)
        honest = [
            Guest(*[bytes(MOST)] * 3, method="POST", path=UPLOADS, client=(own, 5000))
            for _each in range(3)
        ]
        for guest in honest:
            await guest.come(application)
            assert guest.page == b"page"
        assert sum(not guest.got for guest in slow) <= PLACES
        assert {guest.got[0]["status"] for guest in slow if guest.got} == {408}
        for guest in slow:
            guest.left.set()
        await asyncio.gather(*asked)
        assert not application.places.taken and not application.places.waiting

    run_scenario(lambda _request: HttpResponse(b"page"), story)


def test_the_network_with_the_most_half_sent_uploads_gives_way() -> None:
    async def story(application: Application) -> None:
        few = half_sent("198.51.100.1", "2001:db8::1", "2001:db8:0:1::1")
        many = half_sent(*[f"2001:db8:0:2::{n:x}" for n in range(1, 2 * PLACES)])
        asked = await come_one_by_one(application, [*few, *many])
        while sum(bool(guest.got) for guest in (*few, *many)) < PLACES + 2:
            await asyncio.sleep(0)
        assert not any(guest.got for guest in few)
        assert [bool(guest.got) for guest in many] == [True] * (PLACES + 2) + [False] * (PLACES - 3)
        for guest in (*few, *many):
            guest.left.set()
        await asyncio.gather(*asked)

    run_scenario(lambda _request: HttpResponse(b"page"), story)


def test_a_burst_of_half_sent_uploads_holds_up_nobody() -> None:
    """None of them has been ended when the others come; a stranger still gets a place."""

    async def story(application: Application) -> None:
        slow = half_sent(*["203.0.113.7"] * (8 * PLACES), "198.51.100.2", *["203.0.113.7"] * PLACES)
        asked = [guest.come(application) for guest in slow]
        stranger = Guest(
            *[bytes(MOST)] * 2, method="POST", path=UPLOADS, client=("198.51.100.1", 5000)
        )
        await stranger.come(application)
        assert stranger.page == b"page"
        assert not application.places.waiting
        assert [guest.scope["client"][0] for guest in slow if not guest.got] == [
            "198.51.100.2",
            *["203.0.113.7"] * (PLACES - 2),
        ]
        for guest in slow:
            guest.left.set()
        await asyncio.gather(*asked)
        assert not application.places.taken

    run_scenario(lambda _request: HttpResponse(b"page"), story)


def test_a_free_place_goes_to_the_network_with_the_fewest_uploads() -> None:
    """While those that have arrived are being answered, the others wait."""
    answered: list[str] = []
    pages = SlowPages()

    def make(request: HttpRequest) -> HttpResponseBase:
        pages.make(request)
        answered.append(request.META["REMOTE_ADDR"])
        return HttpResponse(b"done")

    async def story(application: Application) -> None:
        application.writers = FairThreads(1, "writing")  # so that the answers have an order
        many = ["203.0.113.7"] * (3 * PLACES)
        asked = [
            Guest(bytes(2 * MOST), method="POST", path=UPLOADS, client=(network, 5000)).come(
                application
            )
            for network in (*many, "198.51.100.1")
        ]
        while len(application.places.waiting) < 2 * PLACES + 1:
            await asyncio.sleep(0)
        pages.ready.set()
        await asyncio.gather(*asked)
        assert answered.index("198.51.100.1") <= PLACES

    run_scenario(make, story)


def test_an_upload_that_has_arrived_keeps_its_place() -> None:
    """However many come after it; they wait, and short forms need no place."""
    pages = SlowPages()

    def make(request: HttpRequest) -> HttpResponseBase:
        return HttpResponse(b"form") if request.path == "/form/" else pages.make(request)

    async def story(application: Application) -> None:
        long = bytes(2 * MOST)
        whole = [Guest(long, method="POST", path=UPLOADS) for _ in range(PLACES)]
        application.writers = FairThreads(PLACES + 1, "writing")
        asked = [guest.come(application) for guest in whole]
        while pages.begun < PLACES:
            await asyncio.sleep(0.01)
        asked.append((late := Guest(long, method="POST", path=UPLOADS)).come(application))
        await (short := Guest(bytes(SHORT), method="POST", path="/form/")).come(application)
        assert short.page == b"form" and not late.got and pages.begun == PLACES
        pages.ready.set()
        await asyncio.gather(*asked)
        assert [guest.page for guest in (*whole, late)] == [b"done"] * (PLACES + 1)

    run_scenario(make, story)


def test_a_client_that_does_not_read_its_answer_holds_no_place() -> None:
    async def story(application: Application) -> None:
        deaf = [Guest(bytes(2 * MOST), method="POST", path=UPLOADS) for _ in range(PLACES)]
        refused = [Guest(*[bytes(MOST)] * 3, method="POST") for _ in range(PLACES)]
        asked = []
        for guest in (*deaf, *refused):

            async def send(message: Mapping[str, Any], guest: Guest = guest) -> None:
                guest.got.append(message)
                await guest.left.wait()

            asked.append(asyncio.create_task(application(guest.scope, guest.receive, send)))
        while not all(guest.got for guest in (*deaf, *refused)):
            await asyncio.sleep(0.01)
        assert not application.places.taken
        for guest in (*deaf, *refused):
            guest.left.set()
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
        application.readers.pool.shutdown()
        assert [guest.page for guest in guests] == [b"event", b"a file"]

    run_scenario(page, story)
    assert all(response.closed for response in responses)
    assert (began.call_count, finished.call_count) == (2, 2)


@pytest.mark.parametrize("ticks", range(4))
def test_a_client_that_disconnects_during_an_event_is_dropped(ticks: int) -> None:
    async def story() -> None:
        listener = Listener()
        until = asyncio.get_running_loop().time() + 60
        waiting = asyncio.create_task(listener.wait(until))
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
        (UPLOADS, LONGEST, 200),
        (UPLOADS, LONGEST + 1, 413),
        (f"{UPLOADS}abc/", MOST + 1, 413),
        (f"/prefix{UPLOADS}", LONGEST, 200),
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


# --- fairness ------------------------------------------------------------------------------------


def test_networks_take_turns() -> None:
    """A stranger's page waits for the pages in work, not for a hundred of somebody else."""
    order: list[str] = []
    pages = SlowPages()

    def make(request: HttpRequest) -> HttpResponseBase:
        order.append(request.META["REMOTE_ADDR"])
        return pages.make(request)

    async def story(application: Application) -> None:
        asked = [Guest(client=("203.0.113.7", 5000)).come(application) for _ in range(40)]
        while pages.begun < AT_ONCE:
            await asyncio.sleep(0.01)
        asked.append(Guest(client=("198.51.100.1", 5000)).come(application))
        await asyncio.sleep(0)
        pages.ready.set()
        await asyncio.gather(*asked)
        assert order.index("198.51.100.1") <= AT_ONCE + 1

    run_scenario(make, story)


def test_a_network_with_too_many_requests_is_told_so() -> None:
    pages = SlowPages()

    async def story(application: Application) -> None:
        guests = [Guest() for _ in range(AT_ONCE + MOST_WAITING + 1)]
        asked = [guest.come(application) for guest in guests]
        while not guests[-1].got:
            await asyncio.sleep(0.01)
        own = Guest(client=("127.0.0.1", 5000))
        asked.append(own.come(application))  # this machine is never refused
        pages.ready.set()
        await asyncio.gather(*asked)
        assert [guest.got[0]["status"] for guest in guests] == [200] * (len(guests) - 1) + [503]
        assert own.page == b"done"

    run_scenario(pages.make, story)


@pytest.mark.parametrize(
    "charset",
    ["punycode", "zlib", "hex", "idna", "undefined", "utf-7", "unicode_escape", "utf-16"],
)
def test_a_client_does_not_choose_how_it_is_decoded(charset: str) -> None:
    """Some codecs take quadratic time, others yield no text."""
    seen: list[str] = []

    def make(request: HttpRequest) -> HttpResponseBase:
        seen.append(request.GET["q"] + request.POST.get("field", ""))
        return HttpResponse(b"read")

    body = b'--b\r\nContent-Disposition: form-data; name="field"\r\n\r\n\xc3\xa4\r\n--b--\r\n'

    async def story(application: Application) -> None:
        for kind in ("charset={}", 'CHARSET="{}"', "charset*=utf-8''{}"):
            header = f"multipart/form-data; boundary=b; {kind.format(charset)}".encode()
            guest = Guest(
                body, method="POST", query_string=b"q=%C3%B6", headers=[(b"content-type", header)]
            )
            await guest.come(application)
            assert guest.page == b"read"

    run_scenario(make, story)
    assert seen == ["öä"] * 3
