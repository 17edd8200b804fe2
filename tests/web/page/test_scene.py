"""The end of an era as a scene: its figures are those of the rules, and everyone gets the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from brassmill import record
from brassmill.core.engine import Engine
from brassmill.core.names import SOURCES
from brassmill.web.page.scene import (
    END,
    EraEnd,
    Scene,
    board_before,
    scene_map,
    scene_of,
)
from brassmill.web.replay.timeline import Timeline
from brassmill.web.table import sessions
from brassmill.web.table.scene_views import ending_of
from brassmill.web.table.session import TableSession
from support.paths import RECORDS
from support.web import make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

# Every edition and number of players, introductory games, and debts at the end of an era.
NAMES = (
    *("birmingham-2-debt", "birmingham-2-intro", "birmingham-3-scouts", "birmingham-4-potteries"),
    *("classic-3-debt", "classic-4-mills", "lancashire-2-community-map", "lancashire-3-intro"),
    *("lancashire-3-mills", "lancashire-4-classic-deck-debt", "lancashire-4-intro"),
)
TOWN = 130  # the height of the highest town on a map: its tiles are counted together


@cache
def timeline_of(path: Path) -> Timeline:
    return Timeline(record.load(path))


def endings(name: str) -> Iterator[tuple[Timeline, EraEnd, Scene]]:
    """Yield every end of an era in a recorded game."""
    timeline = timeline_of(RECORDS / f"{name}.brass")
    for number, ending in timeline.endings.items():
        scene = timeline.scene(number)
        assert scene is not None
        yield timeline, ending, scene


def state_of(timeline: Timeline, position: bytes) -> Engine:
    return Engine(timeline.edition, timeline.seats, position)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_scene_for_each_era(name: str) -> None:
    found = [scene.name for _timeline, _ending, scene in endings(name)]
    assert found == (["end"] if "intro" in name else ["canal", "end"])


@pytest.mark.parametrize("name", NAMES)
def test_every_player_scores_what_the_rules_have_scored(name: str) -> None:
    for timeline, ending, scene in endings(name):
        before = state_of(timeline, board_before(timeline.edition, ending)).state
        after = state_of(timeline, ending.after).state
        era = int(before.era)
        scored = after.points[:, era] - before.points[:, era]  # by source
        for tally in scene.players:
            by_source = dict(zip(SOURCES, scored[tally.seat].tolist(), strict=True))
            by_source.pop("debt")  # paid at the end of the round, not scored
            sums = Counter({source.name: source.points for source in tally.sources})
            for source in ("links", "cash", "income"):
                assert sums.pop(source, 0) == by_source.pop(source), (tally, source)
            assert sums.pop("tiles", 0) == sum(by_source.values())
            assert not sums
            assert tally.before == before.vp[tally.seat] - lost(ending, tally.seat, scored=False)
            assert tally.before + tally.points == tally.total
            assert tally.total == after.vp[tally.seat] + lost(ending, tally.seat, scored=True)


def lost(ending: EraEnd, seat: int, scored: bool) -> int:
    """Return the VP lost for a debt before or after the scoring."""
    kinds = [event.kind for event in ending.events]
    middle = kinds.index("era_ended")
    events = ending.events[middle:] if scored else ending.events[:middle]
    return sum(event.points for event in events if event.kind == "vp_lost" and event.seat == seat)


@pytest.mark.parametrize("name", NAMES)
def test_the_count_runs_step_by_step_to_the_totals(name: str) -> None:
    for _timeline, _ending, scene in endings(name):
        assert [item.seat for item in scene.items] == [
            item.seat for tally in scene.players for item in scene.of(tally.seat)
        ], "player by player"
        for tally in scene.players:
            total, sources = tally.before, Counter[str]()
            for item in scene.of(tally.seat):
                total += item.points
                sources[item.source] += item.points
                assert (item.total, item.source_total) == (total, sources[item.source])
            assert total == tally.total
        assert scene.most == max(tally.total for tally in scene.players)


@pytest.mark.parametrize("name", NAMES)
def test_the_count_goes_down_the_map(name: str) -> None:
    for timeline, ending, scene in endings(name):
        drawn = scene_map(timeline.edition, timeline.seats, ending, "tall")
        figures = re.findall(r'translate\([\d.]+ ([\d.]+)\)" data-on="([\w-]+)"', drawn)
        heights = {element: float(y) for y, element in figures}
        for tally in scene.players:
            for source in ("links", "tiles"):
                items = [item for item in scene.of(tally.seat) if item.source == source]
                down = [heights[item.element] for item in items]
                assert all(after > before - TOWN for before, after in pairwise(down)), down


@pytest.mark.parametrize("name", NAMES)
def test_the_map_is_the_board_before_the_scoring(name: str) -> None:
    for timeline, ending, scene in endings(name):
        before = state_of(timeline, board_before(timeline.edition, ending)).state
        figures = {item.element: item.on_map for item in scene.items if item.element}
        drawn = scene_map(timeline.edition, timeline.seats, ending, "wide")
        shown = re.findall(r'data-on="([\w-]+)"><g[^>]*>.*?<text[^>]*>(\d+)</text>', drawn)
        assert {element: int(points) for element, points in shown} == figures
        assert drawn.count("data-scored") == len(figures)
        links = int((before.link_owner[: len(timeline.edition.lines)] >= 0).sum())
        assert len(re.findall(r'class="line[^"]*\bbuilt\b', drawn)) == links
        assert len(re.findall(r'class="space taken', drawn)) == int((before.tile > 0).sum())
        assert " id=" not in drawn


def test_what_leaves_the_board_and_the_order_are_those_of_the_next_position() -> None:
    for timeline, ending, scene in endings("birmingham-4-potteries"):
        before = state_of(timeline, board_before(timeline.edition, ending)).state
        after = state_of(timeline, ending.after).state
        if scene.name == END:
            assert (scene.leaves, scene.leaving, scene.order) == ((), (), ())
            continue
        gone = int(((before.tile > 0) & (after.tile == 0)).sum())
        assert scene.leaves == ("16 canals", f"{gone} level I tiles")
        assert len(scene.leaving) == 16 + gone
        assert scene.order == tuple(after.order.tolist())


def test_a_tile_removed_for_a_debt_is_not_on_the_board() -> None:
    timeline, ending, _scene = next(endings("birmingham-2-debt"))
    removed = [event.space for event in ending.events if event.kind == "gave_up"]
    board = state_of(timeline, board_before(timeline.edition, ending)).state
    assert removed
    for name in removed:
        place, number = timeline.edition.find_space(name)
        assert board.tile[timeline.edition.space_at(place, number or 1)] == 0


def test_in_the_introductory_game_higher_tiles_score_twice() -> None:
    (_timeline, _ending, scene) = next(endings("birmingham-2-intro"))
    times = Counter(item.element for item in scene.items if item.source == "tiles")
    assert 2 in times.values()
    for item in scene.items:
        if times[item.element] == 2:
            assert item.on_map in (item.points, 2 * item.points)
    assert {"cash", "income"} & {source.name for tally in scene.players for source in tally.sources}


def test_the_end_has_a_podium() -> None:
    (_canal, (_timeline, _ending, scene)) = endings("birmingham-4-potteries")
    assert [tally.rank for tally in scene.podium] == [1, 2, 3, 4]
    assert scene.podium[0].name in scene.headline and "VP ahead of" in scene.decided
    assert all(tally.best for tally in scene.podium)
    (_timeline, ending, _scene) = next(endings("birmingham-2-shared-win"))
    assert scene_of(_timeline.edition, ("Ada", "Ben"), ending).headline == ""


# --- at a table ----------------------------------------------------------------------------------


def play_until(session: TableSession, era: str) -> TableSession:
    """Play to the first turn of an era, or to the end."""
    with no_bots():
        while not session.over and session.game.era != era:
            play_turn(session)
    return session


def test_a_scene_can_be_fetched_once_its_era_has_ended() -> None:
    session = sessions.get(make_table(people_only(2), "lancashire", seed=2).id)
    address, twin = (f"/t/{session.table.id}/scene{ending}" for ending in ("/", ".json"))
    assert visitor().get(address).status_code == 204
    assert visitor().get(twin).json() == {}
    play_until(session, "rail")
    page = visitor().get(address, {"of": "canal", "shape": "tall"})
    assert page.status_code == 200 and "The canal era ends" in page.content.decode()
    assert 'viewBox="0 0 780 1500"' in page.content.decode()
    assert visitor().get(address, {"of": "end"}).status_code == 204
    assert visitor().get(address, {"of": "rail"}).status_code == 404
    data = visitor("a stranger").get(twin).json()
    assert data == visitor().get(twin).json()
    totals = {tally["seat"]: tally["total"] for tally in data["players"]}
    assert totals == {seat: player.vp for seat, player in enumerate(session.view(None).seats)}
    session.void()  # an end without a result has no final scoring
    assert ending_of(session, END) is None and ending_of(session) is not None
    session.rewind(session.turn_starts[1].entry)
    assert ending_of(session) is None


def test_only_players_are_asked_to_play_again() -> None:
    session = sessions.get(make_table(people_only(2), seed=3, intro=True).id)
    play_until(session, "")
    address = f"/t/{session.table.id}/scene/?of=end"
    page = visitor().get(address).content.decode()
    assert "Final scoring" in page and "Play again" in page
    assert "Play again" not in visitor("a stranger").get(address).content.decode()
