"""The analysis board: the real controls for all seats, an evaluation, undo, and variations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client

from brassmill import record
from brassmill.web.analysis import board, evaluation, games, jobs
from brassmill.web.identity import rate_limit
from brassmill.web.models import AnalysisBoard, GameAnalysis, Upload
from brassmill.web.run import old_rows
from brassmill.web.server import database
from brassmill.web.table import coach
from brassmill.web.table.session import TableSession
from support.analyses import asked, finished_game, work
from support.people import make_account
from support.sessions import wait_for
from support.web import visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(scope="module")
def game(site: None) -> TableSession:
    return finished_game()


@pytest.fixture(scope="module")
def analysis(game: TableSession) -> GameAnalysis:
    with mock.patch.object(jobs, "WORLDS", 2):
        return work(asked(game))


class Desk:
    """A visitor at their board."""

    def __init__(self, analysis: GameAnalysis, at: int, key: str = "eve") -> None:
        self.client: Client = visitor(key)
        self.start = f"/analysis/{analysis.pk}/board/"
        answer = self.client.post(self.start, {"at": at})
        assert answer.status_code == 302, answer.content
        self.address = answer["Location"].rstrip("/")

    def model(self) -> Any:
        return self.client.get(f"{self.address}.json").json()

    def click(self, what: str, **form: Any) -> Any:
        sent = {"number": self.model()["number"], **form}
        answer = self.client.post(f"{self.address}/{what}/", sent)
        assert answer.status_code == 302
        return self.model()

    def act(self) -> Any:
        """Take one action of the player to move, the first choice each time, and end their turn."""
        while True:
            model = self.model()
            if model["asked"] == "turn over":
                return self.click("end")
            model = self.click("choose", choice=model["offers"][0]["id"])
            if model["asked"] == "action":
                return model


def test_it_stands_where_the_game_stood_and_is_played_for_all_seats(
    game: TableSession, analysis: GameAnalysis
) -> None:
    desk = Desk(analysis, 4)
    model = desk.model()
    assert model["start"] == 4 and model["your_turn"]
    assert model["you"] == game.game.actions[4].seat
    movers = {model["to_move"]}
    for _turn in range(6):
        model = desk.act()
        movers.add(model["to_move"])
    assert movers == {0, 1}


def test_undo_goes_back_and_keeps_what_was_tried(analysis: GameAnalysis) -> None:
    desk = Desk(analysis, 3, "undo")
    before = desk.model()
    desk.act()
    after = desk.act()
    assert len(after["variations"]) == 1
    while desk.model()["number"]:
        desk.click("back")
    back = desk.model()
    assert back["offers"] == before["offers"] and back["variations"] == after["variations"]
    desk.act()
    assert desk.click("back", all="1")["number"] == 0


def test_a_stale_or_illegal_click_changes_nothing(analysis: GameAnalysis) -> None:
    desk = Desk(analysis, 3, "stale")
    choice = desk.model()["offers"][0]["id"]
    for form in ({"choice": choice, "number": 7}, {"choice": 5_000}, {"choice": "x"}, {}):
        assert desk.click("choose", **form)["number"] == 0
    assert desk.click("end")["number"] == 0


def test_the_record_is_downloaded_with_every_variation(
    game: TableSession, analysis: GameAnalysis
) -> None:
    desk = Desk(analysis, 3, "writer")
    desk.act()
    desk.act()
    desk.client.post(desk.start, {"at": 6})
    desk.act()
    kept = desk.model()["variations"]
    text = desk.client.get(f"{desk.address}/record/").content.decode()
    found = record.loads(text)
    assert found.verify() == [] and len(found.main_line()) == game.actions
    lines = {
        tuple(node.text for node in child.main_line()): child.text
        for parent in [found.root, *found.main_line()]
        for child in parent.children
    }
    for variation in kept:
        place = [found.root, *found.main_line()][variation["after"]]
        assert variation["actions"][0] in [child.text for child in place.children], lines


def test_the_position_is_evaluated(analysis: GameAnalysis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "WORLDS", 1)
    desk = Desk(analysis, 5, "asker")
    address = f"{desk.address}/evaluation/"
    wait_for(lambda: "<ol" in desk.client.get(address).content.decode())
    text = desk.client.get(address).content.decode()
    assert text.count("<tr>") == 2 and "Expected result" in text


def test_evaluations_are_limited_like_hints(analysis: GameAnalysis) -> None:
    desk = Desk(analysis, 7, "asks-often")
    with mock.patch.object(coach.queue, "put") as put:
        with mock.patch.object(rate_limit, "is_allowed", return_value=False) as asked_for:
            page = desk.client.get(f"{desk.address}/evaluation/").content.decode()
        assert asked_for.call_args.args[1] == rate_limit.HINTS
        assert not put.called and "<ol" not in page
        for _again in range(2):
            desk.client.get(f"{desk.address}/evaluation/")
    assert put.call_count == 1 and put.call_args.args[0] == "asks-often", "a visitor has one place"


def test_downloads_are_limited(analysis: GameAnalysis) -> None:
    desk = Desk(analysis, 3, "downloads-often")
    with mock.patch.object(rate_limit, "is_allowed", return_value=False) as asked_for:
        assert desk.client.get(f"{desk.address}/record/").status_code == 429
    assert asked_for.call_args.args[1] == rate_limit.PICTURES


def some_uploads(number: int) -> list[Upload]:
    return [Upload.objects.create(visitor="x", name="x", text="x") for _upload in range(number)]


def test_boards_without_an_account_are_kept_for_some_weeks_and_not_too_many(
    site: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    AnalysisBoard.objects.all().delete()
    owners, now = ("guest", make_account().key), database.now()
    ages = {
        "old": board.KEPT + timedelta(hours=1),
        "new": timedelta(hours=1),
        "newest": timedelta(),
    }
    kept = {
        AnalysisBoard.objects.create(upload=upload, visitor=key, start=0, touched=now - past).pk: (
            key,
            age,
        )
        for key in owners
        for (age, past), upload in zip(ages.items(), some_uploads(3), strict=True)
    }

    def gone() -> set[tuple[str, str]]:
        there = AnalysisBoard.objects.values_list("pk", flat=True)
        return set(kept.values()) - {kept[pk] for pk in there}

    old_rows.forget_old()
    assert gone() == {("guest", "old")}
    monkeypatch.setattr(board, "MOST_OF_SITE", 1)
    old_rows.forget_old()
    assert gone() == {("guest", "old"), ("guest", "new")}


def test_a_visitor_has_a_number_of_boards(
    analysis: GameAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "MOST", 2)
    other = Desk(analysis, 3, "somebody-else")
    timeline = games.timeline_of(analysis)
    boards = [board.begin("has-many", 0, timeline, upload=one, game=1) for one in some_uploads(3)]
    assert set(AnalysisBoard.objects.filter(visitor="has-many")) == set(boards[1:])
    assert other.client.get(f"{other.address}/").status_code == 200


def test_a_board_is_its_visitor_s_alone(analysis: GameAnalysis) -> None:
    desk = Desk(analysis, 3, "mine")
    stranger = visitor("somebody else")
    pages = ("", "why/?on=do-build", "preview/?choice=1", "part/?drawer=mats", "evaluation/")
    for page in (*pages, "record/"):
        assert desk.client.get(f"{desk.address}/{page}").status_code in (200, 204)
        assert stranger.get(f"{desk.address}/{page}").status_code == 404
    assert stranger.post(f"{desk.address}/end/", {"number": 0}).status_code == 404


def test_the_page_and_its_parts(analysis: GameAnalysis) -> None:
    desk = Desk(analysis, 3, "reader")
    for page in ("/", "/why/?on=do-sell", "/part/?drawer=mats", "/part/?drawer=symbols"):
        assert desk.client.get(desk.address + page).status_code in (200, 204), page
    choice = desk.model()["offers"][0]["id"]
    assert desk.client.get(f"{desk.address}/preview/?choice={choice}").status_code == 200
    part = {"HX-Request": "true"}
    sent = {"number": 0, "choice": choice}
    assert desk.client.post(f"{desk.address}/choose/", sent, headers=part).status_code == 200
