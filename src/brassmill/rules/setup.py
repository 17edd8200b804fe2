"""Setting up (6.A to 6.C), and the change to the rail era (END-2)."""

from __future__ import annotations

from brassmill.rules.action import clear_action
from brassmill.rules.build import remove_tile
from brassmill.rules.emit import EventKind, emit
from brassmill.rules.hand import draw
from brassmill.rules.income import START
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import (
    ACTION,
    AFTER_DEAL,
    BEFORE_DEAL,
    CANAL,
    CARDS,
    DECK,
    DISTANT_TILES,
    FROM_BOTTOM,
    HAND,
    INDUSTRIES,
    LINES,
    MERCHANTS,
    NOBODY,
    RAIL,
    SEATS,
    SOURCES,
    SPACES,
)


@entry
def set_up(state, board, deal, work):
    """Set up the first position of a deal."""
    clear_seats(state, board)
    clear_map(state)
    clear_action(state)
    for place in range(SEATS):
        state.order[place] = deal.order[place]
    for merchant in range(MERCHANTS):
        state.merchant[merchant] = deal.merchant[merchant]
        state.barrel[merchant] = 0
    for card in range(DECK):
        state.deck[card] = deal.deck[CANAL, card]
        state.rail_deck[card] = deal.deck[RAIL, card]
    for tile in range(DISTANT_TILES):
        state.distant[tile] = deal.distant[CANAL, tile]
        state.rail_distant[tile] = deal.distant[RAIL, tile]
    state.coal_market = board.coal_start
    state.iron_market = board.iron_start
    state.demand = 0
    state.distant_next = 0
    place_barrels(state, board)
    state.owed = 0
    state.unused = 0
    state.era = CANAL
    state.round_number = 1
    state.turn = 0
    state.actions_left = 1
    state.income_turn = board.players
    state.seat = state.order[0]
    state.phase = ACTION
    emit(work, EventKind.ROUND_BEGAN, CANAL, 1, 0)
    deal_hands(state, board, work)


@rule
def clear_seats(state, board):
    """Set money, income, VP, mats and hands to their start."""
    for seat in range(SEATS):
        playing = seat < board.players
        state.cash[seat] = int(board.start_cash) if playing else 0
        state.income[seat] = START if playing else 0
        state.spent[seat] = 0
        state.vp[seat] = 0
        state.hand_size[seat] = 0
        for kind in range(CARDS):
            state.hand[seat, kind] = 0
        for industry in range(INDUSTRIES):
            state.gone[seat, industry] = 0
        for era in range(2):
            for source in range(SOURCES):
                state.points[seat, era, source] = 0


@rule
def clear_map(state):
    """Remove all tiles and links."""
    for space in range(SPACES):
        remove_tile(state, space)
    for line in range(LINES):
        state.link_owner[line] = NOBODY


@rule
def place_barrels(state, board):
    """6.C, END-2: one barrel beside every merchant tile that is not blank."""
    for merchant in range(int(board.merchants)):
        if state.merchant[merchant] != 0:
            state.barrel[merchant] = 1


@rule
def deal_hands(state, board, work):
    """TURN-7: deal eight cards each in turn order; some cards are set aside."""
    era = int(state.era)
    aside = int(board.set_aside[era])
    where = int(board.aside_from[era])
    for kind in range(CARDS):
        state.discards[kind] = 0
    state.deck_next = aside if where == BEFORE_DEAL else 0
    state.deck_end = int(board.deck_size) - (aside if where == FROM_BOTTOM else 0)
    for place in range(int(board.players)):
        draw(state, work, int(state.order[place]), HAND)
    if where == AFTER_DEAL:
        state.deck_next += aside


@rule
def first_aside(board, era):
    """TURN-7: where in the deck the cards set aside begin."""
    where = int(board.aside_from[era])
    if where == FROM_BOTTOM:
        return int(board.deck_size) - int(board.set_aside[era])
    if where == AFTER_DEAL:
        return HAND * int(board.players)
    return 0


@rule
def begin_rail_era(state, board, work):
    """END-2: clear what does not stay for the rail era, and deal new cards."""
    for line in range(int(board.lines)):
        state.link_owner[line] = NOBODY
    for space in range(int(board.spaces)):
        tile = int(state.tile[space])
        if tile != 0 and board.level_of[tile] == 1:
            emit(work, EventKind.REMOVED, int(state.owner[space]), space, tile)
            remove_tile(state, space)
    state.demand = 0
    state.distant_next = 0
    for tile in range(DISTANT_TILES):
        state.distant[tile] = state.rail_distant[tile]
    place_barrels(state, board)
    for card in range(DECK):
        state.deck[card] = state.rail_deck[card]
    state.era = RAIL
    state.round_number = 0  # the first round of the era is about to begin
    deal_hands(state, board, work)
