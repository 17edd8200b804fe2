"""Mining: one game of networks against each other, and the puzzles found in it.

Everything follows from the settings and the number of the game, so any process can mine any game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from brassmill import editions, position
from brassmill.bots.bot import Bot
from brassmill.bots.levels import Human
from brassmill.bots.net import Net
from brassmill.core import worlds
from brassmill.core.action import Action
from brassmill.core.engine import Engine
from brassmill.core.view import View
from brassmill.editions import Edition, Value
from brassmill.game import Game
from brassmill.play.host import Host
from brassmill.puzzles import exact, judged, solvers
from brassmill.puzzles.exact import Turn
from brassmill.puzzles.grading import mark_of, vp_after
from brassmill.puzzles.puzzle import Compared, ExactAnswer, JudgedAnswer, Puzzle, id_of
from brassmill.puzzles.rejection import Rejection, Unfit
from brassmill.puzzles.themes import themes_of
from brassmill.rules.layout import ACTION, STATE

OPENING = 2  # rounds of the canal era in which the players waver, so that games differ
WAVERS = 0.8
LEAST_TURNS = 20  # different turns that a last turn must have
MOST_WAYS = 0.1  # the share of them that may be best


@dataclass(frozen=True)
class MiningSettings:
    """What is mined."""

    edition: str
    players: int
    options: Mapping[str, Value]  # those that differ from the default
    games: int
    seed: int
    judged: int  # turns of each game, besides the last ones, that are searched

    @cached_property
    def table(self) -> Edition:
        return editions.edition(self.edition, self.players, **self.options)


@dataclass(frozen=True)
class Mined:
    """What was found in a game."""

    game: int  # its number, from 0
    puzzles: tuple[Puzzle, ...]
    tried: Mapping[str, int]  # positions, by kind of puzzle
    thrown: Mapping[str, int]  # positions that did not become puzzles, by reason

    def as_dict(self) -> dict[str, Any]:
        """Plain data for a line of JSON."""
        return {**asdict(self), "puzzles": [puzzle.as_dict() for puzzle in self.puzzles]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Mined:
        found = tuple(Puzzle.from_dict(row) for row in data["puzzles"])
        return cls(data["game"], found, dict(data["tried"]), dict(data["thrown"]))


def mine(settings: MiningSettings, number: int) -> Mined:
    """Play a game, and look for puzzles in it."""
    edition, seed = settings.table, settings.seed + number
    rng = Random(f"puzzles of game {seed}")
    last, others = turns_of_a_game(edition, seed)
    found, tried, thrown = list[Puzzle](), Counter[str](), Counter[str]()
    chosen = rng.sample(others, min(settings.judged, len(others)))
    for view, make in (
        *((view, exact_puzzle) for view in last),
        *((v, judged_puzzle) for v in chosen),
    ):
        kind = "exact" if make is exact_puzzle else "judged"
        tried[kind] += 1
        try:
            found.append(make(edition, view, seed))
        except Unfit as unfit:
            thrown[f"{kind}: {unfit.reason}"] += 1
    return Mined(number, tuple(found), dict(tried), dict(thrown))


def turns_of_a_game(edition: Edition, seed: int) -> tuple[list[View], list[View]]:
    """The views in which turns of a game begin: the last turns of its eras, and all others."""
    last, others = list[View](), list[View]()
    game = Game(edition, seed=seed)
    with closing(Host(players_of(edition, seed, waver=True))) as first:
        with closing(Host(players_of(edition, seed, waver=False))) as then:
            while not game.over:
                if exact.is_last_turn(game.engine):
                    last.append(game.view(game.seat))
                elif begins_turn(game):
                    others.append(game.view(game.seat))
                opens = game.era == "canal" and game.round <= OPENING
                (first if opens else then).play(game)
    return last, others


def players_of(edition: Edition, seed: int, waver: bool) -> list[Bot]:
    """The players of a game: they play the network's likeliest choices, or others as likely."""
    if waver:
        return [
            Human(edition, seed * edition.players + seat, overlooks=0, wavers=WAVERS)
            for seat in range(edition.players)
        ]
    return [Net(edition, seed) for _seat in range(edition.players)]


