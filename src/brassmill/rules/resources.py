"""Coal, iron and beer: where they may come from, and the flip when the last one is used."""

from __future__ import annotations

from brassmill.rules.choices import (
    barrel_merchant,
    barrel_of,
    beer_from,
    beer_space,
    coal_from,
    coal_space,
    iron_from,
    iron_space,
    is_barrel_of,
    is_beer_from,
    is_coal_from,
    is_iron_from,
)
from brassmill.rules.emit import EventKind, emit
from brassmill.rules.income import raise_income
from brassmill.rules.jit import rule
from brassmill.rules.layout import BREWERY, COAL, IRON, LINKING, NOWHERE, PORT
from brassmill.rules.network import all_connected, spread
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason

UNREACHABLE = -1  # the cost of coal where none is available


# --- flips (COAL-6, IRON-4) ----------------------------------------------------------------------


@rule
def flip(state, board, work, space):
    """Flip a tile, for good, and move the owner's income (COAL-6, IRON-4)."""
    tile = int(state.tile[space])
    owner = int(state.owner[space])
    state.flipped[space] = 1
    emit(work, EventKind.FLIPPED, owner, space, tile)
    raise_income(state, work, owner, int(board.income_gain[tile]))


@rule
def take_cube(state, board, work, space):
    """Take one cube or barrel off a tile, which flips when empty."""
    state.cubes[space] -= 1
    if state.cubes[space] == 0:
        flip(state, board, work, space)


@rule
def holds(state, board, space, industry):
    """Whether the space has an unflipped tile of the industry that is not empty."""
    tile = int(state.tile[space])
    return tile != 0 and int(board.industry_of[tile]) == industry and state.cubes[space] > 0


# --- coal (COAL) ---------------------------------------------------------------------------------


@rule
def coal_cost(work, places, need):
    """COAL-3, COAL-4: the cost of this much coal at these places, mines first, or UNREACHABLE."""
    if need == 0:
        return 0
    if need == 1:
        if places & work.coal_1:
            return 0
        if places & work.access:
            return int(work.coal_price_1)
        return UNREACHABLE
    if places & work.coal_2:
        return 0
    if not places & work.access:
        return UNREACHABLE
    if places & work.coal_1:
        return int(work.coal_price_1)
    return int(work.coal_price_2)


@rule
def coal_anchors(state, board):
    """COAL-2: where the action in progress needs its coal."""
    if int(state.doing) == LINKING:
        if int(state.end) != NOWHERE:
            return 1 << int(state.end)
        return int(board.line_ends[int(state.line)])
    return int(board.space_bit[int(state.space)])


@rule
def mines_in(state, board, places):
    """COAL-3: the mask of spaces with a stocked mine in these places."""
    mines = 0
    for space in range(int(board.spaces)):
        if board.space_bit[space] & places and holds(state, board, space, COAL):
            mines |= 1 << space
    return mines


@rule
def nearest_coal(state, board, anchors):
    """COAL-3: the mask of spaces with the nearest stocked mines, 0 if none is connected."""
    reached = anchors
    while True:
        mines = mines_in(state, board, reached)
        if mines:
            return mines
        further = spread(state, board, reached)
        if further == reached:
            return 0
        reached = further


@rule
def ask_coal(state, board, work):
    """Offer the nearest mines."""
    mines = nearest_coal(state, board, coal_anchors(state, board))
    for space in range(int(board.spaces)):
        if mines >> space & 1:
            offer(work, coal_from(space))


@rule
def coal_reason(state, board, work, choice):
    """COAL-3: why the next coal cannot come from a mine."""
    if not is_coal_from(choice):
        return Reason.NOT_ASKED_NOW
    space = coal_space(choice)
    if space >= board.spaces:
        return Reason.NOT_IN_THIS_GAME
    work.details[0] = space
    if not holds(state, board, space, COAL):
        return Reason.NO_COAL_MINE
    anchors = coal_anchors(state, board)
    if nearest_coal(state, board, anchors) >> space & 1:
        return Reason.OK
    if not board.space_bit[space] & all_connected(state, board, anchors):
        return Reason.NOT_CONNECTED
    return Reason.NOT_NEAREST


@rule
def take_coal(state, board, work, choice):
    """COAL-3, COAL-6: take a coal from a mine, which flips when empty."""
    space = coal_space(choice)
    emit(work, EventKind.COAL_USED, int(state.seat), space, 0)
    state.coal_due -= 1
    take_cube(state, board, work, space)


# --- iron (IRON) ---------------------------------------------------------------------------------


