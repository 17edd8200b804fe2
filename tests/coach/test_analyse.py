"""`brass hint` and `brass analyse`: what they say about records and positions."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from brassmill import record
from brassmill.cli.advice import show_advice
from brassmill.cli.main import main
from brassmill.cli.saved_games import SavedGame
from brassmill.coach import Advice, advise, analysis
from brassmill.coach.analysis import MARKS, Analysis, analyse
from brassmill.coach.chances import chance_text
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.reports.analysis import page_of, signed
from brassmill.svg.chart import LineChart, written
from support.moments import LAST_SALE
from support.paths import RECORDS

POTTERIES = RECORDS / "birmingham-4-potteries.brass"
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


@pytest.mark.slow
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
    with pytest.raises(ValueError, match="only for the seat it belongs to"):
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


def test_the_page_does_not_call_a_loser_the_best(intro: Analysis) -> None:
    first, *_more = page_of(intro).lead
    least = min(intro.summaries, key=lambda summary: summary.mean_loss)
    name = intro.record.seats[least.seat]
    assert first == f"{name} lost the least: {written(least.mean_loss, 1)} VP per action."


def test_the_page_has_a_drawing_and_a_table_for_every_screen(intro: Analysis) -> None:
    body = ElementTree.fromstring(page_of(intro).html().partition("\n")[2])
    drawn = {
        str(figure.get("id")): [div.get("class") for div in figure.findall("div")]
        for figure in body.iter("figure")
    }
    assert drawn["margin"] == ["wide", "middle", "narrow"]
    assert drawn["outlook"] == ["wide", "narrow"]
    # Where rows become paragraphs, the heads are gone: every cell says what it is.
    tables = [table for table in body.iter("table") if table.get("class") == "sentences"]
    assert len(tables) == 2
    for table in tables:
        heads = [head.text for head in table.findall("thead/tr/th")]
        assert all(heads)
        for row in table.findall("tbody/tr"):
            assert [cell.get("data-head") for cell in row] == heads


# --- by the network ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def potteries() -> Analysis:
    return analyse(shortened(POTTERIES, 4), worlds=1)


def test_the_page_tells_forecasts_from_simulated_games(
    intro: Analysis, potteries: Analysis
) -> None:
    for found, said, unsaid in (
        (intro, "over games simulated", "forecast"),
        (potteries, "A network forecasts the margin", "over games simulated"),
    ):
        page = page_of(found)
        assert said in page.closing and unsaid not in page.closing
        [outlook] = [figure for figure in page.figures if figure.name == "outlook"]
        assert ("network's forecast" in outlook.note) == (found is potteries)


def test_every_action_shows_the_margin_and_the_chance_to_win(potteries: Analysis) -> None:
    [table] = [figure.table for figure in page_of(potteries).figures if figure.name == "actions"]
    for row, verdict in zip(table.rows, potteries.verdicts, strict=True):
        told = dict(zip(table.head, row, strict=True))
        assert told["margin"] == signed(verdict.played.margin)
        assert told["to win"] == chance_text(verdict.played.chance)
        better = f"{signed(verdict.best.margin)} VP, {chance_text(verdict.best.chance)} to win"
        assert (better in told["better"]) == (verdict.mark != "good")


def test_a_hint_by_the_network_says_so() -> None:
    game = record.load(POTTERIES).game(40)
    said = shown(advise(game.edition, game.view(game.seat), worlds=2))
    assert "margin to win loss" in said and re.search(" [+\N{MINUS SIGN}]\\d+\\.\\d \\d+%", said)
    assert (
        "The network forecasts the margin and your chance to win, over 2 rounds simulated" in said
    )


def test_advice_as_data_has_the_chance_of_the_seat() -> None:
    game = record.load(POTTERIES).game(40)
    assert game.seat is not None
    for idea in advise(game.edition, game.view(game.seat), worlds=1):
        data = idea.as_dict()
        assert data["chance"] == data["wins"][game.seat] and data["by_network"] is True


# --- the commands --------------------------------------------------------------------------------


def test_analyse_writes_a_page_and_pictures(tmp_path: Path) -> None:
    path = tmp_path / "game.brass"
    path.write_text(str(shortened(INTRO, 4)))
    result = brass("analyse", path, "--worlds", 1, "--out", tmp_path / "pages", "--png")
    assert result.exit_code == 0, result.output
    assert "loss per action" in result.output
    page = tmp_path / "pages" / "game.html"
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "pages" / "game-margin.png").read_bytes().startswith(b"\x89PNG")


def test_pages_about_several_games_have_room_in_one_folder(tmp_path: Path) -> None:
    both, other = tmp_path / "both.brass", tmp_path / "other.brass"
    record.write(both, [shortened(INTRO, 1), shortened(INTRO, 2)])
    record.write(other, shortened(INTRO, 1))
    for args in ((both,), (both, "--game", 2), (other,)):
        for out in ((), ("--out", tmp_path / "pages")):
            result = brass("analyse", *args, *out, "--worlds", 1)
            assert result.exit_code == 0, result.output
    for folder in (tmp_path, tmp_path / "pages"):
        names = sorted(page.name for page in folder.glob("*.html"))
        assert names == ["both-2.html", "both.html", "other.html"]


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
    assert result.exit_code == 1 and "there is no action to analyse" in result.output


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
    assert "suggestion" in result.output
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
    last = len(record.load(INTRO).main_line())
    assert f"the game ends with action {last}; use --at" in result.output
    refused = brass("hint", INTRO, "--seat", 1).output
    assert "no more choices; use --at" in refused


def test_a_hint_says_how_sure_it_is_if_it_can() -> None:
    game = record.load(INTRO).game(3)
    said = {}
    for worlds in (1, 2):
        advice = advise(game.edition, game.view(game.seat), worlds=worlds)
        said[worlds] = shown(advice)
    assert "over 1 game simulated" in said[1] and "off by" not in said[1]
    assert (
        "over 2 games simulated" in said[2]
        and "The margin of the first suggestion may be off by" in said[2]
    )
    assert "off by" not in shown([replace(advice[0], error=0.01)])


def shown(advice: list[Advice]) -> str:
    """What the terminal says, in one line."""
    console = Console(width=80, record=True, file=StringIO())
    show_advice(console, advice)
    return " ".join(console.export_text().split())


@pytest.mark.parametrize(
    "text", ["", "# Hello\n", '{"format": "brassmill arena"}\n', "\x89PNG\r\n"]
)
def test_what_is_neither_a_record_nor_a_position_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode("latin-1"))
    result = brass("hint", path)
    assert result.exit_code == 1
    assert f"{path}: this is neither a record" in result.output


def test_a_position_may_leave_out_how_many_play(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("lancashire\n")
    result = brass("hint", path, "--worlds", 1)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("command", ["hint", "analyse"])
def test_a_folder_is_no_record(command: str) -> None:
    result = brass(command, ".")
    assert result.exit_code == 1
    assert "this is a folder, not a file" in result.output


@pytest.mark.parametrize("command", ["hint", "analyse"])
def test_a_saved_game_is_refused_with_the_place_of_the_coach(tmp_path: Path, command: str) -> None:
    path = tmp_path / "birmingham.game"
    path.write_bytes(SavedGame("birmingham", 2, {}, "you,greedy", seed=1).pack())
    result = brass(command, path)
    assert result.exit_code == 1
    assert f"{path}: this is a saved game, not a record" in result.output
    assert "hint asks the coach" in result.output and "save FILE" in result.output
