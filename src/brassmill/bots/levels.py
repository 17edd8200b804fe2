"""Five levels for people, from beginner to master: the same judgement with more or less error.

The first three judge single actions, with an error; the fourth plans its whole turn; the master
also simulates the best turns in possible worlds. How far apart they are is
measured in `docs/bots/bots.md`.
"""

from __future__ import annotations

from brassmill.bots.greedy import Greedy
from brassmill.bots.planner import Planner
from brassmill.bots.spec import Seconds
from brassmill.editions.edition import Edition

BEGINNER_NOISE = 12.0  # VP of error
APPRENTICE_NOISE = 5.0
JOURNEYMAN_NOISE = 2.0
MASTER_TIME = Seconds(1.0)


class Beginner(Greedy):
    """Knows the moves, misjudges their value."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, noise=BEGINNER_NOISE)
        self.name = "beginner"


class Apprentice(Greedy):
    """Finds good actions, often takes the second best."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, noise=APPRENTICE_NOISE)
        self.name = "apprentice"


class Journeyman(Greedy):
    """Judges a single action well, looks no further."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, noise=JOURNEYMAN_NOISE)
        self.name = "journeyman"


class Expert(Planner):
    """Plans both actions of a turn."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, worlds=1)
        self.few = 1
        self.name = "expert"


class Master(Planner):
    """Plans the turn and what follows."""

    def __init__(self, edition: Edition, seed: int) -> None:
        super().__init__(edition, seed, time=MASTER_TIME)
        self.name = "master"
