"""The sell action: to merchants with beer (SELC-1), or to ports and the distant market (SELL-1)."""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.choices import (
    DONE,
    SELL_FAR,
    barrel_merchant,
    card_kind,
    is_sell,
    is_sell_to_port,
    port_space,
    remove_industry,
    sell_space,
    sell_tile,
    sell_to_port,
)
from brassmill.rules.develop import any_removable, take_off_mat
from brassmill.rules.emit import EventKind, Money, emit
from brassmill.rules.hand import discard
from brassmill.rules.income import raise_income
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    BEER_SOURCE,
    BONUS_DEVELOP,
    BONUS_INCOME,
    BONUS_MONEY,
    BONUS_POINTS,
    BONUS_POINTS_NOW,
    BUYER,
    CARD,
    CLOSED,
    COTTON,
    FREE_DEVELOP,
    MANUFACTURER,
    MORE_SALES,
    PORT,
    POTTERY,
    SELLING,
)
from brassmill.rules.market import receive
from brassmill.rules.network import all_connected
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import flip
from brassmill.rules.scoring import score

# --- which tile ----------------------------------------------------------------------------------


@rule
def ask_sell(state, board, work):
    """Offer every own tile that can be sold."""
    for space in range(int(board.spaces)):
        if state.owner[space] == state.seat and state.flipped[space] == 0:
            if sell_reason(state, board, work, sell_tile(space)) == Reason.OK:
                offer(work, sell_tile(space))


@rule
def sell_reason(state, board, work, choice):
    """SELC-1, SELL-1: why a tile cannot be sold."""
    space = sell_space(choice)
    if space >= board.spaces:
        return Reason.NOT_IN_THIS_GAME
    work.details[0] = space
    tile = int(state.tile[space])
    industry = int(board.industry_of[tile])
    if tile == 0 or state.owner[space] != state.seat or not is_sold(industry):
        return Reason.NOTHING_TO_SELL
    if state.flipped[space]:
        return Reason.ALREADY_FLIPPED
    place = int(board.space_bit[space])
    return sale_reason(state, board, work, place, tile)


@rule
def sale_reason(state, board, work, place, tile):
    """SELC-1, SELL-1: why a tile at a place has no buyer, or what the sale lacks."""
    if board.beer_to_sell:
        industry, beers = int(board.industry_of[tile]), int(board.beer_need[tile])
        return merchant_reason(board, work, place, industry, beers)
    if work.open_port & place:
        return Reason.OK
    if not work.access & place:
        return Reason.NO_BUYER
    if state.demand == CLOSED:
        return Reason.DISTANT_MARKET_CLOSED
    return Reason.OK


@rule
def is_sold(industry):
    """SELL-1, SELC-3: whether tiles of this industry flip by being sold."""
    return industry == COTTON or industry == MANUFACTURER or industry == POTTERY


@rule
def merchant_reason(board, work, place, industry, beers):
    """SELC-1, SELC-4: why no merchant buys a tile: none is connected, or beer is missing."""
    if not work.buyers[industry] & place:
        return Reason.NO_BUYER
    barrels = int(work.own_beer)
    if work.buyers_beer[industry] & place:
        barrels += 1
    if work.rival_beer_1 & place:
        barrels += 1
    if work.rival_beer_2 & place:
        barrels += 1
    if barrels < beers:
        return Reason.NO_BEER_IN_REACH
    return Reason.OK


@rule
def begin_sell(state, choice):
    """The tile is decided; ask for the card, once for the whole action."""
    state.doing = SELLING
    state.space = sell_space(choice)
    state.cards_due = 1
    state.phase = CARD


@rule
def answer_sell_card(state, board, work, choice):
    """SELC-1, SELL-1: discard the card and begin the first sale."""
    discard(state, work, card_kind(choice))
    state.cards_due = 0
    begin_sale(state, board, work)


@rule
def answer_next_sale(state, board, work, choice):
    """SELC-3, SELL-1: sell one more tile."""
    state.space = sell_space(choice)
    begin_sale(state, board, work)


@rule
def begin_sale(state, board, work):
    """Begin the sale of one tile: ask for its beer or its buyer."""
    if board.beer_to_sell:
        state.beer_due = int(board.beer_need[int(state.tile[int(state.space)])])
        state.barrel_used = 0
        supply_sale(state, board, work)
    else:
        state.phase = BUYER


@rule
def end_sale(state, board, work):
    """Flip the tile that was sold; ask whether to sell another."""
    space = int(state.space)
    emit(work, EventKind.SOLD, int(state.seat), space, int(state.tile[space]))
    flip(state, board, work, space)
    state.count += 1
    state.phase = MORE_SALES


