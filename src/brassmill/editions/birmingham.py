"""Brass: Birmingham (2018)."""

from __future__ import annotations

from collections.abc import Mapping

from brassmill.editions.edition import (
    FARM,
    MARKET_PLACE,
    Aside,
    Edition,
    Line,
    Market,
    Option,
    Place,
    TileRow,
    Traits,
    Value,
    town,
)
from brassmill.language import N_

NAME = "birmingham"
TITLE = "Brass: Birmingham"
MEANING = N_("the 2018 game of beer, goods and pottery, two to four players")
PLAYERS = (2, 3, 4)

OPTIONS = (Option("intro", (False, True), N_("the introductory game: the canal era only")),)

# --- the map -------------------------------------------------------------------------------------

TOWNS = (
    # Derbyshire
    town("Belper", "cotton/manufacturer, coal, pottery", (755, 90), banner="teal"),
    town(
        "Derby", "cotton/brewery, cotton/manufacturer, iron", (760, 235), rows=(1, 2), banner="teal"
    ),
    # North Staffordshire
    town("Leek", "cotton/manufacturer, cotton/coal", (555, 75), banner="blue"),
    town(
        "Stoke-on-Trent",
        "cotton/manufacturer, pottery/iron, manufacturer",
        (415, 125),
        rows=(1, 2),
        banner="blue",
        other_names=("Stoke",),
    ),
    town("Stone", "cotton/brewery, manufacturer/coal", (310, 250), banner="blue"),
    town("Uttoxeter", "manufacturer/brewery, cotton/brewery", (565, 235), banner="blue"),
    # South Staffordshire
    town("Stafford", "manufacturer/brewery, pottery", (400, 345), banner="red"),
    town(
        "Burton-on-Trent",
        "manufacturer/coal, brewery",
        (685, 375),
        banner="red",
        other_names=("Burton", "Burton upon Trent"),
    ),
    town("Cannock", "manufacturer/coal, coal", (475, 450), banner="red"),
    town("Tamworth", "cotton/coal, cotton/coal", (700, 500), banner="red"),
    town("Walsall", "iron/manufacturer, manufacturer/brewery", (530, 565), banner="red"),
    # The west
    town("Wolverhampton", "manufacturer, manufacturer/coal", (370, 540), banner="gold"),
    town("Coalbrookdale", "iron/brewery, iron, coal", (230, 565), rows=(1, 2), banner="gold"),
    town("Dudley", "coal, iron", (415, 660), banner="gold"),
    town("Kidderminster", "cotton/coal, cotton", (345, 765), banner="gold"),
    town("Worcester", "cotton, cotton", (360, 895), banner="gold"),
    # Birmingham and Warwickshire
    town(
        "Birmingham",
        "cotton/manufacturer, manufacturer, iron, manufacturer",
        (630, 680),
        rows=(2, 2),
        banner="purple",
    ),
    town(
        "Coventry",
        "pottery, manufacturer/coal, iron/manufacturer",
        (810, 715),
        rows=(1, 2),
        banner="purple",
    ),
    town("Nuneaton", "manufacturer/brewery, cotton/coal", (790, 600), banner="purple"),
    town("Redditch", "manufacturer/coal, iron", (585, 820), banner="purple"),
)

# Unnamed on the board: one at Cannock, one between Kidderminster and Worcester.
FARMS = (
    town(
        "North Farm",
        "brewery",
        (300, 435),
        kind=FARM,
        other_names=("northern farm", "Cannock farm", "farm north", "farm brewery north"),
    ),
    town(
        "South Farm",
        "brewery",
        (260, 840),
        kind=FARM,
        other_names=(
            "southern farm",
            "Kidderminster farm",
            "Worcester farm",
            "farm south",
            "farm brewery south",
        ),
    ),
)

MERCHANT_PLACES = (
    Place("Shrewsbury", MARKET_PLACE, (90, 525), icons=2, bonus="points", bonus_amount=4),
    Place("Gloucester", MARKET_PLACE, (510, 920), icons=2, bonus="develop", bonus_amount=1),
    Place("Oxford", MARKET_PLACE, (735, 845), icons=2, bonus="income", bonus_amount=2),
    Place("Warrington", MARKET_PLACE, (275, 70), icons=2, bonus="money", bonus_amount=5),
    Place("Nottingham", MARKET_PLACE, (900, 130), icons=2, bonus="points", bonus_amount=3),
)

PLACES = (*TOWNS, *FARMS, *MERCHANT_PLACES)

