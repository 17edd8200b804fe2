"""Story: somebody organises a tournament, players join it, and its pages show how it went."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from brassmill.web.models import Account
from brassmill.web.server import database
from brassmill.web.tournaments import entrants, formats
from stories.test_accessibility import violations
from stories.test_ratings import sideways, sign_in
from support.browser import PHONE, Visitor
from support.people import make_account
from support.tournaments import an_organiser, begin, clear, end, go_on, players, set_up, tables
from support.web import no_bots

Visit = Callable[..., Visitor]

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    yield
    clear()


@pytest.fixture
def organiser() -> Account:
    return an_organiser()


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_an_organiser_and_a_player(visit: Visit, organiser: Account, screen: str) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    olga, ada = visit(**wishes), visit()
    sign_in(olga, organiser)
    page = olga.open("/")
    page.locator("#to-tournaments").click()
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name", exact=True).fill("Autumn Cup")
    expect(page.get_by_label("Players in a division")).to_be_hidden()
    page.get_by_role("radio", name="League").check()
    expect(page.get_by_label("Players in a division")).to_be_visible()
    page.get_by_role("radio", name="Knock-out").check()
    page.get_by_label("Players at a table").fill("2")
    page.get_by_role("button", name="Create the tournament").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Autumn Cup")).to_be_visible()
    page.locator("#join").click()
    expect(page.locator("#leave")).to_be_visible()
    account = make_account("Ada")
    sign_in(ada, account)
    there = ada.open("/tournaments/")
    there.get_by_role("link", name="Autumn Cup").click()
    there.locator("#join").click()
    expect(there.locator(".cup-players")).to_contain_text(organiser.name)
    with no_bots():
        page.get_by_role("button", name="Begin now").click()
        expect(page.locator(".cup-tables .cup-own")).to_be_visible()
        there.goto("/")
        expect(there.locator(".cup")).to_contain_text("Autumn Cup")
        there.get_by_role("link", name="Autumn Cup").click()
        there.get_by_role("link", name="Go to the table").click()
        expect(there.locator("#menu-tournament")).to_have_attribute("href", f"{page_path(page)}")


def page_path(page: Any) -> str:
    return str(page.evaluate("location.pathname"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_the_pages_are_accessible(
    visit: Visit, organiser: Account, scheme: Literal["light", "dark"], screen: str
) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE} if screen == "phone" else {}
    entered = players(12)
    with no_bots():
        more = {"organiser": organiser, "most": 12, "interval": timedelta(days=1)}
        found = set_up(entered, formats.LEAGUE, division=6, about="Every day a round.", **more)
        begin(found)
        for later in range(1, 3):
            for table in tables(found):
                end(table)
            go_on(found, timedelta(days=2 * later))
        entrants.join(found, organiser)
        starts = database.now() + timedelta(days=1)
        set_up(entered[:3], formats.ARENA, name="Friday evening", starts=starts)
    olga = visit(color_scheme=scheme, **wishes)
    sign_in(olga, organiser)
    page = olga.open("/")
    seen: dict[str, Any] = {}
    for name, address in {
        "home": "/",
        "list": "/tournaments/",
        "tournament": f"/tournaments/{found.pk}/",
        "new": "/tournaments/new/",
    }.items():
        page.goto(address)
        seen[name] = [violations(page), sideways(page)]
    assert seen == {name: [[], 0] for name in seen}
