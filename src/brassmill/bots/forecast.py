"""Looking ahead: how a turn turns out in one possible world."""

from __future__ import annotations

from brassmill.bots.plan import ROOT, STORE, act
from brassmill.bots.terms import value
from brassmill.core.worlds import sample_world
from brassmill.rules.jit import rule
from brassmill.rules.layout import CHOICES_MAX, GAME_OVER, TURN_OVER
from brassmill.rules.turn import finish_turn

LATER = STORE + CHOICES_MAX  # where the stack of future positions starts


@rule
def one_future(states, slot, board, work, mind, seat, turns, seed):
    """The value of a position to a seat after `turns` more turns of its own, in one world.

    All seats play greedily by the same judgement; the seed determines the world.
    """
    later = states[LATER:]
    later[ROOT] = states[slot]
    sample_world(later[ROOT], board, work, seat, seed)
    left = turns
    while later[ROOT].phase != GAME_OVER:
        if later[ROOT].phase == TURN_OVER:
            finish_turn(later[ROOT], board, work)
            continue
        one = int(later[ROOT].seat)
        act(later, board, work, mind, one, 0)
        if one == seat and later[ROOT].phase == TURN_OVER:
            left -= 1
            if left == 0:
                break
    return value(later[ROOT], board, work, mind, seat)
