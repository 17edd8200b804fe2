"""The net: a trained network plays its likeliest choice, or searches first.

The search takes the likeliest choices and tries them in the same possible worlds. The network plays
on for all seats until this seat is on turn again, and then forecasts the result. After each quarter
of the budget the worse half of the choices is dropped, down to two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from brassmill.bots.bot import Clock
from brassmill.bots.brain import up_to_what_is_revealed
from brassmill.bots.inference import OUTPUTS
from brassmill.bots.lookahead import try_out
from brassmill.bots.network import Network, packaged
from brassmill.bots.planner import SPARE, STAGES, Budget
from brassmill.bots.policy import judge
from brassmill.bots.spec import Seconds
from brassmill.core.deal import seed_bits
from brassmill.core.engine import Engine
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.choices import CHOICES, SELL_FAR
from brassmill.rules.layout import BOARD, STATE, WORK
from brassmill.rules.warmup import NETWORKS, SEARCH, ready

FEW = 8  # choices that are tried
DOUBT = 3.5  # a choice whose score is this much lower is not tried: about 3% as likely
TRUST = 0.2  # VP for each point of the network's score
AT_ONCE = 4  # worlds that are played side by side

NO_TIME = Seconds(0)

# The share of the rest of a turn's time for one choice.
FIRST_ACTION, LAST_ACTION, ANSWER = 0.5, 0.8, 0.1


class Mind:
    """A network with the memory to think about one position."""

    def __init__(self, edition: Edition, network: Network) -> None:
        ready(NETWORKS)
        self._sizes = (network.inputs, network.width, network.blocks)
        self._weights = network.weights
        self._states = np.zeros(1 + AT_ONCE * FEW, STATE)
        self._boards = np.zeros(1, BOARD)
        self._boards[0] = edition.board
        self._works = np.zeros(1, WORK)
        self._scores = np.zeros(OUTPUTS, np.float32)
        self._choices = np.zeros(CHOICES, np.int64)
        self._seat = 0

    def look(self, seat: int, position: bytes, legal: Sequence[int]) -> list[float]:
        """Set the position to think about; return a score for every choice, and three forecasts."""
        self._seat = seat
        self._states[:1] = np.frombuffer(position, STATE)
        self._choices[: len(legal)] = legal
        arrays = (self._states, self._boards, self._weights, self._scores, self._choices)
        judge(*arrays, self._seat, len(legal), *self._sizes)
        return self._scores.tolist()

    def try_out(self, choices: list[int], worlds: int, seed: int) -> list[float]:
        """Try choices in the same worlds; return what each was worth in total, in VP."""
        ready(SEARCH)
        self._choices[: len(choices)] = choices
        self._scores[: len(choices)] = 0
        arrays = (self._states, self._boards, self._works, self._weights)
        results = (self._scores, self._choices)
        task = (self._seat, len(choices), worlds, seed_bits(seed))
        try_out(*arrays, *results, *task, *self._sizes)
        return self._scores[: len(choices)].tolist()  # type: ignore[no-any-return]


class Decision(NamedTuple):
    """What a player by network must decide now."""

    legal: list[int]
    scores: list[float]  # of every choice
    is_action: bool  # which action to begin; otherwise it is about the action in progress
    view: View  # before the action
    rng: Random
    clock: Clock


class Player(ABC):
    """Plays by a network: it decides choice by choice, and answers with whole actions."""

    name = "player"
    compiled: tuple[str, ...] = NETWORKS

    def __init__(self, edition: Edition, seed: int, network: Network) -> None:
        self.mind = Mind(edition, network)
        self.seed = seed
        self._engine = Engine(edition, ())

    def choose(self, view: View, clock: Clock) -> tuple[int, ...]:
        """All choices of the action, until something is revealed."""
        assert view.seat is not None
        rng = Random(f"{self.seed} {view.number}")
        self._engine.restore(view.position)
        legal, made = list(view.legal), list[int]()
        while True:
            scores = self.mind.look(view.seat, self._engine.snapshot(), legal)
            is_action = view.question == "action" and not made
            choice = self.decide(Decision(legal, scores, is_action, view, rng, clock))
            if view.question == "give up":  # every tile removed for a debt is a move of its own
                return (choice,)
            made += self._engine.choose(choice)
            if SELL_FAR in made or not self._engine.in_progress:
                return up_to_what_is_revealed(tuple(made))
            legal = self._engine.legal()

    @abstractmethod
    def decide(self, asked: Decision) -> int:
        """One of the legal choices: which action to begin, or an answer to a question about it."""

    def close(self) -> None:  # noqa: B027 (few bots have something to release)
        """Nothing to release."""


class Net(Player):
    """Plays the likeliest choice; with `time` for a turn, or `worlds` for a choice, it searches."""

    name = "net"
    compiled = SEARCH

    def __init__(
        self,
        edition: Edition,
        seed: int,
        *,
        time: Seconds = NO_TIME,
        worlds: int = 0,
        file: str = "",
    ) -> None:
        super().__init__(
            edition, seed, Network.read(Path(file), edition) if file else packaged(edition)
        )
        self.time = time
        self.worlds = worlds
        self._turn: tuple[str, int] | None = None
        self._seconds_left = 0.0

    def decide(self, asked: Decision) -> int:
        scores = asked.scores
        ranked = sorted(asked.legal, key=lambda choice: (-scores[choice], choice))
        best = scores[ranked[0]]
        doubtful = [choice for choice in ranked[:FEW] if best - scores[choice] < DOUBT]
        if len(doubtful) == 1 or not (self.time or self.worlds):
            return ranked[0]
        budget = Budget(self._seconds(asked), self.worlds)
        chosen = self._search(doubtful, scores, asked.rng, budget)
        self._seconds_left -= budget.passed
        return chosen

    def _search(self, choices: list[int], scores: list[float], rng: Random, budget: Budget) -> int:
        """The choice that was worth most in the worlds that the budget allows."""
        worth = dict.fromkeys(choices, 0.0)
        for stage in range(1, STAGES + 1):
            while budget.spent < stage / STAGES:
                worlds = AT_ONCE
                if budget.worlds:
                    worlds = min(worlds, budget.worlds - budget.worlds_tried)
                for choice, value in zip(
                    choices, self.mind.try_out(choices, worlds, rng.getrandbits(48)), strict=True
                ):
                    worth[choice] += value
                budget.worlds_tried += worlds
            mean = {
                choice: worth[choice] / budget.worlds_tried + TRUST * scores[choice]
                for choice in choices
            }
            choices = sorted(choices, key=lambda choice: (-mean[choice], choice))
            del choices[max(2, len(choices) // 2) :]
        return choices[0]

    def _seconds(self, asked: Decision) -> float:
        """The time for this choice: its share of what is left of the turn's time."""
        if self._turn != (asked.view.era, asked.view.round):
            self._turn = (asked.view.era, asked.view.round)
            self._seconds_left = SPARE * self.time
        share = FIRST_ACTION if asked.view.actions_left > 1 else LAST_ACTION
        seconds = self._seconds_left * (share if asked.is_action else ANSWER)
        return seconds if asked.clock.seconds is None else min(seconds, asked.clock.seconds / 2)
