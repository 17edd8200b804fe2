"""Stories: several people on one screen, with covered hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from brassmill.web.table import sessions
from support.browser import Player, Visitor, lit, seen
from support.web import make_table

Visit = Callable[..., Visitor]


def hands_of(table_id: str) -> list[set[str]]:
    """Return the elements of each seat's cards."""
    session = sessions.get(table_id)
    from brassmill.web.page.model import SeatInfo, page_model

    seats = [SeatInfo(seat.name, seat.bot) for seat in session.seats]
    return [
        {card.element for card in page_model(session.view(seat), seats, number=0, stamp="").hand}
        for seat in range(len(seats))
    ]


def cards_in(page: Page) -> set[str]:
    """Return the elements of all cards on the page, visible or not."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[id^=card-]')].map((element) => element.id)"
    )
    return set(found)


def test_two_people_share_a_screen_and_never_see_each_others_hand(visit: Visit) -> None:
    ada = visit()
    table = make_table("Ada,Ben", seed=11, key=ada.key)
    page = ada.sit_down(table.id)
    names = ["Ada", "Ben"]
    for _ in range(4):
        mover = sessions.get(table.id).to_move
        assert mover is not None
        expect(page.get_by_role("dialog")).to_contain_text(names[mover])
        twin: dict[str, Any] = page.request.get(f"/t/{table.id}.json").json()
        assert cards_in(page) == set() and not twin["hand"] and not lit(page).get("map")
        press_cover(page)
        hands = hands_of(table.id)
        assert cards_in(page) == hands[mover]
        Player(page, seed=6).turn()
    page.reload()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert cards_in(page) == set()


def test_nothing_under_the_cover_can_be_reached(visit: Visit) -> None:
    ada = visit()
    page = ada.sit_down(make_table("Ada,Ben", seed=11, key=ada.key).id)
    show = page.get_by_role("button", name="show my hand")
    for _ in range(2):
        expect(show).to_be_focused()
        for _tab in range(12):  # once around the page: the bar and the button
            page.keyboard.press("Tab")
            assert not page.evaluate("() => !!document.activeElement.closest('#under')")
        expect(page.locator("#under")).to_have_js_property("inert", True)
        press_cover(page)
        expect(page.locator("#under")).to_have_js_property("inert", False)
        Player(page, seed=6).turn()  # then it is Ben's turn, without a page reload


def test_a_button_covers_a_hand_again(visit: Visit) -> None:
    ada, ben = visit(), visit()
    page = ada.sit_down(make_table("Ada,Ben", seed=11, key=ada.key).id)
    expect(page.get_by_role("button", name="Cover my hand")).to_have_count(0)
    press_cover(page)
    page.get_by_role("button", name="Cover my hand").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert cards_in(page) == set() and not seen(page).yours
    press_cover(page)
    assert cards_in(page)
    alone = ben.sit_down(make_table("Ben,random", seed=11, key=ben.key).id)
    expect(alone.locator("#cover-hand")).to_have_count(0)


@pytest.mark.slow
def test_moves_of_bots_between_turns_are_shown_to_everyone_on_the_screen(visit: Visit) -> None:
    ada = visit()
    page = ada.sit_down(make_table("Ada,Ben,random", seed=11, key=ada.key).id)
    bot = page.request.get(f"{page.url.rstrip('/')}.json").json()["players"][2]["name"]
    press_cover(page)
    told = False
    for _ in range(3):  # until a bot has moved after a person
        Player(page, seed=6).turn()
        expect(page.get_by_role("dialog")).to_be_visible()
        fresh = page.locator("#lines .fresh .told")
        if fresh.count() and fresh.last.inner_text().startswith(bot):
            expect(page.locator("#story .words")).to_contain_text(bot)
            expect(page.locator("#story")).not_to_have_attribute("hidden", "")
            told = True
        press_cover(page)
    assert told


def press_cover(page: Page) -> None:
    """Uncover the hand of the player to move."""
    page.get_by_role("button", name="show my hand").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert seen(page).yours


def test_with_open_hands_everyone_sees_all_cards(visit: Visit) -> None:
    ada = visit()
    page = ada.sit_down(make_table("Ada,random", seed=2, hands="open", key=ada.key).id)
    expect(page.locator(".open-hand")).to_have_count(1)
    assert page.locator(".open-hand .small-card").count() > 1
    expect(page.get_by_role("dialog")).to_have_count(0)
