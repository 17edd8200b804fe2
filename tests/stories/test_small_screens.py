"""Stories on a phone and a tablet: nothing stands in the way, and nothing is out of sight."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from support.browser import PHONE, Visitor, lit, point_of, tap
from support.web import make_table

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

TOUCH = {"has_touch": True, "is_mobile": True}
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": PHONE, **TOUCH},
    "tablet": {"viewport": {"width": 820, "height": 1180}, **TOUCH},
}


def table_of(ada: Visitor, seats: str = "Ada,random") -> Page:
    """Return a new table with Ada to move."""
    return ada.sit_down(make_table(seats, "birmingham", seed=3, key=ada.key).id)


def waiting_for_bots(ada: Visitor, pace: int = 30_000) -> Page:
    """Return a table where two bots move before Ada, each after a pause."""
    table = make_table("Ada,random,random", "birmingham", seed=5, key=ada.key, pace=pace)
    page = ada.open(f"/t/{table.id}/")
    expect(page.locator("#plan-turn")).to_be_visible()
    return page


def shot(page: Page, name: str) -> None:
    """Keep a screenshot for people to look at, if a folder is given."""
    if folder := os.environ.get("BRASSMILL_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_the_coach_can_be_sent_away_while_it_thinks(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    page.locator("#ask-hint").tap()
    expect(page.locator("#hint .thinking")).to_be_visible()
    expect(page.locator("#do-build")).to_be_in_viewport()  # the actions stay in reach
    shot(page, "coach-thinks")
    held: list[Route] = []
    page.route("**/hint/", lambda route: held.append(route))
    with page.expect_request("**/hint/"):
        pass  # the page has asked again, and waits for the answer
    page.locator("#hint [data-close]").tap()
    expect(page.locator("#hint")).to_be_hidden()
    with page.expect_response("**/hint/"):
        held.pop(0).continue_()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.locator("#hint")).to_be_hidden()
    page.unroute("**/hint/")
    page.locator("#ask-hint").tap()
    expect(page.locator("#hint .idea").first).to_be_visible()
    shot(page, "coach-answers")
    page.locator("#hint [data-close]").tap()
    expect(page.locator("#do-build")).to_be_in_viewport()


@pytest.mark.parametrize("screen", SCREENS)
def test_money_income_and_vp_are_always_seen(visit: Visit, screen: str) -> None:
    page = table_of(visit(**SCREENS[screen]))
    for tab in ("mat", "log", "hand"):
        page.locator(f"#tabs [data-show={tab}]").tap()
        expect(page.locator("#purse-cash")).to_be_in_viewport()
        expect(page.locator(".purse")).to_contain_text("£17")
    shot(page, f"purse-{screen}")


def test_a_closed_panel_leaves_its_room_to_the_map(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    height = "() => document.querySelector('#sheet').getBoundingClientRect().height"
    before = page.evaluate(height)
    page.locator("#tabs [data-show=hand]").tap()
    expect(page.locator("#hand")).to_be_hidden()
    assert page.evaluate(height) > 1.3 * before
    shot(page, "no-panel")
    page.locator("#tabs [data-show=hand]").tap()
    assert page.evaluate(height) == before


# How much of the frame the drawing of the map fills, at least across or down.
FILLED = """() => {
  const frame = document.getElementById("sheet").getBoundingClientRect();
  const [width, height] = document.querySelector("#sheet > svg").getAttribute("viewBox")
    .split(" ").slice(2).map(Number);
  const scale = Math.min(frame.width / width, frame.height / height);
  return (scale * width / frame.width) * (scale * height / frame.height);
}"""


@pytest.mark.parametrize("edition", ["birmingham", "lancashire", "classic"])
def test_the_map_of_a_phone_fills_its_frame_and_the_whole_screen(
    visit: Visit, edition: str
) -> None:
    ada = visit(**SCREENS["phone"])
    page = ada.sit_down(make_table("Ada,random,random", edition, seed=3, key=ada.key).id)
    table = page.locator("#table")
    expect(table).to_have_attribute("data-shape", "square")
    assert page.evaluate(FILLED) > 0.9
    page.locator("#do-build").tap()  # what is narrowed down stays so on the other drawing
    lit_before = page.locator("#sheet .lit").count()
    page.get_by_role("button", name="Whole map").tap()
    expect(table).to_have_attribute("data-shape", "tall")
    assert page.evaluate(FILLED) > 0.9
    assert 0 < page.locator("#sheet .lit").count() == lit_before
    shot(page, f"whole-map-{edition}")
    page.get_by_role("button", name="Back").tap()
    expect(table).to_have_attribute("data-shape", "square")
    assert page.locator("#sheet .lit").count() == lit_before
    # An action brings no other drawing.
    page.locator("#do-pass").tap()
    expect(page.locator("#table[data-asked=card]")).to_be_visible()
    expect(table).to_have_attribute("data-shape", "square")
    assert page.locator("#ground-square > *").count() > 0


@pytest.mark.parametrize("chosen", ["What the symbols mean", "Discards", "Concede"])
def test_the_menu_closes_when_something_in_it_is_chosen(visit: Visit, chosen: str) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    page.get_by_role("button", name="Menu").tap()
    page.locator("#menu").get_by_role("button", name=chosen, exact=True).tap()
    expect(page.locator(":popover-open").get_by_role("heading").first).to_be_visible()
    expect(page.locator("#menu")).to_be_hidden()
    assert page.locator(":popover-open").count() == 1


# Where the link is while the action bar tells what a bot has just done; none: something is cut.
PLAN_BESIDE_A_MOVE = """() => {
  const [strip, story, link] = ["strip", "story", "plan-turn"]
    .map((id) => document.getElementById(id));
  if (!link || story.hidden) return null;
  const skip = document.querySelector("#strip [value=skip]").getBoundingClientRect();
  const fits = strip.scrollHeight <= strip.clientHeight + 1;
  return {fits, beside: Math.round(skip.top - link.getBoundingClientRect().top)};
}"""


@pytest.mark.parametrize("screen", SCREENS)
def test_the_next_turn_can_be_planned_while_bots_move(visit: Visit, screen: str) -> None:
    page = waiting_for_bots(visit(**SCREENS[screen]), pace=6000)
    told = page.wait_for_function(PLAN_BESIDE_A_MOVE)
    shot(page, f"plan-beside-{screen}")
    assert told.json_value() == {"fits": True, "beside": 0}


def test_the_title_of_a_planned_action_has_its_own_row(visit: Visit) -> None:
    page = waiting_for_bots(visit(**SCREENS["phone"]))
    page.locator("#plan-turn").tap()
    page.wait_for_url("**/plan/")
    page.wait_for_load_state()
    tap(page, next(each for each in lit(page)["map"] if each.startswith("line")))
    page.wait_for_selector("#table[data-asked='card']")
    shot(page, "plan-title")
    title, button = (page.locator(each).bounding_box() for each in ("#question", "#keep-plan"))
    assert title and button and title["y"] + title["height"] <= button["y"]
    assert page.evaluate("() => strip.scrollHeight - strip.clientHeight") <= 1


# The buttons that a finger misses: their reach is less than 40 pixels wide or high.
TOO_SMALL = """(selector) => [...document.querySelectorAll(selector)]
  .filter((each) => each.getClientRects().length)
  .filter((each) => {
    const [box, after] = [each.getBoundingClientRect(), getComputedStyle(each, "::after")];
    const beyond = (side) => after.content === "none" ? 0 : parseFloat(after[side]);
    const reach = (side) => Math.max(box[side], beyond(side));
    return Math.min(reach("width"), reach("height")) < 40;
  })
  .map((each) => each.id || each.outerHTML)"""


def test_small_buttons_have_a_reach_for_fingers(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    page.locator("#do-build").tap()
    expect(page.locator("#put-back")).to_be_visible()
    shot(page, "narrowed")
    assert page.evaluate(TOO_SMALL, "#narrowed button, .zoom button") == []
    box = page.locator("#put-back").bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 8)  # beside what is drawn
    expect(page.locator("#narrowed")).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    page.locator("#menu").get_by_role("button", name="Discards").tap()
    expect(page.locator("#discards-drawer")).to_be_visible()
    assert page.evaluate(TOO_SMALL, ".drawer:popover-open .part-head button") == []


@pytest.mark.parametrize("plans", [False, True])
def test_before_a_tap_counts_the_page_says_which_card_it_uses(visit: Visit, plans: bool) -> None:
    ada = visit(**SCREENS["phone"])
    page = waiting_for_bots(ada) if plans else table_of(ada)
    if plans:
        page.locator("#plan-turn").tap()
        page.wait_for_url("**/plan/")
        page.wait_for_load_state()
    confirm, found = page.locator("#confirm"), set()
    for element in lit(page)["map"]:
        page.touchscreen.tap(*point_of(page, element))
        expect(confirm.locator(".bill")).to_be_visible()
        asks = confirm.locator(".asks-card").count()
        yes = confirm.locator("[data-confirm=yes]")
        if asks:
            expect(yes).to_have_text("Choose a card", use_inner_text=True)
        else:
            expect(confirm.locator(".uses")).to_have_text(re.compile("Uses your .+ card"))
            expect(yes).not_to_have_text("Choose a card", use_inner_text=True)
            assert ("Add to plan" in yes.inner_text()) == plans
        shot(page, f"confirm-{plans}-{asks}")
        found.add(asks)
        confirm.get_by_role("button", name="Cancel").tap()
        if len(found) == 2:
            break
    assert found == {0, 1}
