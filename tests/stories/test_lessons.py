"""Story: a newcomer learns the game, clicking what is lit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import (
    PHONE,
    Visitor,
    click,
    lit,
    mode_of,
    seen,
    tap,
    wait_for_change,
    wait_for_turn,
)

Visit = Callable[..., Visitor]

FIRST = "/learn/birmingham-first/"
AREAS = ("map", "hand", "markets", "mat", "strip")
COVERS = """() => {
  const box = (id) => document.getElementById(id).getBoundingClientRect();
  const panel = box("lesson"), map = box("board");
  return panel.left < map.right - 1 && map.left < panel.right - 1
    && panel.top < map.bottom - 1 && map.top < panel.bottom - 1;
}"""


def awaits(page: Page) -> str:
    return page.locator("#table").get_attribute("data-awaits") or ""


def step(page: Page, choose: Callable[[Page, str], None]) -> None:
    """Do what the panel says, as someone who knows nothing: click the first thing that is lit."""
    stamp = seen(page).stamp
    if awaits(page) != "choose":
        page.locator("#primary").click()
    else:
        found = lit(page)
        area = next(area for area in AREAS if area in found)
        choose(page, found[area][0])
        if mode_of(page):
            choose(page, lit(page)["mat"][0] if mode_of(page) == "develop" else "develop-it")
    wait_for_change(page, stamp)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_newcomer_plays_the_first_game_and_goes_on_to_an_introductory_one(
    visit: Visit, screen: str
) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/")
    page.get_by_role("link", name="Learn to play").click()
    page.get_by_role("link", name="My first game").first.click()
    if screen == "phone":
        # It loads the map for phones, then its script answers taps.
        page.wait_for_selector("body[data-tab] #table[data-shape=square]")
    ideas = set()
    for _click in range(60):
        if awaits(page) == "over":
            break
        ideas.add(page.locator("#idea").inner_text())
        assert not page.evaluate(COVERS)
        step(page, tap if screen == "phone" else click)
    assert len(ideas) > 12
    page.get_by_role("button", name="Play an introductory game").click()
    page.wait_for_url("**/t/*/")
    wait_for_turn(page)
    page.goto("/learn/")
    expect(page.locator(".learn-lesson.done")).to_have_count(1)


def test_a_wrong_click_gets_the_reason_and_a_nudge_and_a_reload_loses_nothing(
    visit: Visit,
) -> None:
    page = visit().open(FIRST)
    for _text in range(2):
        step(page, click)
    expect(page.locator("#nudge")).to_be_hidden()
    stamp = seen(page).stamp
    click(page, "space-dudley-2")  # an iron works needs coal
    expect(page.locator("#nudge")).to_have_text(
        "Start with the coal mine in Dudley. Nothing else is highlighted."
    )
    expect(page.locator("#tip .why")).to_contain_text("coal")
    click(page, "do-loan")  # legal, but not now
    expect(page.locator("#tip")).to_contain_text("this step is about something else")
    assert seen(page).stamp == stamp
    page.reload()
    assert seen(page).stamp == stamp
    step(page, click)
    assert awaits(page) == "end"


def test_the_keyboard_is_enough(visit: Visit) -> None:
    page = visit().open(FIRST)
    for _text in range(2):
        stamp = seen(page).stamp
        page.keyboard.press("e")
        wait_for_change(page, stamp)
    expect(page.locator("#table")).to_have_attribute("data-awaits", "choose")
    stamp = seen(page).stamp
    expect(page.locator("#space-dudley-1")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_change(page, stamp)
    stamp = seen(page).stamp
    page.keyboard.press("e")
    wait_for_change(page, stamp)
    expect(page.locator("#idea")).to_have_text("Turn order")
    stamp = seen(page).stamp
    page.keyboard.press("u")
    wait_for_change(page, stamp)
    expect(page.locator("#table")).to_have_attribute("data-awaits", "end")
