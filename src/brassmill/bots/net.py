"""The net: a trained network plays its likeliest choice, or searches first.

The search takes the likeliest choices and tries them in the same possible worlds. The network plays
on for all seats until this seat is on turn again, and then forecasts the result. After each quarter
of the budget the worse half of the choices is dropped, down to two.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from brassmill.bots.bot import Clock
from brassmill.bots.inference import OUTPUTS
from brassmill.bots.lookahead import JUDGE, TRY, ponder
from brassmill.bots.network import Network, packaged
from brassmill.bots.planner import SPARE, STAGES, Budget
from brassmill.bots.spec import Seconds
from brassmill.core.deal import seed_bits
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.layout import BOARD, STATE, WORK
from brassmill.rules.warmup import NETWORKS, ready

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
        self._choices = np.zeros(FEW, np.int64)
        self._seat = 0

    def look(self, view: View) -> Any:
        """Set the view to think about; return the score of every choice, and three forecasts."""
        assert view.seat is not None
        self._seat = view.seat
        self._states[:1] = np.frombuffer(view.position, STATE)
        self._ponder(JUDGE)
        return self._scores.copy()

    def try_out(self, choices: list[int], worlds: int, seed: int) -> list[float]:
        """Try choices in the same worlds; return what each was worth in total, in VP."""
        self._choices[: len(choices)] = choices
        self._scores[: len(choices)] = 0
        self._ponder(TRY, len(choices), worlds, seed)
        return self._scores[: len(choices)].tolist()  # type: ignore[no-any-return]

    def _ponder(self, what: int, number: int = 0, worlds: int = 0, seed: int = 0) -> None:
        arrays = (self._states, self._boards, self._works, self._weights)
        results = (self._scores, self._choices)
        task = (what, self._seat, number, worlds, seed_bits(seed))
        ponder(*arrays, *results, *task, *self._sizes)


class Net:
    """Plays by a network; with `time` for a turn, or `worlds` for a choice, it searches."""

    name = "net"
    compiled = NETWORKS

    def __init__(
        self,
        edition: Edition,
        seed: int,
        *,
        time: Seconds = NO_TIME,
        worlds: int = 0,
        file: str = "",
    ) -> None:
        network = Network.read(Path(file), edition) if file else packaged(edition)
        self.mind = Mind(edition, network)
        self.seed = seed
        self.time = time
        self.worlds = worlds
        self._turn: tuple[str, int] | None = None
        self._seconds_left = 0.0

    def choose(self, view: View, clock: Clock) -> int:
        scores = self.mind.look(view).tolist()
        ranked = sorted(view.legal, key=lambda choice: (-scores[choice], choice))
        best = scores[ranked[0]]
        doubtful = [choice for choice in ranked[:FEW] if best - scores[choice] < DOUBT]
        if len(doubtful) == 1 or not (self.time or self.worlds):
            return ranked[0]
        budget = Budget(self._seconds(view, clock), self.worlds)
        chosen = self._search(doubtful, scores, Random(f"{self.seed} {view.number}"), budget)
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

    def _seconds(self, view: View, clock: Clock) -> float:
        """The time for this choice: its share of what is left of the turn's time."""
        if self._turn != (view.era, view.round):
            self._turn = (view.era, view.round)
            self._seconds_left = SPARE * self.time
        share = FIRST_ACTION if view.actions_left > 1 else LAST_ACTION
        seconds = self._seconds_left * (share if view.question == "action" else ANSWER)
        return seconds if clock.seconds is None else min(seconds, clock.seconds / 2)

    def close(self) -> None:
        """Nothing to release."""
