"""The laws: what is true of every position and every step, as compiled functions.

Tests, the fuzz command and the GPU use them. They look at a position from outside: they count and
compare. Only the laws about choices call rules: the list and the reasons must agree.
"""

from __future__ import annotations

from enum import IntEnum

from brassmill.rules.choices import CHOICES
from brassmill.rules.emit import EventKind, Money
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import (
    ACTION,
    BREWERY,
    BUILDING,
    CANAL,
    CARDS,
    CLOSED,
    COAL,
    DEBT,
    GAME_OVER,
    HAND,
    INDUSTRIES,
    IRON,
    LINK_TILES,
    NOBODY,
    NOTHING,
    NOWHERE,
    POTTERY,
    RAIL,
    SCOUTING,
    SHIPYARD,
    SOURCES,
    TURN_OVER,
    WILD_LOCATION,
)
from brassmill.rules.reasons import Reason
from brassmill.rules.setup import first_aside
from brassmill.rules.turn import list_choices, reason


class Law(IntEnum):
    """The laws; a check returns the first one that is broken."""

    KEPT = 0
    CARDS_CONSERVED = 1  # hands, discards, deck and cards set aside make the whole deck
    HANDS_COUNTED = 2  # hand sizes are true and at most eight
    WILD_CARDS_SINGLE = 3  # nobody holds two wild cards of a kind
    TILES_CONSERVED = 4  # every tile on the map has left its owner's mat, once
    TILE_FITS_SPACE = 5
    ONE_TILE_PER_TOWN = 6  # BLD-6
    TILE_OF_ITS_ERA = 7  # no level 1 tile in the rail era but pottery 1 (END-2)
    CUBES_WITHIN_TILE = 8
    EMPTY_MEANS_FLIPPED = 9  # a mine, works or brewery flips with its last cube, no sooner
    LINKS_LIMITED = 10  # SUP-1
    LINK_OF_ITS_ERA = 11
    MARKETS_BOUNDED = 12
    BARRELS_BOUNDED = 13
    MONEY_NOT_NEGATIVE = 14
    INCOME_ON_TRACK = 15
    POINTS_ADD_UP = 16
    ORDER_IS_PERMUTATION = 17
    NOTHING_IN_PROGRESS = 18  # between actions
    CHOICE_EXISTS = 19  # until the game is over
    LIST_IS_EXACT = 20  # the list has exactly the choices whose reason is OK
    CARDS_ARE_DUE = 21  # the cards left are those that the remaining rounds need (section 9)
    MONEY_EXPLAINED = 22  # an event reports every pound that moves
    SPENT_EXPLAINED = 23  # TURN-3
    TILES_PAID = 24
    LINKS_PAID = 25
    COAL_PAID = 26  # MKT-2, MKT-3
    IRON_PAID = 27
    ACTIONS_EXACT = 28  # the number of actions of a whole game


@entry
def broken_law(state, board, work):
    """The first law that a position breaks, KEPT if none. Overwrites the list of choices."""
    law = broken_thing_law(state, board, work)
    if law == Law.KEPT:
        law = broken_choice_law(state, board, work)
    return law


@entry
def broken_thing_law(state, board, work):
    """The first law about cards, tiles and the table that a position breaks."""
    law = broken_card_law(state, board, work)
    if law == Law.KEPT:
        law = broken_tile_law(state, board)
    if law == Law.KEPT:
        law = broken_table_law(state, board)
    return law


# --- cards ---------------------------------------------------------------------------------------


@rule
def broken_card_law(state, board, work):
    """Section 9: total cards constant, hands counted."""
    count_unseen(state, board, work)
    for seat in range(int(board.players)):
        held = 0
        for kind in range(CARDS):
            cards = int(state.hand[seat, kind])
            if cards < 0:
                return Law.HANDS_COUNTED
            if kind >= WILD_LOCATION and cards > 1:
                return Law.WILD_CARDS_SINGLE
            work.tally[kind] += cards
            held += cards
        if held != state.hand_size[seat] or held > HAND:
            return Law.HANDS_COUNTED
    for kind in range(CARDS):
        if kind >= WILD_LOCATION:
            work.tally[kind] = 0  # they never enter the deck or the discards (WILD-1)
        if int(work.tally[kind]) + int(state.discards[kind]) != board.deck_count[kind]:
            return Law.CARDS_CONSERVED
    return Law.KEPT


