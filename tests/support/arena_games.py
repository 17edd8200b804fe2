"""Games for the arena tests: made up, or played by workers that crash."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from brassmill.arena.match import Played
from brassmill.arena.results import GameResult, PlayerResult, Results
from brassmill.arena.schedule import Schedule
from brassmill.arena.workers import Play


def schedule_of(players: int, *bots: str, games: int = 1, seed: int = 1) -> Schedule:
    return Schedule("birmingham", players, {}, bots, games, seed, 60.0).in_whole_sets()


def player_of(vp: int, rank: int, place: int = 1) -> PlayerResult:
    """Return a seat that has played, with any figures."""
    return PlayerResult(
        vp=vp,
        rank=rank,
        place=place,
        points={"canal": {"links": 4}, "rail": {"cotton": vp - 4}},
        cash=10,
        income=8,
        loans=2,
        did={"build": 6, "loan": 2},
        built={"cotton": (1, 1, 3)},
        turns=4,
        thought=0.4,
        slowest=0.2,
        forfeits=(),
    )


def game_of(schedule: Schedule, number: int, vp: Sequence[int]) -> GameResult:
    """Return a game by number that ended with these VP by seat."""
    match = schedule.match(number)
    players = tuple(
        player_of(points, 1 + sum(other > points for other in vp), place)
        for place, points in enumerate(vp, 1)
    )
    return GameResult(number, match.deal, match.seed, match.seats, 64, 1.5, players)


def results_of(schedule: Schedule, scores: Iterable[Sequence[int]]) -> Results:
    """Return all games of a schedule, each with the VP of its bots, in the order of the bots."""
    games = {}
    for number, points in enumerate(scores):
        seats = schedule.match(number).seats
        games[number] = game_of(schedule, number, [points[bot] for bot in seats])
    return Results(schedule, games)


def without_times(game: GameResult) -> GameResult:
    """Return what must be the same whichever worker plays a game."""
    players = tuple(replace(player, thought=0.0, slowest=0.0) for player in game.players)
    return replace(game, seconds=0.0, players=players)


@dataclass(frozen=True)
class Killing:
    """Play games, but kill the process of one game the first few times."""

    play: Play[Played]
    game: int
    times: int
    folder: Path  # each crash is noted here

    def __call__(self, number: int) -> Played:
        played = self.play(number)
        deaths = len(list(self.folder.glob("death*")))
        if number == self.game and deaths < self.times:
            (self.folder / f"death{deaths}").touch()
            os.kill(os.getpid(), signal.SIGKILL)  # before the result is reported
        return played


def made_up(number: int) -> Played:
    """Return a game without playing it."""
    return Played(game_of(schedule_of(2, "a", "b", games=100), number, (number, 50)), None)


def only_the_first(number: int) -> Played:
    """Return game 0; the others would take ten minutes."""
    if number:
        time.sleep(600)
    return made_up(number)


def refuse(number: int) -> Played:
    """Fail to play a game."""
    raise RuntimeError(f"game {number} is out of order")
