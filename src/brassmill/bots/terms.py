"""Judging a position: counts every term, compiled together with the rules."""

from __future__ import annotations

from brassmill.bots.mind import BEST_LINES, ENDS, SEGMENTS, TERMS, Term, weight_of
from brassmill.rules.income import income_level
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    BREWERY,
    CANAL,
    CARDS,
    COAL,
    COTTON,
    DEBT,
    GAME_OVER,
    INDUSTRIES,
    IRON,
    MANUFACTURER,
    NOBODY,
    PLACES,
    PORT,
    POTTERY,
    RAIL,
    SYMBOLS,
    WILD_INDUSTRY,
    WILD_LOCATION,
)
from brassmill.rules.network import connected_to, survey
from brassmill.rules.reasons import Reason
from brassmill.rules.scoring import cash_points, turn_place
from brassmill.rules.sell import sale_reason


@rule
def last_era(state, board):
    """Is this the last era of the game?"""
    return state.era == RAIL or board.canal_era_only != 0


@rule
def actions_to_come(state, board, seat):
    """How many actions a seat still has in this era, including the one in progress (2)."""
    later = 2 * (int(board.rounds) - int(state.round_number))
    if board.income_first and state.phase == DEBT:
        return later + 2  # the round has started, and all turns are still to come
    place = turn_place(state, seat)
    if place < state.turn:
        return later
    if place == state.turn:
        return later + int(state.actions_left)
    return later + (1 if state.era == CANAL and state.round_number == 1 else 2)


@rule
def payments_to_come(state, board):
    """How many income payments are to come (X-10); an introductory game ends with one (X-37)."""
    rounds = int(board.rounds) - int(state.round_number)
    if board.canal_era_only:
        return rounds + 1
    return rounds if last_era(state, board) else rounds + int(board.rounds)


@rule
def value(state, board, work, mind, seat):
    """What a position is worth to a seat, in VP."""
    count_terms(state, board, work, mind, seat)
    return weigh(state, board, mind, seat)


@rule
def stage(state, board):
    """Which era's weights apply: an introductory game has no later era."""
    return RAIL if last_era(state, board) else CANAL


@rule
def share_to_come(state, board, seat):
    """The share of the era's actions that a seat still has."""
    return actions_to_come(state, board, seat) / (2.0 * board.rounds)


@rule
def weigh(state, board, mind, seat):
    """The counted terms times their weights at this stage of the game."""
    if state.phase == GAME_OVER:
        rivals = weight_of(mind, RAIL, Term.RIVALS_POINTS, 0.0)
        return mind.term[Term.BANKED] + rivals * mind.term[Term.RIVALS_POINTS]
    era = stage(state, board)
    share = share_to_come(state, board, seat)
    total = 0.0
    for term in range(TERMS):
        total += mind.term[term] * weight_of(mind, era, term, share)
    return total


@rule
def weigh_each(state, board, mind, seat):
    """The weight of each term at this stage of the game."""
    era = stage(state, board)
    share = share_to_come(state, board, seat)
    for term in range(TERMS):
        mind.worth[term] = weight_of(mind, era, term, share)


@rule
def count_terms(state, board, work, mind, seat):
    """Count every term of a position, as a seat sees it."""
    for term in range(TERMS):
        mind.term[term] = 0.0
    mind.term[Term.BANKED] = state.vp[seat]
    mind.term[Term.DEMAND] = state.demand
    mind.term[Term.CONSTANT] = 1.0
    for one in range(int(board.players)):
        mind.standing[one, 0] = state.vp[one]
        mind.standing[one, 1] = 0.0
    if state.phase != GAME_OVER:
        on_turn = int(state.seat)
        state.seat = seat
        survey(state, board, work)
        state.seat = on_turn
        count_tiles(state, board, work, mind, seat)
        count_lines(state, board, work, mind, seat)
        count_purse(state, board, mind, seat)
        count_mat(state, board, work, mind, seat)
        count_sites(state, board, work, mind, seat)
        count_hand(state, board, work, mind, seat)
        count_supplies(state, board, work, mind)
    count_rivals(state, board, mind, seat)


