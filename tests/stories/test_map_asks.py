"""Stories of the map that asks: actions as modes, halos, dimmed maps, previews, quiet tooltips."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from brassmill.web.table import sessions
from support.browser import (
    PHONE,
    Player,
    Visitor,
    click,
    lit,
    mode_of,
    point_of,
    press,
    seen,
    tap,
    wait_for_change,
    wait_for_turn,
)
from support.clicks import pick
from support.tiers import quick_first
from support.web import make_table

Visit = Callable[..., Visitor]

EDITIONS = ["birmingham", "lancashire", "classic"]
SEATS = {"classic": "Ada,random,random"}
LONGER_THAN_A_TOOLTIP_WAITS = 700  # milliseconds
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def table_of(ada: Visitor, edition: str = "birmingham", seed: int = 3) -> Page:
    """Return a new table with Ada to move."""
    seats = SEATS.get(edition, "Ada,random")
    return ada.sit_down(make_table(seats, edition, seed=seed, key=ada.key).id)


def twin(page: Page) -> dict[str, Any]:
    """Return the JSON version of the table."""
    data: dict[str, Any] = page.request.get(f"{page.url.rstrip('/')}.json").json()
    return data


def targets(data: dict[str, Any], kind: str) -> set[str]:
    """Return the elements of all choices of a kind."""
    return {
        element
        for offer in data["offers"]
        if offer["kind"] == kind
        for element in offer["elements"]
    }


def opacity(page: Page, selector: str) -> list[float]:
    """Return the opacity of elements, with that of everything around them."""
    found: list[float] = page.locator(selector).evaluate_all(
        """(all) => all.map((element) => {
          let clear = 1;
          for (let each = element; each instanceof Element; each = each.parentElement) {
            clear *= Number(getComputedStyle(each).opacity);
          }
          return clear;
        })"""
    )
    return found


def build_asking_for_a_card(page: Page) -> dict[str, Any]:
    """Choose a build that several cards allow; return it."""
    data = twin(page)
    cards = {offer["id"]: 0 for offer in data["offers"] if offer["kind"] == "build"}
    for card in data["hand"]:
        for choice in set(cards) & set(card["uses"]):
            cards[choice] += 1
    build: dict[str, Any] = next(offer for offer in data["offers"] if cards.get(offer["id"], 0) > 1)
    choose(page, build["id"])
    return build


def choose(page: Page, choice: int, card: str = "") -> None:
    """Make a choice through the form of the page."""
    stamp = seen(page).stamp
    page.evaluate(
        """([choice, card]) => {
          const form = document.getElementById("choose");
          form.elements.choice.value = choice;
          form.elements.card.value = card;
          form.requestSubmit();
        }""",
        [choice, card],
    )
    wait_for_change(page, stamp)


# --- modes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", quick_first(EDITIONS))
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_an_action_keeps_only_its_targets_highlighted(
    visit: Visit, edition: str, device: str
) -> None:
    page = table_of(visit(**(TOUCH if device == "phone" else {})), edition)
    hit = tap if device == "phone" else click
    data, before = twin(page), lit(page)
    asked = {"build": "Build: choose a space", "link": "Network: choose where"}
    possible = [kind for kind in asked if targets(data, kind)]
    for kind in possible:
        hit(page, f"do-{kind}")
        expect(page.locator("#narrowed")).to_contain_text(asked[kind])
        assert mode_of(page) == kind
        assert set(lit(page)["map"]) == {
            element for element in targets(data, kind) if not element.startswith("mat-")
        }
        expect(page.locator("#choices")).to_be_hidden()  # no list
    assert "do-build" in lit(page)["strip"]  # another action is one click away
    hit(page, f"do-{possible[-1]}")
    expect(page.locator("#narrowed")).to_be_hidden()
    assert lit(page) == before
    assert twin(page) == data


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_tile_of_the_mat_asks_for_its_space(visit: Visit, device: str) -> None:
    page = table_of(visit(**(TOUCH if device == "phone" else {})))
    hit = tap if device == "phone" else click
    if device == "phone":
        page.locator("#tabs [data-show=mat]").tap()
    data, stamp = twin(page), seen(page).stamp
    tile = next(offer["tile"] for offer in data["offers"] if offer["kind"] == "build")
    hit(page, tile)
    expect(page.locator("#narrowed")).to_contain_text("Build this tile: choose a space.")
    spaces = {offer["elements"][0] for offer in data["offers"] if offer["tile"] == tile}
    assert (
        spaces
        <= set(lit(page)["map"])
        <= {
            element
            for offer in data["offers"]
            if offer["tile"] == tile
            for element in offer["elements"]
        }
    )
    assert seen(page).stamp == stamp
    hit(page, sorted(spaces)[0])  # one industry: no menu
    if page.locator("#choices:popover-open").count():  # a wild card, or two equal spaces
        page.locator("#choices").get_by_role("menuitem").first.click()
    wait_for_change(page, stamp)
    assert seen(page).asked != "action" or twin(page)["actions_left"] < data["actions_left"]


def test_a_tile_of_the_mat_can_be_developed_from_there(visit: Visit) -> None:
    page = table_of(visit())
    tile = next(
        offer["elements"][0] for offer in twin(page)["offers"] if offer["kind"] == "develop"
    )
    click(page, tile)
    stamp = seen(page).stamp
    page.get_by_role("button", name="Develop it").click()
    wait_for_change(page, stamp)
    expect(page.locator("#question")).to_contain_text("Develop")
    press(page, "#undo")
    page.locator("#do-develop").click()  # in this mode a click on the mat develops at once
    stamp = seen(page).stamp
    click(page, tile)
    wait_for_change(page, stamp)
    expect(page.locator("#question")).to_contain_text("Develop")


def test_the_list_is_behind_a_key_and_a_small_button(visit: Visit) -> None:
    page = table_of(visit())
    data = twin(page)
    builds = sum(offer["kind"] == "build" for offer in data["offers"])
    menu = page.locator("#choices").get_by_role("menuitem")
    page.locator("#do-build").click()
    page.locator("#as-list").click()
    expect(menu).to_have_count(builds)
    page.keyboard.press("Escape")
    expect(page.locator("#choices")).to_be_hidden()
    assert mode_of(page) == "build"  # Escape closes one thing at a time
    page.keyboard.press("l")
    expect(menu).to_have_count(builds)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert mode_of(page) == ""
    page.keyboard.press("l")
    expect(menu).to_have_count(len(data["offers"]))


def test_an_action_is_chosen_and_placed_by_keyboard(visit: Visit) -> None:
    page = table_of(visit())
    stamp = seen(page).stamp
    page.keyboard.press("ArrowRight")
    page.locator("#do-link").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet .line:focus")).to_have_count(1)  # the focus is where it is asked
    page.keyboard.press("Enter")
    wait_for_change(page, stamp)
    assert seen(page).asked == "card"


def test_the_number_on_an_action_has_words(visit: Visit) -> None:
    page = table_of(visit())
    build = page.locator("#do-build")
    count = build.locator("small").inner_text()
    expect(page.get_by_role("button", name=f"Build: {count} ways to build")).to_be_visible()
    build.hover()
    expect(page.locator("#tip")).to_contain_text(f"{count} ways to build")
    counts = set()
    for card in page.locator("#hand [data-uses]").all():
        card.click()  # with a card in hand, the browser counts what it can do
        expect(card).to_have_attribute("aria-pressed", "true")
        count = build.locator("small").inner_text()
        counts.add(count)
        words = f"Build: {count} {'way' if count == '1' else 'ways'} to build"
        expect(build).to_have_attribute("aria-label", words if count else "Build")
        card.click()
    assert "1" in counts


# --- what is asked is seen -----------------------------------------------------------------------


@pytest.mark.parametrize("edition", quick_first(EDITIONS))
def test_the_ghost_and_its_price_stay_while_the_card_is_asked(visit: Visit, edition: str) -> None:
    page = table_of(visit(), edition)
    build = build_asking_for_a_card(page)
    assert seen(page).asked == "card"
    space = page.locator(f"#{build['elements'][0]}")
    industry = build["tile"].rpartition("-")[2]
    expect(space.locator(f".laid .tile.{industry}")).to_be_visible()
    expect(space.locator(".laid .price-tag")).to_have_text(build["price"])
    press(page, "#undo")
    expect(page.locator("#sheet .laid")).to_have_count(0)


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_a_source_has_a_halo_outside_its_tile_and_the_rest_is_dimmed(
    visit: Visit, wish: str
) -> None:
    ada, rng = visit(reduced_motion=wish), Random(2)
    table = make_table("Ada,Ben", "lancashire", seed=4, hands="open", key=ada.key)
    session = sessions.get(table.id)
    while session.game.question != "coal" or len(session.game.legal_choices()) < 2:
        if session.game.question == "turn over":
            session.end_turn(session.number)
        else:
            session.choose(session.number, [pick(session.game, rng)])
    page = ada.sit_down(table.id)
    tile = page.locator("#sheet .taken.lit").first
    halo, face = tile.locator(".halo"), tile.locator(".face").first
    outer, inner = halo.bounding_box(), face.bounding_box()
    assert outer and inner and outer["width"] > inner["width"] and outer["x"] < inner["x"]
    running = halo.evaluate("(halo) => halo.getAnimations().length")
    assert bool(running) == (wish != "reduce")
    assert min(opacity(page, "#sheet .taken.lit .tile")) == 1
    others = "#sheet .space:not(.lit, .chosen), #sheet .line:not(.lit, .chosen)"
    assert max(opacity(page, others)) < 0.5


# --- wild cards ----------------------------------------------------------------------------------


def table_with_wild_cards(ada: Visitor) -> Page:
    """Return a table where Ada has scouted."""
    table = make_table("Ada,Ben", seed=3, hands="open", key=ada.key)
    session = sessions.get(table.id)
    scout = session.to_move
    while session.game.round < 2 or session.to_move != scout:
        if session.game.question == "turn over":
            session.end_turn(session.number)
            continue
        choices = {choice.kind: choice.id for choice in session.game.legal_choices()}
        wanted = "scout" if session.to_move == scout else "pass"
        session.choose(session.number, [choices.get(wanted) or choices["card"]])
    return ada.sit_down(table.id)


def test_the_row_of_a_player_always_shows_their_wild_cards(visit: Visit) -> None:
    page = table_with_wild_cards(visit(viewport={"width": 1366, "height": 800}))
    signs = page.locator(".player .wild .sign")
    expect(signs).to_have_count(2)
    row = page.locator(".player:has(.wild) .who").bounding_box()
    for sign in signs.all():
        box = sign.bounding_box()
        assert row and box
        assert box["y"] >= row["y"] and box["y"] + box["height"] <= row["y"] + row["height"]
        assert box["x"] >= row["x"] and box["x"] + box["width"] <= row["x"] + row["width"] + 1


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_wild_card_is_never_spent_unnoticed(visit: Visit, device: str) -> None:
    page = table_with_wild_cards(visit(**(TOUCH if device == "phone" else {})))
    hit = tap if device == "phone" else click
    data, stamp = twin(page), seen(page).stamp
    offer = next(
        offer
        for offer in data["offers"]
        if offer["wild"]
        and sum(offer["elements"][0] in other["elements"] for other in data["offers"]) == 1
    )
    hit(page, offer["elements"][0])
    entry = page.locator("#choices").get_by_role("menuitem")
    expect(entry.locator("strong")).to_have_text(offer["wild"])
    wild = next(
        card["element"]
        for card in data["hand"]
        if card["kind"] == "wild" and offer["id"] in card["uses"]
    )
    assert seen(page).stamp == stamp
    entry.click()
    wait_for_change(page, stamp)
    hand = [card["element"] for card in twin(page)["hand"]]
    assert wild not in hand
    press(page, "#undo")
    hit(page, wild)
    if device == "desktop":
        page.locator(f"#{offer['elements'][0]}").hover()
        expect(page.locator("#tip .bill .spends-wild b")).to_have_text(
            offer["wild"], ignore_case=True
        )
    stamp = seen(page).stamp
    hit(page, offer["elements"][0])  # the card has been chosen: nothing to confirm
    wait_for_change(page, stamp)
    assert seen(page).asked != "card"


# --- tooltips ------------------------------------------------------------------------------------


def test_a_click_leaves_no_tooltip_until_the_pointer_has_moved(visit: Visit) -> None:
    page = table_of(visit())
    page.clock.install()
    build = build_asking_for_a_card(page)
    press(page, "#undo")
    page.mouse.move(1, 1)
    x, y = point_of(page, build["elements"][0])
    page.mouse.move(x, y)
    expect(page.locator("#tip")).to_be_visible()
    stamp = seen(page).stamp
    page.mouse.down()
    expect(page.locator("#tip")).to_be_hidden()
    page.mouse.up()
    if page.locator("#choices:popover-open").count():
        page.locator("#choices").get_by_role("menuitem").first.press("Enter")
    wait_for_change(page, stamp)
    page.clock.fast_forward(LONGER_THAN_A_TOOLTIP_WAITS)
    expect(page.locator("#tip")).to_be_hidden()
    card = next(iter(lit(page)["hand"]))
    page.mouse.move(*point_of(page, card))
    expect(page.locator("#tip")).to_be_visible()


def test_nothing_says_that_another_choice_comes_first(visit: Visit) -> None:
    page = table_of(visit())
    page.clock.install()
    build_asking_for_a_card(page)
    line = page.locator("#sheet .line[data-why]").first.get_attribute("id")
    assert line
    page.mouse.move(*point_of(page, line))
    with page.expect_response(lambda response: "/why/" in response.url):
        page.clock.fast_forward(LONGER_THAN_A_TOOLTIP_WAITS)
    expect(page.locator("#tip .why")).to_have_count(0)


# Everything else lit that the tooltip lies over; of a link, a point of its line is enough.
COVERED = """(own) => {
  const tip = document.getElementById("tip").getBoundingClientRect();
  const isUnder = (box) => box.left < tip.right && tip.left < box.right
    && box.top < tip.bottom && tip.top < box.bottom;
  const boxes = (each) => {
    const path = each.matches(".line") && each.querySelector("path");
    if (!path) return [each.getBoundingClientRect()];
    const length = path.getTotalLength(), matrix = path.getScreenCTM();
    return Array.from({ length: 101 }, (_, n) => {
      const { x, y } = path.getPointAtLength(length * n / 100).matrixTransform(matrix);
      return { left: x, right: x, top: y, bottom: y };
    });
  };
  return [...document.querySelectorAll("#table .lit")]
    .filter((each) => each.id !== own && each.getClientRects().length)
    .filter((each) => boxes(each).some(isUnder)).map((each) => each.id);
}"""


@pytest.mark.slow
def test_a_tooltip_never_covers_what_can_be_chosen(visit: Visit) -> None:
    page = table_of(visit(viewport={"width": 1440, "height": 900}))
    Player(page, seed=2).turn()
    expect(page.locator("#sheet .line.lit")).not_to_have_count(0)
    for kind in ("", "build", "link"):
        if kind:
            page.locator(f"#do-{kind}").click()
        for element in lit(page)["map"][::2]:
            page.mouse.move(*point_of(page, element))
            expect(page.locator(f"#{element}")).to_have_attribute("aria-describedby", "tip")
            assert page.evaluate(COVERED, element) == []
            page.mouse.move(1, 1)


def test_the_tooltip_of_an_action_says_what_it_does_then_how_often(visit: Visit) -> None:
    page = table_of(visit())
    page.mouse.move(*point_of(page, "do-build"))
    tip = page.locator("#tip p")
    expect(tip.nth(0)).to_have_text("Build")
    expect(tip.nth(1)).to_have_text("Place a tile from your mat on the board.")
    expect(tip.nth(2)).to_contain_text("ways to build")
    page.mouse.move(*point_of(page, "do-pass"))
    expect(page.locator("#tip .about")).to_have_text("Discard a card and do nothing else.")


def test_a_turn_that_begins_by_key_opens_no_tooltip(visit: Visit) -> None:
    page = table_of(visit())
    page.clock.install()
    player = Player(page, seed=1)
    while seen(page).asked != "turn over":
        player.step()
    stamp = seen(page).stamp
    page.keyboard.press("e")
    wait_for_change(page, stamp)
    wait_for_turn(page)
    expect(page.locator("#table [data-choice]:focus")).to_have_count(1)
    page.clock.fast_forward(LONGER_THAN_A_TOOLTIP_WAITS)
    expect(page.locator("#tip")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.clock.fast_forward(LONGER_THAN_A_TOOLTIP_WAITS)
    expect(page.locator("#tip")).to_be_visible()


# Pixels between the tooltip and its element; a line ties them together where there is no room.
AWAY = """(own) => {
  const tip = document.getElementById("tip").getBoundingClientRect();
  const box = document.getElementById(own).getBoundingClientRect();
  const apart = (start, end, from, to) => Math.max(from - end, start - to, 0);
  const across = apart(tip.left, tip.right, box.left, box.right);
  return Math.hypot(across, apart(tip.top, tip.bottom, box.top, box.bottom));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["", "build"])
