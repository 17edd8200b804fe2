"""The build action (3): which tile, where, with which card, and what follows."""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.choices import (
    TWO_CARDS,
    build_on,
    build_space,
    build_symbol,
    card,
    card_kind,
    is_card,
)
from brassmill.rules.emit import EventKind, Money, emit
from brassmill.rules.hand import ask_any_card, discard, holds_card
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    BUILDING,
    CANAL,
    CARD,
    CARDS,
    COAL,
    COAL_SOURCE,
    INDUSTRIES,
    INDUSTRY_CARD,
    IRON,
    IRON_SOURCE,
    NOBODY,
    PLACES,
    SHIPYARD,
    SYMBOLS,
    WILD_INDUSTRY,
    WILD_LOCATION,
)
from brassmill.rules.market import buy_coal, buy_iron, deliver_coal, deliver_iron, pay
from brassmill.rules.network import next_tile
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import (
    UNREACHABLE,
    any_iron,
    coal_anchors,
    coal_cost,
    flip,
    has_market_access,
    nearest_coal,
)

ANYWHERE = (1 << PLACES) - 1

# --- what and where ------------------------------------------------------------------------------


@rule
def ask_build(state, board, work):
    """Offer every industry on every space where it may be built."""
    if not find_sites(state, board, work):
        return
    for space in range(int(board.spaces)):
        for symbol in range(SYMBOLS):
            industry = int(board.symbol[space, symbol])
            if industry >= 0 and work.sites[industry] & board.space_bit[space]:
                if build_reason(state, board, work, build_on(space, symbol)) == Reason.OK:
                    offer(work, build_on(space, symbol))


@rule
def find_sites(state, board, work):
    """Where each industry could go, as far as its tile, the cards and the money say; is any left?

    Most spaces fail for reasons they share. The list checks these once for each industry.
    """
    left = 0
    for industry in range(INDUSTRIES):
        tile = int(work.next_tile[industry])
        pounds = int(board.cost[tile]) + int(work.iron_cost[int(board.iron_need[tile])])
        places = 0
        if tile_reason(state, board, tile) == Reason.OK and pounds <= state.cash[int(state.seat)]:
            places = int(work.location_open)
            if may_combine(state, board):
                places = ANYWHERE
            elif int(work.industry_open) >> industry & 1:
                places |= int(work.card_network) if work.presence else ANYWHERE
        work.sites[industry] = places
        left |= places
    return left != 0


@rule
def build_reason(state, board, work, choice):
    """BLD-1 to BLD-8: the conditions in order, for the card in hand that satisfies the most."""
    space = build_space(choice)
    if space >= board.spaces:
        return Reason.NOT_IN_THIS_GAME
    industry = int(board.symbol[space, build_symbol(choice)])
    work.details[0] = space
    if industry < 0:
        return Reason.WRONG_INDUSTRY_FOR_SPACE
    why = any_card_opens(state, board, work, space, industry)
    if why != Reason.OK:
        return why
    tile = int(work.next_tile[industry])
    why = tile_reason(state, board, tile)
    if why != Reason.OK:
        return why
    why = space_reason(state, board, work, space, build_symbol(choice), tile)
    if why != Reason.OK:
        return why
    why = cost_reason(state, board, work, space, tile)
    if why != Reason.OK:
        return why
    if work.empty >> space & 1 and board.earlier_twin[space] & work.empty:
        return Reason.SAME_AS_EARLIER_SPACE
    return Reason.OK


@rule
def any_card_opens(state, board, work, space, industry):
    """BLD-1: whether a card in hand, or any two, would allow the build."""
    if work.location_open & board.space_bit[space] or may_combine(state, board):
        return Reason.OK
    if not int(work.industry_open) >> industry & 1:
        if not board.towns & board.space_bit[space] and holds_card(state, WILD_LOCATION):
            return Reason.FARM_NEEDS_INDUSTRY_CARD
        return Reason.NO_CARD_FOR_IT
    return industry_card_reaches(state, board, work, space)


