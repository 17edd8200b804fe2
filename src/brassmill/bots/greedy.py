"""Greedy: plays the action that leads to the best position."""

from __future__ import annotations

from random import Random

from brassmill.bots.bot import Answer, Clock
from brassmill.bots.brain import Brain
from brassmill.bots.weights import weights_for
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.warmup import THINKING


class Greedy:
    """Looks one action ahead; `noise` adds an error of that many VP to its judgement."""

    compiled = THINKING
    plays_plain = True  # quick enough while the rules are plain Python

    def __init__(self, edition: Edition, seed: int, *, noise: float = 0.0) -> None:
        self.name = "greedy"
        self.brain = Brain(edition, weights_for(edition))
        self.seed = seed
        self.noise = noise

    def choose(self, view: View, clock: Clock) -> Answer:
        brain = self.brain
        rng = Random(f"{self.seed} {view.number}")
        brain.look(view, rng.getrandbits(32))
        if not brain.begins:
            return brain.answer()
        rows = brain.first_actions()
        best = max(rows, key=lambda row: rows[row] + self.noise * rng.gauss(0, 1))
        return brain.action(brain.choice(best))

    def close(self) -> None:
        """Nothing to release."""
