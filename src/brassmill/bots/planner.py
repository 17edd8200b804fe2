"""The planner: its whole turn searched, the best turns tried in worlds that could be the true one.

1. Every first action is judged by the position after it; the best of them are continued by every
   second action. What a turn is worth is what the position after it is worth.
2. The best turns go on in sampled worlds: everybody plays greedily until the seat has had some
   more turns, and the position then is judged: the more worlds there is time for, the later. The
   worlds are the same for all turns. After each quarter of the time the worse half of the turns is
   left behind, as long as there are two.
3. The first action of the turn with the best mean is played. The second one is thought about anew,
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

WIDTH = 24  # first actions that are continued
FEW = 8  # turns that are tried in worlds
NEAR, FAR = 2, 4  # own turns that are played on: what is far off, few worlds do not tell
MANY = 12  # worlds from which on it looks far
LONG = 0.3  # seconds a turn, likewise
TRUST = 6  # worlds for which the judgement right after the turn counts
HALF_A_SECOND = Seconds(0.5)
SPARE = 0.97  # of its time a bot uses, for one world more may be under way when it is over
STAGES = 4  # of thinking: after each but the last, half of the turns are left behind
FIRST_SHARE = 0.6  # of a turn's time, for its first action


class Budget:
    """How much thinking there is: worlds, or where none are named, seconds."""

    def __init__(self, seconds: float, worlds: int) -> None:
        self.began = perf_counter()
        self.seconds = seconds
        self.worlds = worlds
        self.worlds_tried = 0

    @property
    def spent(self) -> float:
        """The share that is used up."""
        if self.worlds:
            return self.worlds_tried / self.worlds
        return (perf_counter() - self.began) / self.seconds


class Planner:
    """Both actions of a turn together, and what becomes of them."""

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
        chance = Random(f"{self.seed} {view.number}")
        brain.look(view, chance.getrandbits(32))
        if not brain.begins:
            return brain.answer()
        worth = brain.survey(self.width)
        rows = sorted(worth, key=lambda row: -worth[row])[: self.few]
        self._compare(rows, worth, chance, budget)
        return brain.action(brain.choice(rows[0]))

    def _seconds(self, view: View, clock: Clock) -> float:
        """The time for this action: its share of the turn's, and no more than the clock gives."""
        seconds = SPARE * self.time * (FIRST_SHARE if view.actions_left > 1 else 1 - FIRST_SHARE)
        return seconds if clock.seconds is None else min(seconds, clock.seconds / 2)

    def _compare(
        self, rows: list[int], worth: dict[int, float], chance: Random, budget: Budget
    ) -> None:
        """Sort turns by what they are worth later; the worse half is left behind on the way."""
        for stage in range(1, STAGES + 1):
            while len(rows) > 1 and budget.spent < stage / STAGES:
                world = chance.getrandbits(48)
                for row in rows:
                    if budget.spent >= 1:
                        return
                    self.brain.foresee(row, self.turns, world)
                budget.worlds_tried += 1
                rows.sort(key=lambda row: -self.brain.future(row) - self.trust * worth[row])
            if stage < STAGES:
                del rows[max(2, len(rows) // 2) :]

    def close(self) -> None:
        """Nothing is held."""