@rule
def industry_card_reaches(state, board, work, space):
    """BLD-1, BLD-2, A-CARD: an industry card works in the network, or anywhere with none."""
    if work.card_network & board.space_bit[space]:
        return Reason.OK
    if work.presence:
        return Reason.NOT_IN_NETWORK
    if state.tile[space] != 0:
        return Reason.NEEDS_LOCATION_CARD
    return Reason.OK


@rule
def may_combine(state, board):
    """BLD-3: two cards as any location, as the only action of a turn of two actions."""
    return (
        board.two_cards_build != 0
        and state.actions_left == 2
        and state.hand_size[int(state.seat)] >= 2
    )


@rule
def tile_reason(state, board, tile):
    """BLD-4: why the lowest tile of the mat cannot be built now."""
    if tile == 0:
        return Reason.NO_TILE_LEFT
    if board.buildable[tile, int(state.era)] == 0:
        if board.buildable[tile, 1 - int(state.era)]:
            return Reason.WRONG_ERA
        return Reason.NEVER_BUILT
    return Reason.OK


@rule
def space_reason(state, board, work, space, symbol, tile):
    """BLD-5, BLD-6, OVR: why the space cannot be used, empty or by overbuilding."""
    seat = int(state.seat)
    if state.tile[space] == 0:
        if board.single_space[space, symbol] & work.empty:
            return Reason.SINGLE_SPACE_FIRST
    else:
        why = overbuild_reason(state, board, work, space, tile)
        if why != Reason.OK:
            return why
    if (
        state.era == CANAL
        and work.own_places & board.space_bit[space]
        and state.owner[space] != seat
    ):
        return Reason.ONE_TILE_PER_TOWN
    return Reason.OK


@rule
def overbuild_reason(state, board, work, space, tile):
    """OVR-1 to OVR-3: why the tile on a space cannot be overbuilt."""
    old = int(state.tile[space])
    industry = int(board.industry_of[tile])
    if board.industry_of[old] != industry:
        return Reason.SPACE_TAKEN
    own = state.owner[space] == state.seat
    if not own and industry != COAL and industry != IRON:
        return Reason.SPACE_TAKEN  # at any level
    if board.level_of[tile] <= board.level_of[old]:
        return Reason.NOT_HIGHER_LEVEL
    if own:
        return Reason.OK
    if industry == COAL:
        supplied = work.coal_on_tiles > 0 or state.coal_market > 0
    else:
        supplied = work.iron_on_tiles > 0 or state.iron_market > 0
    if supplied:
        return Reason.RIVAL_STILL_SUPPLIED
    return Reason.OK


@rule
def cost_reason(state, board, work, space, tile):
    """BLD-7, BLD-8: why a tile's coal, iron or price cannot be paid."""
    coal = coal_cost(work, board.space_bit[space], int(board.coal_need[tile]))
    if coal == UNREACHABLE:
        return Reason.NO_COAL_IN_REACH
    pounds = int(board.cost[tile]) + coal + int(work.iron_cost[int(board.iron_need[tile])])
    missing = pounds - int(state.cash[int(state.seat)])
    if missing > 0:
        work.details[1] = missing
        return Reason.CANNOT_AFFORD
    return Reason.OK


@rule
def begin_build(state, board, choice):
    """Tile and space are decided; ask for the card."""
    state.doing = BUILDING
    state.space = build_space(choice)
    state.industry = int(board.symbol[build_space(choice), build_symbol(choice)])
    state.cards_due = 1
    state.phase = CARD


# --- the card ------------------------------------------------------------------------------------


@rule
def ask_build_card(state, board, work):
    """Offer the single cards that allow the build, and two cards as any location (BLD-3)."""
    if state.combined:
        ask_any_card(state, work)
        return
    for kind in range(CARDS):
        if holds_card(state, kind) and card_opens(state, board, work, kind) == Reason.OK:
            offer(work, card(kind))
    if may_combine(state, board):
        offer(work, TWO_CARDS)