@rule
def count_unseen(state, board, work):
    """Tally the cards still in the deck or set aside."""
    for kind in range(CARDS):
        work.tally[kind] = 0
    era = int(state.era)
    aside = int(board.set_aside[era])
    first = first_aside(board, era)
    for card in range(int(board.deck_size)):
        if state.deck_next <= card < state.deck_end or first <= card < first + aside:
            work.tally[int(state.deck[card])] += 1


@rule
def cards_are_due(state, board):
    """Section 9: the cards in hands and deck are exactly those that the rest of the era needs.

    True of every position of a game played from the start, but not of every position set up.
    """
    if state.phase == GAME_OVER:
        return True
    cards = int(state.deck_end) - int(state.deck_next)
    for seat in range(int(board.players)):
        cards += int(state.hand_size[seat])
    rounds_after = int(board.rounds) - int(state.round_number)
    due = rounds_after * int(board.players) * 2
    if state.phase == DEBT:
        if board.income_first:
            due += int(board.players) * 2
        return cards == due
    actions = 1 if state.era == CANAL and state.round_number == 1 else 2
    due += (int(board.players) - 1 - int(state.turn)) * actions
    due += int(state.actions_left)
    if state.doing == SCOUTING:
        due -= 3 - int(state.cards_due)
    elif state.doing != NOTHING:
        due -= 1 + int(state.combined) - int(state.cards_due)
    return cards == due


# --- tiles and links -----------------------------------------------------------------------------


@rule
def broken_tile_law(state, board):
    """Section 9: mat, map and box make all tiles; spaces, eras and contents are respected."""
    for space in range(int(board.spaces)):
        tile = int(state.tile[space])
        owner = int(state.owner[space])
        if tile == 0:
            if owner != NOBODY or state.cubes[space] != 0 or state.flipped[space] != 0:
                return Law.TILE_FITS_SPACE
            continue
        industry = int(board.industry_of[tile])
        if not 0 <= owner < board.players:
            return Law.TILE_FITS_SPACE
        if board.symbol[space, 0] != industry and board.symbol[space, 1] != industry:
            return Law.TILE_FITS_SPACE
        if tiles_on_map(state, board, owner, tile) > tiles_gone(state, board, owner, tile):
            return Law.TILES_CONSERVED
        if state.era == CANAL:
            if board.buildable[tile, CANAL] == 0:
                return Law.TILE_OF_ITS_ERA
            for other in range(space):
                if (
                    state.owner[other] == owner
                    and board.space_place[other] == board.space_place[space]
                ):
                    return Law.ONE_TILE_PER_TOWN
        elif board.level_of[tile] == 1 and industry != POTTERY:
            return Law.TILE_OF_ITS_ERA
        law = broken_cube_law(state, board, space, tile, industry)
        if law != Law.KEPT:
            return law
    for line in range(int(board.lines)):
        if state.link_owner[line] != NOBODY and board.line_era[line, int(state.era)] == 0:
            return Law.LINK_OF_ITS_ERA
    for seat in range(int(board.players)):
        links = 0
        for line in range(int(board.lines)):
            if state.link_owner[line] == seat:
                links += 1
        if links > LINK_TILES:
            return Law.LINKS_LIMITED
        for industry in range(INDUSTRIES):
            if not 0 <= state.gone[seat, industry] <= board.stack_size[industry]:
                return Law.TILES_CONSERVED
    return Law.KEPT