# --- the map -------------------------------------------------------------------------------------


@rule
def count_tiles(state, board, work, mind, seat):
    """Tiles flipped and unflipped, and the link symbols of the places."""
    canal = not last_era(state, board)
    payments = payments_to_come(state, board)
    mills = unsold_mills(state, board, work) if board.beer_to_sell == 0 else 0
    for place in range(int(board.places)):
        mind.symbols[place] = board.icons[place]
        mind.hope[place] = 0.0
        mind.room[place] = 0.0
    for space in range(int(board.spaces)):
        place = int(board.space_place[space])
        tile = int(state.tile[space])
        if tile == 0:
            mind.room[place] += 1.0
            continue
        owner = int(state.owner[space])
        points = int(board.value[tile])
        fades = canal and board.level_of[tile] == 1
        if state.flipped[space]:
            mind.symbols[place] += board.tile_icons[tile]
            again = points if scores_again(state, board, tile) else 0
            mind.standing[owner, 0] += points + again
            if owner == seat:
                mind.term[Term.TILES] += points
                mind.term[Term.TILES_AGAIN] += again
        else:
            mind.hope[place] += board.tile_icons[tile]
            if scores_again(state, board, tile):
                points *= 2
            mind.standing[owner, 1] += points
            if owner == seat:
                ready = readiness(state, board, work, space, tile, mills)
                if ready == 1.0:
                    mind.term[Term.BEER_SHORT] += board.beer_need[tile]
                gain = int(board.income_gain[tile]) * payments / 10.0
                mind.term[Term.GAIN_READY] += ready * gain
                mind.term[Term.GAIN_UNREADY] += (1.0 - ready) * gain
                if fades:
                    mind.term[Term.FADING_READY] += ready * points
                    mind.term[Term.FADING_UNREADY] += (1.0 - ready) * points
                else:
                    industry = int(board.industry_of[tile])
                    mind.term[Term.READY_OF + industry] += ready * points
                    mind.term[Term.UNREADY_OF + industry] += (1.0 - ready) * points
        if owner == seat and canal and not fades:
            mind.term[Term.SURVIVORS] += 1.0


@rule
def scores_again(state, board, tile):
    """SCO-3, X-39: tiles of level II and higher from the canal era score twice."""
    return state.era == CANAL and board.level_of[tile] > 1


@rule
def unsold_mills(state, board, work):
    """The places connected to an unflipped cotton mill, which could sell to a port there."""
    reached = 0
    for space in range(int(board.spaces)):
        tile = int(state.tile[space])
        if tile != 0 and state.flipped[space] == 0 and board.industry_of[tile] == COTTON:
            reached |= connected_to(work, board.space_bit[space])
    return reached


@rule
def readiness(state, board, work, space, tile, mills):
    """How close an unflipped tile is to being flipped, from 0 to 1."""
    industry = int(board.industry_of[tile])
    place = int(board.space_bit[space])
    if industry in (COAL, IRON, BREWERY):
        return 1.0 - state.cubes[space] / max(1.0, float(board.contents[tile, int(state.era)]))
    if industry == PORT:
        return 1.0 if mills & place else 0.0
    reason = sale_reason(state, board, work, place, tile)
    if reason == Reason.OK:
        return 1.0
    return 0.5 if reason == Reason.NO_BEER_IN_REACH else 0.0


