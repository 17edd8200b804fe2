"""Stories of a card taken before the action: held, used without being asked for, put back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import (
    PHONE,
    Player,
    Visitor,
    click,
    lit,
    seen,
    tap,
    wait_for_change,
    wait_for_turn,
)
from support.tiers import quick_first
from support.web import make_table

Visit = Callable[..., Visitor]

EDITIONS = ["birmingham", "lancashire", "classic"]
SEATS = {"classic": "Ada,random,random"}


def table_of(ada: Visitor, edition: str = "birmingham") -> Page:
    """Return a new table with Ada to move."""
    seats = SEATS.get(edition, "Ada,random")
    return ada.sit_down(make_table(seats, edition, seed=3, key=ada.key).id)


def twin(page: Page) -> dict[str, Any]:
    """Return the JSON version of the table."""
    data: dict[str, Any] = page.request.get(f"{page.url.rstrip('/')}.json").json()
    return data


def builder(data: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a card of the hand that allows some builds but not all, and these builds."""
    builds = [offer for offer in data["offers"] if offer["kind"] == "build"]
    for card in data["hand"]:
        own = [offer for offer in builds if offer["id"] in card["uses"]]
        if 0 < len(own) < len(builds) and card["count"] == 1:
            return card, own
    raise AssertionError("no such card")


def is_put_back(page: Page, card: dict[str, Any]) -> None:
    """Check that nothing is narrowed down any more."""
    expect(page.locator(f"#{card['element']}")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#narrowed")).to_be_hidden()
    expect(page.locator("#table [data-all]")).to_have_count(0)


@pytest.mark.parametrize("edition", quick_first(EDITIONS))
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_held_card_leaves_only_what_it_can_do(visit: Visit, edition: str, device: str) -> None:
    wishes = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if device == "phone" else {}
    page = table_of(visit(**wishes), edition)
    hit = tap if device == "phone" else click
    before = lit(page)
    data = twin(page)
    card, builds = builder(data)
    low = page.locator(f"#{card['element']}").bounding_box()
    hit(page, card["element"])
    held = page.locator(f"#{card['element']}")
    expect(held).to_have_attribute("aria-pressed", "true")
    high = held.bounding_box()
    assert low and high and high["y"] < low["y"]  # it lifts
    expect(page.locator("#held-card")).to_have_text(card["words"], ignore_case=True)
    shown = page.locator("#sheet .space[data-choice]").evaluate_all("(all) => all.map((e) => e.id)")
    assert set(shown) == {
        element
        for offer in data["offers"]
        if offer["id"] in card["uses"] and offer["kind"] in ("build", "sell")
        for element in offer["elements"]
        if element.startswith("space-")
    }
    expect(page.locator("#do-build small")).to_have_text(str(len(builds)))
    assert seen(page).asked == "action"  # nothing has been played
    assert twin(page) == data
    hit(page, card["element"])
    is_put_back(page, card)
    assert lit(page) == before


@pytest.mark.parametrize("edition", quick_first(EDITIONS))
def test_a_held_card_is_used_without_being_asked_for(visit: Visit, edition: str) -> None:
    page = table_of(visit(), edition)
    data = twin(page)
    card, builds = builder(data)
    stamp = seen(page).stamp
    click(page, card["element"])
    spaces = {element for offer in builds for element in offer["elements"]}
    click(page, next(element for element in lit(page)["map"] if element in spaces))
    if page.locator("#choices:popover-open").count():
        page.locator("#choices").get_by_role("menuitem").first.click()
    wait_for_change(page, stamp)
    after = twin(page)
    assert after["asked"] != "card"
    assert card["element"] not in [other["element"] for other in after["hand"]]
    expect(page.locator("#narrowed")).to_be_hidden()


def test_a_held_card_is_put_back_by_escape_and_by_its_button(visit: Visit) -> None:
    page = table_of(visit())
    card, _builds = builder(twin(page))
    click(page, card["element"])
    page.keyboard.press("Escape")
    is_put_back(page, card)
    click(page, card["element"])
    page.get_by_role("button", name="Put back").click()
    is_put_back(page, card)


def test_another_card_replaces_the_held_one(visit: Visit) -> None:
    page = table_of(visit())
    one, other = (card["element"] for card in twin(page)["hand"][:2])
    click(page, one)
    click(page, other)
    expect(page.locator("#hand [aria-pressed=true]")).to_have_id(other)


def test_what_a_held_card_cannot_do_says_why(visit: Visit) -> None:
    page = table_of(visit())
    data = twin(page)
    card, builds = builder(data)
    own = {element for offer in builds for element in offer["elements"]}
    space = next(
        element
        for offer in data["offers"]
        for element in offer["elements"]
        if element.startswith("space-") and element not in own
    )
    click(page, card["element"])
    page.locator(f"#{space}").hover()
    expect(page.locator("#tip .why").first).to_be_visible()
    stamp = seen(page)
    page.locator(f"#{space}").click()
    assert seen(page) == stamp


def test_a_card_is_held_and_used_by_keyboard(visit: Visit) -> None:
    page = table_of(visit())
    card, _builds = builder(twin(page))
    page.keyboard.press("ArrowRight")
    page.locator(f"#{card['element']}").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{card['element']}")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    is_put_back(page, card)
    page.locator(f"#{card['element']}").focus()
    page.keyboard.press("Space")
    stamp = seen(page).stamp
    page.keyboard.press("l")
    expect(page.locator("#choices")).to_be_visible()
    assert page.locator("#choices").get_by_role("menuitem").count() == len(card["uses"])
    page.keyboard.press("Enter")
    wait_for_change(page, stamp)
    assert card["element"] not in [other["element"] for other in twin(page)["hand"]]


def test_a_held_card_is_forgotten_after_a_move(visit: Visit) -> None:
    page = table_of(visit())
    click(page, twin(page)["hand"][0]["element"])
    stamp = seen(page).stamp
    page.locator("#do-pass").click()
    wait_for_change(page, stamp)
    page.locator("#undo").click()
    page.wait_for_function("() => document.getElementById('table').dataset.asked === 'action'")
    expect(page.locator("#hand [aria-pressed=true]")).to_have_count(0)
    Player(page, seed=1).turn()
    wait_for_turn(page)
    expect(page.locator("#hand [aria-pressed=true]")).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", "Choose what to do with this card."),
        ("de-DE", "Wähle, was du mit dieser Karte tust."),
        ("fr-FR", "Choisissez ce que vous faites de cette carte."),
    ],
)
def test_what_to_do_with_a_held_card_is_asked_in_every_language(
    visit: Visit, locale: str, words: str
) -> None:
    page = table_of(visit(locale=locale))
    click(page, twin(page)["hand"][0]["element"])
    expect(page.locator("#narrowed")).to_contain_text(words)
