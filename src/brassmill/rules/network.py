"""Networks, connections and distances, and the survey that all checks share."""

from __future__ import annotations

from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import (
    COAL,
    COTTON,
    INDUSTRIES,
    INDUSTRY_CARD,
    IRON,
    LINK_TILES,
    MANUFACTURER,
    NOBODY,
    PLACES,
    PORT,
    POTTERY,
    WILD_INDUSTRY,
    WILD_LOCATION,
)
from brassmill.rules.market import coal_price, iron_price

ALL_INDUSTRIES = (1 << INDUSTRIES) - 1


@rule
def survey(state, board, work):
    """Look at the whole position once, for the seat that must choose."""
    survey_network(state, board, work)
    survey_links(state, board, work)
    survey_tiles(state, board, work)
    if board.beer_to_sell:
        survey_merchants(state, board, work)
    survey_hand(state, board, work)
    survey_prices(state, board, work)


@rule
def survey_network(state, board, work):
    """NET-1: the places with an own tile or at an own link; with A-VIRT for industry cards."""
    seat = int(state.seat)
    own_places = 0
    for space in range(int(board.spaces)):
        if state.owner[space] == seat:
            own_places |= board.space_bit[space]
    network = own_places
    links = 0
    for line in range(int(board.lines)):
        if state.link_owner[line] == seat:
            network |= board.line_ends[line]
            links += 1
    work.own_places = own_places
    work.network = network
    work.links_left = LINK_TILES - links
    work.presence = 1 if network != 0 else 0
    for pair in range(2):
        if network & board.virtual_from[pair]:
            network |= board.virtual_to[pair]
    work.card_network = network


@rule
def survey_links(state, board, work):
    """NET-2: group the places that links of any owner connect."""
    count = 0
    for line in range(int(board.lines)):
        if state.link_owner[line] != NOBODY:
            ends = int(board.line_ends[line])
            joined = ends
            kept = 0
            for group in range(count):
                places = int(work.groups[group])
                if places & ends:
                    joined |= places
                else:
                    work.groups[kept] = places
                    kept += 1
            work.groups[kept] = joined
            count = kept + 1
    work.group_count = count


@rule
def connected_to(work, bit):
    """NET-2: the places connected to one place, itself included (after `survey_links`)."""
    for group in range(int(work.group_count)):
        if work.groups[group] & bit:
            return int(work.groups[group])
    return int(bit)


@rule
def survey_tiles(state, board, work):
    """Where coal, market access, beer and ports are; which spaces are empty."""
    seat = int(state.seat)
    markets = int(board.market_places)
    empty = 0
    coal_1 = coal_2 = coal_on_tiles = iron_on_tiles = 0
    own_beer = beer_1 = beer_2 = 0
    open_port = 0
    for space in range(int(board.spaces)):
        tile = int(state.tile[space])
        if tile == 0:
            empty |= 1 << space
            continue
        industry = int(board.industry_of[tile])
        cubes = int(state.cubes[space])
        if industry == PORT:
            markets |= board.space_bit[space]
            if state.flipped[space]:
                continue
        elif industry == IRON:
            iron_on_tiles += cubes
            continue
        elif cubes == 0:
            continue
        elif industry == COAL:
            coal_on_tiles += cubes
        elif state.owner[space] == seat:
            own_beer += cubes
            continue
        reach = connected_to(
            work, board.space_bit[space]
        )  # of a mine, an opponent's brewery or a port
        if industry == COAL:
            coal_2 |= reach if cubes > 1 else coal_1 & reach
            coal_1 |= reach
        elif industry != PORT:
            beer_2 |= reach if cubes > 1 else beer_1 & reach
            beer_1 |= reach
        else:
            open_port |= reach
    access = markets
    for group in range(int(work.group_count)):
        if work.groups[group] & markets:
            access |= work.groups[group]
    work.empty = empty
    work.coal_1 = coal_1
    work.coal_2 = coal_2
    work.coal_on_tiles = coal_on_tiles
    work.iron_on_tiles = iron_on_tiles
    work.own_beer = own_beer
    work.rival_beer_1 = beer_1
    work.rival_beer_2 = beer_2
    work.open_port = open_port
    work.access = access


@rule
def survey_merchants(state, board, work):
    """SELC-1: the places connected to a merchant who buys a good, with and without a barrel."""
    for good in (COTTON, MANUFACTURER, POTTERY):
        work.buyers[good] = 0
        work.buyers_beer[good] = 0
    for merchant in range(int(board.merchants)):
        goods = int(state.merchant[merchant])
        if goods:
            reach = connected_to(work, 1 << int(board.merchant_place[merchant]))
            for good in (COTTON, MANUFACTURER, POTTERY):
                if goods >> good & 1:
                    work.buyers[good] |= reach
                    if state.barrel[merchant]:
                        work.buyers_beer[good] |= reach


@rule
def survey_hand(state, board, work):
    """BLD-1: the towns and industries that the cards in hand allow."""
    seat = int(state.seat)
    towns = 0
    for place in range(PLACES):
        if state.hand[seat, place] > 0:
            towns |= 1 << place
    if state.hand[seat, WILD_LOCATION] > 0:
        towns |= board.towns
    industries = 0
    for industry in range(INDUSTRIES):
        if state.hand[seat, INDUSTRY_CARD + industry] > 0:
            industries |= int(board.card_industries[INDUSTRY_CARD + industry])
    if state.hand[seat, WILD_INDUSTRY] > 0:
        industries = ALL_INDUSTRIES
    work.location_open = towns
    work.industry_open = industries


@rule
def survey_prices(state, board, work):
    """MKT-2, IRON-2: the cost of the next cubes; BLD-4: the next tile of each industry."""
    work.coal_price_1 = coal_price(state, board, 0)
    work.coal_price_2 = work.coal_price_1 + coal_price(state, board, 1)
    free = int(work.iron_on_tiles)
    first = 0 if free > 0 else iron_price(state, board, 0)
    work.iron_cost[0] = 0
    work.iron_cost[1] = first
    second = 0 if free > 1 else iron_price(state, board, 1 - free)
    work.iron_cost[2] = first + second
    seat = int(state.seat)
    for industry in range(INDUSTRIES):
        work.next_tile[industry] = next_tile(state, board, seat, industry)


@entry
def next_tile(state, board, seat, industry):
    """BLD-4: the lowest tile of an industry still on the mat, 0 if there is none."""
    gone = int(state.gone[seat, industry])
    if gone < board.stack_size[industry]:
        return int(board.stack[industry, gone])
    return 0


@rule
def spread(state, board, places):
    """NET-3: the given places and all that are one built link away."""
    reached = places
    for line in range(int(board.lines)):
        if state.link_owner[line] != NOBODY and board.line_ends[line] & places:
            reached |= board.line_ends[line]
    return reached


@entry
def distance(state, board, start, goal):
    """NET-3: links on the shortest chain between two sets of places, -1 if not connected."""
    reached = start
    links = 0
    while not reached & goal:
        further = spread(state, board, reached)
        if further == reached:
            return -1
        reached = further
        links += 1
    return links


@rule
def all_connected(state, board, places):
    """NET-2: everything connected to any of the given places."""
    while True:
        further = spread(state, board, places)
        if further == places:
            return places
        places = further
