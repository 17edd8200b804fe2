"""The planner: searches its whole turn, and simulates the best turns in possible worlds.

1. Every first action is judged by the position after it; the best ones are combined with every
   second action. A turn is worth what the position after it is worth.
2. The best turns are continued in sampled worlds: all seats play greedily until this seat has had
   some more turns (more of them if there is time for many worlds), then the position is judged.
   All turns use the same worlds. After each quarter of the time the worse half of the turns is
   dropped, down to two.
3. The first action of the turn with the best mean is played. The second one is planned again,
   because something may have been revealed.
"""

from __future__ import annotations

from random import Random
from time import perf_counter

from brassmill.bots.bot import Answer, Clock
from brassmill.bots.brain import Brain
from brassmill.bots.spec import Seconds
from brassmill.bots.weights import weights_for
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.warmup import THINKING

WIDTH = 24  # first actions that are combined with every second one
FEW = 8  # turns that are simulated
NEAR, FAR = 2, 4  # own turns to simulate: few worlds say little about the far future
MANY = 12  # with this many worlds, look far
LONG = 0.3  # with this many seconds per turn, look far
TRUST = 6  # how many worlds the judgement right after the turn counts for
HALF_A_SECOND = Seconds(0.5)
SPARE = 0.97  # the share of its time that a bot plans to use; the last world may run over
STAGES = 4  # after each stage but the last, half of the turns are dropped
FIRST_SHARE = 0.6  # the share of a turn's time for its first action


class Budget:
    """A limit on thinking: a number of worlds, or if that is 0, seconds."""

    def __init__(self, seconds: float, worlds: int) -> None:
        self.began = perf_counter()
        self.seconds = seconds
        self.worlds = worlds
        self.worlds_tried = 0

    @property
    def passed(self) -> float:
        """The seconds used so far."""
        return perf_counter() - self.began

    @property
    def spent(self) -> float:
        """The share used so far."""
        return self.worlds_tried / self.worlds if self.worlds else self.passed / self.seconds


class Planner:
    """Plans both actions of a turn, and what follows."""

    compiled = THINKING

    def __init__(
        self,
        edition: Edition,
        seed: int,
        *,
        time: Seconds = HALF_A_SECOND,
        worlds: int = 0,
    ) -> None:
        self.name = "planner"
        self.brain = Brain(edition, weights_for(edition))
        self.seed = seed
        self.time = time
        self.worlds = worlds
        looks_far = worlds >= MANY if worlds else time >= LONG
        self.turns = FAR if looks_far else NEAR
        self.width, self.few, self.trust = WIDTH, FEW, TRUST

    def choose(self, view: View, clock: Clock) -> Answer:
        budget = Budget(self._seconds(view, clock), self.worlds)
        brain = self.brain
        rng = Random(f"{self.seed} {view.number}")
        brain.look(view, rng.getrandbits(32))
        if not brain.begins:
            return brain.answer()
        worth = brain.survey(self.width)
        rows = sorted(worth, key=lambda row: -worth[row])[: self.few]
        self._compare(rows, worth, rng, budget)
        return brain.action(brain.choice(rows[0]))

    def _seconds(self, view: View, clock: Clock) -> float:
        """The time for this action: its share of the turn's, within what the clock allows."""
        seconds = SPARE * self.time * (FIRST_SHARE if view.actions_left > 1 else 1 - FIRST_SHARE)
        return seconds if clock.seconds is None else min(seconds, clock.seconds / 2)

    def _compare(
        self, rows: list[int], worth: dict[int, float], rng: Random, budget: Budget
    ) -> None:
        """Sort turns by their simulated value, dropping the worse half after each stage."""
        for stage in range(1, STAGES + 1):
            while len(rows) > 1 and budget.spent < stage / STAGES:
                world = rng.getrandbits(48)
                for row in rows:
                    if budget.spent >= 1:
                        return
                    self.brain.foresee(row, self.turns, world)
                budget.worlds_tried += 1
                rows.sort(key=lambda row: -self.brain.future(row) - self.trust * worth[row])
            if stage < STAGES:
                del rows[max(2, len(rows) // 2) :]

    def close(self) -> None:
        """Nothing to release."""
