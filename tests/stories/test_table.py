"""Stories of the page around a turn: log, map, pace, motion, menus and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import (
    PHONE,
    Fingers,
    Player,
    Visitor,
    lit,
    point_of,
    press,
    seen,
    wait_for_change,
    wait_for_turn,
)
from support.web import make_table

Visit = Callable[..., Visitor]

ZOOM = "() => Number(document.documentElement.style.getPropertyValue('--zoom') || 1)"
# The page does not poll by itself, and can be sent to the background.
AWAY = """
window.setInterval = () => 0;
let away = false;
Object.defineProperty(document, "hidden", {get: () => away});
window.leave = (now) => { away = now; document.dispatchEvent(new Event("visibilitychange")); };
"""
# Keeps the stamp that the stream sent last; by then the page has handled it.
HEARD = """
document.addEventListener("htmx:after:sse:message", (event) => {
  if (event.detail.message.event === "moved") window.heard = event.detail.message.data;
});
"""
IS_HEARD = "() => window.heard === document.getElementById('table').dataset.stamp"
COUNT_ANIMATIONS = """
window.animated = 0;
const {animate} = Element.prototype;
Element.prototype.animate = function (...how) {
  window.animated++;
  return animate.apply(this, how);
};
"""


def twin(page: Page) -> dict[str, Any]:
    """Return the JSON version of the table."""
    told: dict[str, Any] = page.request.get(f"{page.url.rstrip('/')}.json").json()
    return told


def table_of(ada: Visitor, seats: str = "Ada,random", **wishes: Any) -> Page:
    """Return a new table with Ada to move."""
    return ada.sit_down(make_table(seats, **{"seed": 3, "key": ada.key, **wishes}).id)


# --- what happened -------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_log_can_be_stepped_through_and_excludes_your_own_turn(
    visit: Visit,
) -> None:
    page = table_of(visit(), "Ada,random,random")
    fresh = page.locator("#lines .fresh .told")
    for _turn in range(2):
        Player(page, seed=1).turn()
    count = fresh.count()
    assert count >= 2
    story, place = page.locator("#story"), page.locator("#story .place")
    expect(story).to_be_hidden()
    page.keyboard.press("n")
    for number in range(1, count + 1):
        expect(place).to_have_text(f"{number}/{count}")
        words = fresh.nth(number - 1).inner_text().split()
        assert story.locator(".words").inner_text().split()[0] == words[0]
        page.keyboard.press("n")
    expect(place).to_have_text(f"{count}/{count}")  # that is the last
    page.keyboard.press("Escape")
    expect(story).to_be_hidden()
    page.get_by_role("button", name="Step through").click()
    expect(place).to_have_text(f"1/{count}")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(place).to_have_text(f"2/{count}")
    page.locator("#story").get_by_role("button", name="Close").click()
    # The first of two actions: a draft.
    stamp = seen(page).stamp
    page.locator("#do-loan-30, #do-loan-10").first.click()
    wait_for_change(page, stamp)
    Player(page, seed=1).step()
    expect(page.locator("#lines .since")).to_have_text(["since your last turn", "this turn"])
    expect(fresh).to_have_count(count)
    assert page.locator("#lines .told").last.inner_text().startswith("Ada")


def test_a_browser_does_not_fetch_its_own_move_again(visit: Visit) -> None:
    page = table_of(visit())
    page.add_init_script(AWAY + HEARD)
    page.reload()
    wait_for_turn(page)
    page.wait_for_function(IS_HEARD)  # the stream is open
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    for _click in range(2):
        stamp = seen(page).stamp
        Player(page, seed=1).step()
        wait_for_change(page, stamp)
        page.wait_for_function(IS_HEARD)
    assert [url for url in fetched if "/choose/" in url]
    assert not [url for url in fetched if "/part/" in url]


@pytest.mark.slow
def test_a_tab_that_comes_back_shows_what_happened_meanwhile(visit: Visit) -> None:
    ada = visit()
    page = table_of(ada)
    page.add_init_script(AWAY)
    page.reload()
    wait_for_turn(page)
    page.evaluate("() => leave(true)")
    other = ada.open(page.url)
    wait_for_turn(other)
    Player(other, seed=1).turn()
    stamp = seen(page).stamp
    assert stamp != seen(other).stamp
    page.evaluate("() => leave(false)")
    wait_for_change(page, stamp)
    assert seen(page) == seen(other)


@pytest.mark.slow
def test_an_unanswered_poll_does_not_stop_polling(visit: Visit) -> None:
    ada = visit()
    ada.pardoned.append("abort")  # the page aborts it
    page = table_of(ada)
    page.clock.install()
    page.reload()
    before = wait_for_turn(page)
    unanswered: list[str] = []

    def never(route: Any) -> None:
        if unanswered:
            route.continue_()
        unanswered.append(route.request.url)

    page.route("**/part/**", never)
    other = ada.open(page.url)
    wait_for_turn(other)
    Player(other, seed=1).turn()
    expect(page.locator("form#refresh.htmx-request")).to_have_count(1)
    assert seen(page) == before and len(unanswered) == 1
    page.clock.fast_forward(40_000)
    wait_for_change(page, before.stamp)
    assert seen(page) == seen(other)


# --- the players ---------------------------------------------------------------------------------

# Fill in wide numbers.
RICH = """(line) => {
  line.querySelector(".cash").textContent = "£123";
  line.querySelector(".spent").textContent = "-£45";
}"""


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_money_income_and_turn_order_are_on_one_line(visit: Visit, locale: str) -> None:
    page = table_of(visit(locale=locale), "Ada,random,random,random")
    lines = page.locator(".player .means").all()
    assert len(lines) == 4
    for width in (1200, 1440, 1700):
        page.set_viewport_size({"width": width, "height": 800})
        for line in lines:
            line.evaluate(RICH)
            money = line.locator(".cash").bounding_box()
            order = line.locator(".places").bounding_box()
            assert money and order and order["y"] < money["y"] + money["height"]


# --- the bots ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bots_play_at_the_chosen_pace_or_without_a_pause(visit: Visit) -> None:
    ada = visit()
    page = ada.open(f"/t/{make_table('Ada,random', seed=3, key=ada.key, pace=30_000).id}/")
    page.wait_for_selector("#table")
    skip = page.get_by_role("button", name="Skip to my turn")
    if not seen(page).yours:
        skip.click()
        wait_for_turn(page)
    player = Player(page, seed=1)
    now = seen(page)
    while now.asked != "turn over":
        now = player.step()
    page.locator("#primary").click()
    # Two actions at this pace take longer than the test waits.
    expect(page.locator("#question")).to_contain_text("is thinking")
    strip = page.locator("#strip")
    strip.get_by_role("button", name="Slow").click()
    expect(strip.locator("[aria-pressed]")).to_have_text("Slow")
    assert twin(page)["pace"] == 2500
    skip.click()
    assert wait_for_turn(page).yours


def test_a_spectator_cannot_set_the_pace(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = make_table("Ada,random,random", seed=3, key=ada.key, pace=30_000)
    page = ada.open(f"/t/{table.id}/")
    page.wait_for_selector("#table")
    if seen(page).yours:
        player = Player(page, seed=1)
        while seen(page).asked != "turn over":
            player.step()
        page.locator("#primary").click()
    expect(page.get_by_role("button", name="Skip to my turn")).to_be_visible()
    stranger = ben.open(f"/t/{table.id}/")
    expect(stranger.locator("#question")).to_contain_text("is thinking")
    expect(stranger.locator("button[name=pace]")).to_have_count(0)
    assert page.locator("button[name=pace]").count() > 3


# --- the map -------------------------------------------------------------------------------------


def test_zooming_and_dragging_the_map_chooses_nothing(visit: Visit) -> None:
    page = table_of(visit())
    before = seen(page)
    page.keyboard.press("+")
    assert page.evaluate(ZOOM) == pytest.approx(1.4)
    page.get_by_role("button", name="Larger").click()
    assert page.evaluate(ZOOM) == pytest.approx(1.96)
    page.keyboard.press("-")
    assert page.evaluate(ZOOM) == pytest.approx(1.4)
    x, y = point_of(page, lit(page)["map"][0])
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"() => ({ZOOM})() > 1.5")
    place = "() => [sheet.scrollLeft, sheet.scrollTop]"
    page.evaluate("() => sheet.scrollTo(80, 80)")
    x, y = point_of(page, next(each for each in lit(page)["map"] if is_in_sight(page, each)))
    left, top = page.evaluate(place)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y - 20)
    page.mouse.move(x - 60, y - 40)
    page.mouse.up()
    assert page.evaluate(place) == [left + 60, top + 40]
    expect(page.locator("#choices")).to_be_hidden()
    assert seen(page) == before


def is_in_sight(page: Page, element: str) -> bool:
    """Is it inside the visible part of the map?"""
    return bool(
        page.evaluate(
            """(id) => {
              const box = document.getElementById(id).getBoundingClientRect();
              const frame = document.getElementById("sheet").getBoundingClientRect();
              return box.left > frame.left && box.right < frame.right
                && box.top > frame.top && box.bottom < frame.bottom;
            }""",
            element,
        )
    )


@pytest.mark.slow
def test_pinching_zooms_the_map_and_a_long_press_asks_why(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = table_of(ada)
    before = seen(page)
    fingers = Fingers(page)
    whole = page.evaluate(ZOOM)
    fingers.down((150, 300), (240, 300))
    fingers.move((120, 300), (270, 300))
    fingers.move((90, 300), (300, 300))
    fingers.up()
    assert page.evaluate(ZOOM) > 1.2 * whole
    page.reload()
    wait_for_turn(page)
    x, y = point_of(page, lit(page)["map"][0])
    fingers.down((x, y))
    expect(page.locator("#tip")).to_be_visible()
    fingers.up()
    assert page.locator("#tip").inner_text()
    expect(page.locator("#choices")).to_be_hidden()
    assert seen(page) == before
    # The next touch works as usual.
    Player(page, seed=1, touches=True).step()


# --- around the table ----------------------------------------------------------------------------


def test_drawers_open_over_the_table_and_load_their_contents(visit: Visit) -> None:
    page = table_of(visit())
    for name, drawings in (("All tiles", 2), ("Tracks", 1), ("Discards", 1)):
        page.locator("#mat").get_by_role("button", name=name).click()
        drawer = page.locator(".drawer:popover-open")
        expect(drawer.get_by_role("heading")).to_have_text(name)
        expect(drawer.locator("svg.brass")).to_have_count(drawings)
        drawer.get_by_role("button", name="Close").click()
        expect(drawer).to_have_count(0)


def test_the_options_in_play_are_listed(visit: Visit) -> None:
    ada = visit()
    page = table_of(ada, intro=True)
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#options li")).to_have_text(["the introductory game: the canal era only"])
    expect(page.locator("#status")).to_contain_text("Introductory game")
    page = table_of(ada)
    expect(page.locator("#options")).to_have_count(0)
    expect(page.locator("#status")).not_to_contain_text("Introductory game")


def test_a_theme_can_be_chosen(visit: Visit) -> None:
    page = table_of(visit(color_scheme="light"))
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    for choice, differs in (("Dark", True), ("Light", False)):
        page.get_by_role("button", name="Colours").click()
        page.locator("#themes").get_by_role("button", name=choice).click()
        expect(page.locator("html")).to_have_attribute("data-theme", choice.lower())
        page.wait_for_load_state()  # it is a new page, and its styles may load after its text
        assert (page.evaluate(ground) != light) == differs


@pytest.mark.slow
@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_changes_are_animated_unless_reduced_motion_is_wanted(visit: Visit, wish: str) -> None:
    page = table_of(visit(reduced_motion=wish))
    page.add_init_script(COUNT_ANIMATIONS)
    page.reload()
    wait_for_turn(page)
    Player(page, seed=1).turn()
    assert (page.evaluate("() => animated") > 0) == (wish != "reduce")
    running = page.evaluate("() => document.getAnimations().length")
    assert wish != "reduce" or not running


def test_an_action_in_progress_shows_its_gain(visit: Visit) -> None:
    page = table_of(visit())
    stamp = seen(page).stamp
    page.locator("#do-loan-30, #do-loan-10").first.click()
    wait_for_change(page, stamp)
    gain = twin(page)["gain"]
    assert gain
    for part in gain:
        expect(page.locator("#strip .bill")).to_contain_text(part["label"])
        expect(page.locator("#strip .bill")).to_contain_text(part["amount"])


# --- keys and screen readers ---------------------------------------------------------------------


def test_the_tile_of_a_build_is_shown_before_it_is_placed(visit: Visit) -> None:
    page = table_of(visit())
    offers = twin(page)["offers"]
    alone = [  # choices for which only one space is highlighted
        offer
        for offer in offers
        if offer["kind"] == "build"
        and sum(offer["elements"][0] in other["elements"] for other in offers) == 1
    ]
    offer = alone[0]
    space, industry = offer["elements"][0], offer["tile"].rpartition("-")[2]
    page.mouse.move(*point_of(page, space))
    seen_before = page.locator(f"#{space} .foreseen .tile.{industry}")
    expect(seen_before).to_be_visible()
    page.mouse.move(1, 1)
    expect(seen_before).to_have_count(0)
    page.locator("#do-build").click()
    page.locator("#as-list").click()
    page.locator("#choices").get_by_role("menuitem").filter(has_text=offer["words"]).first.hover()
    expect(page.locator(".foreseen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".foreseen")).to_have_count(0)


def test_arrow_keys_work_in_a_menu(visit: Visit) -> None:
    page = table_of(visit())
    language = page.get_by_role("button", name="Language")
    language.press("Enter")
    expect(page.locator("#languages")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(language).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")  # and without a menu they move between highlighted elements
    expect(page.locator("#table [data-choice]:focus")).to_have_count(1)


def test_single_key_shortcuts_can_be_turned_off(visit: Visit) -> None:
    page = table_of(visit())
    page.keyboard.press("?")
    page.locator("#letters").uncheck()
    page.keyboard.press("Escape")
    for _ in range(2):
        page.keyboard.press("l")
        page.keyboard.press("?")
        expect(page.locator("[popover]:popover-open")).to_have_count(0)
        page.reload()
        expect(page.locator("#letters")).not_to_be_checked()  # the browser remembers it
    page.get_by_role("button", name="Menu").click()
    page.locator("#menu").get_by_role("button", name="Keyboard shortcuts").click()
    page.locator("#letters").check()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")  # the menu it was opened from
    expect(page.locator("#letters")).not_to_be_focused()
    page.keyboard.press("l")
    expect(page.locator("#choices")).to_be_visible()


def test_the_cost_of_a_choice_is_announced_to_keyboard_users(visit: Visit) -> None:
    page = table_of(visit())
    page.keyboard.press("ArrowRight")
    focused = page.locator(":focus")
    # Highlighted for one choice only.
    one = '[data-choice]:is(#sheet *, #mat *):not([data-choice*=" "])'
    page.locator(one).first.focus()
    expect(page.locator("#tip .bill")).to_be_visible()
    expect(focused).to_have_attribute("aria-describedby", "tip")
    expect(page.locator("#spoken")).to_contain_text(re.compile(r"£\d+ left"))
    page.keyboard.press("Escape")
    expect(focused).not_to_have_attribute("aria-describedby", "tip")


def test_the_action_in_progress_is_marked_where_it_takes_place(visit: Visit) -> None:
    page = table_of(visit())
    page.locator("#do-link").click()
    page.locator("#as-list").click()
    entry = page.locator("#choices").get_by_role("menuitem").first
    stamp = seen(page).stamp
    entry.click()
    wait_for_change(page, stamp)
    assert seen(page).asked == "card"
    expect(page.locator("#sheet .line.chosen")).to_have_count(1)
    press(page, "#undo")
    expect(page.locator("#sheet .chosen")).to_have_count(0)


def test_a_click_on_a_dark_space_explains_why_and_starts_nothing(visit: Visit) -> None:
    """However near an available line is."""
    page = table_of(visit())
    dark = page.locator("#sheet .space[data-why]")
    stamp = seen(page).stamp
    for number in range(0, dark.count(), 4):
        dark.nth(number).click()
        expect(page.locator("#tip")).to_be_visible()
        assert seen(page) == (stamp, "action", True)
