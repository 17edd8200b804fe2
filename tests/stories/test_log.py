"""Stories of the log: rounds that fold, symbols, bots told in the action bar, and their reasons."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from support.browser import PHONE, Player, Visitor, press, seen, wait_for_turn
from support.web import make_table

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SCREENS = pytest.mark.parametrize("wishes", [{}, TOUCH], ids=["desktop", "phone"])

# The bar shows a bot's action, or nobody has moved between two turns of the same player.
TOLD_OR_NEXT = """() => {
  const {yours, asked} = document.getElementById("table").dataset;
  return !document.getElementById("story").hidden || (yours === "1" && asked === "action");
}"""


def table_of(ada: Visitor, wishes: dict[str, Any], turns: int, seats: str = "") -> Page:
    """Return a table after some turns of Ada, with the log in sight."""
    made = make_table(seats or "Ada,random,greedy", seed=3, key=ada.key)
    page = ada.sit_down(made.id)
    player = Player(page, seed=1)
    for _turn in range(turns):
        player.turn()
    if wishes:
        page.locator("#tabs [data-show=log]").tap()
    return page


@SCREENS
def test_rounds_fold_and_stay_as_the_reader_leaves_them(
    visit: Visit, wishes: dict[str, Any]
) -> None:
    page = table_of(visit(**wishes), wishes, turns=3)
    rounds = page.locator("#lines .round")
    count = rounds.count()
    assert count >= 3
    expect(page.locator("#lines .round[open]")).to_have_count(2)
    expect(rounds.nth(count - 1)).to_have_attribute("open", "")
    newest = page.locator("#lines .round >> visible=true").last
    first, last = rounds.first.get_attribute("id"), newest.get_attribute("id")
    expect(rounds.first.get_by_role("heading", name="Canal era, round 1")).to_be_visible()
    rounds.first.locator("summary").focus()
    page.keyboard.press("Enter")  # unfolded, by keyboard
    newest.locator("summary").click()  # folded
    wanted = page.locator(f"#{first}[open]"), page.locator(f"#{last}:not([open])")
    for kept in wanted:
        expect(kept).to_have_count(1)
    if wishes:
        page.locator("#tabs [data-show=hand]").tap()
    Player(page, seed=1).turn()
    for kept in wanted:
        expect(kept).to_have_count(1)
    # Another round has begun; the one before the last two is folded unless the reader chose.
    expect(page.locator("#lines .round:last-of-type[open]")).to_have_count(1)
    assert page.locator("#lines .round").count() > count


def test_a_phone_shows_the_last_actions_at_once(visit: Visit) -> None:
    page = table_of(visit(**TOUCH), TOUCH, turns=3)
    whole = """(lines) => {
      const log = document.getElementById("lines").getBoundingClientRect();
      const under = document.querySelector("#lines .round summary").offsetHeight;
      return lines.map((line) => line.getBoundingClientRect())
        .filter(({top, bottom}) => top >= log.top + under - 1 && bottom <= log.bottom + 1).length;
    }"""
    assert page.locator("#lines li[id]").evaluate_all(whole) >= 2


@SCREENS
def test_figures_and_cards_of_the_log_have_tooltips(visit: Visit, wishes: dict[str, Any]) -> None:
    page = table_of(visit(**wishes), wishes, turns=2)
    tip = page.locator("#tip")
    for where, words in {".small-card": "Discards", ".figure:has-text('£')": "Cost"}.items():
        figure = page.locator(f"#lines .round[open] .fresh {where}").last
        figure.scroll_into_view_if_needed()
        figure.tap() if wishes else figure.hover()
        expect(tip).to_contain_text(words)
    if not wishes:  # the whole sentence
        line = page.locator("#lines .round[open] button.told[data-tip*='discards']").last
        line.hover()
        expect(tip).to_have_text(line.get_attribute("data-tip") or "")
    names = page.locator("#lines .figures [role=img]").evaluate_all(
        "(figures) => figures.map((figure) => figure.getAttribute('aria-label'))"
    )
    assert len(names) > 8 and all(names)


@SCREENS
def test_bots_are_told_in_the_action_bar_and_not_over_the_map(
    visit: Visit, wishes: dict[str, Any]
) -> None:
    page = table_of(visit(**wishes), wishes, turns=1)
    page.locator("#menu [name=pace][value=slow]").evaluate("(button) => button.click()")
    expect(page.locator("#table")).to_have_attribute("data-pace", "slow")
    if wishes:
        page.locator("#tabs [data-show=hand]").tap()
    player, story = Player(page, seed=1), page.locator("#strip #story")
    while not story.is_visible():
        while seen(page).asked != "turn over":
            player.step()
        page.locator("#primary").click()
        page.wait_for_function(TOLD_OR_NEXT)
    names = [each["name"] for each in twin(page)["players"][1:]]
    expect(story.locator(".title")).to_have_text(re.compile(f"^({'|'.join(names)}) "))
    expect(page.locator("#strip .asked h2")).to_have_css("position", "absolute")  # out of sight
    box, board = story.bounding_box(), page.locator("#board").bounding_box()
    assert box and board
    assert box["height"] < 80  # a title and a line of figures
    assert box["y"] >= board["y"] + board["height"] - 1
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Skip to my turn").click()
    wait_for_turn(page)
    expect(story).to_be_hidden()
    expect(page.locator("#question")).to_contain_text("Your turn")
    page.keyboard.press("n")  # what has happened since, one by one
    expect(story.locator(".place")).to_have_text(re.compile(r"^1/\d+$"))
    page.keyboard.press("Escape")
    expect(story).to_be_hidden()


def twin(page: Page) -> dict[str, Any]:
    """Return the JSON version of the table."""
    told: dict[str, Any] = page.request.get(f"{page.url.rstrip('/')}.json").json()
    return told


@SCREENS
def test_the_only_person_may_ask_why_a_bot_acted(visit: Visit, wishes: dict[str, Any]) -> None:
    ada = visit(**wishes)
    page = table_of(ada, wishes, turns=2, seats="Ada,greedy,greedy")
    reasons = page.locator("#reasons")
    expect(reasons).to_be_hidden()
    why = page.locator("#lines .fresh .ask-why").last
    why.scroll_into_view_if_needed()
    (why.tap if wishes else why.click)()
    expect(reasons.locator("li").first).to_be_visible()
    words = page.locator("#lines .fresh:has(.ask-why) .told").last.inner_text().split()[0]
    expect(reasons.locator(".about")).to_contain_text(words)
    found = [
        rule
        for rule in Axe().run(page).response["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
    assert found == []
    page.keyboard.press("Escape")
    expect(reasons).to_be_hidden()
    page.keyboard.press("n")  # the same in the action bar, by keyboard
    line = page.locator("#story .ask-why")
    while not line.count():
        page.keyboard.press("n")
    line.focus()
    page.keyboard.press("Enter")
    expect(reasons.locator("li").first).to_be_visible()
    reasons.get_by_role("button", name="Close").click()
    expect(reasons).to_be_hidden()
    stranger = visit(**wishes).open(page.url)
    expect(stranger.locator("#lines .told").first).to_be_attached()
    expect(stranger.locator(".ask-why")).to_have_count(0)


def test_reasons_stay_while_the_table_changes(visit: Visit) -> None:
    page = table_of(visit(), {}, turns=1, seats="Ada,greedy,greedy")
    page.locator("#lines .fresh .ask-why").last.click()
    expect(page.locator("#reasons li").first).to_be_visible()
    before = seen(page).stamp
    press(page, "#do-loan-30, #do-loan-10")
    assert seen(page).stamp != before
    expect(page.locator("#reasons li").first).to_be_visible()
    wait_for_turn(page)
