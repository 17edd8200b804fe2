"""Story: a visitor sets up a position on the map, analyses it and plays on from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import PHONE, Visitor

Visit = Callable[..., Visitor]


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_position_is_set_up_analysed_and_played(visit: Visit, screen: str) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/")
    page.get_by_role("link", name="Study").click()
    game = page.locator(".study-start", has_text="Brass: Birmingham")
    game.get_by_label("Players").select_option("2")
    game.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="This position is possible.")).to_be_visible()
    # A click on the map, with a tile chosen on the mat.
    page.locator("#mat-frame #mat-0-coal-1").click()
    expect(page.locator("#kind")).to_have_value("coal 1")
    page.locator("#space-dudley-1").dispatch_event("click")
    expect(page.locator("#space-dudley-1.taken")).to_be_visible()
    # The keyboard does the same.
    page.locator("#tool-remove").focus()
    page.keyboard.press("Space")
    page.locator("#on").select_option("space-dudley-1")
    page.locator("#put").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#space-dudley-1.empty")).to_be_visible()
    page.locator("#put").press("Enter")
    expect(page.locator("#note")).to_have_text("There is no tile on this space.")
    # A field, a card too many, and the way back.
    page.locator("#cash-0").fill("44")
    page.locator("#cash-0").press("Tab")
    expect(page.locator("#player-0 summary")).to_contain_text("£44")
    page.locator("#add-0").select_option("wild location")
    expect(page.locator(".problems li").first).to_contain_text("Y.hand has 9 cards")
    page.go_back()
    expect(page.get_by_role("heading", name="This position is possible.")).to_be_visible()
    expect(page.locator("#cash-0")).to_have_value("44")
    address = page.url
    page.locator("#to-board").click()
    expect(page.get_by_role("heading", name="Y to move")).to_be_visible()
    page.goto(address)
    page.locator("#play-on").click()
    expect(page.locator("#table")).to_be_visible()
