"""Stories of one turn: started by a click, undone, refused, coached, by keyboard, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from brassmill.language import _catalogue
from support.browser import (
    PHONE,
    Player,
    Visitor,
    click,
    lit,
    mode_of,
    press,
    seen,
    wait_for_change,
    wait_for_turn,
)
from support.web import make_table

Visit = Callable[..., Visitor]

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth - innerWidth"


def table_of(ada: Visitor, edition: str = "birmingham", seats: str = "Ada,random") -> Page:
    """Return a new table with Ada to move."""
    return ada.sit_down(make_table(seats, edition, seed=3, key=ada.key).id)


def state(page: Page) -> dict[str, object]:
    """Return the JSON version of the table, without what identifies the moment."""
    told: dict[str, object] = page.request.get(f"{page.url.rstrip('/')}.json").json()
    return {key: value for key, value in told.items() if key not in ("stamp", "number", "log")}


def spend(page: Page) -> None:
    """Take an action that does not end the turn: in the second round there are two."""
    player = Player(page, seed=1)
    player.turn()
    assert seen(page).asked == "action"


# --- starting a game -----------------------------------------------------------------------------


def test_one_click_on_the_home_page_starts_a_game(visit: Visit) -> None:
    ada = visit()
    page = ada.open()
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile(r"/t/[\w-]{12}/$"))
    page.wait_for_selector("#table")
    if not seen(page).yours:
        page.get_by_role("button", name="Skip to my turn").click()
    assert wait_for_turn(page).asked == "action"
    assert lit(page)["map"]
    page.get_by_role("link", name="Brassmill: home page").click()
    page.get_by_role("link", name="Resume").first.click()
    assert wait_for_turn(page).yours


def test_a_new_game_has_the_chosen_settings(visit: Visit) -> None:
    ada = visit()
    ada.pardoned.append("422")  # a form with an error in it
    page = ada.open()
    page.get_by_role("link", name="Brass: Lancashire").click()
    page.locator("#players-2 + span").click()
    page.get_by_label("Name of seat 1").fill("Ada")
    page.get_by_label("Seat 2", exact=True).select_option("beginner")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Introductory game").check()
    page.get_by_text("Fixed deal (seed)").click()
    page.get_by_label("Seed").fill("twelve")
    page.get_by_role("button", name="Start game").click()
    expect(page.locator("#fault-seed")).to_contain_text("whole number")
    expect(page.get_by_label("Name of seat 1")).to_have_value("Ada")
    page.get_by_label("Seed").fill("12")
    page.get_by_role("button", name="Start game").click()
    page.wait_for_selector("#table")
    told = page.request.get(f"{page.url.rstrip('/')}.json").json()
    assert (told["edition"], len(told["players"])) == ("lancashire", 2)
    assert told["players"][0]["name"] == "Ada" and "introductory" in " ".join(told["options"])


# --- undo ----------------------------------------------------------------------------------------


def test_a_turn_is_undone_step_by_step_or_at_once_and_ended_by_a_button(visit: Visit) -> None:
    page = table_of(visit())
    spend(page)
    before = state(page)
    expect(page.locator("#undo")).to_be_disabled()
    player = Player(page, seed=2)
    steps = [before]
    while len(steps) < 4:
        player.step()
        steps.append(state(page))
    for step in reversed(steps[:-1]):
        press(page, "#undo")
        assert state(page) == step
    expect(page.locator("#undo")).to_be_disabled()
    for _ in range(3):
        player.step()
    press(page, "#reset")
    assert state(page) == before
    while seen(page).asked != "turn over":
        player.step()
    # Nothing is published before the turn is ended.
    round_ = page.locator("#status .round-words").inner_text()
    assert page.locator("#lines .told").count() >= 1
    press(page, "#primary")
    assert page.locator("#status .round-words").inner_text() != round_
    expect(page.locator("#undo")).to_be_disabled()


# --- refusals and hints --------------------------------------------------------------------------


def test_a_refusal_is_explained_on_hover(visit: Visit) -> None:
    page = table_of(visit())
    dull = page.locator("#sheet .space[data-why]").first
    element = dull.get_attribute("id")
    assert element is not None
    box = dull.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tip = page.locator("#tip")
    expect(tip.locator(".why").first).to_be_visible()
    assert len(tip.locator(".why").first.inner_text().split()) > 3
    page.mouse.move(1, 1)
    expect(tip).to_be_hidden()


def test_a_refusal_is_explained_to_keyboard_users(visit: Visit) -> None:
    page = table_of(visit())
    page.keyboard.press("ArrowRight")
    for _ in range(40):
        page.keyboard.press("Shift+ArrowDown")
        if page.evaluate("() => 'why' in document.activeElement.dataset"):
            break
        page.keyboard.press("Shift+ArrowLeft")
        if page.evaluate("() => 'why' in document.activeElement.dataset"):
            break
    expect(page.locator("#tip .why").first).to_be_visible()
    expect(page.locator("#spoken")).not_to_be_empty()  # and a screen reader announces it


def test_the_price_of_a_choice_is_shown_before_it_is_made(visit: Visit) -> None:
    page = table_of(visit())
    page.locator("#do-build").click()
    page.locator("#as-list").click()
    priced = page.locator("#choices button b").first
    expect(priced).to_have_text(re.compile(r"^£\d+$"))
    page.keyboard.press("Escape")
    expect(page.locator("#choices")).to_be_hidden()


# Suggestions whose number something drawn later may hide, or the edge of its picture cuts.
HIDDEN_BADGES = """() => [...document.querySelectorAll(".badge-of-hint")].filter((badge) => {
  const picture = badge.ownerSVGElement;
  const inner = badge.getBoundingClientRect(), outer = picture.getBoundingClientRect();
  return [...picture.children].slice([...picture.children].indexOf(badge) + 1)
      .some((later) => !later.matches(".badge-of-hint"))
    || inner.left < outer.left - 1 || inner.right > outer.right + 1
    || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
}).map((badge) => badge.textContent)"""


@pytest.mark.slow
def test_the_coach_ranks_suggestions_and_one_can_be_played(visit: Visit) -> None:
    page = table_of(visit())
    with page.expect_request(re.compile(r"/hint/$")) as asked:
        page.locator("#ask-hint").click()
    # The token of the page would be outdated after signing in in another tab.
    assert "csrfmiddlewaretoken=" in (asked.value.post_data or "")
    ideas = page.locator("#hint .idea")
    expect(ideas.first).to_be_visible()
    count = ideas.count()
    assert count >= 2
    assert [idea.get_attribute("data-rank") for idea in ideas.all()] == [
        str(n) for n in range(1, count + 1)
    ]
    assert ideas.first.locator(".what").inner_text() and ideas.first.locator("li").count()
    assert page.locator("#sheet .badge-of-hint, #mat .badge-of-hint, #hand .badge-of-hint").count()
    assert page.evaluate(HIDDEN_BADGES) == []
    stamp = seen(page).stamp
    ideas.first.get_by_role("button", name="Play").click()
    wait_for_change(page, stamp)
    assert seen(page).asked == "turn over"


# Names of cards under the number of a suggestion.
COVERED_NAMES = """() => {
  const badges = [...document.querySelectorAll("#hand .badge-of-hint")]
    .map((badge) => badge.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  return [...document.querySelectorAll("#hand .card text")]
    .filter((name) => badges.some((badge) => meet(badge, name.getBoundingClientRect())))
    .map((name) => name.textContent);
}"""


@pytest.mark.slow
def test_the_coachs_numbers_hide_no_name_of_a_card(visit: Visit) -> None:
    page = table_of(visit(viewport={"width": 1280, "height": 720}))
    page.locator("#do-loan-30").click()
    page.wait_for_selector("#table[data-asked='card']")
    page.locator("#ask-hint").click()
    expect(page.locator("#hand .badge-of-hint").first).to_be_visible()
    assert page.evaluate(COVERED_NAMES) == []


# --- without a mouse -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edition", ["birmingham", pytest.param("lancashire", marks=pytest.mark.slow)]
)
def test_a_turn_is_played_on_a_phone_and_nothing_overflows(visit: Visit, edition: str) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = ada.open()
    assert page.evaluate(WIDER_THAN_THE_SCREEN) <= 0
    page = table_of(ada, edition)
    expect(page.locator("#table")).to_have_attribute("data-shape", "square")
    player = Player(page, seed=4, touches=True)
    for _ in range(2):
        now = seen(page)
        while now.asked != "turn over":
            assert page.evaluate(WIDER_THAN_THE_SCREEN) <= 0
            now = player.step()
        player.step()
    assert "map" in player.clicked
    for tab in ("mat", "markets", "players", "log", "hand"):
        page.locator(f"#tabs [data-show={tab}]").tap()
        expect(page.locator(f"section[data-tab={tab}]")).to_be_in_viewport()
        assert page.evaluate(WIDER_THAN_THE_SCREEN) <= 0


def test_on_a_phone_the_end_turn_button_is_fully_visible(visit: Visit) -> None:
    """The German text is long."""
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    page = table_of(ada)
    player = Player(page, seed=4, touches=True)
    while seen(page).asked != "turn over":
        player.step()
    box = page.get_by_role("button", name="Zug beenden").bounding_box()
    assert box and box["x"] + box["width"] <= PHONE["width"]
    acts = page.locator("#strip .acts")
    assert acts.evaluate("(acts) => acts.scrollWidth - acts.clientWidth") <= 0
    expect(page.get_by_role("button", name="Rückgängig")).to_be_visible()


def test_a_whole_turn_is_played_by_keyboard(visit: Visit) -> None:
    page = table_of(visit())
    keys = page.keyboard
    keys.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to content")
    keys.press("Enter")
    for _ in range(2):
        by_arrows(page)
        by_key(page, "u")
        assert seen(page).asked != "turn over"
        by_arrows(page)
        by_key(page, "r")
        assert seen(page).asked == "action"
        while (now := seen(page)).asked != "turn over":
            keys.press("l")
            expect(page.locator("#choices")).to_be_visible()
            keys.press("ArrowDown")
            keys.press("Enter")
            wait_for_change(page, now.stamp)
        by_key(page, "e")
        wait_for_turn(page)


def by_arrows(page: Page) -> None:
    """Move to highlighted elements and choose them until the turn can be ended."""
    while (now := seen(page)).asked != "turn over":
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "() => document.activeElement.matches('[data-choice], [data-kind], #primary')"
        )
        page.keyboard.press("Enter")
        if mode_of(page):  # a tile of the mat: the focus moves to where it can be built
            page.keyboard.press("Enter")
        if page.locator("#choices:popover-open").count():
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        wait_for_change(page, now.stamp)


def by_key(page: Page, key: str) -> None:
    """Press a key that changes the table."""
    stamp = seen(page).stamp
    page.keyboard.press(key)
    wait_for_change(page, stamp)


@pytest.mark.slow
def test_everything_is_in_german_once_it_is_chosen(visit: Visit) -> None:
    ada = visit()
    page = ada.open()
    page.get_by_role("button", name="Language: English").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Jetzt spielen")).to_be_visible()
    page = table_of(ada)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#question")).to_contain_text("Zug")
    expect(page.locator("#undo")).to_have_text(re.compile("Zurück|Rückgängig"))
    page.locator("#do-build").click()
    expect(page.locator("#narrowed")).to_contain_text("Bauen:")
    page.locator("#as-list").click()
    expect(page.locator("#choices button").first).to_contain_text("bauen")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    Player(page, seed=1).turn()
    page.locator("#sheet .space[data-why]").first.hover()
    expect(page.locator("#tip .why").first).to_be_visible()
    words = page.evaluate(WORDS)
    assert len(words) > 200 and english(words) == []


# All text on the page, including screen reader text, visible or not.
WORDS = """() => [...document.querySelectorAll("body *")].flatMap((element) => [
  ...["aria-label", "title"].map((name) => element.getAttribute(name) || ""),
  ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
]).map((words) => words.trim()).filter((words) => /[a-z]{3}/i.test(words))"""


def english(words: list[str]) -> list[str]:
    """Return the texts that the German catalogue translates differently."""
    catalogue: dict[str, str] = {}
    for key, said in _catalogue("de")._catalog.items():  # type: ignore[attr-defined]
        message = key[0] if isinstance(key, tuple) else key  # one of a plural's forms
        catalogue[message.rpartition("\x04")[2]] = said
    german = set(catalogue.values())
    return [each for each in words if catalogue.get(each, each) != each and each not in german]


# --- double clicks and two tabs ------------------------------------------------------------------


def test_a_double_click_plays_once(visit: Visit) -> None:
    page = table_of(visit())
    before = seen(page)
    [element] = [each for each in lit(page)["strip"] if each.startswith("do-loan")][:1]
    click(page, element, times=2)
    wait_for_change(page, before.stamp)
    told = page.request.get(f"{page.url.rstrip('/')}.json").json()
    assert told["asked"] == "card"
    expect(page.locator("#strip .note")).to_have_count(0)


@pytest.mark.slow
def test_a_stale_tab_gets_the_current_table(visit: Visit) -> None:
    ada = visit()
    old = table_of(ada)
    old.route("**/events/", lambda route: route.abort())  # it gets no events
    ada.pardoned += ["events/", "#stream"]
    old.reload()
    wait_for_turn(old)
    new = ada.context.new_page()
    new.goto(old.url)
    wait_for_turn(new)
    Player(new, seed=1).turn()
    stamp = seen(old).stamp
    choice = lit(old)["strip"][-1]
    click(old, choice)
    wait_for_change(old, stamp)
    assert seen(old).stamp == seen(new).stamp
    expect(old.locator("#strip .note")).to_be_visible()
