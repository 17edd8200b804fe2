"""`brass arena`: what it plays and prints, and that it can be interrupted at any time."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from brassmill import record
from brassmill.arena.results import GameResult, read
from brassmill.arena.statistics import summary
from brassmill.cli.main import main
from brassmill.cli.standings import standings
from support.arena_games import results_of, schedule_of, without_times

GAMES = 80  # enough to interrupt the run
BOTS = ("--players", "2", "--bots", "random,random:seed=5", "--workers", "2")
RUN = (*BOTS, "--games", str(GAMES))


def arena(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["arena", *map(str, words)])


def games_in(path: Path) -> dict[int, GameResult]:
    return {number: without_times(game) for number, game in read(path).games.items()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of an undisturbed run."""
    path = tmp_path_factory.mktemp("arena") / "whole.jsonl"
    result = arena(*RUN, "--out", path, "--records", path.parent / "records")
    assert result.exit_code == 0, result.output
    assert f"{GAMES} of {GAMES} games saved in" in result.output
    return path


@pytest.mark.slow
def test_every_game_is_played_and_recorded(whole: Path) -> None:
    games = read(whole).games
    assert list(games) == [*range(GAMES)]
    for number, game in games.items():
        (kept,) = record.read(whole.parent / "records" / f"game-{number}.brass")
        assert isinstance(kept, record.Record)
        assert kept.verify() == []
        assert f"Y {game.players[0].vp}" in kept.headers["Result"].split(", ")


def test_the_same_command_again_plays_nothing_and_shows_the_figures(whole: Path) -> None:
    before = whole.read_bytes()
    result = arena(*RUN, "--out", whole)
    assert result.exit_code == 0
    assert whole.read_bytes() == before
    for words in (f"Ranking (95% intervals over {GAMES // 2} deals)", "VP: links", "deals by VP"):
        assert words in result.output


def test_the_figures_as_data(whole: Path) -> None:
    result = arena(*RUN, "--out", whole, "--json")
    figures = summary(read(whole))
    assert json.loads(result.stdout) == json.loads(json.dumps(asdict(figures)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)]
)
def test_an_interrupted_run_resumes_where_it_stopped(
    whole: Path, tmp_path: Path, how: signal.Signals
) -> None:
    path = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "brassmill", "arena", *RUN, "--out", str(path)]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, process_group=0)
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        time.sleep(0.01)
        assert running.poll() is None
    workers = children_of(running.pid)
    assert len(workers) >= 2
    if how == signal.SIGINT:
        os.killpg(running.pid, how)  # like a terminal, to the whole process group
    else:
        running.send_signal(how)
    _nothing, said = running.communicate()
    assert "Traceback" not in said
    if how == signal.SIGINT:
        assert running.returncode == 130
        assert f"{len(read(path).games)} of {GAMES} games saved in {path}." in said
        assert "Run the same command again to resume." in said
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        time.sleep(0.01)  # they end by themselves
    assert 1 <= len(read(path).games) < GAMES
    assert arena(*RUN, "--out", path).exit_code == 0
    assert path.read_bytes().count(b"\n") == GAMES + 1
    assert games_in(path) == games_in(whole)


def children_of(process: int) -> list[str]:
    """The processes that a process has started."""
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


def test_a_file_is_named_after_what_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = arena("--players", "2", "--bots", "random:seed=5", "--games", "1")
    assert result.exit_code == 0, result.output
    assert os.listdir(tmp_path) == ["arena-birmingham-2-random-seed=5.jsonl"]


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("--bots", "rnadom"), "did you mean random"),
        (("--bots", "random,"), "bot"),
        (("--bots", "random", "--clock", "soon"), "cannot be 'soon'; it must be a time such as"),
        (("--bots", "random", "--edition", "london"), "edition 'london'"),
        (("--bots", "random", "--ray", "127.0.0.1:1"), "no Ray cluster at 127.0.0.1:1"),
    ],
)
def test_impossible_settings_are_reported(
    tmp_path: Path, words: tuple[str, ...], refusal: str
) -> None:
    result = arena(*words, "--games", "1", "--out", tmp_path / "run.jsonl")
    assert result.exit_code != 0
    assert refusal in result.output