@rule
def build_card_reason(state, board, work, choice):
    """BLD-1 to BLD-3: why a card does not allow the build."""
    if choice == TWO_CARDS:
        if board.two_cards_build == 0:
            return Reason.NOT_IN_THIS_GAME
        if state.combined:
            return Reason.NOT_ASKED_NOW
        if state.actions_left != 2:
            return Reason.NEEDS_BOTH_ACTIONS
        if state.hand_size[int(state.seat)] < 2:
            return Reason.NEEDS_TWO_CARDS
        return Reason.OK
    if not is_card(choice):
        return Reason.NOT_ASKED_NOW
    kind = card_kind(choice)
    work.details[0] = kind
    if not holds_card(state, kind):
        return Reason.NOT_IN_HAND
    if state.combined:
        return Reason.OK
    return card_opens(state, board, work, kind)


@rule
def card_opens(state, board, work, kind):
    """BLD-1, WILD-1, FARM-1: whether one card allows the chosen build."""
    space = int(state.space)
    if kind < INDUSTRY_CARD:
        if kind != board.space_place[space]:
            return Reason.CARD_NAMES_ANOTHER_TOWN
        return Reason.OK
    if kind == WILD_LOCATION:
        if not board.towns & board.space_bit[space]:
            return Reason.FARM_NEEDS_INDUSTRY_CARD
        return Reason.OK
    if kind != WILD_INDUSTRY and not int(board.card_industries[kind]) >> int(state.industry) & 1:
        return Reason.CARD_SHOWS_ANOTHER_INDUSTRY
    return industry_card_reaches(state, board, work, space)


@rule
def answer_build_card(state, board, work, choice):
    """BLD-7, BLD-8: discard, place the tile and pay for it."""
    if choice == TWO_CARDS:
        state.combined = 1
        state.cards_due = 2
        return
    discard(state, work, card_kind(choice))
    state.cards_due -= 1
    if state.cards_due == 0:
        place_tile(state, board, work)
        supply_build(state, board, work)


# --- the effects ---------------------------------------------------------------------------------


@rule
def place_tile(state, board, work):
    """BLD-4, OVR-4: remove an old tile, place the new one from the mat."""
    seat = int(state.seat)
    space = int(state.space)
    industry = int(state.industry)
    if state.tile[space] != 0:
        emit(work, EventKind.OVERBUILT, int(state.owner[space]), space, int(state.tile[space]))
        remove_tile(state, space)
    tile = next_tile(state, board, seat, industry)
    state.gone[seat, industry] += 1
    state.tile[space] = tile
    state.owner[space] = seat
    emit(work, EventKind.BUILT, seat, space, tile)
    if industry == SHIPYARD:
        flip(state, board, work, space)
    pay(state, work, seat, int(board.cost[tile]), Money.TILE)
    state.coal_due = int(board.coal_need[tile])
    state.iron_due = int(board.iron_need[tile])


@rule
def remove_tile(state, space):
    """OVR-4: remove a tile and its cubes."""
    state.tile[space] = 0
    state.owner[space] = NOBODY
    state.cubes[space] = 0
    state.flipped[space] = 0


@rule
def supply_build(state, board, work):
    """BLD-7: ask for the next source, buy if there is none, finish when nothing is due."""
    seat = int(state.seat)
    while state.coal_due > 0:
        if nearest_coal(state, board, coal_anchors(state, board)):
            state.phase = COAL_SOURCE
            return
        buy_coal(state, board, work, seat)
        state.coal_due -= 1
    while state.iron_due > 0:
        if any_iron(state, board):
            state.phase = IRON_SOURCE
            return
        buy_iron(state, board, work, seat)
        state.iron_due -= 1
    finish_build(state, board, work)


@rule
def finish_build(state, board, work):
    """BLD-9, BLD-10: put cubes or barrels on the tile, sell to the market, flip if empty."""
    space = int(state.space)
    tile = int(state.tile[space])
    industry = int(state.industry)
    contents = int(board.contents[tile, int(state.era)])
    if contents > 0:
        state.cubes[space] = contents
        if industry == COAL:
            if has_market_access(state, board, board.space_bit[space]):
                deliver_coal(state, board, work, space)
        elif industry == IRON:
            deliver_iron(state, board, work, space)
        if state.cubes[space] == 0:
            flip(state, board, work, space)
    finish_action(state)
