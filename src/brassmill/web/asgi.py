"""The ASGI application: a few threads render all pages, one event loop sends them.

Requests that may write have threads of their own: when they all wait for the database, pages are
still shown.

When hundreds of browsers connect at once, after a restart say, their requests queue for a free
thread, and networks take turns. A request is queued only once it has arrived in full, so a slow
client never holds up a thread, and one whose client has disconnected is dropped. A page is rendered
in one thread, which keeps its database connection. An event stream leaves its thread as soon as it
is open.

Django is called through WSGI: its own ASGI handler switches threads several times per page.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import aclosing, closing
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar

from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from django.utils.http import parse_header_parameters

from brassmill.web.server.bodies import LONGEST, BodyPlace, Places, read
from brassmill.web.server.fair_threads import FairThreads, Full

AT_ONCE = 6  # threads for pages, and again for what may write: some wait for the database or a lock
READING = ("GET", "HEAD")
MOST = 100_000  # bytes of a form
# An uploaded record may be longer; its page refuses one over 1 MB with a message.
UPLOADS = "/records/"

Headers = list[tuple[str, str]]
Result = TypeVar("Result")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brassmill.web.settings")


@dataclass
class Answer:
    """A page, rendered in a thread, or an event stream, which has yet to run."""

    status: int = 0
    headers: Headers = field(default_factory=list)
    page: list[bytes] = field(default_factory=list)  # in parts
    stream: StreamingHttpResponse | None = None

    def start(self, status: str, headers: Headers, *_error: Any) -> Callable[[bytes], object]:
        """Take the beginning of a response: WSGI's `start_response`."""
        self.status, self.headers = int(status.split()[0]), headers
        return self.page.append


# After these, the rest of the request is not read.
CLOSING = [("Content-Type", "text/plain"), ("Connection", "close")]
TOO_LARGE = Answer(413, CLOSING, [b"413 Content Too Large"])
TOO_SLOW = Answer(408, CLOSING, [b"408 Request Timeout"])
TOO_BUSY = Answer(503, CLOSING, [b"503 Service Unavailable"])


class Application:
    """Django on a thread pool, with event streams in the event loop."""

    def __init__(self) -> None:
        self.django = get_wsgi_application()
        self.readers = FairThreads(AT_ONCE, "pages")
        self.writers = FairThreads(AT_ONCE, "writing")
        self.places = Places()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, unless the client disconnects first."""
        path = scope["path"].removeprefix(scope["root_path"])
        is_upload = path == UPLOADS and scope["method"] not in READING
        with BodyPlace(self.places, client_of(scope)) as place:
            body = await received(receive, LONGEST if is_upload else MOST, place)
            if isinstance(body, Answer):
                place.leave()
                await deliver(body, send)
            elif body:
                await self.serve(scope, body, place, receive, send)

    async def serve(
        self, scope: Any, body: IO[bytes], place: BodyPlace, receive: Any, send: Any
    ) -> None:
        """Answer a request that has arrived."""
        gone = asyncio.ensure_future(receive())  # nothing else comes after the body
        threads = self.readers if scope["method"] in READING else self.writers
        try:
            work = threads.submit(client_of(scope), lambda: self.answer(scope, body))
        except Full:
            gone.cancel()
            body.close()
            place.leave()
            await deliver(TOO_BUSY, send)
            return
        work.add_done_callback(lambda _work: body.close())  # even if it never started
        try:
            answer = await before(gone, asyncio.wrap_future(work))
            place.leave()  # a client that does not read its answer must not hold it
            if answer:
                try:
                    await before(gone, asyncio.ensure_future(deliver(answer, send)))
                finally:
                    if answer.stream:
                        threads.pool.submit(answer.stream.close)  # it may use the database
        finally:
            gone.cancel()

    def answer(self, scope: Any, body: IO[bytes]) -> Answer:
        """Render a page in a thread, and release the database when done."""
        answer = Answer()
        try:
            response = self.django(environ(scope, body), answer.start)
            if isinstance(response, StreamingHttpResponse) and response.is_async:
                answer.stream = response
            else:
                with closing(response):
                    answer.page += response
        finally:
            close_old_connections()  # an open stream has not done so, nor has a fault
        return answer


async def received(receive: Any, most: int, place: BodyPlace) -> IO[bytes] | Answer | None:
    """The body of a request, or the answer if it is refused; None if the client disconnects."""
    try:
        body = await read(receive, most, place)
    except TimeoutError:
        return TOO_SLOW
    if body and body.tell() > most:
        body.close()
        return TOO_LARGE
    return body


def client_of(scope: Any) -> str:
    """The address of a client, as its proxy reports it; empty at a socket file."""
    return scope["client"][0] if scope["client"] else ""


def environ(scope: Any, body: IO[bytes]) -> dict[str, Any]:
    """A request as WSGI describes it (PEP 3333)."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        if b"_" not in name:  # X_Forwarded_For would pass for X-Forwarded-For
            key = "HTTP_" + name.decode("latin1").upper().replace("-", "_")
            text = value.decode("latin1")
            headers[key] = f"{headers[key]},{text}" if key in headers else text
    content_type = without_charset(headers.pop("HTTP_CONTENT_TYPE", ""))
    headers.pop("HTTP_CONTENT_LENGTH", None)  # not every client sends it
    size = body.tell()
    body.seek(0)
    prefix = scope["root_path"]
    host, port = scope["server"] or ("localhost", None)
    return {
        **headers,
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": prefix.encode().decode("latin1"),
        "PATH_INFO": scope["path"].removeprefix(prefix).encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(size),
        "REMOTE_ADDR": client_of(scope),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def without_charset(content_type: str) -> str:
    """The type of a body, which is always UTF-8.

    Django would decode forms and query strings as the client says: by a codec whose time is
    quadratic, or one that yields no text.
    """
    try:
        kind, parameters = parse_header_parameters(content_type)
    except ValueError:  # far too long
        return ""
    boundary = parameters.get("boundary")
    return f'{kind}; boundary="{boundary}"' if boundary else kind


async def deliver(answer: Answer, send: Any) -> None:
    """Send a page, or run a stream to its end."""
    headers = [(name.encode(), text.strip().encode("latin1")) for name, text in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.stream:
        stream: Any = aiter(answer.stream)
        async with aclosing(stream):
            async for part in stream:
                await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"".join(answer.page)})


async def before(gone: asyncio.Future[Any], work: asyncio.Future[Result]) -> Result | None:
    """The result of some work; None if the client disconnects before it is done."""
    try:
        await asyncio.wait([gone, work], return_when=asyncio.FIRST_COMPLETED)
    finally:
        work.cancel()  # no effect once done
    await asyncio.wait([work])
    return None if work.cancelled() else work.result()


application = Application()