@rule
def count_lines(state, board, work, mind, seat):
    """Own links, and the unbuilt lines at the network."""
    network = int(work.network)
    for rank in range(BEST_LINES):
        mind.best_lines[rank] = 0.0
    free = 0
    era = int(state.era)
    for line in range(int(board.lines)):
        owner = int(state.link_owner[line])
        if owner == NOBODY:
            if board.line_era[line, era] and board.line_ends[line] & network:
                free += 1
                points = 0.0
                for end in range(ENDS):
                    place = int(mind.line_end[line, end])
                    if place >= 0:
                        points += mind.symbols[place] + 0.5 * mind.hope[place]
                for rank in range(BEST_LINES):
                    if points > mind.best_lines[rank]:
                        points, mind.best_lines[rank] = mind.best_lines[rank], points
            continue
        points = 0.0
        for end in range(ENDS):
            place = int(mind.line_end[line, end])
            if place >= 0:
                points += mind.symbols[place]
                if owner == seat:
                    mind.term[Term.LINK_HOPE] += mind.hope[place]
                    mind.term[Term.LINK_ROOM] += mind.room[place]
        mind.standing[owner, 0] += points
        if owner == seat:
            mind.term[Term.LINKS] += points
    if work.links_left > 0:
        mind.term[Term.BEST_LINE] = mind.best_lines[0]
        mind.term[Term.NEXT_LINES] = mind.best_lines[1] + mind.best_lines[2] + mind.best_lines[3]
        mind.term[Term.OPEN_LINES] = min(8, free)


# --- the seat ------------------------------------------------------------------------------------


@rule
def count_purse(state, board, mind, seat):
    """Money, income, and the next turn order."""
    cash = int(state.cash[seat])
    for segment in range(len(SEGMENTS)):
        pounds = min(cash, SEGMENTS[segment])
        mind.term[Term.CASH + segment] = pounds
        cash -= pounds
    mind.term[Term.CASH + len(SEGMENTS)] = cash
    payments = payments_to_come(state, board)
    for one in range(int(board.players)):
        mind.standing[one, 2] = income_level(int(state.income[one])) * payments / 10.0
        if one != seat and state.spent[one] < state.spent[seat]:
            mind.term[Term.ORDER] += 1.0
    mind.term[Term.ENDING] = ending_points(state, board, seat)
    mind.term[Term.INCOME] = mind.standing[seat, 2]
    level = income_level(int(state.income[seat]))
    mind.term[Term.LEVEL] = level
    if payments > 0:
        mind.term[Term.DEBT] = max(0, -(int(state.cash[seat]) + level))


@rule
def ending_points(state, board, seat):
    """SCO-4, 6.B: what money and income would score if this were the end of the last era."""
    points = cash_points(state, board, seat)
    if board.canal_era_only:
        points += income_level(int(state.income[seat]))
    return points


@rule
def count_mat(state, board, work, mind, seat):
    """How far the mat has been cleared."""
    for industry in range(INDUSTRIES):
        gone = int(state.gone[seat, industry])
        mind.term[Term.GONE_OF + industry] = gone
        mind.term[Term.NEXT_OF + industry] = prospect(state, board, int(work.next_tile[industry]))
        for row in range(gone, int(board.stack_size[industry])):
            if board.canal_era_only or board.buildable[int(board.stack[industry, row]), RAIL]:
                break
            mind.term[Term.DEAD_TILES] += 1.0


@rule
def prospect(state, board, tile):
    """The VP of a tile still on the mat, as often as it can score."""
    points = float(board.value[tile])
    if board.buildable[tile, CANAL] and scores_again(state, board, tile):
        points *= 2.0
    return points


@rule
def count_sites(state, board, work, mind, seat):
    """Where the next tiles could go."""
    era = int(state.era)
    for industry in range(INDUSTRIES):
        mind.sites[industry] = 0.0
    network = int(work.network)
    for space in range(int(board.spaces)):
        place = int(board.space_bit[space])
        if state.tile[space] == 0 and place & network:
            if era == CANAL and place & work.own_places:
                continue
            for symbol in range(SYMBOLS):
                industry = int(board.symbol[space, symbol])
                if industry >= 0:
                    tile = int(work.next_tile[industry])
                    if tile != 0 and board.buildable[tile, era]:
                        mind.sites[industry] += 1.0
    for industry in range(INDUSTRIES):
        mind.term[Term.SITES_OF + industry] = min(2.0, mind.sites[industry])
        if mind.sites[industry] > 0.0:
            mind.term[Term.PROSPECTS] += mind.term[Term.NEXT_OF + industry]


