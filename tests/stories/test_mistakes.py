"""Story: in a game against beginners the coach speaks up, and its button undoes the action."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from stories.test_accessibility import violations
from support.browser import Visitor, wait_for_turn
from support.web import make_table

Visit = Callable[..., Visitor]


@pytest.mark.slow
def test_a_turn_thrown_away_is_undone(visit: Visit) -> None:
    ada = visit()
    table = make_table("Ada,beginner,beginner", seed=7, key=ada.key, intro=True)  # Ada begins
    page = ada.open(f"/t/{table.id}/")
    wait_for_turn(page)
    page.locator("#do-pass").first.dispatch_event("click")
    expect(page.locator("#table")).to_have_attribute("data-asked", "card")
    page.locator("#hand [data-choice]").first.dispatch_event("click")
    said = page.locator(".mistake")
    expect(said).to_contain_text("Better:")
    assert violations(page) == []
    said.get_by_role("button", name="Undo").click()
    expect(page.locator("#table")).to_have_attribute("data-asked", "action")
    expect(said).to_have_count(0)
