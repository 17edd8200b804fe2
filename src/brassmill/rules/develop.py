"""The develop action (DEV-1), and the tile that Gloucester's bonus removes (6.2)."""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.choices import (
    DONE,
    card_kind,
    develop,
    develop_industry,
    is_develop,
    is_remove,
    remove,
    remove_industry,
)
from brassmill.rules.emit import EventKind, emit
from brassmill.rules.hand import discard
from brassmill.rules.jit import rule
from brassmill.rules.layout import CARD, DEVELOPING, INDUSTRIES, IRON_SOURCE, MORE_DEVELOP
from brassmill.rules.market import buy_iron
from brassmill.rules.network import next_tile
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import any_iron

# --- which tile ----------------------------------------------------------------------------------


@rule
def ask_develop(state, board, work):
    """Offer every industry whose lowest tile may be removed."""
    for industry in range(INDUSTRIES):
        if develop_reason(state, board, work, develop(industry)) == Reason.OK:
            offer(work, develop(industry))


@rule
def develop_reason(state, board, work, choice):
    """DEV-1 to DEV-3: why the lowest tile of an industry cannot be removed."""
    industry = develop_industry(choice)
    why = removal_reason(state, board, work, industry)
    if why != Reason.OK:
        return why
    missing = int(work.iron_cost[1]) - int(state.cash[int(state.seat)])
    if missing > 0:
        work.details[1] = missing
        return Reason.CANNOT_AFFORD
    return Reason.OK


@rule
def removal_reason(state, board, work, industry):
    """DEV-3: why the lowest tile of an industry cannot leave the mat."""
    work.details[0] = industry
    if board.stack_size[industry] == 0:
        return Reason.NOT_IN_THIS_GAME
    tile = next_tile(state, board, int(state.seat), industry)
    if tile == 0:
        return Reason.NO_TILE_LEFT
    if board.developable[tile] == 0:
        return Reason.NOT_DEVELOPABLE
    return Reason.OK


@rule
def begin_develop(state, choice):
    """The industry is decided; ask for the card, once for the whole action."""
    state.doing = DEVELOPING
    state.industry = develop_industry(choice)
    state.cards_due = 1
    state.phase = CARD


@rule
def answer_develop_card(state, board, work, choice):
    """DEV-1, DEV-2: discard the card, then get iron for the first tile."""
    discard(state, work, card_kind(choice))
    state.cards_due = 0
    state.iron_due = 1
    supply_develop(state, board, work)


@rule
def answer_second_develop(state, board, work, choice):
    """DEV-1: a second tile."""
    state.industry = develop_industry(choice)
    state.iron_due = 1
    supply_develop(state, board, work)


@rule
def supply_develop(state, board, work):
    """DEV-2: ask for the works or buy the iron, then remove the tile."""
    seat = int(state.seat)
    if state.iron_due > 0:
        if any_iron(state, board):
            state.phase = IRON_SOURCE
            return
        buy_iron(state, board, work, seat)
        state.iron_due = 0
    take_off_mat(state, board, work, int(state.industry))
    state.count += 1
    if state.count == 1:
        state.phase = MORE_DEVELOP
    else:
        finish_action(state)


@rule
def take_off_mat(state, board, work, industry):
    """DEV-1: remove the lowest tile of an industry from the game."""
    seat = int(state.seat)
    tile = next_tile(state, board, seat, industry)
    state.gone[seat, industry] += 1
    emit(work, EventKind.DEVELOPED, seat, industry, int(board.level_of[tile]))


@rule
def ask_more_develop(state, board, work):
    """Offer a second tile, or to end the action."""
    ask_develop(state, board, work)
    offer(work, DONE)


@rule
def more_develop_reason(state, board, work, choice):
    """DEV-1: why a tile cannot be the second one."""
    if choice == DONE:
        return Reason.OK
    if not is_develop(choice):
        return Reason.NOT_ASKED_NOW
    return develop_reason(state, board, work, choice)


# --- Gloucester's bonus --------------------------------------------------------------------------


@rule
def any_removable(state, board, work):
    """6.2: whether any tile of the mat may be removed; if not, the bonus lapses."""
    for industry in range(INDUSTRIES):
        if removal_reason(state, board, work, industry) == Reason.OK:
            return True
    return False


@rule
def ask_remove(state, board, work):
    """Offer every industry whose lowest tile may be removed without iron."""
    for industry in range(INDUSTRIES):
        if removal_reason(state, board, work, industry) == Reason.OK:
            offer(work, remove(industry))


@rule
def remove_reason(state, board, work, choice):
    """6.2, DEV-3: why the bonus cannot remove a tile."""
    if not is_remove(choice):
        return Reason.NOT_ASKED_NOW
    return removal_reason(state, board, work, remove_industry(choice))
