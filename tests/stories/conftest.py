"""What all stories share: one server and one browser per test process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from secrets import token_hex
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from support.browser import Server, Visitor, find_chromium, opened


# Not session-scoped: its background threads would play the bots of other tests.
@pytest.fixture(scope="package")
def server(site: None) -> Iterator[Server]:
    """Run the real server in the home folder of the site; it must log no warnings."""
    from brassmill.web.models import Pulse, Table  # not before the site is set up

    find_chromium()
    Pulse.objects.all().delete()  # otherwise it warns that no server has run since the last one
    Table.objects.all().delete()  # other tests leave games whose results were made up
    home = settings.HOME
    (home / "secret.key").write_text(settings.SECRET_KEY)  # tests can forge its cookies
    server = Server(home)
    yield server
    assert server.stop() == ""


# Not session-scoped: other tests have their own event loops.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Start the browser of the stories."""
    with opened() as browser:
        yield browser


@pytest.fixture
def visit(server: Server, chromium: Browser) -> Iterator[Callable[..., Visitor]]:
    """Open visitors' browsers; no page may have an error."""
    visitors: list[Visitor] = []

    def come(**wishes: Any) -> Visitor:
        visitors.append(Visitor(chromium, server.address, token_hex(8), **wishes))
        return visitors[-1]

    yield come
    assert [fault for visitor in visitors for fault in visitor.leave()] == []