@rule
def count_hand(state, board, work, mind, seat):
    """What the cards are good for; of equal cards only the first counts."""
    for kind in range(CARDS):
        copies = int(state.hand[seat, kind])
        if copies > 0:
            mind.term[card_use(state, board, work, mind, kind)] += 1.0
            mind.term[Term.CARD_DEAD] += copies - 1


@rule
def card_use(state, board, work, mind, kind):
    """Which term a card counts for (after `count_tiles` and `count_sites`)."""
    if kind == WILD_LOCATION:
        return Term.CARD_WILD_LOCATION
    if kind == WILD_INDUSTRY:
        return Term.CARD_WILD_INDUSTRY
    if kind < PLACES:
        if mind.room[kind] == 0.0 or (state.era == CANAL and work.own_places >> kind & 1):
            return Term.CARD_DEAD
        if work.network >> kind & 1:
            return Term.CARD_NEAR
        return Term.CARD_FAR
    industries = int(board.card_industries[kind])
    for industry in range(INDUSTRIES):
        if industries >> industry & 1 and mind.sites[industry] > 0.0:
            return Term.CARD_USE
    return Term.CARD_IDLE


@rule
def weigh_cards(state, board, work, mind, seat):
    """What each card of a seat is worth keeping for."""
    count_terms(state, board, work, mind, seat)
    era = stage(state, board)
    share = share_to_come(state, board, seat)
    for kind in range(CARDS):
        use = Term.CARD_DEAD
        if state.hand[seat, kind] == 1:
            use = card_use(state, board, work, mind, kind)
        mind.missed[kind] = weight_of(mind, era, use, share)


@rule
def count_supplies(state, board, work, mind):
    """Beer, coal, iron and buyers in reach."""
    network = int(work.network)
    mind.term[Term.OWN_BEER] = min(4, int(work.own_beer))
    if work.rival_beer_1 & network:
        mind.term[Term.RIVAL_BEER] = 2.0 if work.rival_beer_2 & network else 1.0
    if board.beer_to_sell:
        for good in (COTTON, MANUFACTURER, POTTERY):
            if work.buyers[good] & network:
                mind.term[Term.BUYERS] += 1.0
            if work.buyers_beer[good] & network:
                mind.term[Term.MERCHANT_BEER] += 1.0
        barrels = (
            mind.term[Term.OWN_BEER] + mind.term[Term.RIVAL_BEER] + mind.term[Term.MERCHANT_BEER]
        )
        mind.term[Term.BEER_SHORT] = max(0.0, mind.term[Term.BEER_SHORT] - barrels)
    elif work.open_port & network:
        mind.term[Term.BUYERS] = 1.0
    if work.coal_1 & network:
        mind.term[Term.FREE_COAL] = 2.0 if work.coal_2 & network else 1.0
    mind.term[Term.FREE_IRON] = min(4, int(work.iron_on_tiles))
    if work.access & network:
        mind.term[Term.ACCESS] = 1.0
    mind.term[Term.COAL_PRICE] = work.coal_price_1
    mind.term[Term.IRON_PRICE] = work.iron_cost[1]


@rule
def count_rivals(state, board, mind, seat):
    """The average standing of the opponents."""
    others = float(max(1, int(board.players) - 1))
    for one in range(int(board.players)):
        if one != seat:
            mind.term[Term.RIVALS_POINTS] += mind.standing[one, 0] / others
            mind.term[Term.RIVALS_HOPE] += mind.standing[one, 1] / others
            if state.phase != GAME_OVER:
                mind.term[Term.RIVALS_INCOME] += mind.standing[one, 2] / others
