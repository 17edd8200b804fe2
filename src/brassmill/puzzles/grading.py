"""What a turn has made: the VP of a last turn, and what makes other turns different."""

from __future__ import annotations

import numpy as np

from brassmill.core.engine import Engine
from brassmill.puzzles.rejection import Rejection, Unfit
from brassmill.rules.layout import DEBT, STATE

# Turns are different if the tiles and links on the map, the tiles on the mats, the income or the
# merchants are. Which card they discard, and whose coal or iron they use, makes no difference.
DIFFERENT = ("tile", "owner", "flipped", "link_owner", "gone", "income", "merchant", "barrel")


def vp_after(engine: Engine, seat: int) -> int:
    """The VP of a seat once the turn has ended and the era is scored."""
    plan = engine.copy()
    plan.end_turn()
    if plan.phase == DEBT:
        raise Unfit(Rejection.DEBT)
    return int(plan.state.vp[seat])


def mark_of(position: bytes) -> bytes:
    """What a turn has done: turns that lead to equal marks count as the same."""
    state = np.frombuffer(position, STATE)[0]
    return b"".join(state[name].tobytes() for name in DIFFERENT)
