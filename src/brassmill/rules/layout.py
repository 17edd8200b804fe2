"""The records of the rules, with a comment for every field: the glossary of the rules.

`STATE` is a position, `BOARD` an edition packed into numbers, `DEAL` everything random and
`WORK` the scratch memory of one call. A place, space, line, card or seat is always its number in
the tables of the edition. Sets of places or spaces are 64-bit masks: bit n stands for number n.

Fields are ordered by size, so that no record has padding and equal positions are equal bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# --- sizes: the largest of the three games -------------------------------------------------------

SEATS = 4
PLACES = 27  # towns, farms, market places and waypoints of one map
SPACES = 49  # building spaces of one map
LINES = 39  # lines of one map: each takes one link tile
SYMBOLS = 2  # industries printed on one space, at most
INDUSTRIES = 8
LEVELS = 9  # levels 0 to 8
TILES = INDUSTRIES * LEVELS + 1  # kinds of industry tile, and 0 = no tile
STACK = 12  # tiles of one industry on a mat, at most
CARDS = PLACES + INDUSTRIES + 2  # kinds of card
DECK = 66  # cards of the largest deck
DISTANT_TILES = 12
MERCHANTS = 9  # merchant spaces
MARKET = 14  # spaces of the largest market
LINK_TILES = 14  # per player (SUP-1)
HAND = 8
OPTIONS = 5  # of one edition

# --- industries ----------------------------------------------------------------------------------

COTTON, COAL, IRON, MANUFACTURER, POTTERY, BREWERY, PORT, SHIPYARD = range(INDUSTRIES)

# --- kinds of card: the towns' location cards come first, each under the number of its town -------

INDUSTRY_CARD = PLACES  # + the industry; Birmingham's mixed card is listed under MANUFACTURER
WILD_LOCATION = PLACES + INDUSTRIES
WILD_INDUSTRY = WILD_LOCATION + 1

# --- eras ----------------------------------------------------------------------------------------

CANAL, RAIL = 0, 1

FROM_BOTTOM, AFTER_DEAL, BEFORE_DEAL = range(3)  # where cards are set aside (TURN-7)

NOBODY = -1
NOWHERE = -1

# --- phases: which question is open --------------------------------------------------------------

(
    ACTION,  # what to do and where
    CARD,  # the card or cards for it
    COAL_SOURCE,  # which of the nearest mines the next coal comes from (COAL-3)
    IRON_SOURCE,  # which iron works the next iron comes from (IRON-2)
    RAIL_END,  # at which end a rail takes its coal (A-COAL, chosen end)
    MORE_RAIL,  # a second rail, or done (LNK-5)
    BEER_SOURCE,  # whose barrel to use (6.2)
    FREE_DEVELOP,  # which tile Gloucester's bonus removes
    MORE_SALES,  # one more tile to sell, or done
    BUYER,  # port or distant market (SELL-2, SELL-3)
    MORE_DEVELOP,  # a second tile to develop, or done (DEV-1)
    DEBT,  # which tile to remove to pay the debt (DEBT-2)
    TURN_OVER,  # the actions of the turn are done; next comes `finish_turn`
    GAME_OVER,
) = range(14)

# --- actions -------------------------------------------------------------------------------------

NOTHING, BUILDING, LINKING, DEVELOPING, SELLING, BORROWING, SCOUTING, PASSING = range(8)

# --- sources of victory points: the industries, then --------------------------------------------

LINK_POINTS = INDUSTRIES
BONUS_POINTS = LINK_POINTS + 1  # merchants' bonuses (6.2)
CASH_POINTS = BONUS_POINTS + 1  # money at the end (SCO-4); also in the introductory game
INCOME_POINTS = CASH_POINTS + 1  # introductory game: the income level (6.B)
DEBT_POINTS = INCOME_POINTS + 1  # VP lost for unpaid debt (DEBT-4), negative
SOURCES = DEBT_POINTS + 1

# --- a position ----------------------------------------------------------------------------------

STATE = np.dtype(
    [
        ("cash", "i2", SEATS),
        ("spent", "i2", SEATS),  # this round (TURN-3)
        ("vp", "i2", SEATS),
        ("points", "i2", (SEATS, 2, SOURCES)),  # the same VP by era and source
        ("owed", "i2"),  # what the debtor still owes (DEBT-2)
        # Whose choice it is.
        ("phase", "i1"),  # the open question
        ("seat", "i1"),  # the seat that must answer: the one on turn, or a debtor
        ("era", "i1"),
        ("round_number", "i1"),  # 1, 2, ... in each era
        ("turn", "i1"),  # how many seats have finished their turn this round
        ("actions_left", "i1"),  # of the seat on turn, the one in progress included
        ("order", "i1", SEATS),  # the seats in turn order; -1 beyond the last player
        ("income_turn", "i1"),  # how many seats have had their income this round
        # The seats.
        ("income", "i1", SEATS),  # space of the marker on the track (INC-1)
        ("hand", "i1", (SEATS, CARDS)),  # how many cards of each kind
        ("hand_size", "i1", SEATS),
        ("gone", "i1", (SEATS, INDUSTRIES)),  # tiles that have left the mat, lowest first
        # The map.
        ("tile", "i1", SPACES),  # kind of tile on each space, 0 = empty
        ("owner", "i1", SPACES),  # its seat, -1 = empty
        ("flipped", "i1", SPACES),
        ("cubes", "i1", SPACES),  # coal, iron or barrels on the tile
        ("link_owner", "i1", LINES),  # -1 = free
        ("coal_market", "i1"),  # cubes there
        ("iron_market", "i1"),
        ("merchant", "i1", MERCHANTS),  # kind of merchant tile: bits of the goods it buys
        ("barrel", "i1", MERCHANTS),  # beer beside it
        ("demand", "i1"),  # space of the distant-market marker (SELL-3)
        # The cards and tiles to come: hidden from everyone.
        ("deck", "i1", DECK),  # this era's cards, top first, including those set aside; -1 beyond
        ("deck_next", "i1"),  # the next card to draw
        ("deck_end", "i1"),  # the first card that will not be drawn
        ("rail_deck", "i1", DECK),
        ("discards", "i1", CARDS),  # face up, of all seats, this era; wild cards go back instead
        ("distant", "i1", DISTANT_TILES),  # this era's distant tiles: steps down the track
        ("distant_next", "i1"),
        ("rail_distant", "i1", DISTANT_TILES),
        # The action in progress; all 0 (or -1) between actions.
        ("doing", "i1"),
        ("count", "i1"),  # rails placed, tiles sold or developed so far
        ("space", "i1"),  # the space built on, or of the tile being sold; -1
        ("industry", "i1"),  # built or developed; -1
        ("line", "i1"),  # -1
        ("end", "i1"),  # the place where a rail takes its coal (chosen end); -1
        ("loan", "i1"),  # size in levels
        ("cards_due", "i1"),
        ("coal_due", "i1"),
        ("iron_due", "i1"),
        ("beer_due", "i1"),
        ("develop_due", "i1"),  # Gloucester's bonus is still to be taken
        ("barrel_used", "i1"),  # this sale has used a merchant's barrel
        ("combined", "i1"),  # this build takes two cards and both actions (BLD-3)
        ("unused", "i1"),  # makes the size even
    ],
    align=True,
)

# --- an edition ----------------------------------------------------------------------------------

BOARD = np.dtype(
    [
        # Masks of places.
        ("towns", "i8"),  # what a wild location card may name (WILD-1)
        ("market_places", "i8"),  # they carry a market symbol (MAP-2)
        ("virtual_from", "i8", 2),  # network here ...
        ("virtual_to", "i8", 2),  # ... opens these places to industry cards (A-VIRT)
        ("line_ends", "i8", LINES),  # the two or three places a line joins
        ("space_bit", "i8", SPACES),  # the place of a space, as a mask
        # Masks of spaces.
        ("earlier_twin", "i8", SPACES),  # spaces of the town with the same symbols, before this
        ("single_space", "i8", (SPACES, SYMBOLS)),  # others of the town with this symbol alone
        # Sizes of this edition.
        ("players", "i2"),
        ("places", "i2"),
        ("spaces", "i2"),
        ("lines", "i2"),
        ("deck_size", "i2"),
        ("distant_tiles", "i2"),
        ("merchants", "i2"),
        ("rounds", "i2"),  # per era
        # The map.
        ("space_place", "i2", SPACES),
        ("symbol", "i2", (SPACES, SYMBOLS)),  # industries of a space, -1 = none
        ("icons", "i2", PLACES),  # link symbols printed on the place (SCO-1)
        ("line_era", "i2", (LINES, 2)),  # may be used in the canal era, in the rail era
        ("merchant_place", "i2", MERCHANTS),
        ("bonus", "i2", PLACES),  # kind of merchant bonus there (6.2): 0 none, or BONUS_...
        ("bonus_amount", "i2", PLACES),
        # Industry tiles, by kind of tile.
        ("industry_of", "i2", TILES),
        ("level_of", "i2", TILES),
        ("cost", "i2", TILES),
        ("coal_need", "i2", TILES),
        ("iron_need", "i2", TILES),
        ("beer_need", "i2", TILES),  # to sell it
        ("value", "i2", TILES),  # victory points when flipped
        ("income_gain", "i2", TILES),  # spaces when flipped
        ("tile_icons", "i2", TILES),  # link symbols when flipped
        ("contents", "i2", (TILES, 2)),  # cubes or barrels it starts with, by era
        ("buildable", "i2", (TILES, 2)),  # by era (BLD-4)
        ("developable", "i2", TILES),  # no lightbulb (DEV-3)
        ("stack", "i2", (INDUSTRIES, STACK)),  # a mat's tiles, lowest first
        ("stack_size", "i2", INDUSTRIES),
        # Cards.
        ("card_industries", "i2", CARDS),  # bits of the industries an industry card shows
        ("deck_count", "i2", CARDS),  # cards of each kind in the deck
        ("set_aside", "i2", 2),  # cards that stay out, by era
        ("aside_from", "i2", 2),  # by era: FROM_BOTTOM, AFTER_DEAL or BEFORE_DEAL
        # Markets.
        ("coal_prices", "i2", MARKET),  # cheapest first
        ("coal_spaces", "i2"),
        ("coal_start", "i2"),
        ("coal_empty_price", "i2"),
        ("iron_prices", "i2", MARKET),
        ("iron_spaces", "i2"),
        ("iron_start", "i2"),
        ("iron_empty_price", "i2"),
        ("distant_set", "i2", DISTANT_TILES),  # the distant tiles in the box
        ("distant_bonus", "i2", 9),  # income spaces by space of the track
        ("merchant_set", "i2", MERCHANTS),  # the merchant tiles in the box: bits of goods
        # How this edition plays: rules check these fields, never its name.
        ("start_cash", "i2"),
        ("beer_for_second_rail", "i2"),  # 6.3
        ("beer_to_sell", "i2"),  # goods go to merchants and need beer (SELC-1); else SELL-1
        ("links_need_presence", "i2"),  # LNK-2: no exception for a player with nothing on the map
        ("two_cards_build", "i2"),  # BLD-3
        ("scouting", "i2"),  # SCT-1
        ("loan_sizes", "i2", 3),  # which of 10, 20 and 30 pounds exist (LOAN-1)
        ("loans_end_with_deck", "i2"),  # LOAN-3
        ("income_first", "i2"),  # at the start of a round, not at its end
        ("refill_together", "i2"),  # all seats at the end of the round
        ("clockwise_start", "i2"),  # only the first seat is drawn
        ("coal_at_chosen_end", "i2"),  # A-COAL
        ("cash_scores", "i2"),  # SCO-4
        ("income_tie_by_space", "i2"),  # END-3, X-32
        ("order_breaks_ties", "i2"),  # END-3, A-TIE
        ("canal_era_only", "i2"),  # the introductory game
        # Not used by any rule, but useful to players.
        ("option", "i2", OPTIONS),  # which of its values each option has, -1 = no option
        ("unused", "i2", 2),  # makes the size a multiple of 8
    ],
    align=True,
)

BONUS_POINTS_NOW, BONUS_DEVELOP, BONUS_INCOME, BONUS_MONEY = 1, 2, 3, 4

CLOSED = 8  # the space X of the distant market (SELL-4)

# --- the deal ------------------------------------------------------------------------------------

DEAL = np.dtype(
    [
        ("deck", "i1", (2, DECK)),  # by era, top first, -1 beyond the deck
        ("distant", "i1", (2, DISTANT_TILES)),
        ("merchant", "i1", MERCHANTS),  # bits of goods, by merchant space
        ("order", "i1", SEATS),  # the first turn order
    ],
    align=True,
)

# --- the scratch of one call ---------------------------------------------------------------------

EVENTS = 320  # rows: the end of an era scores every link and tile
TRAIL = 32
CHOICES_MAX = 560  # at least the size of the vocabulary (choices.py)

WORK = np.dtype(
    [
        # The survey (network.py): what all checks share, for `state.seat`.
        ("network", "i8"),  # NET-1
        ("card_network", "i8"),  # the same with virtual links, for industry cards (A-VIRT)
        ("own_places", "i8"),  # places with an own tile
        ("groups", "i8", PLACES),  # places joined by built links, group by group (NET-2)
        ("coal_1", "i8"),  # places connected to at least one coal on tiles
        ("coal_2", "i8"),  # ... to at least two
        ("access", "i8"),  # places with market access (NET-4)
        ("rival_beer_1", "i8"),  # places connected to an opponent's barrel
        ("rival_beer_2", "i8"),  # ... to two
        ("buyers", "i8", INDUSTRIES),  # places connected to a merchant who buys that good
        ("buyers_beer", "i8", INDUSTRIES),  # ... who has a barrel
        ("open_port", "i8"),  # places connected to an unflipped port (SELL-2)
        ("empty", "i8"),  # mask of the empty spaces
        ("location_open", "i8"),  # towns that a location card in hand names
        ("sites", "i8", INDUSTRIES),  # places where an industry could be built (build.py)
        # Numbers.
        (
            "details",
            "i4",
            2,
        ),  # of a refusal: what it is about (place, space, card ...), and how much is missing
        ("events", "i4", (EVENTS, 4)),  # kind and three numbers
        ("event_count", "i4"),
        ("recording", "i4"),  # 0 turns events off
        ("legal", "i4", CHOICES_MAX),  # the legal choices
        ("legal_count", "i4"),
        ("trail", "i4", TRAIL),  # the choices made in this call, forced ones included
        ("trail_count", "i4"),
        ("industry_open", "i4"),  # bits of the industries that cards in hand show
        ("group_count", "i4"),
        ("presence", "i4"),  # the seat has a tile or a link on the map
        ("links_left", "i4"),
        ("iron_on_tiles", "i4"),
        ("coal_on_tiles", "i4"),
        ("own_beer", "i4"),
        ("coal_price_1", "i4"),  # of the next coal from the market
        ("coal_price_2", "i4"),  # of the next two together
        ("iron_cost", "i4", 3),  # what 0, 1, 2 iron cost, from works first (IRON-2)
        ("next_tile", "i4", INDUSTRIES),  # lowest tile on the mat, 0 = none
        ("tally", "i4", CARDS),  # cards counted by kind (laws.py)
        ("unused", "i4"),  # makes the size a multiple of 8
    ],
    align=True,
)


def blank(dtype: np.dtype[Any], count: int = 1) -> np.recarray[Any, Any]:
    """Zeroed records of one kind, with fields as attributes."""
    return np.zeros(count, dtype).view(np.recarray)


def tile_kind(industry: int, level: int) -> int:
    """The number of a kind of industry tile (0 is no tile)."""
    return industry * LEVELS + level + 1
