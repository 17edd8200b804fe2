"""`brass puzzles`: mine, resume, check and show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brassmill.cli.main import main
from brassmill.errors import BrassError
from brassmill.puzzles import ExactAnswer, puzzles
from brassmill.puzzles.mining import MiningSettings
from brassmill.puzzles.puzzle import read, write
from brassmill.puzzles.store import MiningFile, parse

SETTINGS = MiningSettings("birmingham", 2, {}, games=3, seed=1, judged=0)
MINE = ("mine", "--players", 2, "--games", 3, "--workers", 1)


def brass(*args: object) -> Result:
    """Run the command as a user would, in English."""
    words = ["puzzles", *map(str, args)]
    return CliRunner().invoke(main, words, env={"LANGUAGE": "en"})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run."""
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    mined = brass(*MINE, "--out", path)
    assert mined.exit_code == 0, mined.output
    assert f"puzzles in {path}" in mined.output and "6  exact" in mined.output
    return path


@pytest.mark.slow
def test_an_interrupted_run_resumes(run: Path, tmp_path: Path) -> None:
    """A whole run, and one that lost a game in the middle of a line, find the same."""
    whole = run.read_bytes()
    header, first, *_rest = whole.splitlines(keepends=True)
    again = tmp_path / "again.jsonl"
    again.write_bytes(header + first + b'{"game": 1, "puzz')
    with MiningFile(again, SETTINGS) as file:
        assert file.missing == [1, 2]
    resumed = brass(*MINE, "--out", again)
    assert resumed.exit_code == 0, resumed.output
    assert again.read_bytes() == whole


@pytest.mark.slow
def test_a_run_with_other_settings_is_not_mixed_in(run: Path) -> None:
    other = brass(*MINE, "--seed", 9, "--out", run)
    assert other.exit_code == 1
    assert "seed is 1 in the file but 9 here" in other.output


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("hello\n")
    with pytest.raises(BrassError, match="not the file of a mining run"):
        parse(path.read_bytes())
    assert "not the file of a mining run" in brass(*MINE, "--out", path).output


@pytest.mark.slow
def test_what_passes_is_collected(run: Path, tmp_path: Path) -> None:
    _settings, mined = parse(run.read_bytes())
    found = {puzzle.id for one in mined for puzzle in one.puzzles}
    out = tmp_path / "good.jsonl.gz"
    checked = brass("check", run, "--out", out, "--workers", 1)
    assert checked.exit_code == 0, checked.output
    assert {puzzle.id for puzzle in read(out)} <= found
    assert f"{len(read(out))} of {len(found)} puzzles pass." in checked.output


@pytest.mark.slow
def test_what_does_not_pass_is_named(tmp_path: Path) -> None:
    good = next(puzzle for puzzle in puzzles().values() if isinstance(puzzle.answer, ExactAnswer))
    data = good.as_dict()
    data["answer"]["vp"] += 1
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(data) + "\n")
    checked = brass("check", path, "--workers", 1)
    assert checked.exit_code == 1
    assert f"exact {good.id}: answer: it says" in checked.output
    write(path, [good, good])
    twice = brass("check", path, "--workers", 1)
    assert "1 of 2 puzzles pass." in twice.output and f"{good.id}: duplicate" in twice.output


def test_puzzles_are_listed_and_shown() -> None:
    listed = brass("show").output.splitlines()
    assert len(listed) == len(puzzles())
    puzzle = next(iter(puzzles().values()))
    shown = brass("show", puzzle.id).output
    assert puzzle.solution[0] not in shown
    assert puzzle.solution[0] in brass("show", puzzle.id, "--solution").output
    assert brass("show", "nothing").exit_code == 1


def test_a_game_without_a_network_is_refused(tmp_path: Path) -> None:
    refused = brass(
        *("mine", "--edition", "lancashire", "--players", 2, "--option", "community_2p=yes"),
        *("--out", tmp_path / "run.jsonl"),
    )
    assert refused.exit_code == 1 and "cannot play this game" in refused.output
