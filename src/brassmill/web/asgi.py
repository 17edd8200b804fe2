"""The application, as a server takes it: a few threads make all pages, one loop sends them.

Hundreds who come at once, after a restart say, wait for a thread that is free; each has sent all of
his request already, so nobody is kept waiting by a slow line, and for who has gone meanwhile
nothing is made. A page is made from beginning to end in one thread, which keeps its line to the
database; an event stream leaves its thread as soon as it is open.
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

AT_ONCE = 6  # pages: some wait for the database, or for the coach
MOST = 20_000_000  # bytes of a request: pages refuse what is much smaller, in words

Result = TypeVar("Result")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brassmill.web.settings")


class Application(ASGIHandler):
    """Django's. Its own would change threads several times for a page, and make one for each."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)  # Django's own would load what is around pages for its loop
        self.load_middleware(is_async=False)
        self.threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="pages")

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, unless who sent it goes away first."""
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
        work.add_done_callback(lambda _work: body.close())  # or it was not begun
        try:
            if response := await before(gone, asyncio.wrap_future(work)):
                try:
                    await before(gone, asyncio.ensure_future(self.send_response(response, send)))
                finally:
                    if response.streaming:
                        self.threads.submit(response.close)  # the loop has no database
        finally:
            gone.cancel()

    def answer(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        """Make a page, in a thread; nothing of the database is kept waiting when it is made."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, body)
        response = self.get_response(request) if request else refusal
        assert response is not None  # one of the two is there
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response


async def before(gone: asyncio.Future[Any], work: asyncio.Future[Result]) -> Result | None:
    """What comes of some work; nothing if somebody has gone before it is done."""
    try:
        await asyncio.wait([gone, work], return_when=asyncio.FIRST_COMPLETED)
    finally:
        work.cancel()  # if it is not done
    await asyncio.wait([work])
    return None if work.cancelled() else work.result()


django.setup(set_prefix=False)
application = Application()