def test_a_tooltip_is_beside_its_place_or_tied_to_it(visit: Visit, kind: str) -> None:
    page = table_of(visit(viewport={"width": 1440, "height": 900}))
    if kind:
        page.locator(f"#do-{kind}").click()
    for element in lit(page)["map"][::4]:
        page.mouse.move(*point_of(page, element))
        expect(page.locator(f"#{element}")).to_have_attribute("aria-describedby", "tip")
        away = page.evaluate(AWAY, element)
        assert away < 60 or page.locator("#leader").is_visible(), element
        page.mouse.move(1, 1)
        expect(page.locator("#leader")).to_be_hidden()


# --- buttons that go together --------------------------------------------------------------------


def test_undo_and_reset_are_available_together(visit: Visit) -> None:
    page = table_of(visit())
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#reset")).to_be_disabled()
    build_asking_for_a_card(page)
    expect(page.locator("#undo")).to_be_enabled()
    expect(page.locator("#reset")).to_be_enabled()


# --- fingers -------------------------------------------------------------------------------------


def test_the_first_tap_shows_the_bill_and_the_second_plays_it(visit: Visit) -> None:
    page = table_of(visit(**TOUCH))
    first, second = lit(page)["map"][0], lit(page)["map"][5]
    stamp, confirm = seen(page).stamp, page.locator("#confirm")
    page.touchscreen.tap(*point_of(page, first))
    expect(confirm.locator(".bill")).to_contain_text("Cost")
    expect(page.locator(f"#{first}.meant")).to_be_visible()
    page.touchscreen.tap(*point_of(page, second))  # another place instead
    expect(page.locator(f"#{second}.meant")).to_be_visible()
    confirm.get_by_role("button", name="Cancel").tap()
    expect(confirm).to_be_hidden()
    expect(page.locator(".meant")).to_have_count(0)
    assert seen(page).stamp == stamp
    for _tap in range(2):
        page.touchscreen.tap(*point_of(page, first))
    wait_for_change(page, stamp)
    expect(confirm).to_be_hidden()
    page.locator("#undo").tap()
    page.wait_for_selector("#table[data-asked='action']")
    page.touchscreen.tap(*point_of(page, second))
    stamp = seen(page).stamp
    expect(confirm).to_contain_text("Tap it again to confirm.")
    confirm.locator("[data-confirm=yes]").tap()
    wait_for_change(page, stamp)
