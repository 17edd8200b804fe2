"""Stories: the end of an era is counted over the map, and the game goes on underneath."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from brassmill.play.host import Host
from brassmill.web.models import Seat, Table
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from stories.test_accessibility import violations
from support.browser import PHONE, Player, Visitor, seen, wait_for_change
from support.web import make_table, no_bots, people_only

Visit = Callable[..., Visitor]

MOVING = "no-preference"  # not reduced motion
SCREENS = pytest.mark.parametrize(
    "screen", ["desktop", pytest.param("phone", marks=pytest.mark.slow)]
)


def play_until(table: Table, is_there: Callable[[TableSession], bool]) -> None:
    """Play until something is true, or to the end, as bots would: without debts."""
    session = sessions.get(table.id)
    host = Host.of(["beginner"] * table.players, session.game.edition, seed=1)
    with no_bots():
        while not session.over and not is_there(session):
            if session.game.question == "turn over":
                session.end_turn(session.number)
            else:
                session.choose(session.number, host.ask(session.game.copy()))
    host.close()


def is_rail_era(session: TableSession) -> bool:
    return session.game.era == "rail"


def is_last_turn(session: TableSession) -> bool:
    """Is all that is left to do in the era to end the last turn?"""
    view = session.view(None)
    is_last = view.round == view.rounds and session.to_move == view.order[-1]
    return is_last and session.game.question == "turn over"


def never(session: TableSession) -> bool:
    return False


def totals(page: Page) -> dict[int, int]:
    """Return the totals that the scene shows, by seat."""
    shown = page.locator("#scene .tally").all()
    return {
        int(tally.get_attribute("data-seat") or 0): int(
            tally.locator("[data-count=total]").inner_text().replace("\N{MINUS SIGN}", "-")
        )
        for tally in shown
    }


def vps(table: Table) -> dict[int, int]:
    """Return the players' VP as the game has them."""
    sessions.forget(table.id)  # the server has played on
    return {seat: each.vp for seat, each in enumerate(sessions.get(table.id).view(None).seats)}


def scene_of(page: Page) -> Locator:
    scene = page.get_by_role("dialog")
    expect(scene).to_be_visible()
    return scene


def none_comes(page: Page) -> None:
    """Check that no scene is shown or on its way."""
    expect(page.locator("body")).not_to_have_attribute("data-scene", re.compile(""))
    expect(page.locator("#scene")).not_to_be_visible()


