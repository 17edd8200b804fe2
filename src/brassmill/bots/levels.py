"""Five levels for people, from beginner to master: the same judgement, seen more or less clearly.

The first three look at one action, with an error in what they see; the fourth plans its whole turn;
the master also tries the best turns in worlds that could be the true one. How far apart they are is
measured in `docs/bots/bots.md`.
"""

from __future__ import annotations

from brassmill.bots.greedy import Greedy
from brassmill.bots.planner import Planner
from brassmill.bots.spec import Seconds
from brassmill.editions.edition import Edition

BEGINNER_NOISE = 12.0  # points of error
APPRENTICE_NOISE = 5.0
JOURNEYMAN_NOISE = 2.0
MASTER_TIME = Seconds(1.0)


class Beginner(Greedy):
    """Sees what an action is about, and little of what it is worth."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, noise=BEGINNER_NOISE)
        self.name = "beginner"


class Apprentice(Greedy):
    """Sees the good actions, and often takes the second best."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, noise=APPRENTICE_NOISE)
        self.name = "apprentice"


class Journeyman(Greedy):
    """Sees one action well, and nothing beyond it."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, noise=JOURNEYMAN_NOISE)
        self.name = "journeyman"


class Expert(Planner):
    """Plans both actions of a turn together."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, worlds=1)
        self.few = 1
        self.name = "expert"


class Master(Planner):
    """Plans the turn, and what becomes of it."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, time=MASTER_TIME)
        self.name = "master"
