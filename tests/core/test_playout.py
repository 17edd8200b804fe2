"""Random games: the commands that run them, and what "uniform over actions" means."""

from __future__ import annotations

import json
from random import Random

import pytest
from click.testing import CliRunner

from brassmill.cli import bench
from brassmill.cli.main import main
from brassmill.core.playout import ACTIONS, GAMES, RandomGames
from brassmill.editions import Edition
from brassmill.game import Game
from support import kinds


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_complete_actions_match_those_of_the_game(kind: Edition) -> None:
    game = Game(kind, seed=11)
    table = RandomGames(kind)
    chance = Random(11)
    for _ in range(40):
        actions = list(game.legal_actions())
        if game.question == "action":
            assert table.count_actions(game.engine.snapshot()) == len(actions)
        game.play(chance.choice(actions))


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
