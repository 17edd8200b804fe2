"""The action in progress: how it ends."""

from __future__ import annotations

from brassmill.rules.jit import rule
from brassmill.rules.layout import ACTION, NOTHING, NOWHERE, TURN_OVER


@rule
def clear_action(state):
    """Clear the action in progress."""
    state.doing = NOTHING
    state.count = 0
    state.space = NOWHERE
    state.industry = NOWHERE
    state.line = NOWHERE
    state.end = NOWHERE
    state.loan = 0
    state.cards_due = 0
    state.coal_due = 0
    state.iron_due = 0
    state.beer_due = 0
    state.develop_due = 0
    state.barrel_used = 0
    state.combined = 0


@rule
def finish_action(state):
    """TURN-1: begin the next action, or end the actions of the turn (BLD-3 takes both)."""
    state.actions_left -= 1 + int(state.combined)
    clear_action(state)
    if state.hand_size[int(state.seat)] == 0:
        state.actions_left = 0
    state.phase = ACTION if state.actions_left > 0 else TURN_OVER
