"""The application, as a server takes it: pages are made a few at a time.

Hundreds who come at once, after a restart say, would otherwise have a thread each, and every page
would be ready only when all are. Who waits has sent all of his request already, so nobody is kept
waiting by a slow line; and who has gone meanwhile is not waited upon.
"""

from __future__ import annotations

import asyncio
import os

import django
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

AT_ONCE = 6  # pages: some wait for the database, or for the coach

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brassmill.web.settings")


class Application(ASGIHandler):
    """Django's, with a gate in front of its pages."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Semaphore(AT_ONCE)

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Make a page; a stream is passed through, and holds nobody up."""
        async with self.gate:
            return await super().run_get_response(request)


django.setup(set_prefix=False)
application = Application()
