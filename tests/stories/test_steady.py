"""Stories of a steady table: nothing moves without need, and everything is large enough to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import PHONE, Fingers, Player, Visitor, lit, seen, tap
from support.web import make_table

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

LAPTOP = {"width": 1280, "height": 720}
LARGE_LAPTOP = {"width": 1440, "height": 900}
LARGE = {"width": 2560, "height": 1440}
TABLET = {"width": 820, "height": 1180}
LANDSCAPE = {"width": 844, "height": 390}
ZOOMED = {"width": 640, "height": 360}  # a laptop at 200%

TOUCH = {"has_touch": True, "is_mobile": True}
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": LAPTOP},
    "large laptop": {"viewport": LARGE_LAPTOP},
    "large": {"viewport": LARGE},
    "zoomed": {"viewport": ZOOMED},
    "tablet": {"viewport": TABLET, **TOUCH},
    "phone": {"viewport": PHONE, **TOUCH},
    "phone on its side": {"viewport": LANDSCAPE, **TOUCH},
}
FOUR = "Ada,random,random,random"
LEAST = 11  # pixels, for names

# The boxes of everything that is always there, and where the figures of the players begin. Of the
# tabs of a phone only one is seen: they share one box.
BOXES = """() => {
  const boxOf = (element) => {
    const {x, y, width, height} = element.getBoundingClientRect();
    return [x, y, width, height].map((side) => Math.round(side * 2) / 2).join(" ");
  };
  const all = (selector) => [...document.querySelectorAll(selector)]
    .filter((each) => each.getClientRects().length);
  const tabs = all("#tabs").length > 0;
  const parts = tabs
    ? {board: "#board", strip: "#strip", part: ".part", tabs: "#tabs"}
    : {board: "#board", map: "#sheet > svg", strip: "#strip", players: "#players",
       markets: "#markets", mat: "#mat", hand: "#hand", log: "#log", rows: "#players li.player"};
  const found = Object.entries(parts).map(([name, selector]) => [name, all(selector).map(boxOf)]);
  const starts = all(".means > :not(.places), .player .next > *")
    .map((each) => Math.round(each.getBoundingClientRect().x));
  return {...Object.fromEntries(found), ...(!tabs && {figures: starts})};
}"""

# Where the actions are, and what is always beside the question.
ACTIONS = """() => [...document.querySelectorAll(".game-action, .acts button")].map((each) => {
  const {x, y, width} = each.getBoundingClientRect();
  return [each.id, ...[x, y, width].map(Math.round)].join(" ");
})"""

# What does not fit into the action bar, its buttons and the rows of the players. The small buttons
# beside a sentence reach further than they look.
CUT = """() => [...document.querySelectorAll(
    "#strip, #strip button:not(#narrowed *), .player .means, .player .next, .player summary, "
    + "#tabs button, body")]
  .filter((each) => each.getClientRects().length)
  .filter((each) => each.scrollWidth > each.clientWidth + 1
    || (each.closest("#strip, #tabs") && each.scrollHeight > each.clientHeight + 1))
  .map((each) => `${each.id || each.className}: ${each.innerText}`)"""

# Parts of the action bar and of the top bar that lie over each other.
OVERLAPPING = """() => {
  const parts = "#strip button, #strip h2, #strip .bill, #status, .bar-links";
  const buttons = [...document.querySelectorAll(parts)]
    .filter((each) => each.getClientRects().length)
    .map((each) => [each, each.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return buttons.flatMap(([one, a], n) => buttons.slice(n + 1).filter(([, b]) => meet(a, b))
    .map(([other]) => `${one.textContent.trim()} over ${other.textContent.trim()}`));
}"""

# The size of letters on the screen: a picture is scaled.
SIZES = """(selector) => Object.fromEntries([...document.querySelectorAll(selector)].map((each) => [
  each.textContent, parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a]))"""

# Of these elements, those that are not wholly seen: outside the screen, or cut by what holds them.
HIDDEN = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const box = each.getBoundingClientRect();
  const inside = ({left, right, top, bottom}) => box.left >= left - 1 && box.right <= right + 1
    && box.top >= top - 1 && box.bottom <= bottom + 1;
  if (!inside({left: 0, right: innerWidth, top: 0, bottom: innerHeight})) return true;
  for (let holder = each.parentElement; holder; holder = holder.parentElement) {
    const cuts = getComputedStyle(holder).overflowY !== "visible";
    if (cuts && !inside(holder.getBoundingClientRect())) return true;
  }
  return false;
}).map((each) => each.id || each.outerHTML.slice(0, 80))"""

# Names that leave the plates made for them.
UNPLATED = """() => [...document.querySelectorAll("#sheet .label")].filter((label) => {
  const plate = label.querySelector(".plate").getBoundingClientRect();
  return [...label.querySelectorAll(".name")].some((name) => {
    const box = name.getBoundingClientRect();
    return box.left < plate.left - .5 || box.right > plate.right + .5;
  });
}).map((label) => label.textContent)"""


def table_of(ada: Visitor, seats: str = "Ada,random", **wishes: Any) -> Page:
    """Return a new table with Ada to move, its typeface loaded."""
    page = ada.sit_down(make_table(seats, **{"seed": 3, "key": ada.key, **wishes}).id)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    return page


def clicks(page: Page, turns: int, *, touches: bool = False) -> Iterator[str]:
    """Play turns; yield what is asked at the beginning and after every click."""
    player = Player(page, seed=4, touches=touches)
    yield seen(page).asked
    for _turn in range(turns):
        while (now := player.step()).asked != "turn over":
            yield now.asked
        yield now.asked
        yield player.step().asked


# --- nothing moves -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["birmingham", "lancashire"])
@pytest.mark.parametrize("screen", ["laptop", "large laptop", "phone"])
def test_between_two_clicks_nothing_moves(visit: Visit, screen: str, edition: str) -> None:
    page = table_of(visit(**SCREENS[screen]), FOUR, edition=edition)
    before: dict[str, list[str]] = page.evaluate(BOXES)
    asked = set()
    for question in clicks(page, turns=3, touches=screen == "phone"):
        now = page.evaluate(BOXES)
        assert {part: (was, now[part]) for part, was in before.items() if was != now[part]} == {}, (
            question
        )
        asked.add(question)
    assert {"action", "card", "turn over"} <= asked


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("screen", ["laptop", "large laptop", "tablet", "phone"])
def test_choosing_an_action_or_a_card_moves_no_action(
    visit: Visit, screen: str, locale: str
) -> None:
    page = table_of(visit(**SCREENS[screen], locale=locale), edition="lancashire")
    before = page.evaluate(ACTIONS)
    for element in ("#do-build", "#hand [data-uses]"):
        page.locator(element).first.click()
        expect(page.locator("#narrowed")).to_be_visible()
        assert page.evaluate(ACTIONS) == before, element
        assert page.evaluate(CUT) == [], element
        assert page.evaluate(OVERLAPPING) == [], element
        page.keyboard.press("Escape")
        expect(page.locator("#narrowed")).to_be_hidden()
        assert page.evaluate(ACTIONS) == before


def test_a_card_leaves_the_others_before_it_where_they_are(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["laptop"]), edition="lancashire")
    places = """() => [...document.querySelectorAll("#hand > div")]
      .map((slot) => slot.getBoundingClientRect().x)"""
    before = page.evaluate(places)
    for _question in clicks(page, turns=1):
        now = page.evaluate(places)[: len(before)]
        assert now == before[: len(now)]


@pytest.mark.parametrize("screen", ["phone", "tablet"])
def test_all_tabs_have_one_height(visit: Visit, screen: str) -> None:
    page = table_of(visit(**SCREENS[screen]), FOUR)
    before = page.evaluate(BOXES)
    for tab in ("mat", "markets", "players", "log", "hand"):
        page.locator(f"#tabs [data-show={tab}]").tap()
        expect(page.locator(f"section[data-tab={tab}]")).to_be_visible()
        assert page.evaluate(BOXES) == before, tab


def test_on_a_phone_the_coach_leaves_the_map_as_it_is(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    before = page.evaluate(BOXES)["board"]
    page.locator("#ask-hint").tap()
    page.wait_for_selector("#hint .idea")
    assert page.evaluate(BOXES)["board"] == before


# --- everything can be read ----------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("edition", ["birmingham", "lancashire", "classic"])
def test_a_small_laptop_shows_everything_large_enough(
    visit: Visit, edition: str, locale: str
) -> None:
    page = table_of(visit(**SCREENS["laptop"], locale=locale), FOUR, edition=edition)
    towns = page.evaluate(SIZES, "#sheet .name, #sheet .name tspan")
    assert len(towns) > 20 and min(towns.values()) >= LEAST
    for _question in clicks(page, turns=1):  # with other cards, and with any two of them
        cards = page.evaluate(SIZES, "#hand .card text:not(.bold)")
        assert min(cards.values()) >= LEAST, cards
        assert (
            page.evaluate(HIDDEN, "#hand svg, #mat .stacks svg, #mat button, #players li.player")
            == []
        )
    assert page.evaluate(UNPLATED) == []
    lines = page.locator("#lines").evaluate(
        "(lines) => lines.clientHeight / parseFloat(getComputedStyle(lines).lineHeight)"
    )
    assert lines >= 6
    assert page.locator("#side").evaluate("(side) => side.scrollHeight - side.clientHeight") <= 0


def test_a_larger_laptop_shows_six_lines_beside_the_distant_market(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["large laptop"]), FOUR, edition="lancashire")
    lines = page.locator("#lines").evaluate(
        "(lines) => lines.clientHeight / parseFloat(getComputedStyle(lines).lineHeight)"
    )
    assert lines >= 12  # an action takes two
    assert page.locator("#side").evaluate("(side) => side.scrollHeight - side.clientHeight") <= 0


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut_and_nothing_overlaps(visit: Visit, screen: str, locale: str) -> None:
    wishes = SCREENS[screen]
    page = table_of(visit(**wishes, locale=locale), FOUR, edition="lancashire", seed=5)
    for question in clicks(page, turns=2, touches="has_touch" in wishes):
        assert page.evaluate(CUT) == [], question
        assert page.evaluate(OVERLAPPING) == [], question


def test_a_large_screen_has_larger_letters_and_a_larger_map(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["large laptop"]))
    size = "(part) => parseFloat(getComputedStyle(part).fontSize)"
    small = [
        page.locator(part).evaluate(size) for part in ("#question", "#lines", ".means >> nth=0")
    ]
    page.set_viewport_size({"width": LARGE["width"], "height": LARGE["height"]})
    large = [
        page.locator(part).evaluate(size) for part in ("#question", "#lines", ".means >> nth=0")
    ]
    assert [after / before for before, after in zip(small, large, strict=True)] == [
        pytest.approx(1.2)
    ] * 3
    drawn = page.locator("#sheet > svg").evaluate("(map) => map.getScreenCTM().a * 1400")
    assert drawn >= 0.58 * LARGE["width"]


