"""Turn order, income and debt (2, DEBT)."""

from __future__ import annotations

from brassmill.rules.build import remove_tile
from brassmill.rules.choices import debt_tile, debt_tile_space, is_debt_tile
from brassmill.rules.emit import EventKind, Money, emit
from brassmill.rules.income import income_level
from brassmill.rules.jit import rule
from brassmill.rules.layout import DEBT, DEBT_POINTS
from brassmill.rules.market import receive
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason
from brassmill.rules.scoring import score

# --- the order -----------------------------------------------------------------------------------


@rule
def set_order(state, board, work):
    """2: the seat that spent least goes first; ties keep their order."""
    players = int(board.players)
    for place in range(1, players):
        seat = int(state.order[place])
        before = place
        while before > 0 and state.spent[int(state.order[before - 1])] > state.spent[seat]:
            state.order[before] = state.order[before - 1]
            before -= 1
        state.order[before] = seat
    for place in range(players):
        seat = int(state.order[place])
        emit(work, EventKind.ORDER_SET, place, seat, int(state.spent[seat]))


@rule
def clear_spent(state, board):
    """TURN-3: the spent piles go to the bank."""
    for seat in range(int(board.players)):
        state.spent[seat] = 0


# --- income --------------------------------------------------------------------------------------


@rule
def collect_income(state, board, work):
    """TURN-5: pay income in turn order; stop where a player in debt must choose (DEBT-2)."""
    while state.income_turn < board.players:
        seat = int(state.order[int(state.income_turn)])
        state.income_turn += 1
        level = income_level(int(state.income[seat]))
        if level >= 0:
            state.cash[seat] += level
            emit(work, EventKind.INCOME_PAID, seat, level, 0)
            continue
        paid = min(-level, int(state.cash[seat]))
        state.cash[seat] -= paid
        emit(work, EventKind.INCOME_PAID, seat, -paid, 0)
        state.owed = -level - paid
        state.seat = seat
        demand_debt(state, board, work)
        if state.phase == DEBT:
            return


# --- debt ----------------------------------------------------------------------------------------


@rule
def demand_debt(state, board, work):
    """DEBT-2, DEBT-4: ask for a tile while one is worth anything, else take VP."""
    if state.owed == 0:
        return
    for space in range(int(board.spaces)):
        if debt_tile_reason(state, board, work, debt_tile(space)) == Reason.OK:
            state.phase = DEBT
            return
    seat = int(state.seat)
    lost = min(int(state.owed), int(state.vp[seat]))
    state.owed = 0
    if lost > 0:
        score(state, seat, DEBT_POINTS, -lost)
        emit(work, EventKind.VP_LOST, seat, lost, 0)


@rule
def ask_debt_tile(state, board, work):
    """Offer every own tile that is worth something."""
    for space in range(int(board.spaces)):
        if debt_tile_reason(state, board, work, debt_tile(space)) == Reason.OK:
            offer(work, debt_tile(space))


@rule
def debt_tile_reason(state, board, work, choice):
    """DEBT-2, X-12: why a tile cannot be removed to pay the debt."""
    if not is_debt_tile(choice):
        return Reason.NOT_ASKED_NOW
    space = debt_tile_space(choice)
    if space >= board.spaces:
        return Reason.NOT_IN_THIS_GAME
    work.details[0] = space
    if state.owner[space] != state.seat:
        return Reason.NOT_YOUR_TILE
    if worth(state, board, space) == 0:
        return Reason.TILE_WORTH_NOTHING
    return Reason.OK


@rule
def worth(state, board, space):
    """DEBT-2: half the printed cost, rounded down."""
    return int(board.cost[int(state.tile[space])]) // 2


@rule
def answer_debt_tile(state, board, work, choice):
    """DEBT-2, DEBT-3: remove the tile, pay the debt with its value, keep the surplus."""
    space = debt_tile_space(choice)
    seat = int(state.seat)
    pounds = worth(state, board, space)
    emit(work, EventKind.GAVE_UP, seat, space, int(state.tile[space]))
    remove_tile(state, space)
    receive(state, work, seat, pounds, Money.TILE_GIVEN_UP)
    paid = min(pounds, int(state.owed))
    state.cash[seat] -= paid
    state.owed -= paid
    emit(work, EventKind.INCOME_PAID, seat, -paid, 0)
