"""Story: a visitor walks through the openings, with the mouse, with keys, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import PHONE, Visitor

Visit = Callable[..., Visitor]


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_visitor_walks_through_the_openings(visit: Visit, screen: str) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/")
    page.locator("#to-openings").click()
    expect(page.get_by_role("heading", name="Openings", exact=True)).to_be_visible()
    page.get_by_role("link", name="Brass (2007)", exact=True).click()
    page.get_by_role("link", name="3rd", exact=True).click()
    expect(page.locator("#turn-title")).to_have_text("Turn 1: one action")
    first = page.locator(".moves a").first
    words = first.inner_text()
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#turn-title")).to_have_text("Turn 2: the first action")
    expect(page.locator(".opening-line [aria-current]")).to_contain_text(words)
    # The whole row is the link.
    page.locator(".moves .leads .mean-vp").first.click(force=True)  # the link lies over it
    expect(page.locator("#turn-title")).to_have_text("Turn 2: the second action")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    page.get_by_role("link", name="Start of the game").click()
    expect(page.locator("#turn-title")).to_have_text("Turn 1: one action")