LINES = (
    Line(("Warrington", "Stoke-on-Trent")),
    Line(("Stoke-on-Trent", "Leek")),
    Line(("Leek", "Belper"), canal=False),
    Line(("Belper", "Derby")),
    Line(("Derby", "Nottingham")),
    Line(("Derby", "Uttoxeter"), canal=False),
    Line(("Derby", "Burton-on-Trent")),
    Line(("Uttoxeter", "Stone"), canal=False),
    Line(("Stone", "Stoke-on-Trent")),
    Line(("Stone", "Burton-on-Trent")),
    Line(("Stone", "Stafford")),
    Line(("Stafford", "Cannock")),
    Line(("Cannock", "North Farm")),
    Line(("Cannock", "Burton-on-Trent"), canal=False),
    Line(("Cannock", "Wolverhampton")),
    Line(("Cannock", "Walsall")),
    Line(("Walsall", "Burton-on-Trent"), rail=False),
    Line(("Burton-on-Trent", "Tamworth")),
    Line(("Tamworth", "Walsall"), canal=False),
    Line(("Tamworth", "Nuneaton")),
    Line(("Tamworth", "Birmingham")),
    Line(("Walsall", "Wolverhampton")),
    Line(("Walsall", "Birmingham")),
    Line(("Wolverhampton", "Coalbrookdale")),
    Line(("Wolverhampton", "Dudley")),
    Line(("Coalbrookdale", "Shrewsbury")),
    Line(("Coalbrookdale", "Kidderminster")),
    Line(("Dudley", "Kidderminster")),
    Line(("Dudley", "Birmingham")),
    Line(("Kidderminster", "Worcester", "South Farm"), junction=(340, 840)),
    Line(("Worcester", "Birmingham")),
    Line(("Worcester", "Gloucester")),
    Line(("Birmingham", "Coventry")),
    Line(("Birmingham", "Nuneaton"), canal=False),
    Line(("Nuneaton", "Coventry"), canal=False),
    Line(("Birmingham", "Redditch"), canal=False),
    Line(("Birmingham", "Oxford")),
    Line(("Redditch", "Gloucester")),
    Line(("Redditch", "Oxford")),
)

# --- industry tiles ------------------------------------------------------------------------------

BARRELS = (1, 2)  # in the canal era, in the rail era, whatever the level (BLD-10)

# industry, level, count, cost, coal, iron, beer, VP, income, link symbols
TILES = (
    TileRow("cotton", 1, 3, 12, 0, 0, 1, 5, 5, 1, eras="canal"),
    TileRow("cotton", 2, 2, 14, 1, 0, 1, 5, 4, 2),
    TileRow("cotton", 3, 3, 16, 1, 1, 1, 9, 3, 1),
    TileRow("cotton", 4, 3, 18, 1, 1, 1, 12, 2, 1),
    TileRow("coal", 1, 1, 5, 0, 0, 0, 1, 4, 2, contents=(2, 2), eras="canal"),
    TileRow("coal", 2, 2, 7, 0, 0, 0, 2, 7, 1, contents=(3, 3)),
    TileRow("coal", 3, 2, 8, 0, 1, 0, 3, 6, 1, contents=(4, 4)),
    TileRow("coal", 4, 2, 10, 0, 1, 0, 4, 5, 1, contents=(5, 5)),
    TileRow("iron", 1, 1, 5, 1, 0, 0, 3, 3, 1, contents=(4, 4), eras="canal"),
    TileRow("iron", 2, 1, 7, 1, 0, 0, 5, 3, 1, contents=(4, 4)),
    TileRow("iron", 3, 1, 9, 1, 0, 0, 7, 2, 1, contents=(5, 5)),
    TileRow("iron", 4, 1, 12, 1, 0, 0, 9, 1, 1, contents=(6, 6)),
    TileRow("manufacturer", 1, 1, 8, 1, 0, 1, 3, 5, 2, eras="canal"),
    TileRow("manufacturer", 2, 2, 10, 0, 1, 1, 5, 1, 1),
    TileRow("manufacturer", 3, 1, 12, 2, 0, 0, 4, 4, 0),
    TileRow("manufacturer", 4, 1, 8, 0, 1, 1, 3, 6, 1),
    TileRow("manufacturer", 5, 2, 16, 1, 0, 2, 8, 2, 2),
    TileRow("manufacturer", 6, 1, 20, 0, 0, 1, 7, 6, 1),
    TileRow("manufacturer", 7, 1, 16, 1, 1, 0, 9, 4, 0),
    TileRow("manufacturer", 8, 2, 20, 0, 2, 1, 11, 1, 1),
    TileRow("pottery", 1, 1, 17, 0, 1, 1, 10, 5, 1, developable=False),
    TileRow("pottery", 2, 1, 0, 1, 0, 1, 1, 1, 1),
    TileRow("pottery", 3, 1, 22, 2, 0, 2, 11, 5, 1, developable=False),
    TileRow("pottery", 4, 1, 0, 1, 0, 1, 1, 1, 1),
    TileRow("pottery", 5, 1, 24, 2, 0, 2, 20, 5, 1, eras="rail"),
    TileRow("brewery", 1, 2, 5, 0, 1, 0, 4, 4, 2, contents=BARRELS, eras="canal"),
    TileRow("brewery", 2, 2, 7, 0, 1, 0, 5, 5, 2, contents=BARRELS),
    TileRow("brewery", 3, 2, 9, 0, 1, 0, 7, 5, 2, contents=BARRELS),
    TileRow("brewery", 4, 1, 9, 0, 1, 0, 10, 5, 2, contents=BARRELS, eras="rail"),
)

