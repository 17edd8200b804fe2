"""Story: a visitor searches the archive, replays a game, bookmarks a moment, follows a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest
from playwright.sync_api import expect

from brassmill.web.archive import filling
from brassmill.web.models import Table
from brassmill.web.table import repair
from support.browser import PHONE, Visitor
from support.people import make_account
from web.archive.test_archive import ended

Visit = Callable[..., Visitor]


@pytest.fixture
def games() -> Iterator[str]:
    """Three archived games; the name of an account in two of them."""
    zoe = make_account("Zoe")
    ended(names=(zoe.name, "Ben", "Cleo"), holders=(zoe.key, "b", "c"), days=1)
    ended("lancashire-3-distant-market.brass", names=("Dan", zoe.name, "Eve"), days=2)
    Table.objects.filter(edition="lancashire").get().seats.filter(number=1).update(holder=zoe.key)
    ended("birmingham-2-intro.brass", names=("Fay", "Gus"), days=3)
    with mock.patch.object(filling, "PAUSE", 0):
        filling.fill()
    yield zoe.name
    for table in Table.objects.filter(listed=True):
        repair.delete(table.pk)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_visitor_finds_follows_and_bookmarks(visit: Visit, games: str, screen: str) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/lobby/")
    page.get_by_role("link", name="Archive").click()
    expect(page.locator(".archived")).to_have_count(3)
    page.get_by_label("What happened").select_option("virtual_link")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".archived")).to_have_count(1)
    page.get_by_role("link", name="Clear filters").click()
    # With the keyboard alone: the name of a player, and Enter.
    page.get_by_label("Player", exact=True).focus()
    page.keyboard.type(games.upper())
    page.keyboard.press("Enter")
    expect(page.locator(".archived")).to_have_count(2)
    page.get_by_role("button", name=f"Follow {games}").click()
    expect(page.locator(".followed .archived")).to_have_count(2)
    page.get_by_role("link", name="Archive").first.click()
    page.get_by_text("More filters").click()
    page.get_by_label("Winner's VP: from").fill("80")
    page.keyboard.press("Enter")
    expect(page.locator(".archived")).to_have_count(1)
    page.get_by_role("link", name="Replay").click()
    page.locator("#play").wait_for(state="visible")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".game-action[data-at='2']")).to_have_attribute("aria-current", "step")
    page.locator("#bookmark").click()
    page.get_by_label("Note").fill("Two cotton mills")
    page.keyboard.press("Enter")
    expect(page.locator(".bookmark-note")).to_have_text("Two cotton mills")
    page.get_by_role("link", name="Action 2").click()
    expect(page.locator(".game-action[data-at='2']")).to_have_attribute("aria-current", "step")
    page.goto("/following/")
    page.get_by_role("button", name="Remove this bookmark").click()
    expect(page.locator(".bookmark-note")).to_have_count(0)
    page.get_by_role("button", name=f"Unfollow {games}").click()
    expect(page.locator(".followed")).to_have_count(0)