@rule
def broken_cube_law(state, board, space, tile, industry):
    """COAL-6, IRON-4: the cubes on a tile, and when it has flipped."""
    cubes = int(state.cubes[space])
    contents = int(board.contents[tile, CANAL])
    if state.era == RAIL:
        contents = max(contents, int(board.contents[tile, RAIL]))
    if cubes < 0 or cubes > contents:
        return Law.CUBES_WITHIN_TILE
    if state.doing == BUILDING and state.space == space:
        return Law.KEPT  # not supplied yet
    if industry == COAL or industry == IRON or industry == BREWERY:
        if (cubes == 0) != (state.flipped[space] == 1):
            return Law.EMPTY_MEANS_FLIPPED
    elif industry == SHIPYARD and state.flipped[space] == 0:
        return Law.EMPTY_MEANS_FLIPPED
    return Law.KEPT


@rule
def tiles_on_map(state, board, seat, tile):
    count = 0
    for space in range(int(board.spaces)):
        if state.tile[space] == tile and state.owner[space] == seat:
            count += 1
    return count


@rule
def tiles_gone(state, board, seat, tile):
    industry = int(board.industry_of[tile])
    count = 0
    for place in range(int(state.gone[seat, industry])):
        if board.stack[industry, place] == tile:
            count += 1
    return count


# --- the table -----------------------------------------------------------------------------------


@rule
def broken_table_law(state, board):
    """Markets, money, tracks, order, and the action in progress."""
    if not 0 <= state.coal_market <= board.coal_spaces:
        return Law.MARKETS_BOUNDED
    if not 0 <= state.iron_market <= board.iron_spaces:
        return Law.MARKETS_BOUNDED
    if not 0 <= state.demand <= CLOSED:
        return Law.MARKETS_BOUNDED
    if not 0 <= state.distant_next <= board.distant_tiles or not distant_suffice(state, board):
        return Law.MARKETS_BOUNDED
    for merchant in range(int(board.merchants)):
        barrel = int(state.barrel[merchant])
        if barrel < 0 or barrel > 1 or (barrel == 1 and state.merchant[merchant] == 0):
            return Law.BARRELS_BOUNDED
    seats = 0
    for seat in range(int(board.players)):
        if state.cash[seat] < 0 or state.spent[seat] < 0:
            return Law.MONEY_NOT_NEGATIVE
        if not 0 <= state.income[seat] <= 99:
            return Law.INCOME_ON_TRACK
        points = 0
        for era in range(2):
            for source in range(SOURCES):
                points += int(state.points[seat, era, source])
        if points != state.vp[seat] or points < 0:
            return Law.POINTS_ADD_UP
        if not 0 <= state.order[seat] < board.players:
            return Law.ORDER_IS_PERMUTATION
        seats |= 1 << int(state.order[seat])
    if seats != (1 << int(board.players)) - 1:
        return Law.ORDER_IS_PERMUTATION
    if state.phase == ACTION or state.phase == TURN_OVER or state.phase == GAME_OVER:
        if (
            state.doing != NOTHING
            or state.count != 0
            or state.space != NOWHERE
            or state.industry != NOWHERE
            or state.line != NOWHERE
            or state.end != NOWHERE
            or state.loan != 0
            or state.coal_due + state.iron_due + state.beer_due + state.cards_due != 0
            or state.develop_due + state.combined + state.barrel_used != 0
            or state.owed != 0
        ):
            return Law.NOTHING_IN_PROGRESS
    return Law.KEPT


@rule
def distant_suffice(state, board):
    """SELL-6: the tiles still face down reach X, so they cannot run out before."""
    steps = int(state.demand)
    for tile in range(int(state.distant_next), int(board.distant_tiles)):
        steps += int(state.distant[tile])
    return steps >= CLOSED or board.distant_tiles == 0


# --- choices -------------------------------------------------------------------------------------


@rule
def broken_choice_law(state, board, work):
    """The list has exactly the choices whose reason is OK; it is empty only after the game."""
    count = list_choices(state, board, work)
    if count == 0 and state.phase != GAME_OVER and state.phase != TURN_OVER:
        return Law.CHOICE_EXISTS
    row = 0  # the list is in ascending order
    for choice in range(CHOICES):
        listed = row < count and work.legal[row] == choice
        if listed != (reason(state, board, work, choice) == Reason.OK):
            return Law.LIST_IS_EXACT
        if listed:
            row += 1
    return Law.KEPT if row == count else Law.LIST_IS_EXACT


