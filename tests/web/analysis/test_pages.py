"""The pages of an analysis: turning points, summary, curves, themes, every action, every moment."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from brassmill.web.analysis import jobs
from brassmill.web.models import GameAnalysis, Upload
from brassmill.web.setup import deal_of_the_day
from support.analyses import asked, finished_game, work
from support.paths import RECORDS
from support.web import KEY, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(scope="module")
def analysis(site: None) -> GameAnalysis:
    """Return the analysis of a game for two."""
    with mock.patch.object(jobs, "WORLDS", 2):
        return work(asked(finished_game()))


def page(address: str, language: str = "en") -> str:
    client = visitor(KEY)
    client.cookies["language"] = language
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def data(analysis: GameAnalysis) -> Any:
    return visitor().get(f"/analysis/{analysis.pk}.json").json()


def test_the_review_shows_everything(analysis: GameAnalysis) -> None:
    found = data(analysis)
    text = page(f"/analysis/{analysis.pk}/")
    assert len(found["summary"]) == 5
    for words in ("Turning points", "Summary", "Chance of winning", "Expected result", "By theme"):
        assert words in text
    assert text.index("Turning points") < text.index("Summary")
    assert (
        len(found["actions"])
        == analysis.actions
        == text.count('class="judged ')
        - sum(theme["worst"] is not None for theme in found["themes"])
    )
    for number in found["turning_points"]:
        assert f'href="/analysis/{analysis.pk}/{number}/"' in text


@pytest.mark.parametrize("language", ["de", "fr"])
def test_it_is_in_every_language(analysis: GameAnalysis, language: str) -> None:
    text = page(f"/analysis/{analysis.pk}/", language)
    assert "Turning points" not in text and "Chance of winning" not in text


def test_the_margins_and_chances_add_up(analysis: GameAnalysis) -> None:
    for action in data(analysis)["actions"]:
        assert sum(action["margins"]) == pytest.approx(0, abs=0.1)
        assert sum(action["played"]["wins"]) == pytest.approx(1, abs=0.01)
        assert action["loss"] >= 0 and action["best"]["margin"] >= action["played"]["margin"]


def test_every_moment_has_a_page_with_a_link_to_the_next(analysis: GameAnalysis) -> None:
    numbers = [action["number"] for action in data(analysis)["actions"]]
    for number in (numbers[0], numbers[len(numbers) // 2], numbers[-1]):
        text = page(f"/analysis/{analysis.pk}/{number}/")
        assert f"action {number} of {numbers[-1]}" in text
        assert (f"/{number + 1}/" in text) == (number < numbers[-1])
        assert visitor().get(f"/analysis/{analysis.pk}/{number}.json").json()["number"] == number
    assert visitor().get(f"/analysis/{analysis.pk}/{numbers[-1] + 1}/").status_code == 404


def test_the_better_action_is_shown_on_the_map(analysis: GameAnalysis) -> None:
    worst = max(data(analysis)["actions"], key=lambda action: action["loss"])
    address = f"/analysis/{analysis.pk}/{worst['number']}/"
    better, played = page(address), page(f"{address}?show=played")
    assert 'show=better" aria-current="true"' in better
    assert 'show=played" aria-current="true"' in played


def test_a_seat_s_record_is_analysed_for_its_seat() -> None:
    from brassmill import record

    game = record.load(RECORDS / "birmingham-2-intro.brass").game()
    upload = Upload.objects.create(visitor=KEY, name="mine", text=str(game.record(1)))
    answer = visitor("reader").post(f"/records/{upload.id}/analyse/")
    with mock.patch.object(jobs, "WORLDS", 2):
        found = work(GameAnalysis.objects.get(pk=answer["Location"].split("/")[2]))
    actions = data(found)["actions"]
    assert {action["seat"] for action in actions} == {1} and actions
    page(f"/analysis/{found.pk}/")
    page(f"/analysis/{found.pk}/{actions[3]['number']}/")


def test_the_deal_of_the_day_is_shown_only_to_those_who_have_played_it() -> None:
    with mock.patch.object(jobs, "WORLDS", 1):
        found = work(asked(finished_game()))
    table = found.table
    assert table is not None
    table.day = deal_of_the_day.today()
    table.save(update_fields=["day"])
    stranger = visitor("still to play")
    for address in ("/", ".json", "/1/", "/1.json"):
        assert stranger.get(f"/analysis/{found.pk}{address}").status_code == 404
    assert stranger.post(f"/analysis/{found.pk}/play/", {"at": 1, "seat": 0}).status_code == 404
    assert stranger.post(f"/analysis/{found.pk}/board/start/", {"at": 1}).status_code == 404
    assert stranger.post(f"/t/{table.id}/analyse/").get("Location") != f"/analysis/{found.pk}/"
    assert visitor().get(f"/analysis/{found.pk}/").status_code == 200
    table.day = None
    table.save(update_fields=["day"])
