"""Brass: Lancashire (2018). The 2007 game uses the same map, tiles and cards (`classic.py`)."""

from __future__ import annotations

from collections.abc import Mapping

from brassmill.editions.edition import (
    MARKET_PLACE,
    WAYPOINT,
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

NAME = "lancashire"
TITLE = "Brass: Lancashire"
MEANING = N_("the 2018 edition, two to four players")
PLAYERS = (2, 3, 4)

OPTIONS = (
    Option(
        "virtual_link",
        (False, True),
        N_("Liverpool and Birkenhead count as connected for industry cards, both ways"),
        excludes=("community_2p",),
    ),
    Option(
        "classic_deck",
        (False, True),
        N_("all 66 cards and 12 distant market tiles of 2007, for three or four players"),
        players=(3, 4),
    ),
    Option(
        "community_2p",
        (False, True),
        N_("the smaller map on the back of the board, for two players"),
        players=(2,),
        excludes=("virtual_link",),
    ),
    Option("intro", (False, True), N_("the introductory game: the canal era only")),
    Option("cotton_one_vp", (5, 3), N_("VP of a level I cotton mill: 5, or 3 as in 2007")),
)

# --- the map -------------------------------------------------------------------------------------

TOWNS = (
    town("Barrow-in-Furness", "shipyard, iron", (100, 110), banner="blue", other_names=("Barrow",)),
    town("Birkenhead", "shipyard", (60, 745)),
    town("Blackburn", "cotton/coal, cotton/coal, iron", (515, 395), rows=(1, 2), banner="blue"),
    town("Bolton", "cotton/coal, cotton/coal, iron", (530, 525), rows=(2, 1)),
    town("Burnley", "cotton/coal, cotton/coal", (690, 325), banner="turquoise"),
    town("Bury", "cotton/coal, cotton/coal", (690, 515)),
    town("Colne", "cotton, cotton", (830, 245), banner="turquoise"),
    town("Ellesmere Port", "port", (235, 800)),
    town("Fleetwood", "port", (150, 275), banner="blue"),
    town("Lancaster", "port, cotton/port", (330, 185), banner="blue"),
    town("Liverpool", "port, port, shipyard, port", (130, 620), rows=(2, 2)),
    town("Macclesfield", "cotton, cotton", (770, 890)),
    town("Manchester", "cotton/coal, cotton/coal, cotton/coal, iron", (690, 665), rows=(1, 2, 1)),
    town("Oldham", "cotton/coal, cotton/coal", (860, 600)),
    town("Preston", "port, cotton/port, iron", (330, 375), rows=(1, 2)),
    town("Rochdale", "cotton/coal, cotton/coal, iron", (860, 475)),
    town("Stockport", "cotton, cotton", (770, 775)),
    town(
        "Warrington & Runcorn",
        "cotton/coal, port",
        (405, 690),
        rows=(1, 1),
        other_names=("Warrington", "Runcorn"),
    ),
    town("Wigan", "coal, coal", (365, 540)),
)

PLACES = (
    *TOWNS,
    Place("Blackpool", WAYPOINT, (110, 375), icons=2),
    Place("Southport", WAYPOINT, (165, 480), icons=2),
    Place("Northwich", WAYPOINT, (420, 880), icons=2),
    Place("Scotland", MARKET_PLACE, (345, 40), icons=2),
    Place("Yorkshire", MARKET_PLACE, (950, 365), icons=2),
    Place("The Midlands", MARKET_PLACE, (590, 960), icons=2, other_names=("Midland",)),
)

LINES = (
    Line(("Barrow-in-Furness", "Lancaster"), canal=False),
    Line(("Birkenhead", "Ellesmere Port"), canal=False),
    Line(("Blackburn", "Bolton"), canal=False),
    Line(("Blackburn", "Burnley")),
    Line(("Blackburn", "Preston"), canal=False),
    Line(("Blackburn", "Wigan")),
    Line(("Blackpool", "Preston"), canal=False),
    Line(("Bolton", "Bury")),
    Line(("Bolton", "Manchester")),
    Line(("Bolton", "Wigan"), canal=False),
    Line(("Burnley", "Bury"), canal=False),
    Line(("Burnley", "Colne")),
    Line(("Bury", "Manchester")),
    Line(("Bury", "Rochdale"), canal=False),
    Line(("Colne", "Yorkshire")),
    Line(("Ellesmere Port", "Liverpool"), rail=False),
    Line(("Ellesmere Port", "Northwich")),
    Line(("Ellesmere Port", "Warrington & Runcorn")),
    Line(("Fleetwood", "Preston")),
    Line(("Lancaster", "Preston")),
    Line(("Lancaster", "Scotland"), canal=False),
    Line(("Liverpool", "Southport"), canal=False),
    Line(("Liverpool", "Warrington & Runcorn"), canal=False),
    Line(("Liverpool", "Wigan")),
    Line(("Macclesfield", "The Midlands")),
    Line(("Macclesfield", "Stockport")),
    Line(("Manchester", "Oldham")),
    Line(("Manchester", "Stockport")),
    Line(("Manchester", "Warrington & Runcorn")),
    Line(("The Midlands", "Northwich")),
    Line(("Oldham", "Rochdale")),
    Line(("Preston", "Southport"), canal=False),
    Line(("Preston", "Wigan")),
    Line(("Rochdale", "Yorkshire")),
    Line(("Southport", "Wigan"), canal=False),
    Line(("Warrington & Runcorn", "Wigan")),
)

# The back of the board: without these places and their lines, and with one more canal.
COMMUNITY_WITHOUT = (
    "Birkenhead",
    "Ellesmere Port",
    "Macclesfield",
    "The Midlands",
    "Northwich",
    "Oldham",
    "Rochdale",
    "Stockport",
)
COMMUNITY_PLACES = tuple(place for place in PLACES if place.name not in COMMUNITY_WITHOUT)
COMMUNITY_LINES = tuple(
    Line(line.ends) if line.ends == ("Lancaster", "Scotland") else line
    for line in LINES
    if not set(line.ends) & set(COMMUNITY_WITHOUT)
)

# --- industry tiles ------------------------------------------------------------------------------


def _tile(
    industry: str,
    level: int,
    count: int,
    cost: int,
    coal: int,
    iron: int,
    vp: int,
    income: int,
    cubes: int = 0,
    eras: str = "both",
) -> TileRow:
    """Every tile shows one link symbol when flipped; none needs beer."""
    return TileRow(industry, level, count, cost, coal, iron, 0, vp, income, 1, (cubes, cubes), eras)


# As in 2007; the 2018 tiles differ only in the VP of cotton 1.
# industry, level, count, cost, coal, iron, VP, income, cubes
TILES = (
    _tile("cotton", 1, 3, 12, 0, 0, 3, 5, eras="canal"),
    _tile("cotton", 2, 3, 14, 1, 0, 5, 4),
    _tile("cotton", 3, 3, 16, 1, 1, 9, 3),
    _tile("cotton", 4, 3, 18, 1, 1, 12, 2),
    _tile("port", 1, 2, 6, 0, 0, 2, 3, eras="canal"),
    _tile("port", 2, 2, 7, 0, 0, 4, 3),
    _tile("port", 3, 2, 8, 0, 0, 6, 4),
    _tile("port", 4, 2, 9, 0, 0, 9, 4),
    _tile("coal", 1, 1, 5, 0, 0, 1, 4, 2, eras="canal"),
    _tile("coal", 2, 2, 7, 0, 0, 2, 7, 3),
    _tile("coal", 3, 2, 8, 0, 1, 3, 6, 4),
    _tile("coal", 4, 2, 10, 0, 1, 4, 5, 5),
    _tile("iron", 1, 1, 5, 1, 0, 3, 3, 4, eras="canal"),
    _tile("iron", 2, 1, 7, 1, 0, 5, 3, 4),
    _tile("iron", 3, 1, 9, 1, 0, 7, 2, 5),
    _tile("iron", 4, 1, 12, 1, 0, 9, 1, 6),
    _tile("shipyard", 0, 2, 0, 0, 0, 0, 0, eras="never"),
    _tile("shipyard", 1, 2, 16, 1, 1, 10, 2, eras="canal"),
    _tile("shipyard", 2, 2, 25, 1, 1, 18, 1, eras="rail"),
)


def tiles(cotton_one_vp: int) -> tuple[TileRow, ...]:
    """The tiles, with this many VP for cotton 1."""
    first = _tile("cotton", 1, 3, 12, 0, 0, cotton_one_vp, 5, eras="canal")
    return (first, *TILES[1:])


# --- cards ---------------------------------------------------------------------------------------

# Cards in the deck of 2007 with four, three and two players, and with the community map.
DECKS = ("2007", "4 players", "3 players", "2 players", "community")

LOCATION_CARDS = {
    "Barrow-in-Furness": (2, 2, 2, 0, 2),
    "Birkenhead": (2, 2, 2, 2, 0),
    "Blackburn": (2, 2, 2, 0, 2),
    "Bolton": (2, 2, 2, 2, 2),
    "Burnley": (2, 2, 0, 0, 2),
    "Bury": (1, 1, 1, 1, 1),
    "Colne": (2, 2, 0, 0, 2),
    "Ellesmere Port": (1, 1, 1, 1, 0),
    "Fleetwood": (1, 1, 1, 0, 1),
    "Lancaster": (3, 3, 2, 0, 2),
    "Liverpool": (4, 4, 3, 3, 3),
    "Macclesfield": (2, 2, 2, 2, 0),
    "Manchester": (4, 4, 4, 4, 3),
    "Oldham": (2, 2, 2, 2, 0),
    "Preston": (3, 3, 3, 3, 2),
    "Rochdale": (2, 2, 2, 2, 0),
    "Stockport": (2, 2, 2, 2, 0),
    "Warrington & Runcorn": (2, 2, 2, 2, 2),
    "Wigan": (2, 2, 2, 2, 1),
}
INDUSTRY_CARDS: dict[tuple[str, ...], tuple[int, ...]] = {
    ("cotton",): (8, 8, 5, 0, 5),
    ("coal",): (5, 4, 4, 3, 4),
    ("iron",): (3, 3, 3, 3, 2),
    ("port",): (6, 5, 4, 3, 3),
    ("shipyard",): (3, 3, 3, 3, 1),
}
DECK_SIZES = (66, 64, 54, 40, 40)

# --- markets -------------------------------------------------------------------------------------

MARKET = Market((1, 1, 2, 2, 3, 3, 4, 4), start=8, empty_price=5)
COMMUNITY_MARKET = Market((2, 2, 3, 3, 4, 4), start=6, empty_price=5)

# Steps of the distant tiles, by deck.
DISTANT = {
    "2007": (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4),
    "4 players": (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4),
    "3 players": (0, 1, 2, 2, 2, 2, 3, 3, 3, 4),
    "2 players": (1, 2, 2, 2, 3, 3, 3, 4),
    "community": (1, 2, 2, 2, 2, 3, 3, 4),
}
DISTANT_SUMS = {"2007": 23, "4 players": 23, "3 players": 22, "2 players": 20, "community": 19}
DISTANT_BONUS = (3, 3, 2, 2, 1, 1, 0, 0, 0)  # the last space is X
LOANS = (10, 20, 30)

# --- what the component lists say ----------------------------------------------------------------

SUMS = {
    "towns": 19,
    "waypoints": 3,
    "market places": 3,
    "spaces": 43,
    "lines": 36,
    "canal lines": 23,
    "rail lines": 35,
    "tiles": 37,
    "cotton tiles": 12,
    "port tiles": 8,
    "coal tiles": 7,
    "shipyard tiles": 6,
    "iron tiles": 4,
}
COMMUNITY_SUMS = {
    **SUMS,
    "towns": 13,
    "waypoints": 2,
    "market places": 2,
    "spaces": 32,
    "lines": 24,
    "canal lines": 14,
    "rail lines": 24,
}


def card_tables(deck: str) -> tuple[dict[str, int], dict[tuple[str, ...], int], dict[str, int]]:
    """The location cards, industry cards and sums of a deck."""
    column = DECKS.index(deck)
    towns = {name: counts[column] for name, counts in LOCATION_CARDS.items()}
    if deck == "community":
        towns = {name: count for name, count in towns.items() if name not in COMMUNITY_WITHOUT}
    industries = {shown: counts[column] for shown, counts in INDUSTRY_CARDS.items()}
    sums = {
        "cards": DECK_SIZES[column],
        "distant tiles": len(DISTANT[deck]),
        "distant steps": DISTANT_SUMS[deck],
    }
    return towns, industries, sums


def build(players: int, options: Mapping[str, Value]) -> Edition:
    """The edition for this number of players and these options."""
    community = bool(options["community_2p"])
    classic_deck = bool(options["classic_deck"])
    deck = "community" if community else "2007" if classic_deck else f"{players} players"
    location_cards, industry_cards, sums = card_tables(deck)
    aside = (Aside(players), Aside())
    rounds = {2: 10, 3: 9, 4: 8}[players]
    if classic_deck:
        aside = {
            3: (Aside(9), Aside(6, "before deal")),
            4: (Aside(6), Aside(2, "before deal")),
        }[players]
        rounds = {3: 10, 4: 8}[players]
    ferry = ("Liverpool", "Birkenhead")
    market = COMMUNITY_MARKET if community else MARKET
    return Edition(
        name=NAME,
        title=TITLE,
        players=players,
        options=options,
        places=COMMUNITY_PLACES if community else PLACES,
        lines=COMMUNITY_LINES if community else LINES,
        tiles=tiles(int(options["cotton_one_vp"])),
        location_cards=location_cards,
        industry_cards=industry_cards,
        set_aside=aside,
        rounds=rounds,
        start_cash=25 if community else 30,
        coal_market=market,
        iron_market=market,
        loans=LOANS,
        distant=DISTANT[deck],
        distant_bonus=DISTANT_BONUS,
        virtual_links=(ferry, ferry[::-1]) if options["virtual_link"] else (),
        traits=Traits(
            links_need_presence=True,
            two_cards_build=True,
            loans_end_with_deck=True,
            cash_scores=True,
            canal_era_only=bool(options["intro"]),
        ),
        sums={**(COMMUNITY_SUMS if community else SUMS), **sums},
    )
