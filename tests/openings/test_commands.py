"""`brass openings`: play, resume, collect and show."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brassmill.cli.main import main
from brassmill.openings import openings, read
from brassmill.openings.store import parse

PLAY = ("play", "--players", 2, "--games", 6, "--part", 3, "--workers", 1)


def brass(*args: object) -> Result:
    """Run the command as a user would, in English."""
    words = ["openings", *map(str, args)]
    return CliRunner().invoke(main, words, env={"LANGUAGE": "en", "COLUMNS": "120"})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run."""
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    played = brass(*PLAY, "--out", path)
    assert played.exit_code == 0, played.output
    assert f"6 games in {path}." in played.output
    return path


@pytest.mark.slow
def test_an_interrupted_run_resumes(run: Path, tmp_path: Path) -> None:
    """A whole run, and one that lost a part in the middle of a line, count the same."""
    whole = run.read_bytes()
    header, first, *_rest = whole.splitlines(keepends=True)
    again = tmp_path / "again.jsonl"
    again.write_bytes(header + first + b'{"part": 1, "cou')
    resumed = brass(*PLAY, "--out", again)
    assert resumed.exit_code == 0, resumed.output
    assert again.read_bytes() == whole


@pytest.mark.slow
def test_a_run_is_prolonged(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "longer.jsonl"
    path.write_bytes(run.read_bytes())
    longer = brass(*PLAY, "--out", path, "--games", 7)
    assert f"9 games in {path}." in longer.output
    assert path.read_bytes().startswith(run.read_bytes())


@pytest.mark.slow
def test_a_run_with_other_settings_is_not_mixed_in(run: Path) -> None:
    other = brass(*PLAY, "--heat", 1, "--out", run)
    assert other.exit_code == 1
    assert "heat is 2.0 in the file but 1.0 here" in other.output


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("hello\n")
    refused = brass(*PLAY, "--out", path)
    assert refused.exit_code == 1
    assert "this is not the file of a run of openings" in refused.output


@pytest.mark.slow
def test_runs_are_collected(run: Path, tmp_path: Path) -> None:
    other, out = tmp_path / "other.jsonl", tmp_path / "table.json.gz"
    assert brass(*PLAY, "--seed", 2, "--out", other).exit_code == 0
    collected = brass("collect", run, other, "--out", out)
    assert f"12 games in {out}." in collected.output
    table = read(out)
    assert [source.seed for source in table.sources] == [1, 2]
    parts = [part for path in (run, other) for part in parse(path.read_bytes())[1]]
    games = sum(tally.games for part in parts for tally in part.counts[0].values())
    assert table.trees[0].tally().games == games == 12
    twice = brass("collect", run, out, "--out", tmp_path / "twice.json.gz")
    assert twice.exit_code == 1
    assert "would be counted twice" in twice.output
    shown = brass("show", "--table", out, "--seat", 2)
    assert "2 players, seat 2 in turn order: 12 games" in shown.output


def test_the_openings_of_the_package_are_shown() -> None:
    found = openings("lancashire", 3)
    rows = found.trees[0].rows()
    shown = brass("show", "--edition", "lancashire", "--players", 3)
    assert shown.exit_code == 0, shown.output
    assert f"{found.games} games" in shown.output
    first = next(line for line in shown.output.splitlines() if line.strip().startswith("1 "))
    assert "develop port, port" in first
    assert str(rows[0].tally.games) in first
    assert f"{rows[0].tally.mean_vp:.1f}" in first
    deeper = brass("show", "--edition", "lancashire", "--players", 3, "develop port, port", 1)
    after = found.trees[0].rows((rows[0].move,))[0]
    total = next(line.split() for line in deeper.output.splitlines() if line.split()[:1] == ["all"])
    assert total[1] == str(after.tally.games)


def test_what_is_not_there_is_named() -> None:
    unknown = brass("show", "--players", 2, "build castle Dudley")
    assert unknown.exit_code == 1
    assert "build castle Dudley" in unknown.output
    seat = brass("show", "--players", 2, "--seat", 3)
    assert "there is no seat 3 in a game of 2" in seat.output