def begins_turn(game: Game) -> bool:
    """Does a turn of two actions begin?"""
    return game.engine.phase == ACTION and game.actions_left == 2


# --- puzzles -------------------------------------------------------------------------------------


def game_of(edition: Edition, view: View, seed: int) -> Game:
    """A game that begins in the position of a view; what the seat cannot see is drawn afresh."""
    sampled = worlds.sample(edition, view, seed)
    return Game.from_state(
        edition, np.frombuffer(sampled, STATE).view(np.recarray)[0], seats_of(view)
    )


def seats_of(view: View) -> tuple[str, ...]:
    return position.SEAT_NAMES[: view.players]


def exact_puzzle(edition: Edition, view: View, seed: int) -> Puzzle:
    """The puzzle of a last turn; `Unfit` if it is none."""
    game = game_of(edition, view, seed)
    solution = exact.solve(game.engine)
    best = solution.best
    if len(solution.turns) < LEAST_TURNS:
        raise Unfit(Rejection.FEW_TURNS)
    if len(best) > MOST_WAYS * len(solution.turns):
        raise Unfit(Rejection.MANY_WAYS)
    most, seat = solution.most, game.engine.seat
    tried = [
        (name, vp_after(played(game, turn).engine, seat) == most)
        for name, turn in solvers.turns_of(game, seed)
    ]
    answer = ExactAnswer(most, solution.next_most, len(solution.turns), len(best))
    return puzzle_of(game, best[0], answer, solvers.shares(tried), seed)


def judged_puzzle(edition: Edition, view: View, seed: int) -> Puzzle:
    """The puzzle of any other turn; `Unfit` unless one is clearly the best."""
    trials = judged.search(edition, view, seed)
    best = trials[0]
    game = game_of(edition, view, seed)
    turns = list(solvers.turns_of(game, seed))
    others = [trial.turn for trial in trials[1:]]
    others += [turn for _name, turn in turns]
    try:
        again = judged.confirm(edition, view, seed + 1, best.turn, others, judged.STILL)
    except Unfit as unfit:
        found_better = unfit.reason == Rejection.CLOSE
        raise Unfit(Rejection.BETTER_FOUND) if found_better else unfit from unfit
    marks = {trial.mark for trial in again[:1]}
    tried = [(name, mark_of(played(game, turn).engine.snapshot()) in marks) for name, turn in turns]
    return puzzle_of(game, best.turn, answer_of(game, again), solvers.shares(tried), seed)


def answer_of(game: Game, trials: list[judged.Trial]) -> JudgedAnswer:
    """What the search says about the turns that it compared."""
    best = trials[0]
    compared = tuple(
        Compared(texts_of(game, trial.turn), round(best.mean - trial.mean, 1)) for trial in trials
    )
    _ahead, error = judged.lead(best, trials[1])
    return JudgedAnswer(compared, judged.SOME + judged.MANY, round(error, 2))


def puzzle_of(
    game: Game,
    turn: Turn,
    answer: ExactAnswer | JudgedAnswer,
    found: Mapping[str, float],
    seed: int,
) -> Puzzle:
    """The puzzle of a position and its best turn; `Unfit` if it is too easy."""
    if min(found.values()) == 1:
        raise Unfit(Rejection.FOUND_BY_ALL)
    text = game.position_text(one_line=True)
    return Puzzle(
        id=id_of(text),
        edition=game.edition.name,
        players=game.players,
        options=dict(game.edition.changed_options),
        era=game.era,
        round=game.round,
        position=text,
        solution=texts_of(game, turn),
        answer=answer,
        found=found,
        level=solvers.level_of(found),
        themes=themes_of(game.engine, turn),
        seed=seed,
    )


def played(game: Game, turn: Turn) -> Game:
    """The game after a turn, before it ends."""
    after = game.copy()
    for choices in turn:
        after.carry_out(choices, ends_turn=False)
    return after


def texts_of(game: Game, turn: Turn) -> tuple[str, ...]:
    """A turn in notation."""
    return tuple(_texts(game, turn))


def _texts(game: Game, turn: Turn) -> Iterator[str]:
    engine: Engine = game.engine.copy()
    for choices in turn:
        yield Action(game.edition, game.seats, engine.snapshot(), choices).text
        for choice in choices:
            engine.step(choice)