# --- steps ---------------------------------------------------------------------------------------


@entry
def broken_step_law(before, after, board, work):
    """The first law that a step breaks, judged by the two positions and the recorded events."""
    for seat in range(int(board.players)):
        cash = int(before.cash[seat])
        spent = int(before.spent[seat])
        for row in range(int(work.event_count)):
            kind = int(work.events[row, 0])
            if kind == EventKind.ORDER_SET and work.events[row, 2] == seat:
                if work.events[row, 3] != spent:
                    return Law.SPENT_EXPLAINED
                spent = 0
            elif work.events[row, 1] == seat:
                pounds = int(work.events[row, 2])
                if kind == EventKind.PAID:
                    cash -= pounds
                    spent += pounds
                elif kind == EventKind.RECEIVED or kind == EventKind.INCOME_PAID:
                    cash += pounds
        if cash != after.cash[seat]:
            return Law.MONEY_EXPLAINED
        if spent != after.spent[seat]:
            return Law.SPENT_EXPLAINED
    if total(work, EventKind.PAID, Money.TILE) != cost_of_tiles(board, work):
        return Law.TILES_PAID
    if total(work, EventKind.PAID, Money.LINK) != cost_of_links(before, work):
        return Law.LINKS_PAID
    if not market_balances(
        work,
        board.coal_prices,
        int(board.coal_spaces),
        int(board.coal_empty_price),
        int(before.coal_market),
        int(after.coal_market),
        Money.COAL,
        EventKind.COAL_USED,
    ):
        return Law.COAL_PAID
    if not market_balances(
        work,
        board.iron_prices,
        int(board.iron_spaces),
        int(board.iron_empty_price),
        int(before.iron_market),
        int(after.iron_market),
        Money.IRON,
        EventKind.IRON_USED,
    ):
        return Law.IRON_PAID
    return Law.KEPT


@rule
def total(work, kind, purpose):
    """The pounds of all events of a kind and purpose."""
    pounds = 0
    for row in range(int(work.event_count)):
        if work.events[row, 0] == kind and work.events[row, 3] == purpose:
            pounds += int(work.events[row, 2])
    return pounds


@rule
def cost_of_tiles(board, work):
    pounds = 0
    for row in range(int(work.event_count)):
        if work.events[row, 0] == EventKind.BUILT:
            pounds += int(board.cost[int(work.events[row, 3])])
    return pounds


@rule
def cost_of_links(before, work):
    """LNK-3, LNK-4: £3 for a canal, £5 for a rail and £10 for a second one in the same action."""
    pounds = 0
    rails = int(before.count) if before.line != NOWHERE else 0
    for row in range(int(work.event_count)):
        if work.events[row, 0] == EventKind.LINKED:
            if before.era == CANAL:
                pounds += 3
            else:
                pounds += 5 if rails == 0 else 10
                rails += 1
    return pounds


@rule
def market_balances(work, prices, spaces, empty_price, before, after, purpose, used):
    """MKT-2, MKT-3: the money paid and received is what the cubes on the track are worth."""
    bought = 0
    for row in range(int(work.event_count)):
        if work.events[row, 0] == used and work.events[row, 2] == NOWHERE:
            bought += 1
    delivered = 0
    received = 0
    for row in range(int(work.event_count)):
        if work.events[row, 0] == EventKind.RECEIVED and work.events[row, 3] == purpose:
            delivered += 1
            received += int(work.events[row, 2])
    from_supply = after - before - delivered + bought
    value = 0
    for space in range(spaces):
        if space >= spaces - after:
            value += int(prices[space])
        if space >= spaces - before:
            value -= int(prices[space])
    paid = total(work, EventKind.PAID, purpose)
    return received - paid == value - from_supply * empty_price
