"""Event streams: for a table, not too many, and without a sign of what is hidden."""

from __future__ import annotations

import asyncio
from unittest import mock

import pytest

from brassmill.web.table import event_stream, live, sessions
from support.web import make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")


def test_a_stream_needs_a_table() -> None:
    assert visitor("a stranger").get("/t/nosuchtable0/events/").status_code == 404


def test_streams_are_limited_by_visitor_network_and_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table("you,beginner")
    ada = visitor("Ada")
    ada.defaults["REMOTE_ADDR"] = "8.8.8.8"
    monkeypatch.setattr(live, "OPENING", 0.0)
    for most, key, address in (
        ("MOST_OF_VISITOR", "Ada", ""),
        ("MOST_OF_NETWORK", "Ben", "8.8.8.8"),
        ("MOST_AT_TABLE", "Cleo", "1.1.1.1"),
    ):
        monkeypatch.setattr(live, most, 1)
        with no_bots():
            assert ada.get(f"/t/{table.id}/events/").status_code == 200, "not opened yet"
            listener = mock.Mock(key=key, address=address)
            live.hub.add(table.id, listener)
            assert ada.get(f"/t/{table.id}/events/").status_code == 429, most
            live.hub.remove(table.id, listener)
        monkeypatch.setattr(live, most, 100)
    monkeypatch.setattr(live, "MOST_AT_TABLE", 0)
    assert visitor().get(f"/t/{table.id}/events/").status_code == 200, "a player always watches"
    assert not live.hub._of_visitor and not live.hub._of_network


def test_streams_count_before_they_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise any number could be requested at the same moment."""
    hub, now = live.Hub(), 100.0
    monkeypatch.setattr(live, "monotonic", lambda: now)
    watching = ("table", "Ada", "8.8.8.8", False)
    admitted = [hub.admit(*watching) for _ in range(2 * live.MOST_OF_VISITOR)]
    assert admitted.count(True) == live.MOST_OF_VISITOR
    hub.add("table", mock.Mock(key="Ada", address="8.8.8.8"))
    assert not hub.admit(*watching), "an open one counts once, but it does count"
    now += live.OPENING
    admitted = [hub.admit(*watching) for _ in range(2 * live.MOST_OF_VISITOR)]
    assert admitted.count(True) == live.MOST_OF_VISITOR - 1, "the others have disconnected"


def test_keep_alives_do_not_tell_when_somebody_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every click wakes all streams, though most show nothing of it, nor of a planned turn."""
    monkeypatch.setattr(event_stream, "ALIVE", 0.5)
    table = make_table(people_only(2))
    sessions.get(table.id)

    async def story() -> None:
        events = event_stream.stream(table.id, "a spectator")
        assert (await anext(events)).startswith("event: moved")
        heard = asyncio.ensure_future(anext(events))
        async with asyncio.timeout(60):
            while not heard.done():
                live.moved(table.id)
                await asyncio.sleep(0.01)
        assert heard.result() == ":\n\n"
        await events.aclose()

    asyncio.run(story())