# --- tablets and phones --------------------------------------------------------------------------


def test_an_upright_tablet_has_the_tabs_of_a_phone_and_the_whole_map(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["tablet"]))
    expect(page.locator("#tabs")).to_be_visible()
    expect(page.locator("#table")).to_have_attribute("data-shape", "square")
    assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(HIDDEN, "#sheet > svg, #sheet .space, #hand svg") == []


@pytest.mark.parametrize("edition", ["birmingham", "lancashire"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_on_a_phone_all_actions_and_all_cards_are_seen(
    visit: Visit, edition: str, locale: str
) -> None:
    page = table_of(visit(**SCREENS["phone"], locale=locale), edition=edition)
    assert page.locator(".game-action").count() >= 7
    assert page.evaluate(HIDDEN, ".game-action, #strip .button, #hand svg") == []


def test_a_turn_on_a_phone_begins_with_the_whole_map(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    expect(page.locator("#table")).to_have_attribute("data-shape", "square")
    spaces = "#sheet .space, #sheet .merchant"
    zoom = "() => document.documentElement.style.getPropertyValue('--zoom')"
    assert page.evaluate(HIDDEN, spaces) == []
    whole = page.evaluate(zoom)
    fingers = Fingers(page)
    fingers.down((195, 190), (195, 230))
    for spread in (20, 30, 50):
        fingers.move((195, 210 - spread), (195, 210 + spread))
    fingers.up()
    page.wait_for_function(f"(whole) => ({zoom})() !== whole", arg=whole)
    close = page.evaluate(zoom)
    player = Player(page, seed=4, touches=True)
    while seen(page).asked != "turn over":  # during the turn it stays as it is
        player.step()
        assert page.evaluate(zoom) == close
    page.reload()  # a player who prefers it from close by is left alone
    page.wait_for_selector("#table[data-yours='1']")
    assert page.evaluate(HIDDEN, spaces) != []


def test_the_whole_map_has_the_whole_screen_of_a_phone(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["phone"]))
    table = page.locator("#table")
    expect(table).to_have_attribute("data-shape", "square")
    height = "() => document.querySelector('#sheet > svg').getBoundingClientRect().height"
    small, button = page.evaluate(height), page.get_by_role("button", name="Whole map")
    button.tap()
    expect(table).to_have_attribute("data-shape", "tall")
    assert page.evaluate(height) > 1.6 * small
    assert page.evaluate(HIDDEN, "#sheet .space, #sheet .merchant") == []
    expect(page.locator("#question")).to_be_in_viewport()  # whose turn it is
    expect(page.locator(".game-actions")).to_be_hidden()
    tap(page, lit(page)["map"][0])  # the card is asked below the map
    page.wait_for_selector("#table:not([data-asked='action'])")
    expect(page.locator("#strip .acts")).to_be_visible()
    expect(table).to_have_attribute("data-shape", "square")
    assert page.evaluate(height) == small
    button.tap()
    expect(table).to_have_attribute("data-shape", "tall")
    page.get_by_role("button", name="Back", exact=True).tap()
    expect(table).to_have_attribute("data-shape", "square")
    assert page.evaluate(height) == small
    button.tap()
    expect(table).to_have_attribute("data-shape", "tall")
    page.keyboard.press("u")
    page.wait_for_selector("#table[data-asked='action']")
    assert page.evaluate(height) > small
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_visible()


def test_what_the_era_would_bring_opens_at_a_chevron(visit: Visit) -> None:
    page = table_of(visit(**SCREENS["laptop"]))
    summary = page.locator("#now-0 summary")
    chevron = "(summary) => getComputedStyle(summary, '::before').borderBottomWidth"
    assert summary.evaluate(chevron) != "0px"
    summary.click()
    expect(page.locator("#now-0 ul")).to_be_visible()
    assert page.evaluate(HIDDEN, "#now-0 ul") == []
