"""`brass hint` and `brass analyse`: what they say about records and positions."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from brassmill import record
from brassmill.cli.main import main
from brassmill.coach import analysis
from brassmill.coach.analysis import MARKS, Analysis, analyse
from brassmill.coach.report import page_of
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.svg.chart import LineChart
from moments import LAST_SALE

RECORDS = Path(__file__).parent / "records"
INTRO = RECORDS / "birmingham-2-intro.brass"
DEBT = RECORDS / "lancashire-4-classic-deck-debt.brass"


def brass(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], env={"LANGUAGE": "en"})


def shortened(path: Path, actions: int) -> record.Record:
    """The first actions of a game."""
    return record.load(path).game(actions).record()


@pytest.fixture(scope="module")
def intro() -> Analysis:
    return analyse(record.load(INTRO), worlds=2)


# --- analyses ------------------------------------------------------------------------------------


def test_every_action_is_judged_against_the_best(intro: Analysis) -> None:
    game = record.load(INTRO).game()
    assert [verdict.number for verdict in intro.verdicts] == list(range(1, len(game.actions) + 1))
    for verdict, action in zip(intro.verdicts, game.actions, strict=True):
        assert verdict.action == action and verdict.seat == action.seat
        assert verdict.played.action.ids == action.ids
        assert verdict.loss == pytest.approx(verdict.best.margin - verdict.played.margin)
        assert verdict.loss >= 0
        assert MARKS[verdict.mark] <= verdict.loss
        assert sum(verdict.margins) == pytest.approx(0)
    outcome = game.outcome()
    assert outcome is not None
    assert intro.points == tuple(result.total for result in outcome.results)


def test_a_wasted_action_costs_and_the_best_costs_nothing() -> None:
    marks = []
    for text in ("pass; card Dudley", "sell cotton Worcester; remove coal; card Dudley"):
        game = Game.from_position(LAST_SALE)
        game.play(text)
        [verdict, *_others] = analyse(game.record(), worlds=2).verdicts
        marks.append(verdict.mark)
    assert marks == ["blunder", "good"]


def test_the_seats_are_summed_up(intro: Analysis) -> None:
    for summary in intro.summaries:
        own = [verdict for verdict in intro.verdicts if verdict.seat == summary.seat]
        assert sum(summary.marks.values()) == summary.actions == len(own)
        assert summary.mean_loss == pytest.approx(sum(v.loss for v in own) / len(own))
        losses = [verdict.loss for verdict in summary.worst]
        assert len(losses) <= 3 and losses == sorted(losses, reverse=True)
        if losses:
            assert losses[0] == max(verdict.loss for verdict in own)


def test_swings_are_falls_from_round_to_round(intro: Analysis) -> None:
    rounds = {(each.era, each.round): each for each in intro.rounds}
    assert len(rounds) == record.load(INTRO).edition.rounds
    for swing in intro.swings:
        assert swing.after == rounds[swing.era, swing.round].margins[swing.seat]
        assert swing.change == pytest.approx(swing.after - swing.before)
    changes = [swing.change for swing in intro.swings]
    assert changes == sorted(changes) and changes[0] < 0


def test_a_debt_and_sales_far_away_can_be_judged() -> None:
    played = record.load(DEBT)
    first = next(n for n, node in enumerate(played.main_line()) if "give up" in node.text)
    game = played.game(first + 1)
    found = analyse(game.record(), worlds=1, seats=[game.actions[-1].seat])
    assert found.verdicts[-1].action.text.startswith("give up")


def test_the_same_worlds_say_the_same_again() -> None:
    played = shortened(INTRO, 4)
    first, again = (analyse(played, worlds=2).verdicts for _ in range(2))
    assert first == again


def test_a_seats_record_is_judged_by_what_it_knew() -> None:
    game = record.load(INTRO).game(6)
    own = game.record(seat=0)
    full = analyse(game.record(), worlds=2, seats=[0])
    found = analyse(own, worlds=2)
    assert {verdict.seat for verdict in found.verdicts} == {0}
    assert [(v.played, v.best) for v in found.verdicts] == [
        (v.played, v.best) for v in full.verdicts
    ]
    assert analyse(own, worlds=2, seats=(0,)) == found
    with pytest.raises(ValueError, match="what one seat knew"):
        analyse(own, worlds=2, seats=[1])


# --- the page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_is_well_formed_and_has_every_action(intro: Analysis, code: str) -> None:
    with speaking(code):
        html = page_of(intro).html()
        body = ElementTree.fromstring(html.partition("\n")[2])
        words = " ".join(body.itertext())
        for verdict in intro.verdicts:
            assert verdict.action.text_in(code) in words
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")


def test_the_chart_ends_with_the_result(intro: Analysis) -> None:
    [chart] = [f.chart for f in page_of(intro).figures if f.name == "margin"]
    assert isinstance(chart, LineChart)
    assert intro.points is not None
    ahead = intro.points[0] - intro.points[1]
    assert [series.points[-1][1] for series in chart.series] == [ahead, -ahead]


# --- the commands --------------------------------------------------------------------------------


def test_analyse_writes_a_page_and_pictures(tmp_path: Path) -> None:
    path = tmp_path / "game.brass"
    path.write_text(str(shortened(INTRO, 4)))
    result = brass("analyse", path, "--worlds", 1, "--out", tmp_path / "pages", "--png")
    assert result.exit_code == 0, result.output
    assert "loss an action" in result.output
    page = tmp_path / "pages" / "analysis.html"
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "pages" / "analysis-margin.png").read_bytes().startswith(b"\x89PNG")


def test_analyse_as_data(tmp_path: Path) -> None:
    path = tmp_path / "game.brass"
    path.write_text(str(shortened(INTRO, 4)))
    result = brass("analyse", path, "--worlds", 1, "--json", "--seat", 1)
    data = json.loads(result.stdout)
    assert {action["seat"] for action in data["actions"]} == {data["seats"][0]}
    assert not list(tmp_path.glob("*.html"))


def test_a_game_that_has_not_begun_cannot_be_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "game.brass"
    path.write_text(str(shortened(INTRO, 0)))
    result = brass("analyse", path, "--worlds", 1)
    assert result.exit_code == 1 and "there is no action to look at" in result.output


def test_what_is_interrupted_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(analysis, "analyse", interrupted)
    path = tmp_path / "game.brass"
    path.write_text(str(shortened(INTRO, 2)))
    result = brass("analyse", path, "--worlds", 1)
    assert result.exit_code == 130
    assert list(tmp_path.iterdir()) == [path]


def test_a_hint_for_a_record_and_for_a_position(tmp_path: Path) -> None:
    result = brass("hint", INTRO, "--at", 3, "--worlds", 2)
    assert result.exit_code == 0, result.output
    assert "what you might do" in result.output
    path = tmp_path / "position.txt"
    path.write_text(record.load(INTRO).game(3).position_text())
    ideas = [
        [idea["action"] for idea in json.loads(brass(*args).stdout)["advice"]]
        for args in (
            ("hint", INTRO, "--at", 3, "--worlds", 2, "--json"),
            ("hint", path, "--worlds", 2, "--json"),
        )
    ]
    assert ideas[0] and set(ideas[0]) & set(ideas[1])


def test_a_hint_goes_on_to_the_next_choice_of_a_seat() -> None:
    for seat in (1, 2):
        result = brass("hint", INTRO, "--at", 0, "--seat", seat, "--worlds", 1, "--json")
        data = json.loads(result.stdout)
        assert data["seat"] == record.load(INTRO).seats[seat - 1]


def test_there_is_no_hint_after_the_end() -> None:
    result = brass("hint", INTRO)
    assert result.exit_code == 1
    assert "The game is over." in result.output
    assert "no choice any more" in brass("hint", INTRO, "--seat", 1).output