# --- cards: in the deck with two, three and four players ------------------------------------------

LOCATION_CARDS = {
    "Belper": (0, 0, 2),
    "Derby": (0, 0, 3),
    "Leek": (0, 2, 2),
    "Stoke-on-Trent": (0, 3, 3),
    "Stone": (0, 2, 2),
    "Uttoxeter": (0, 1, 2),
    "Stafford": (2, 2, 2),
    "Burton-on-Trent": (2, 2, 2),
    "Cannock": (2, 2, 2),
    "Tamworth": (1, 1, 1),
    "Walsall": (1, 1, 1),
    "Wolverhampton": (2, 2, 2),
    "Coalbrookdale": (3, 3, 3),
    "Dudley": (2, 2, 2),
    "Kidderminster": (2, 2, 2),
    "Worcester": (2, 2, 2),
    "Birmingham": (3, 3, 3),
    "Coventry": (3, 3, 3),
    "Nuneaton": (1, 1, 1),
    "Redditch": (1, 1, 1),
}
INDUSTRY_CARDS = {
    ("iron",): (4, 4, 4),
    ("coal",): (2, 2, 3),
    ("cotton", "manufacturer"): (0, 6, 8),
    ("pottery",): (2, 2, 3),
    ("brewery",): (5, 5, 5),
}
DECK_SIZES = {2: 40, 3: 54, 4: 64}
LOCATION_CARD_SUMS = {2: 27, 3: 35, 4: 41}
WILD_CARDS = 4  # of each kind

# --- merchants -----------------------------------------------------------------------------------

# The place of each merchant space, and the number of players from which it is open.
MERCHANT_SPACES = (
    ("Shrewsbury", 2),
    ("Gloucester", 2),
    ("Gloucester", 2),
    ("Oxford", 2),
    ("Oxford", 2),
    ("Warrington", 3),
    ("Warrington", 3),
    ("Nottingham", 4),
    ("Nottingham", 4),
)
# The goods of each merchant tile, and the number of players from which it is used.
ALL_GOODS = ("cotton", "manufacturer", "pottery")
MERCHANT_TILES: tuple[tuple[tuple[str, ...], int], ...] = (
    (("cotton",), 2),
    (("manufacturer",), 2),
    (ALL_GOODS, 2),
    ((), 2),
    ((), 2),
    (("pottery",), 3),
    ((), 3),
    (("cotton",), 4),
    (("manufacturer",), 4),
)
MERCHANT_SUMS = {2: 5, 3: 7, 4: 9}

# --- markets -------------------------------------------------------------------------------------

COAL_MARKET = Market((1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), start=13, empty_price=8)
IRON_MARKET = Market((1, 1, 2, 2, 3, 3, 4, 4, 5, 5), start=8, empty_price=6)

# --- what the component lists say ----------------------------------------------------------------

SUMS = {
    "towns": 20,
    "farms": 2,
    "market places": 5,
    "spaces": 49,
    "lines": 39,
    "canal lines": 31,
    "rail lines": 38,
    "tiles": 45,
    "cotton tiles": 11,
    "coal tiles": 7,
    "iron tiles": 4,
    "manufacturer tiles": 11,
    "pottery tiles": 5,
    "brewery tiles": 7,
}


def build(players: int, options: Mapping[str, Value]) -> Edition:
    """The edition for this number of players and these options."""
    column = players - 2
    return Edition(
        name=NAME,
        title=TITLE,
        players=players,
        options=options,
        places=PLACES,
        lines=LINES,
        tiles=TILES,
        location_cards={name: counts[column] for name, counts in LOCATION_CARDS.items()},
        industry_cards={shown: counts[column] for shown, counts in INDUSTRY_CARDS.items()},
        wild_cards=WILD_CARDS,
        # Every player's face-down card is dealt after the hands.
        set_aside=(Aside(players, "after deal"), Aside()),
        rounds={2: 10, 3: 9, 4: 8}[players],
        start_cash=17,
        coal_market=COAL_MARKET,
        iron_market=IRON_MARKET,
        loans=(30,),
        merchants=tuple(place for place, fewest in MERCHANT_SPACES if fewest <= players),
        merchant_tiles=tuple(goods for goods, fewest in MERCHANT_TILES if fewest <= players),
        traits=Traits(
            beer_for_second_rail=True,
            beer_to_sell=True,
            scouting=True,
            income_tie_by_space=True,
            canal_era_only=bool(options["intro"]),
        ),
        sums={
            **SUMS,
            "cards": DECK_SIZES[players],
            "location cards": LOCATION_CARD_SUMS[players],
            "merchant spaces": MERCHANT_SUMS[players],
            "merchant tiles": MERCHANT_SUMS[players],
        },
    )
