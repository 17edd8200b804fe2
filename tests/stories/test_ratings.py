"""Story: two players with accounts play a rated game; ratings and profiles are easy to use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from brassmill.web.models import Account
from brassmill.web.ratings import counting
from brassmill.web.ratings.results import player_of
from brassmill.web.table import sessions
from stories.test_accessibility import violations
from support import rated
from support.browser import PHONE, Visitor
from support.people import make_account, signed_in
from support.rated import finish, play_to_the_end, rated_table
from support.web import no_bots

Visit = Callable[..., Visitor]

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    yield
    rated.clear()


def sign_in(visitor: Visitor, account: Account) -> None:
    """Sign in; the server would refuse the quick hashes of passwords in tests."""
    name = settings.SESSION_COOKIE_NAME
    cookie = signed_in(account).cookies[name].value
    visitor.context.add_cookies([{"name": name, "value": cookie, "url": visitor.address}])


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_rated_game_is_set_up_and_joined_with_the_keyboard(visit: Visit) -> None:
    ada, ben = make_account("Ada"), make_account("Ben")
    host, guest = visit(), visit()
    sign_in(host, ada)
    page = host.open("/new/lancashire/")
    page.locator("#players-2").check()
    page.locator("#who-1").select_option("friend")
    page.locator("[name=rated][value=yes]").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Open the table").press("Enter")
    expect(page.locator(".room-rated")).to_contain_text("This game is rated")
    link = page.locator("#link-1").input_value()
    other = guest.open(link)
    expect(other.get_by_role("link", name="Sign in").last).to_be_visible()
    sign_in(guest, ben)
    other.reload()
    other.locator("#name").fill("Ben")
    other.get_by_role("button", name="Take this seat").press("Enter")
    expect(other.locator("#status")).to_contain_text("Rated")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_ratings_and_profiles_are_accessible(
    visit: Visit, scheme: Literal["light", "dark"], screen: str
) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE} if screen == "phone" else {}
    ada, ben = make_account("Ada"), make_account("Ben")
    players = [player_of(ada), player_of(ben)]
    with no_bots():
        table = rated_table(ada, ben, edition="lancashire")
        play_to_the_end(sessions.get(table.id))
    for hour in range(6):
        finish(players, [1, 2] if hour % 3 else [2, 1], hours=hour, edition="lancashire")
    finish([players[0], "expert"], hours=9)
    counting.count_all()
    visitor = visit(color_scheme=scheme, **wishes)
    sign_in(visitor, ada)
    page = visitor.open("/")
    found: dict[str, Any] = {}
    for name, address in {
        "board": "/ratings/?game=lancashire&players=2",
        "levels": "/ratings/?kind=levels&players=2",
        "profile": f"/players/{players[0].pk}/",
        "other profile": f"/players/{players[1].pk}/",
        "result": f"/t/{table.id}/result/",
        "new game": "/new/birmingham/",
    }.items():
        page.goto(address)
        found[name] = [violations(page), sideways(page)]
    assert found == {name: [[], 0] for name in found}