@rule
def stocked_works(state, board):
    """IRON-2: the mask of spaces with a works that holds a cube."""
    works = 0
    for space in range(int(board.spaces)):
        if holds(state, board, space, IRON):
            works |= 1 << space
    return works


@rule
def any_iron(state, board):
    """IRON-2: whether any works holds a cube."""
    return stocked_works(state, board) != 0


@rule
def ask_iron(state, board, work):
    """Offer every stocked works."""
    works = stocked_works(state, board)
    for space in range(int(board.spaces)):
        if works >> space & 1:
            offer(work, iron_from(space))


@rule
def iron_reason(state, board, work, choice):
    """IRON-2: why the next iron cannot come from a works."""
    if not is_iron_from(choice):
        return Reason.NOT_ASKED_NOW
    space = iron_space(choice)
    if space >= board.spaces:
        return Reason.NOT_IN_THIS_GAME
    work.details[0] = space
    if not holds(state, board, space, IRON):
        return Reason.NO_IRON_WORKS
    return Reason.OK


@rule
def take_iron(state, board, work, choice):
    """IRON-2, IRON-4: take an iron from a works, which flips when empty."""
    space = iron_space(choice)
    emit(work, EventKind.IRON_USED, int(state.seat), space, 0)
    state.iron_due -= 1
    take_cube(state, board, work, space)


# --- beer (6.2) ----------------------------------------------------------------------------------


@rule
def beer_anchors(state, board):
    """6.2: where the beer is needed: at the tile being sold, or at the second rail."""
    if int(state.doing) == LINKING:
        return int(board.line_ends[int(state.line)])
    return int(board.space_bit[int(state.space)])


@rule
def brewery_reason(state, board, space, reached):
    """6.2: why a brewery's beer cannot be used; an opponent's brewery must be connected."""
    if not holds(state, board, space, BREWERY):
        return Reason.NO_BREWERY
    if state.owner[space] != state.seat and not board.space_bit[space] & reached:
        return Reason.NOT_CONNECTED
    return Reason.OK


@rule
def barrel_reason(state, board, merchant, reached):
    """6.2, SELC-2: why a merchant's barrel cannot be used."""
    if int(state.doing) == LINKING:
        return Reason.NO_MERCHANT_BEER_FOR_RAILS
    if not 1 << int(board.merchant_place[merchant]) & reached:
        return Reason.NOT_CONNECTED
    industry = int(board.industry_of[int(state.tile[int(state.space)])])
    if not int(state.merchant[merchant]) >> industry & 1:
        return Reason.MERCHANT_BUYS_OTHER_GOODS
    if state.barrel[merchant] == 0:
        return Reason.NO_BARREL
    if state.barrel_used:
        return Reason.ONE_MERCHANT_BARREL_A_SALE
    return Reason.OK


@rule
def ask_beer(state, board, work):
    """Offer every barrel that may be used."""
    reached = all_connected(state, board, beer_anchors(state, board))
    for space in range(int(board.spaces)):
        if brewery_reason(state, board, space, reached) == Reason.OK:
            offer(work, beer_from(space))
    for merchant in range(int(board.merchants)):
        if barrel_reason(state, board, merchant, reached) == Reason.OK:
            offer(work, barrel_of(merchant))


@rule
def beer_reason(state, board, work, choice):
    """6.2: why a barrel cannot be used."""
    reached = all_connected(state, board, beer_anchors(state, board))
    if is_beer_from(choice):
        space = beer_space(choice)
        if space >= board.spaces:
            return Reason.NOT_IN_THIS_GAME
        work.details[0] = space
        return brewery_reason(state, board, space, reached)
    if is_barrel_of(choice):
        merchant = barrel_merchant(choice)
        if merchant >= board.merchants:
            return Reason.NOT_IN_THIS_GAME
        work.details[0] = merchant
        return barrel_reason(state, board, merchant, reached)
    return Reason.NOT_ASKED_NOW


@rule
def take_beer(state, board, work, choice):
    """6.2: take a barrel from a brewery."""
    space = beer_space(choice)
    emit(work, EventKind.BEER_USED, int(state.seat), space, 0)
    state.beer_due -= 1
    take_cube(state, board, work, space)


# --- market access (NET-4) -----------------------------------------------------------------------


@rule
def has_market_access(state, board, places):
    """NET-4: connected to a market place or to a town with a port tile."""
    reached = all_connected(state, board, places)
    if reached & board.market_places:
        return True
    for space in range(int(board.spaces)):
        if board.space_bit[space] & reached:
            tile = int(state.tile[space])
            if tile != 0 and board.industry_of[tile] == PORT:
                return True
    return False
