"""The coal and iron markets: prices, buying and selling cubes (MKT)."""

from __future__ import annotations

from brassmill.rules.emit import EventKind, Money, emit
from brassmill.rules.jit import rule
from brassmill.rules.layout import NOWHERE


@rule
def coal_price(state, board, later):
    """MKT-2: the price of the next coal, or of the one after `later` more have been bought."""
    cubes = int(state.coal_market) - later
    if cubes > 0:
        return int(board.coal_prices[int(board.coal_spaces) - cubes])
    return int(board.coal_empty_price)


@rule
def iron_price(state, board, later):
    """MKT-2: the price of the next iron, or of the one after `later` more have been bought."""
    cubes = int(state.iron_market) - later
    if cubes > 0:
        return int(board.iron_prices[int(board.iron_spaces) - cubes])
    return int(board.iron_empty_price)


@rule
def pay(state, work, seat, pounds, purpose):
    """TURN-3: pay, and count the money as spent."""
    state.cash[seat] -= pounds
    state.spent[seat] += pounds
    emit(work, EventKind.PAID, seat, pounds, purpose)


@rule
def receive(state, work, seat, pounds, origin):
    """Take money from the bank; money spent stays the same (TURN-3)."""
    state.cash[seat] += pounds
    emit(work, EventKind.RECEIVED, seat, pounds, origin)


@rule
def buy_coal(state, board, work, seat):
    """COAL-4, MKT-2: buy the cheapest coal of the market."""
    price = coal_price(state, board, 0)
    if state.coal_market > 0:
        state.coal_market -= 1
    emit(work, EventKind.COAL_USED, seat, NOWHERE, price)
    pay(state, work, seat, price, Money.COAL)


@rule
def buy_iron(state, board, work, seat):
    """IRON-3, MKT-2: buy the cheapest iron of the market."""
    price = iron_price(state, board, 0)
    if state.iron_market > 0:
        state.iron_market -= 1
    emit(work, EventKind.IRON_USED, seat, NOWHERE, price)
    pay(state, work, seat, price, Money.IRON)


@rule
def deliver_coal(state, board, work, space):
    """MKT-3, BLD-9: a new mine fills the dearest vacant spaces of the coal market."""
    owner = int(state.owner[space])
    while state.cubes[space] > 0 and state.coal_market < board.coal_spaces:
        price = int(board.coal_prices[int(board.coal_spaces) - int(state.coal_market) - 1])
        state.coal_market += 1
        state.cubes[space] -= 1
        emit(work, EventKind.DELIVERED, owner, space, price)
        receive(state, work, owner, price, Money.COAL)


@rule
def deliver_iron(state, board, work, space):
    """MKT-3, BLD-9: new works fill the dearest vacant spaces of the iron market."""
    owner = int(state.owner[space])
    while state.cubes[space] > 0 and state.iron_market < board.iron_spaces:
        price = int(board.iron_prices[int(board.iron_spaces) - int(state.iron_market) - 1])
        state.iron_market += 1
        state.cubes[space] -= 1
        emit(work, EventKind.DELIVERED, owner, space, price)
        receive(state, work, owner, price, Money.IRON)
