"""Story: a club is founded, joined and used; tokens and reports of players are easy to reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from brassmill.web.accounts import programs
from brassmill.web.clubs import clubs
from brassmill.web.models import Club, PlayerReport
from brassmill.web.moderation import player_reports
from brassmill.web.ratings import counting
from brassmill.web.ratings.results import player_of
from stories.test_accessibility import violations
from stories.test_ratings import sideways, sign_in
from support import rated
from support.browser import PHONE, Visitor
from support.friends import set_up
from support.people import guest_of, make_account
from support.rated import FIRST, finish
from support.web import no_bots

Visit = Callable[..., Visitor]

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    yield
    rated.clear()


def test_a_club_is_founded_joined_and_used_with_the_keyboard(visit: Visit) -> None:
    ada, ben = make_account("Ada"), make_account("Ben")
    host, guest = visit(), visit()
    sign_in(host, ada)
    sign_in(guest, ben)
    page = host.open("/lobby/")
    page.get_by_role("link", name="Clubs").press("Enter")
    page.get_by_label("Name").fill("The Dudley Canal Company")
    page.get_by_role("button", name="Found the club").press("Enter")
    expect(page.locator("h1")).to_have_text("The Dudley Canal Company")
    page.get_by_role("button", name="Make a new link").press("Enter")
    link = page.get_by_role("textbox", name="Invitation link").input_value()
    other = guest.open(link)
    other.get_by_role("button", name="Join the club").press("Enter")
    expect(other.locator("h1")).to_have_text("The Dudley Canal Company")
    other.get_by_label("Message", exact=True).fill("Shares are up.")
    other.keyboard.press("Enter")
    expect(other.locator(".club-message")).to_contain_text("Shares are up.")
    expect(other.get_by_label("Message", exact=True)).to_have_value("")
    other.get_by_role("link", name="Brass: Lancashire").click()
    expect(other.locator("#club")).to_have_value(re.compile(r"\S+"))
    other.locator("#players-2").check()
    other.get_by_role("button", name="Open the table").click()
    expect(other.locator(".room-seats")).to_be_visible()
    page.reload()
    expect(page.locator(".club-message")).to_contain_text("Shares are up.")
    page.get_by_role("link", name=re.compile("Take a seat")).click()
    expect(page.get_by_role("button", name="Take this seat")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_clubs_programs_and_reports_are_accessible(
    visit: Visit, scheme: Literal["light", "dark"], screen: str
) -> None:
    ada, ben, robo = make_account("Ada"), make_account("Ben"), make_account("Robo")
    programs.mark(robo)
    club = clubs.found(ada, "The Dudley Canal Company", "Coal by water, since 1792.", Club.OPEN)
    clubs.join(club, ben)
    clubs.join(club, robo)
    for number, account in enumerate((ben, ada, robo)):
        own = clubs.membership(club, account)
        assert own
        clubs.say(own, ("Who has time tonight?", "From eight.", "Always.")[number])
    recent = (timezone.now() - FIRST).total_seconds() / 3600 - 1
    finish([player_of(ada), player_of(ben)], hours=recent)
    counting.count_all()
    with no_bots():
        table = set_up(guest_of(ada, "Ada"), "you", "friend", club=club.pk)
    player_reports.report(ada.key, ben.key, "Ben", table, "stalling", "Three days a turn.")
    player_reports.answer(PlayerReport.objects.latest("pk"), "resolved", "We have talked to Ben.")
    wishes = {"viewport": PHONE} if screen == "phone" else {}
    visitor = visit(color_scheme=scheme, reduced_motion="reduce", **wishes)
    sign_in(visitor, ada)
    found = {}
    page = visitor.open("/clubs/")
    for address in (
        "/clubs/",
        f"/clubs/{club.pk}/",
        "/account/programs/",
        f"/players/{player_of(ben).pk}/report/",
        "/reports/",
    ):
        page.goto(address)
        page.locator("main details").evaluate_all("all => all.forEach(each => each.open = true)")
        found[address] = violations(page)
        assert sideways(page) <= 0, address
    sign_in(visitor, robo)
    page.goto("/account/programs/")
    found["tokens"] = violations(page)
    assert sideways(page) <= 0
    assert {address: faults for address, faults in found.items() if faults} == {}
