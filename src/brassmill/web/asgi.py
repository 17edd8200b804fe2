"""The ASGI application: a few threads render all pages, one event loop sends them.

When hundreds of browsers connect at once, after a restart say, their requests queue for a free
thread. A request is queued only once it has arrived in full, so a slow client never holds up a
thread, and one whose client has disconnected is dropped. A page is rendered in one thread, which
keeps its database connection. An event stream leaves its thread as soon as it is open.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, TypeVar

import django
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http.response import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

AT_ONCE = 6  # threads: some wait for the database or a lock
MOST = 20_000_000  # bytes of a request; pages refuse smaller ones with a message

Result = TypeVar("Result")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brassmill.web.settings")


class Application(ASGIHandler):
    """Django's handler on a thread pool; the original switches threads several times per page."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)  # not ASGIHandler's, which loads the middleware as async
        self.load_middleware(is_async=False)
        self.threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="pages")

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, unless the client disconnects first."""
        size = 0

        async def receive_some() -> Any:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            return {"type": "http.disconnect"} if size > MOST else message

        try:
            body = await self.read_body(receive_some)
        except RequestAborted:
            if size > MOST:
                await self.send_response(HttpResponse("413 Content Too Large", status=413), send)
            return
        gone = asyncio.ensure_future(receive())  # nothing else comes after the body
        work = self.threads.submit(self.answer, scope, body)
        work.add_done_callback(lambda _work: body.close())  # even if it never started
        try:
            if response := await before(gone, asyncio.wrap_future(work)):
                try:
                    await before(gone, asyncio.ensure_future(self.send_response(response, send)))
                finally:
                    if response.streaming:
                        self.threads.submit(response.close)  # it may use the database
        finally:
            gone.cancel()

    def answer(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        """Render a page in a thread, and release the database when done."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, body)
        response = self.get_response(request) if request else refusal
        assert response is not None  # there is either a request or a refusal
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response


async def before(gone: asyncio.Future[Any], work: asyncio.Future[Result]) -> Result | None:
    """The result of some work; None if the client disconnects before it is done."""
    try:
        await asyncio.wait([gone, work], return_when=asyncio.FIRST_COMPLETED)
    finally:
        work.cancel()  # no effect once done
    await asyncio.wait([work])
    return None if work.cancelled() else work.result()


django.setup(set_prefix=False)
application = Application()
