"""What all stories share: one server and one browser for those that a process runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from secrets import token_hex
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from support.browser import Server, Visitor, find_chromium, opened


# Not for the session: its watchman would play the bots of other tests.
@pytest.fixture(scope="package")
def server(site: None) -> Iterator[Server]:
    """The real server, in the home of the site; it must never complain."""
    from brassmill.web.models import Pulse  # not before the site is set up

    find_chromium()
    Pulse.objects.all().delete()  # else it complains that nobody was here since the last one
    home = settings.HOME
    (home / "secret.key").write_text(settings.SECRET_KEY)  # tests can make its cookies
    server = Server(home)
    yield server
    assert server.stop() == ""


# Not for the session: other tests have event loops of their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser of the stories."""
    with opened() as browser:
        yield browser


@pytest.fixture
def visit(server: Server, chromium: Browser) -> Iterator[Callable[..., Visitor]]:
    """Visitors of the site; nothing may go wrong in any of their pages."""
    visitors: list[Visitor] = []

    def come(**wishes: Any) -> Visitor:
        visitors.append(Visitor(chromium, server.address, token_hex(8), **wishes))
        return visitors[-1]

    yield come
    assert [fault for visitor in visitors for fault in visitor.leave()] == []
