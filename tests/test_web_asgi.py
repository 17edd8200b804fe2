"""Pages are made a few at a time, and nobody who has gone is waited upon."""

from __future__ import annotations

import asyncio
from unittest import mock

from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from brassmill.web.asgi import AT_ONCE, Application


class Kitchen:
    """Where pages are made, when somebody says so."""

    def __init__(self) -> None:
        self.begun = 0
        self.ready = asyncio.Event()

    async def make(self, request: HttpRequest) -> HttpResponseBase:
        self.begun += 1
        await self.ready.wait()
        return HttpResponse()


async def many(application: Application, kitchen: Kitchen) -> None:
    """Many come at once; one of those who wait goes again."""
    asked = [
        asyncio.create_task(application.run_get_response(HttpRequest()))
        for _each in range(3 * AT_ONCE)
    ]
    for _moment in range(10):
        await asyncio.sleep(0)
    assert kitchen.begun == AT_ONCE
    asked.pop().cancel()
    kitchen.ready.set()
    await asyncio.gather(*asked)
    assert kitchen.begun == len(asked)


def test_pages_are_made_a_few_at_a_time() -> None:
    async def story() -> None:
        kitchen = Kitchen()
        with mock.patch.object(ASGIHandler, "run_get_response", side_effect=kitchen.make):
            await many(Application(), kitchen)

    asyncio.run(story())