@pytest.mark.slow
def test_the_count_runs_over_the_map_and_can_be_skipped(visit: Visit) -> None:
    ada = visit(reduced_motion=MOVING)
    table = make_table(people_only(2), seed=11, key=ada.key, hands="open")
    play_until(table, is_last_turn)
    page = ada.sit_down(table.id)
    none_comes(page)
    page.locator("#primary").click()
    scene = scene_of(page)
    expect(scene.get_by_role("heading", name="The canal era ends")).to_be_visible()
    expect(scene.locator(".counting, .scene.counting")).to_be_visible()
    expect(scene.get_by_role("button", name="Skip the count")).to_be_focused()
    expect(scene.get_by_text("New turn order")).not_to_be_visible()
    expect(scene.locator(".score.lit").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(scene.locator(".scene:not(.counting)")).to_be_visible()
    expect(scene.get_by_role("button", name="On to the railways")).to_be_focused()
    expect(scene.get_by_text("New turn order")).to_be_visible()
    assert totals(page) == vps(table)
    page.keyboard.press("Escape")
    none_comes(page)
    assert page.locator("#table").get_attribute("data-era") == "rail"
    page.reload()
    expect(page.locator("#table")).to_have_attribute("data-yours", "1")
    none_comes(page)  # once is enough
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Last scoring").click()
    scene_of(page).get_by_role("button", name="On to the railways").click()
    none_comes(page)


@pytest.mark.slow
def test_the_count_ends_by_itself(visit: Visit) -> None:
    ada = visit(reduced_motion=MOVING, viewport=PHONE)
    table = make_table(people_only(2), "lancashire", seed=5, key=ada.key, hands="open")
    page = ada.sit_down(table.id)
    page.goto("/")
    play_until(table, is_rail_era)
    page.goto(f"/t/{table.id}/")
    scene = scene_of(page)
    expect(scene.locator(".scene.counting")).to_be_visible()
    expect(scene.locator(".scene:not(.counting)")).to_be_visible()
    assert totals(page) == vps(table)
    figures = scene.locator(".score")
    assert figures.count() and figures.first.is_visible()
    expect(scene.get_by_role("button", name="On to the railways")).to_be_in_viewport()
    expect(scene.get_by_text("New turn order")).to_be_in_viewport()


@pytest.mark.slow
@SCREENS
def test_without_motion_the_finished_sheet_is_shown_at_once(visit: Visit, screen: str) -> None:
    ada = visit(**({"viewport": PHONE} if screen == "phone" else {}))
    table = make_table(people_only(3), "classic", seed=6, key=ada.key, hands="open")
    page = ada.sit_down(table.id)
    page.goto("/")
    play_until(table, is_rail_era)
    page.goto(f"/t/{table.id}/")
    scene = scene_of(page)
    expect(scene.locator(".scene.counting")).to_have_count(0)
    expect(scene.get_by_role("button", name="Skip the count")).not_to_be_visible()
    expect(scene.get_by_role("button", name="On to the railways")).to_be_focused()
    assert totals(page) == vps(table)
    assert violations(page) == []
    page.keyboard.press("Enter")
    none_comes(page)
    stranger = visit().open(f"/t/{table.id}/")  # who never saw the canal era
    expect(stranger.locator("#table")).to_be_visible()
    none_comes(stranger)


@pytest.mark.slow
def test_nobody_waits_for_a_scene(visit: Visit) -> None:
    """One player plays on while the other still looks at the scene."""
    ada, ben = visit(), visit()
    table = make_table(people_only(2), seed=12, key=ada.key)
    Seat.objects.filter(table=table, number=1).update(holder=ben.key)
    pages = [each.open(f"/t/{table.id}/") for each in (ada, ben)]
    for page in pages:
        expect(page.locator("#table")).to_have_attribute("data-era", "canal")
        page.goto("/")
    sessions.forget(table.id)
    play_until(table, is_rail_era)
    for page in pages:
        page.goto(f"/t/{table.id}/")
        scene_of(page)
    mover = sessions.get(table.id).to_move
    assert mover is not None
    playing, watching = pages[mover], pages[1 - mover]
    playing.get_by_role("button", name="On to the railways").click()
    stamp = seen(watching).stamp
    player, now = Player(playing, seed=1), seen(playing)
    while now.asked != "turn over":
        now = player.step()
    playing.locator("#primary").click()
    wait_for_change(watching, stamp)
    scene_of(watching).get_by_role("button", name="On to the railways").click()
    expect(watching.locator("#table")).to_have_attribute("data-yours", "1")
    none_comes(watching)


@SCREENS
def test_the_game_ends_with_a_podium(visit: Visit, screen: str) -> None:
    ada = visit(color_scheme="dark", **({"viewport": PHONE} if screen == "phone" else {}))
    table = make_table(people_only(2), seed=13, key=ada.key, hands="open", intro=True)
    play_until(table, is_last_turn)
    page = ada.sit_down(table.id)
    page.locator("#primary").click()
    scene = scene_of(page)
    sessions.forget(table.id)
    outcome = sessions.get(table.id).game.outcome()
    assert outcome is not None
    winner = outcome.ranking[0]
    expect(scene.get_by_role("heading", name="win")).to_be_in_viewport()
    first = scene.locator(".podium-1")
    expect(first).to_contain_text(winner.name)
    expect(first).to_contain_text(f"{winner.total} VP")
    assert totals(page) == {result.seat: result.total for result in outcome.results}
    assert violations(page) == []
    expect(scene.get_by_role("button", name="Play again")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#question")).to_contain_text("win")
    expect(page.locator("#story")).to_be_hidden()  # the action bar says who has won, not who scored
    page.get_by_role("link", name="See the result").click()
    expect(page).to_have_url(re.compile(r"/result/$"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "width", "height"), [(3, 1280, 720), (4, 1280, 720), (4, 1440, 900)]
)
def test_a_laptop_shows_all_players_of_the_podium(
    visit: Visit, players: int, width: int, height: int
) -> None:
    ada = visit(viewport={"width": width, "height": height}, locale="fr-FR")
    table = make_table(people_only(players), seed=13, key=ada.key, hands="open", intro=True)
    play_until(table, is_last_turn)
    page = ada.sit_down(table.id)
    page.locator("#primary").click()
    scene = scene_of(page)
    for part in (scene.locator(".podium-step"), scene.locator(".tally")):
        expect(part).to_have_count(players)
        for each in part.all():
            expect(each).to_be_in_viewport(ratio=1)
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert scene.locator(".tally-best").evaluate_all(cut) == 0
    ranks = "(all) => all.map((each) => [getComputedStyle(each).order, each.className])"
    for order, name in scene.locator(".tally").evaluate_all(ranks):
        assert f"tally-{order}" in name.split()  # the best first


@pytest.mark.slow
def test_the_replay_shows_the_scene_and_links_to_it(visit: Visit) -> None:
    ada = visit(reduced_motion=MOVING, permissions=["clipboard-read", "clipboard-write"])
    table = make_table(people_only(2), seed=13, key=ada.key, intro=True)
    play_until(table, never)
    last = sessions.get(table.id).actions
    page = ada.open(f"/t/{table.id}/replay/?at={last - 1}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#frame.scene.counting")).to_have_count(1)
    expect(page.locator("#frame .score.lit").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#frame")).to_have_attribute("data-at", str(last - 1))
    expect(page.locator("#frame .score")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("#frame")).to_have_attribute("data-at", str(last))
    page.get_by_role("link", name="Copy link to this action").click()
    expect(page.locator("#said")).to_have_text("Copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    stranger = visit().open(link.partition(ada.address)[2])
    expect(stranger.locator("#frame")).to_have_attribute("data-at", str(last))
    expect(stranger.get_by_text("Final scoring")).to_be_visible()
    assert stranger.locator("#frame .score").first.is_visible()


def test_the_log_of_the_replay_has_room_beside_four_open_hands(visit: Visit) -> None:
    ada = visit(viewport={"width": 1440, "height": 900})
    table = make_table(people_only(4), seed=14, key=ada.key, intro=True)
    play_until(table, never)
    page = ada.open(f"/t/{table.id}/replay/?at=30&as=open")
    expect(page.locator(".replay .player.open")).to_have_count(4)
    log = page.locator(".replay .log")
    box, line = log.bounding_box(), log.locator(".game-action").first.bounding_box()
    assert box and line
    assert box["height"] > 8 * line["height"] and box["y"] + box["height"] <= 900
