"""The arena report: a standalone page, its charts and its text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from brassmill.arena.results import Forfeited, GameResult, Results, ResultsFile
from brassmill.arena.statistics import summary
from brassmill.cli.main import main
from brassmill.language import LANGUAGES, speaking
from brassmill.reports.arena import duration, page, page_of, pictures
from brassmill.reports.arena_figures import figures, seconds, share_words
from brassmill.reports.html import Figure
from brassmill.svg.chart import BarChart, Board, DistributionChart, IntervalChart
from support.arena_games import results_of, schedule_of
from svg.test_table import faults

STRONG, WEAK = "planner:100ms", "process:./bot --name '<A & B>'"


def brass(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], env={"LANGUAGE": "en"})


def run_of(*bots: str, players: int = 2, games: int = 8) -> Results:
    """A run in which bots named earlier are better."""
    schedule = schedule_of(players, *bots, games=games)
    scores = ([120 - 30 * n + 2 * (game % 7) for n in range(len(bots))] for game in range(games))
    return results_of(schedule, scores)


def uneven() -> Results:
    """A run in which the two bots win in turn."""
    scores = [[100, 80 + 10 * (game // 2 % 5)] for game in range(20)]
    return results_of(schedule_of(2, STRONG, WEAK, games=20), scores)


@pytest.fixture
def duel() -> Results:
    return run_of(STRONG, WEAK)


def changed(results: Results, number: int, **fields: object) -> Results:
    """The same, except for some fields of the first seat of a game."""
    game = results.games[number]
    first, *others = game.players
    player = replace(first, **fields)  # type: ignore[arg-type]
    games: dict[int, GameResult] = {**results.games}
    games[number] = replace(game, players=(player, *others))
    return replace(results, games=games)


def found(results: Results, name: str) -> Figure:
    [figure] = [f for f in figures(results, summary(results)) if f.name == name]
    return figure


def names(results: Results) -> list[str]:
    return [figure.name for figure in figures(results, summary(results))]


def words_of(page: str) -> str:
    return " ".join(ElementTree.fromstring(page.partition("\n")[2]).itertext())


# --- what there is -------------------------------------------------------------------------------


def test_bots_are_compared_where_there_are_several(duel: Results) -> None:
    compared = {"rating", "places", "duels"}
    assert compared <= set(names(duel))
    alone = names(run_of(STRONG))
    assert not compared & set(alone)
    assert alone[0] == "score"
    assert set(names(duel)) - compared == set(alone) - {"score"}


def test_the_ranking_has_the_best_first(duel: Results) -> None:
    figure = found(run_of(WEAK, "middle", STRONG, players=3, games=9), "rating")
    assert isinstance(figure.chart, IntervalChart)
    assert [row.name for row in figure.chart.rows] == [WEAK, "middle", STRONG]
    assert [row[0] for row in figure.table.rows] == [WEAK, "middle", STRONG]
    assert not any(row.between for row in figure.chart.rows)  # it always ended like this
    chart = found(uneven(), "rating").chart
    assert isinstance(chart, IntervalChart)
    for row in chart.rows:
        assert row.between and row.between[0] <= row.value <= row.between[1]


def test_places_are_shares_of_the_games(duel: Results) -> None:
    figure = found(duel, "places")
    assert figure.table.rows == [[STRONG, "100%", "0%"], [WEAK, "0%", "100%"]]


def test_scores_hold_every_game_and_mark_the_won_ones(duel: Results) -> None:
    chart = found(duel, "scores").chart
    assert isinstance(chart, DistributionChart)
    strong, weak = chart.rows
    assert len(strong.values) == len(weak.values) == len(duel.games)
    assert (len(strong.marked), len(weak.marked)) == (len(duel.games), 0)


def test_points_by_source_add_up_to_the_points(duel: Results) -> None:
    chart = found(duel, "sources").chart
    assert isinstance(chart, BarChart)
    bots = summary(duel).bots
    for bar, bot in zip(chart.bars, bots, strict=False):
        assert sum(bar.values) == pytest.approx(bot.vp.mean)
    assert [bar.name for bar in chart.bars] == [STRONG, WEAK, "winners"]
    assert chart.bars[2].values == chart.bars[0].values  # who always won
    assert {part.name for part in chart.parts} == {"links", "cotton mills"}


def test_what_winners_built_is_beside_what_all_built(duel: Results) -> None:
    first = duel.bot(duel.games[0], 0)
    results = changed(duel, 0, built={"cotton": (1, 1, 3), "brewery": (2,) * 8})
    chart = found(results, "built").chart
    assert isinstance(chart, BarChart)
    cotton, brewery = chart.bars
    assert [part.name for part in chart.parts] == ["I", "II", "III"]
    assert list(cotton.values) == list(cotton.beside) == [2, 0, 1]
    assert sum(brewery.values) == (1 if first == STRONG else 0)
    assert sum(brewery.beside) == 0.5


def test_the_starting_position_is_shown_relative_to_the_mean(duel: Results) -> None:
    board = found(duel, "order").chart
    assert isinstance(board, Board)
    for small, bot in zip(board.charts, summary(duel).bots, strict=True):
        assert isinstance(small, IntervalChart)
        assert small.title == bot.bot
        assert sum(row.value for row in small.rows) == pytest.approx(0, abs=1e-9)


def test_forfeits_are_shown_if_there_are_any(duel: Results) -> None:
    assert "forfeits" not in names(duel)
    results = changed(duel, 0, forfeits=(Forfeited(3, "late", "60 s"), Forfeited(9, "late", "")))
    figure = found(results, "forfeits")
    assert list(figure.table.head) == ["bot", "late"]
    assert sorted(row[1] for row in figure.table.rows) == ["0", "2"]


def test_the_first_lines_say_who_forfeited_how_often_and_why(duel: Results) -> None:
    assert "forfeited" not in words_of(page(duel))
    first = Forfeited(3, "crashed", "KeyError: 'coal'\n" + "x" * 300)
    results = changed(duel, 0, forfeits=(first, *[Forfeited(9, "late", "60 s")] * 1299))
    bot = duel.bot(duel.games[0], 0)
    [said] = [line for line in page_of(results).lead if "forfeited" in line]
    assert said.startswith(f"{bot} forfeited 1300 choices, the first (crashed): KeyError: 'coal' x")
    assert len(said) < 300
    once = changed(duel, 0, forfeits=(Forfeited(3, "late", "60 s"),))
    assert f"{bot} forfeited 1 choice (late): 60 s" in words_of(page(once))


def test_too_few_deals_are_reported(duel: Results) -> None:
    assert "4 deals are too few for intervals; at least 6 are needed." in words_of(page(duel))
    assert "too few" not in words_of(page(run_of(STRONG, WEAK, games=12)))


def test_a_duel_has_all_measures_of_the_terminal(duel: Results) -> None:
    table = found(duel, "duels").table
    [figures] = summary(duel).duels
    [row] = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    assert row["deals by VP"] == share_words(figures.deals_by_vp)
    assert row["deals by rank"] == share_words(figures.deals_by_rank)
    assert row["games by rank"] == share_words(figures.games_by_rank)


@pytest.mark.slow
def test_many_duels_are_only_a_table() -> None:
    many = run_of(*(f"bot{n}" for n in range(7)), players=4, games=140)
    assert found(many, "duels").chart is None
    assert found(run_of(STRONG, WEAK), "duels").chart is not None
    assert "duels" not in pictures(many)
    assert 'id="duels"' in page(many)


# --- the page ------------------------------------------------------------------------------------


def test_the_page_needs_nothing_from_elsewhere(duel: Results) -> None:
    written = page(duel)
    assert not re.search(r"<(script|link|img|iframe)|@import|url\(|\b(src|href)=", written)
    assert set(re.findall(r"https?://[^\"' ]+", written)) == {"http://www.w3.org/2000/svg"}
    assert "prefers-color-scheme:dark" in written


def test_the_page_is_whole(duel: Results) -> None:
    root = ElementTree.fromstring(page(duel).removeprefix("<!DOCTYPE html>\n"))
    said = words_of(page(duel))
    for text in (
        "Brass: Birmingham, 2 players",
        STRONG,
        WEAK,
        "8 Deals 4 Seed 1",
        "60 s per choice",
    ):
        assert text in re.sub(r"\s+", " ", said), text
    ids = [node.attrib["id"] for node in root.iter("figure")]
    assert ids == names(duel)
    for figure in root.iter("figure"):
        screens = [div.get("class") for div in figure.findall("div")]
        assert screens == ["wide", "narrow"]
        assert figure.find("details//table") is not None


def test_the_page_says_what_is_still_to_be_played(duel: Results) -> None:
    assert "so far" not in words_of(page(duel))
    unfinished = replace(duel, games={n: game for n, game in duel.games.items() if n < 6})
    assert "6 of 8 games have been played so far." in words_of(page(unfinished))


def test_the_page_starts_with_the_result(duel: Results) -> None:
    assert f"{STRONG} leads: it won 100% of its games" in words_of(page(duel))
    assert f"{STRONG} against itself" in words_of(page(run_of(STRONG)))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_speaks_the_language_of_its_reader(code: str, duel: Results) -> None:
    with speaking(code):
        written = page(duel)
        assert f'<html lang="{code}">' in written
        assert all(faults(picture.document(None)) == [] for picture in pictures(duel).values())
    said = {"en": "Victory points by source", "de": "Siegpunkte nach", "fr": "Points de victoire"}
    assert said[code] in written


def test_times_have_their_own_unit() -> None:
    assert [duration(time) for time in (2, 600, 36000)] == ["2.0 s", "10.0 min", "10.0 h"]
    assert [seconds(time) for time in (0.00004, 0.098, 2)] == ["0.04 ms", "98 ms", "2.0 s"]


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path, duel: Results) -> Path:
    """A file with results."""
    file = tmp_path / "run.jsonl"
    with ResultsFile(file, duel.schedule) as kept:
        for game in duel.games.values():
            kept.add(game)
    return file


def test_the_page_lies_beside_the_results(path: Path, duel: Results) -> None:
    made = brass("report", path)
    assert made.exit_code == 0, made.output
    assert path.with_suffix(".html").read_text("utf-8") == page(duel)
    assert {file.suffix for file in path.parent.iterdir()} == {".jsonl", ".html"}


@pytest.mark.parametrize(
    ("out", "target"), [("here", "here/run.html"), ("new/page.html", "new/page.html")]
)
def test_the_page_goes_where_out_says(path: Path, out: str, target: str) -> None:
    made = brass("report", path, "--out", path.parent / out, "--png")
    assert made.exit_code == 0, made.output
    html = path.parent / target
    images = sorted(html.parent.glob("*.png"))
    assert html.exists()
    assert f"{html.stem}-rating.png" in [image.name for image in images]
    assert all(image.read_bytes()[1:4] == b"PNG" for image in images)
    first, *others = made.output.splitlines()
    assert first == f"Saved the page in {html}."
    assert sorted(others) == [f"Saved the picture in {image}." for image in images]


def test_wrong_files_are_refused_in_words(path: Path, tmp_path: Path) -> None:
    other, empty = tmp_path / "other.json", tmp_path / "empty.jsonl"
    other.write_text('{"hello": 1}\n')
    empty.write_text(path.read_text().partition("\n")[0] + "\n")
    for file, words in (
        (tmp_path / "none.jsonl", "no such file"),
        (tmp_path, "this is a folder, not a file"),
        (other, "not an arena results file"),
        (empty, "no game has been played yet"),
    ):
        refused = brass("report", file)
        assert refused.exit_code == 1
        assert words in refused.output and str(file) in refused.output
        assert not file.with_suffix(".html").exists()


def test_the_results_are_never_written_over(path: Path) -> None:
    results = path.rename(path.with_suffix(".html"))
    before = results.read_bytes()
    for more in ((), ("--out", results)):
        refused = brass("report", results, *more)
        assert refused.exit_code == 1 and "choose another" in refused.output
    assert results.read_bytes() == before
