"""Games on several processes: every game is played once, whatever happens to a process."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from brassmill.arena.match import Played
from brassmill.arena.workers import TRIES, Lost, play_all
from support.arena_games import Killing, made_up, only_the_first, refuse


@pytest.mark.slow
def test_every_game_is_played_once(tmp_path: Path) -> None:
    """Even if a process is killed in the middle of a game."""
    killing = Killing(made_up, game=5, times=1, folder=tmp_path)
    games = list(play_all(killing, range(12), workers=2))
    assert (tmp_path / "death0").exists()
    assert sorted(game.result.game for game in games if isinstance(game, Played)) == [*range(12)]
    for game in games:
        assert isinstance(game, Played) and game == made_up(game.result.game)


@pytest.mark.slow
def test_a_game_that_kills_every_worker_is_reported_and_the_others_continue(tmp_path: Path) -> None:
    killing = Killing(made_up, game=2, times=99, folder=tmp_path)
    games = list(play_all(killing, range(5), workers=1))
    assert len(list(tmp_path.glob("death*"))) == TRIES
    assert [game.game for game in games if isinstance(game, Lost)] == [2]
    assert [game.result.game for game in games if isinstance(game, Played)] == [0, 1, 3, 4]


def test_an_error_ends_the_run_with_its_own_message() -> None:
    with pytest.raises(RuntimeError, match="game 0 is out of order"):
        list(play_all(refuse, range(3), workers=1))
    assert multiprocessing.active_children() == []


def test_no_process_is_left_behind() -> None:
    """A running game is not waited for."""
    games = play_all(only_the_first, range(50), workers=2)
    next(games)
    assert len(multiprocessing.active_children()) == 2
    games.close()
    assert multiprocessing.active_children() == []
