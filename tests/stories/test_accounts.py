"""Story: a player creates an account in mid-game and continues in another browser."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from stories.test_accessibility import violations
from stories.test_friends import hear, take_turn
from support.browser import PHONE, Player, Visitor, wait_for_turn
from support.people import GOOD
from support.web import make_table

Visit = Callable[..., Visitor]


@pytest.mark.slow
def test_a_game_continues_in_another_browser_with_an_account(visit: Visit) -> None:
    here, there = visit(), visit(viewport=PHONE, has_touch=True)
    name = f"Ada{token_hex(3)}"
    page = here.sit_down(make_table("you,beginner", "lancashire", key=here.key).id)
    address = page.url
    # Sign up by keyboard from the table page: it leads back there.
    page.get_by_role("link", name="Sign in").press("Enter")
    page.get_by_role("link", name="Create an account").press("Enter")
    expect(page.locator("main")).to_contain_text("comes with you")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill("short")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("too short")
    here.pardoned.append("422")
    expect(page.get_by_label("Name")).to_have_value(name)
    page.get_by_label("Password", exact=True).fill(GOOD)
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    take_turn(Player(page, seed=3))
    wait_for_turn(page)
    hand = page.locator("[id^=card-]").count()
    # The same person's phone.
    phone = there.open("/")
    phone.get_by_role("link", name="Sign in").tap()
    phone.get_by_label("Name").fill(name.upper())
    phone.get_by_label("Password", exact=True).fill(GOOD)
    phone.get_by_role("button", name="Sign in").tap()
    phone.get_by_role("link", name="Your account").tap()
    phone.get_by_role("link", name="Resume").tap()
    phone.wait_for_url(address)
    expect(phone.locator("[id^=card-]")).to_have_count(hand)
    take_turn(Player(phone, seed=4, touches=True))
    # The first browser updates by itself.
    hear(page)
    wait_for_turn(page)
    # Signed out, it belongs to another visitor.
    phone.goto("/account/")
    phone.get_by_role("button", name="Sign out").tap()
    phone.get_by_role("link", name="Sign in").wait_for()
    phone.goto(address)
    expect(phone.locator("[id^=card-]")).to_have_count(0)


@pytest.mark.slow
def test_account_pages_have_no_accessibility_violations(visit: Visit) -> None:
    ada, found = visit(viewport=PHONE), {}
    ada.pardoned.append("422")

    def look(page: Page) -> None:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found[page.url, scheme] = violations(page)

    for address in ("/sign-in/", "/forgotten/"):
        look(ada.open(address))
    page = ada.open("/sign-up/")
    page.get_by_label("Name").fill(f"Ada{token_hex(3)}")
    page.get_by_label("Password", exact=True).fill("short")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    look(page)
    page.get_by_label("Password", exact=True).fill(GOOD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Your account").wait_for()
    for address in ("/account/", "/account/delete/"):
        look(ada.open(address))
    assert {name: faults for name, faults in found.items() if faults} == {}
