"""The planner: its whole turn searched, the best turns tried in worlds that could be the true one.

1. Every first action is judged by the position after it; the best of them are continued by every
   second action. What a turn is worth is what the position after it is worth.
2. The best turns go on in sampled worlds: everybody plays greedily until the seat has had some
   more turns, and the position then is judged. The worlds are the same for all turns. Whenever the
   worlds tried have doubled, the worse half of the turns is left behind.
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
from brassmill.editions.edition import Edition
from brassmill.view import View
from brassmill.warmup import THINKING

WIDTH = 24  # first actions that are continued
FEW = 8  # turns that are tried in worlds
TURNS = 2  # own turns that are played on
TRUST = 6  # worlds for which the judgement right after the turn counts
HALF_A_SECOND = Seconds(0.5)
FIRST_SHARE = 0.6  # of a turn's time, for its first action


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
        self.turns, self.width, self.few, self.trust = TURNS, WIDTH, FEW, TRUST

    def choose(self, view: View, clock: Clock) -> Answer:
        began = perf_counter()
        brain = self.brain
        chance = Random(f"{self.seed} {view.number}")
        brain.look(view, chance.getrandbits(32))
        if not brain.begins:
            return brain.answer()
        worth = brain.survey(self.width)
        rows = sorted(worth, key=lambda row: -worth[row])[: self.few]
        share = FIRST_SHARE if view.actions_left > 1 else 1 - FIRST_SHARE
        self._compare(rows, worth, chance, began + share * self.time)
        return brain.action(brain.choice(rows[0]))

    def _compare(
        self, rows: list[int], worth: dict[int, float], chance: Random, until: float
    ) -> None:
        """Sort turns by what they are worth later, until the time or the worlds are over."""
        tried, halve = 0, 4
        while len(rows) > 1 and (self.worlds == 0 or tried < self.worlds):
            world = chance.getrandbits(48)
            for row in rows:
                if self.worlds == 0 and perf_counter() > until:
                    return
                self.brain.foresee(row, self.turns, world)
            tried += 1
            rows.sort(key=lambda row: -self.brain.future(row) - self.trust * worth[row])
            if tried == halve:
                del rows[(len(rows) + 1) // 2 :]
                halve *= 2

    def close(self) -> None:
        """Nothing is held."""