@rule
def ask_more_sales(state, board, work):
    """Offer the next tile, or to end the action."""
    ask_sell(state, board, work)
    offer(work, DONE)


@rule
def more_sales_reason(state, board, work, choice):
    """Why a tile cannot be sold next."""
    if choice == DONE:
        return Reason.OK
    if not is_sell(choice):
        return Reason.NOT_ASKED_NOW
    return sell_reason(state, board, work, choice)


# --- to merchants (6.1, 6.2) ---------------------------------------------------------------------


@rule
def supply_sale(state, board, work):
    """SELC-3: beer first, then Gloucester's tile, then the flip."""
    if state.beer_due > 0:
        state.phase = BEER_SOURCE
    elif state.develop_due and any_removable(state, board, work):
        state.phase = FREE_DEVELOP
    else:
        state.develop_due = 0
        end_sale(state, board, work)


@rule
def take_barrel(state, board, work, choice):
    """6.2: take a merchant's barrel and its bonus."""
    merchant = barrel_merchant(choice)
    seat = int(state.seat)
    state.barrel[merchant] = 0
    state.barrel_used = 1
    state.beer_due -= 1
    emit(work, EventKind.BARREL_USED, seat, merchant, 0)
    place = int(board.merchant_place[merchant])
    kind = int(board.bonus[place])
    amount = int(board.bonus_amount[place])
    emit(work, EventKind.BONUS, seat, place, amount)
    if kind == BONUS_POINTS_NOW:
        score(state, seat, BONUS_POINTS, amount)
    elif kind == BONUS_INCOME:
        raise_income(state, work, seat, amount)
    elif kind == BONUS_MONEY:
        receive(state, work, seat, amount, Money.BONUS)
    elif kind == BONUS_DEVELOP:
        state.develop_due = 1


@rule
def answer_remove(state, board, work, choice):
    """6.2: remove a tile with Gloucester's bonus."""
    take_off_mat(state, board, work, remove_industry(choice))
    state.develop_due = 0
    supply_sale(state, board, work)


# --- to ports and the distant market (SELL-1) ----------------------------------------------------


@rule
def port_reason(state, board, space, reached):
    """SELL-2: why a mill cannot be sold to a port; the port may belong to any player."""
    tile = int(state.tile[space])
    if tile == 0 or board.industry_of[tile] != PORT:
        return Reason.NO_PORT
    if state.flipped[space]:
        return Reason.ALREADY_FLIPPED
    if not board.space_bit[space] & reached:
        return Reason.NOT_CONNECTED
    return Reason.OK


@rule
def far_reason(state):
    """SELL-4: why the distant market does not buy; a mill with any buyer has market access."""
    if state.demand == CLOSED:
        return Reason.DISTANT_MARKET_CLOSED
    return Reason.OK


@rule
def ask_buyer(state, board, work):
    """Offer every port and the distant market."""
    reached = all_connected(state, board, board.space_bit[int(state.space)])
    for space in range(int(board.spaces)):
        if port_reason(state, board, space, reached) == Reason.OK:
            offer(work, sell_to_port(space))
    if far_reason(state) == Reason.OK:
        offer(work, SELL_FAR)


@rule
def buyer_reason(state, board, work, choice):
    """Why a mill cannot be sold there."""
    if choice == SELL_FAR:
        work.details[0] = int(state.space)
        return far_reason(state)
    if not is_sell_to_port(choice):
        return Reason.NOT_ASKED_NOW
    space = port_space(choice)
    if space >= board.spaces:
        return Reason.NOT_IN_THIS_GAME
    work.details[0] = space
    reached = all_connected(state, board, board.space_bit[int(state.space)])
    return port_reason(state, board, space, reached)


@rule
def answer_buyer(state, board, work, choice):
    """SELL-2: flip the port, then the mill; SELL-3: sell to the distant market."""
    if choice == SELL_FAR:
        sell_far(state, board, work)
        return
    port = port_space(choice)
    emit(work, EventKind.SOLD_TO_PORT, int(state.seat), int(state.space), port)
    flip(state, board, work, port)
    end_sale(state, board, work)


@rule
def sell_far(state, board, work):
    """SELL-3, SELL-4: turn over a tile; on X nothing is sold and the action ends."""
    seat = int(state.seat)
    steps = int(state.distant[int(state.distant_next)])
    state.distant_next += 1
    state.demand = min(CLOSED, int(state.demand) + steps)
    emit(work, EventKind.DISTANT_TILE, seat, steps, int(state.demand))
    if state.demand == CLOSED:
        finish_action(state)
        return
    raise_income(state, work, seat, int(board.distant_bonus[int(state.demand)]))
    end_sale(state, board, work)
