"""Story: the server dies in mid-game, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from support.browser import Player, Server, Visitor, seen, wait_for_turn
from support.web import make_table

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

# A browser's errors when the server is gone.
CUT_OFF = [
    r"ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)",
    "htmx:(sse:)?error: (network|Failed to fetch)",
]
TWIN = ("hand", "asked", "crumbs", "round", "players", "offers")


def test_a_killed_server_continues_with_the_same_table(visit: Visit, server: Server) -> None:
    ada = visit()
    ada.pardoned += CUT_OFF
    table = make_table("Ada,random,random", seed=8, key=ada.key)
    page = ada.sit_down(table.id)
    player = Player(page, seed=8)
    player.turn()
    player.step()  # in the middle of an action
    before = page.request.get(f"/t/{table.id}.json").json()
    server.kill()
    server.start()
    page.reload()
    wait_for_turn(page)
    after = page.request.get(f"/t/{table.id}.json").json()
    assert {key: after[key] for key in TWIN} == {key: before[key] for key in TWIN}
    now = seen(page)
    while now.asked != "turn over":
        now = player.step()
    player.step()
    assert seen(page).asked == "action"
    expect(page.locator("#undo")).to_be_disabled()


def test_an_open_page_recovers_by_itself(visit: Visit, server: Server) -> None:
    ada = visit()
    ada.pardoned += CUT_OFF
    page = ada.sit_down(make_table("Ada,random", seed=8, key=ada.key).id)
    player = Player(page, seed=8)
    player.turn()
    server.kill()
    server.start()
    page.request.get(page.url)  # the server is back, perhaps still preparing the rules
    player.turn()
    assert seen(page).asked == "action"
