"""Story: a visitor searches the archive, replays a game, bookmarks a moment, follows a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest
from playwright.sync_api import expect

from brassmill.web.archive import filling
from brassmill.web.models import Table
from brassmill.web.models.archive import EVENTS, ArchivedGame
from brassmill.web.table import repair, sessions
from support.browser import PHONE, Visitor
from support.people import make_account
from support.web import make_table, play_turn

Visit = Callable[..., Visitor]


def finished(edition: str, names: tuple[str, ...], holders: dict[int, str], **more: Any) -> None:
    """A public game that is played to its end, with the first choice each time."""
    table = make_table(",".join(names), edition, key="somebody", **more)
    for number, holder in holders.items():
        table.seats.filter(number=number).update(holder=holder)
    session = sessions.get(table.pk)
    while not session.over:
        play_turn(session)
    Table.objects.filter(pk=table.pk).update(listed=True)
    sessions.forget(table.pk)


def forget_all() -> None:
    """Delete all public games."""
    for table in Table.objects.filter(listed=True):
        repair.delete(table.pk)


@pytest.fixture
def games() -> Iterator[str]:
    """Three archived games; the name of an account in two of them."""
    forget_all()  # of other stories
    zoe = make_account("Zoe")
    finished("classic", (zoe.name, "Ben", "Cleo"), {0: zoe.key})
    finished("lancashire", ("Dan", zoe.name), {1: zoe.key}, intro=True)
    finished("birmingham", ("Fay", "Gus"), {}, intro=True)
    with mock.patch.object(filling, "PAUSE", 0):
        filling.fill()
    yield zoe.name
    forget_all()


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_visitor_finds_follows_and_bookmarks(visit: Visit, games: str, screen: str) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/lobby/")
    page.get_by_role("link", name="Archive").click()
    expect(page.locator(".archived")).to_have_count(3)
    index = ArchivedGame.objects
    counts = {event: index.filter(**{event: True}).count() for event in EVENTS}
    event = next(event for event, count in counts.items() if 0 < count < 3)
    page.get_by_label("What happened").select_option(event)
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".archived")).to_have_count(counts[event])
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
    best = max(index.values_list("winner_vp", flat=True))
    page.get_by_label("Winner's VP: from").fill(str(best))
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