def test_a_bot_that_fails_to_start_is_reported_before_any_game(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    bots = "random,random:seed=5,process:no-such-bot"  # the first games are without the last
    result = arena("--players", "2", "--bots", bots, "--games", "6", "--out", path)
    assert result.exit_code == 1
    assert "cannot start no-such-bot" in result.output
    assert not path.exists()


@pytest.mark.parametrize("name", ["page.html", "PAGE.HTM"])
def test_a_page_is_made_by_another_command(tmp_path: Path, name: str) -> None:
    result = arena(*RUN, "--out", tmp_path / name)
    assert result.exit_code == 1
    results = (tmp_path / name).with_suffix(".jsonl")
    assert f"--out takes a JSON Lines file such as {results};" in result.output
    assert f"brass report {results}\n" in result.output
    assert os.listdir(tmp_path) == []


# A program that greets and then exits at the first question.
MUTE = """
import sys
sys.stdin.readline(); print('{"type": "hello", "protocol": 1}', flush=True)
sys.stdin.readline(); sys.exit(7)
"""


@pytest.mark.slow
def test_forfeits_are_reported_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "bot[a]").write_text(MUTE)
    path = tmp_path / "run.jsonl"
    bots = f"random,process:{sys.executable} {tmp_path}/bot[a]"
    result = arena("--players", "2", "--bots", bots, "--games", "2", "--out", path)
    assert result.exit_code == 0
    players = [player for game in read(path).games.values() for player in game.players]
    number = sum(len(player.forfeits) for player in players)
    words = f"forfeited {number} choices, the first (crashed): the program exited with code 7"
    assert words in result.stderr
    assert number > 40
    assert "Ranking (1 deal: too few for intervals)" in result.stdout
    assert "proces…ot[a]'" in result.stdout  # brackets are no markup
    assert "±" not in result.stdout


def test_long_names_leave_room_for_the_figures() -> None:
    bots = [f"process:python3 /home/somebody/bots/{letter}.py" for letter in "abcd"]
    chance = Random(1)
    scores = [[chance.randrange(250) for _bot in bots] for _game in range(1000)]
    console = Console(width=80, file=io.StringIO())
    console.print(standings(summary(results_of(schedule_of(4, *bots, games=1000), scores))))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    ranking = lines[: next(n for n, line in enumerate(lines) if "on average" in line)]
    for bot in bots:  # whole below the ranking, and there a row with all figures
        [name] = [line for line in ranking if line.rstrip().endswith(bot)]
        number = name.split()[0]
        [row] = [line for line in ranking if line.startswith(f"{number} proces…{bot[-6:]} ")]
        assert re.search(r" 1000 +\S+ ± \S+ +\S+% \(\d+-\d+\) +\d\.\d\d +\S+ ± \S+ +\S+$", row)


def test_the_tables_have_numbers_as_the_language_writes_them(whole: Path) -> None:
    bot = summary(read(whole)).bots[0]
    for code, point in (("en", "."), ("de", ","), ("fr", ",")):
        said = arena(*RUN, "--out", whole, "--lang", code).stdout
        for figure in (f"{bot.rank.mean:.2f}", f"{bot.vp.sd:.1f}", f"{bot.cash.mean:.1f}"):
            assert figure.replace(".", point) in said
        assert not re.search(rf"\d{'[.,]'.replace(point, '')}\d", said)


def test_rounding_up_games_is_reported(whole: Path) -> None:
    result = arena(*RUN, "--games", str(GAMES - 1), "--out", whole)  # the last one said counts
    assert (
        f"Playing {GAMES} games, so that every bot sits in every seat equally often."
        in result.output
    )
    assert result.exit_code == 0


def test_another_run_does_not_get_into_the_file(whole: Path) -> None:
    result = arena(*RUN, "--seed", "2", "--out", whole)
    assert result.exit_code == 1
    assert "seed is 1 in the file but 2 here" in result.output
