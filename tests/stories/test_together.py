"""Stories: two people take back a turn, end a game now and concede, on screens of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from brassmill.web.models import Seat
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from stories.test_accessibility import violations
from support.browser import PHONE, Visitor, wait_for_turn
from support.web import make_table, no_bots, play_turn

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

NAMES = ("Ada", "Ben", "Cleo")
BOXES = """() => ["#board", "#strip", "#hand"].map(
  (part) => JSON.stringify(document.querySelector(part).getBoundingClientRect()))"""


def seated(*players: Visitor) -> TableSession:
    """Return a game of these visitors, each with a seat and a screen of their own."""
    table = make_table(",".join(NAMES[: len(players)]), seed=7)
    for number, player in enumerate(players):
        Seat.objects.filter(table=table, number=number).update(
            holder=player.key, invite=f"link-{number}"
        )
    sessions.changed(table.id)
    sessions.forget(table.id)
    return sessions.get(table.id)


def opened(players: Sequence[Visitor], session: TableSession) -> tuple[Page, ...]:
    return tuple(player.open(f"/t/{session.table.id}/") for player in players)


def by_turn(players: Sequence[Visitor], session: TableSession) -> list[Visitor]:
    """Sort two players: the one to move first."""
    return sorted(players, key=lambda player: players.index(player) != session.to_move)


def shot(page: Page, name: str) -> None:
    """Keep a screenshot for people to look at, if a folder is given."""
    if folder := os.environ.get("BRASSMILL_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png")


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_friend_lets_a_player_take_back_a_turn(visit: Visit, screen: str) -> None:
    wishes = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    players = [visit(**wishes), visit(**wishes)]
    session = seated(*players)
    first, second = by_turn(players, session)
    play_turn(session)
    asking, asked = opened((first, second), session)
    wait_for_turn(asked)
    still = asked.evaluate(BOXES)
    asking.get_by_role("button", name="Take back my turn").click()
    expect(asking.locator("#requests")).to_contain_text("You have asked to take back your turn")
    expect(asked.locator("#requests")).to_contain_text("has asked to take back their last turn")
    assert asked.evaluate(BOXES) == still  # it lies over the map: nothing moves
    shot(asked, f"asked-{screen}")
    shot(asking, f"asking-{screen}")
    assert violations(asked) == [] and violations(asking) == []
    asking.get_by_role("button", name="Withdraw").click()
    expect(asked.locator(".request")).to_have_count(0)
    asking.get_by_role("button", name="Take back my turn").click()
    asked.get_by_role("button", name="Agree").click()
    wait_for_turn(asking)
    expect(asking.locator("#question")).to_contain_text("End your turn or undo")
    expect(asking.locator("#undo")).to_be_enabled()
    expect(asked.locator("#lines")).to_contain_text("takes back their turn")
    shot(asked, f"taken-back-{screen}")


def test_everyone_agrees_to_end_the_game_now(visit: Visit) -> None:
    players = [visit(), visit(viewport=PHONE, has_touch=True)]
    session = seated(*players)
    for _turn in range(6):
        play_turn(session)
    page, phone = opened(players, session)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Concede or end now").click()
    shot(page, "early-end")
    assert violations(page) == []
    page.get_by_role("button", name="Ask to end now").click()
    expect(page.locator("#requests")).to_contain_text("You have asked to end the game now")
    shot(phone, "end-asked-phone")
    phone.get_by_role("button", name="Agree").click()
    for each in (page, phone):
        scene = each.locator("#scene")
        expect(scene.get_by_role("heading", name="win")).to_be_in_viewport()
        expect(scene.locator(".podium-1")).to_contain_text("VP")
    shot(page, "agreed-podium")
    for each in (page, phone):
        expect(each.locator("#question")).to_contain_text("win")
        each.locator("#scene").get_by_role("link", name="See the result").click()
        expect(each.locator("#by-agreement")).to_contain_text("Ended by agreement")
    shot(page, "ended")


def test_a_player_concedes_and_a_bot_plays_on(visit: Visit) -> None:
    players = [visit(), visit()]
    with no_bots():
        session = seated(*players)
        ours, theirs = opened(players, session)
        ours.get_by_role("button", name="Menu").click()
        ours.get_by_role("button", name="Concede or end now").click()
        ours.get_by_role("button", name="Concede", exact=True).click()
        expect(ours.locator("#strip")).to_contain_text("You have conceded")
        expect(ours.get_by_role("button", name="Take my seat back")).to_have_count(0)
        expect(theirs.locator("#lines")).to_contain_text("concedes")
        expect(theirs.locator("#player-0")).to_contain_text("conceded")
        shot(theirs, "conceded")
        theirs.get_by_role("button", name="Menu").click()
        theirs.get_by_role("button", name="Concede or end now").click()
        theirs.get_by_role("button", name="Ask to end now").click()  # nobody is left to agree
        expect(theirs.locator("#question")).to_contain_text("You win")
        expect(theirs.locator("#scene .podium-2")).to_contain_text("conceded")
        theirs.locator("#scene").get_by_role("link", name="See the result").click()
        expect(theirs.locator(".podium")).to_contain_text("conceded")


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_player_plans_the_next_turn_and_plays_it_with_one_click(
    visit: Visit, screen: str
) -> None:
    wishes = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    players = [visit(**wishes), visit(**wishes)]
    session = seated(*players)
    first, second = by_turn(players, session)
    page = second.open(f"/t/{session.table.id}/")
    page.get_by_role("link", name="Plan my next turn").click()
    expect(page.locator("#question")).to_contain_text("Your plan: 1 action left")
    page.wait_for_load_state()  # a click before the script has loaded does nothing
    shot(page, f"plan-begins-{screen}")
    page.get_by_role("button", name="Loan").click()
    expect(page.locator("#question")).to_contain_text("Loan", ignore_case=True)
    page.locator("#hand [data-choice]").first.click()
    expect(page.locator("#question")).to_contain_text("Your plan is complete")
    assert violations(page) == []
    shot(page, f"plan-complete-{screen}")
    page.get_by_role("link", name="Keep plan").click()
    expect(page.locator("#my-plan")).to_contain_text("Take a £30 loan", ignore_case=True)
    shot(page, f"plan-waits-{screen}")
    watching = first.open(f"/t/{session.table.id}/")
    expect(watching.locator("#my-plan")).to_have_count(0)
    play_turn(session)
    wait_for_turn(page)
    expect(page.locator(".plan-steps")).to_be_visible()  # what is about to be played
    shot(page, f"plan-ready-{screen}")
    assert violations(page) == []
    page.get_by_role("button", name="Play and end turn").click()
    expect(watching.locator("#lines")).to_contain_text("loan")
    expect(page.locator("#my-plan")).to_have_count(0)
    assert session.table.id and sessions.get(session.table.id).turns == 2


def test_the_page_of_a_plan_returns_to_the_table_when_the_turn_comes(visit: Visit) -> None:
    players = [visit(), visit()]
    session = seated(*players)
    _first, second = by_turn(players, session)
    page = second.open(f"/t/{session.table.id}/plan/")
    expect(page.locator("#question")).to_contain_text("Your plan")
    play_turn(session)
    page.wait_for_url(f"**/t/{session.table.id}/")
    expect(page.locator("#question")).to_contain_text("Your turn")
