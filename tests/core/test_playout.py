"""Random games: the commands that run them, and what "uniform over actions" means."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from click.testing import CliRunner

from brassmill.cli import bench
from brassmill.cli.main import main
from brassmill.core.playout import ACTIONS, GAMES, RandomGames
from brassmill.editions import Edition
from support import kinds

# The number of actions in games 5 to 12, and a digest of the positions in which they ended.
BY_ACTIONS = {
    ("classic", 3): (869, "564a789f7b8ae733"),
    ("classic", 4): (899, "3ac987518204f6cf"),
    ("lancashire", 2): (587, "44669feef73d02e2"),
    ("lancashire", 3): (773, "79923052c1933b02"),
    ("lancashire", 4): (911, "fa086e7ccd1d97ed"),
    ("birmingham", 2): (625, "c0a194cb4f4ad1c0"),
    ("birmingham", 3): (843, "999db48a9ba07779"),
    ("birmingham", 4): (999, "7984b97d8d80abda"),
}


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_seeds_repeat_games_by_actions(kind: Edition) -> None:
    """Every count and every draw of these games is as it was when the walk played all actions."""
    table = RandomGames(kind)
    ends = sha256()
    for seed in range(5, 13):
        table.actions(seed, 1)
        ends.update(table.states[0].tobytes())
    played = int(table.counts[ACTIONS]), ends.hexdigest()[:16]
    assert played == BY_ACTIONS[kind.name, kind.players]


def test_games_played_by_actions_are_complete() -> None:
    table = RandomGames(kinds.PLAIN[-1])
    table.actions(3, 4)
    assert table.counts[GAMES] == 4
    assert table.counts[ACTIONS] >= 4 * 124


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_bench_prints_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the minute that a cold compilation takes."""
    starts = {"cold_compile_seconds": 40.0, "warm_start_seconds": 1.0}
    monkeypatch.setattr(bench, "measure_starts", lambda name, players: starts)
    for more in ((), ("--actions",)):
        words = ("--players", "2", "--seconds", "0.05", "--bots", "--json", *more)
        code, output = run("bench", *words)
        assert code == 0
        figures = json.loads(output[output.index("{") :])
        asked = [key for key in bench.LABELS if not key.startswith(("web_", "batch_", "network_"))]
        assert all(figures[key] > 0 for key in asked)
    code, output = run("bench", "--edition", "lancashire", "--seconds", "0.05")
    assert code == 0
    assert "games per second" in output


@pytest.mark.parametrize("words", ["--actions --threads 2", "--bots --web", "--web --device cuda"])
def test_bench_refuses_what_it_cannot_measure(words: str) -> None:
    code, output = run("bench", *words.split())
    assert code == 2
    assert words.split()[0] in output


def test_fuzz_plays_the_requested_games() -> None:
    code, output = run("fuzz", "--edition", "Classic", "--games", "3", "--threads", "2")
    assert code == 0
    assert output.count("kept") == 2
    assert "6 games, 0 broken invariants" in output
    code, output = run("fuzz", "--option", "intro=yes", "--players", "2", "--games", "2")
    assert code == 0
    assert output.count("kept") == 2  # classic has neither this option nor two players


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "9"), "no edition has these"),
        (("--edition", "chess"), "birmingham"),
        (("--edition", "classic", "--players", "2"), "3 or 4"),
        (("--option", "intro"), "NAME=VALUE"),
        (("--threads", "0"), "threads"),
    ],
)
def test_fuzz_reports_what_is_wrong(words: tuple[str, ...], said: str) -> None:
    code, output = run("fuzz", "--games", "1", *words)
    assert code != 0
    assert said in output


def test_a_broken_law_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(table: RandomGames, first: int, games: int) -> None:
        table.counts[:] = (games, 10, 5, 14, first, 7)

    monkeypatch.setattr(RandomGames, "watched", broken)
    code, output = run("fuzz", "--edition", "birmingham", "--players", "2", "--games", "5")
    assert code == 1
    assert "MONEY_NOT_NEGATIVE after choice 7 of the game of seed 0" in output
    assert "1 broken invariants" in output
