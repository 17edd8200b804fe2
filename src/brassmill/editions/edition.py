"""What every edition is made of: places, lines, tiles, cards and how it plays.

An `Edition` has everything decided: name, number of players, options. Places, spaces
and lines are numbered by their position in its tables; industries and cards as in
`rules/layout.py`. Everything can be found by name, with forgiving spelling (`names.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from brassmill.editions.names import NameTable, join, slug, split_line, split_number
from brassmill.errors import UnknownName
from brassmill.language import N_
from brassmill.rules.layout import (
    INDUSTRIES,
    INDUSTRY_CARD,
    LEVELS,
    MANUFACTURER,
    PLACES,
    WILD_INDUSTRY,
    WILD_LOCATION,
    tile_kind,
)
from brassmill.vocabulary import GOODS
from brassmill.vocabulary import INDUSTRIES as INDUSTRY_WORDS
from brassmill.vocabulary import WILD_CARDS as WILD_CARD_WORDS

Value = bool | int | str

# One name per industry for all editions, and its other names; numbered as in the layout.
INDUSTRY_NAMES = {word.en: word.others for word in INDUSTRY_WORDS}
INDUSTRY = tuple(INDUSTRY_NAMES)
NUMBER = {name: number for number, name in enumerate(INDUSTRY)}

TOWN, FARM, MARKET_PLACE, WAYPOINT = "town", "farm", "market", "waypoint"

WILD_CARDS = {
    card: (word.en, *word.others)
    for card, word in zip((WILD_LOCATION, WILD_INDUSTRY), WILD_CARD_WORDS, strict=True)
}


@dataclass(frozen=True)
class Place:
    """A node of the map (MAP-1)."""

    name: str
    kind: str  # town, farm, market or waypoint
    xy: tuple[int, int]  # for drawings: 0 to 1000 rightwards and downwards
    spaces: tuple[tuple[str, ...], ...] = ()  # the industries each space accepts
    rows: tuple[int, ...] = ()  # the layout on the board: spaces in each row
    banner: str = ""  # its colour
    icons: int = 0  # link symbols printed on it (SCO-1)
    bonus: str = ""  # of its merchants: points, develop, income or money (6.2)
    bonus_amount: int = 0
    other_names: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The name as one word, for ids and drawings."""
        return slug(self.name)


def town(
    name: str,
    spaces: str,
    xy: tuple[int, int],
    *,
    rows: tuple[int, ...] = (),
    kind: str = TOWN,
    banner: str = "",
    other_names: tuple[str, ...] = (),
) -> Place:
    """A place with building spaces, written `cotton/coal, iron`: two industries, then one."""
    symbols = tuple(tuple(space.split("/")) for space in spaces.split(", "))
    return Place(
        name,
        kind,
        xy,
        spaces=symbols,
        rows=rows or (len(symbols),),
        banner=banner,
        other_names=other_names,
    )


@dataclass(frozen=True)
class Space:
    """A building space (MAP-5): the number of its place, its own number there, its symbols."""

    place: int
    number: int  # from 1
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """An edge of the map (MAP-3, MAP-4)."""

    ends: tuple[str, ...]  # names of places; the third one is a farm
    canal: bool = True
    rail: bool = True
    junction: tuple[int, int] | None = None  # where three ends meet, for drawings

    @property
    def name(self) -> str:
        return "-".join(self.ends[:2])

    @property
    def id(self) -> str:
        return "-".join(slug(end) for end in self.ends[:2])


@dataclass(frozen=True)
class TileRow:
    """A kind of industry tile, as printed on a mat."""

    industry: str
    level: int
    count: int  # per player
    cost: int
    coal: int
    iron: int
    beer: int  # to sell it
    vp: int
    income: int  # spaces
    icons: int  # link symbols when flipped
    contents: tuple[int, int] = (0, 0)  # cubes or barrels it starts with, by era
    eras: str = "both"  # when it may be built: canal, rail, both or never (BLD-4)
    developable: bool = True  # without lightbulb (DEV-3)

    @property
    def kind(self) -> int:
        """Its number among all kinds of tile."""
        return tile_kind(NUMBER[self.industry], self.level)

    @property
    def name(self) -> str:
        return f"{self.industry} {self.level}"

    @property
    def buildable(self) -> tuple[bool, bool]:
        """In the canal era, in the rail era."""
        return self.eras in ("canal", "both"), self.eras in ("rail", "both")


@dataclass(frozen=True)
class Market:
    """The coal or iron market (MKT-1)."""

    prices: tuple[int, ...]  # cheapest first
    start: int  # cubes
    empty_price: int


@dataclass(frozen=True)
class Aside:
    """Cards set aside for an era (TURN-7)."""

    count: int = 0
    when: str = (
        "bottom"  # from the bottom of the deck; or from its top, "after deal" or "before deal"
    )


@dataclass(frozen=True)
class Traits:
    """How an edition plays: fields of `BOARD` in `rules/layout.py`, where each is explained."""

    beer_for_second_rail: bool = False
    beer_to_sell: bool = False
    links_need_presence: bool = False
    two_cards_build: bool = False
    scouting: bool = False
    loans_end_with_deck: bool = False
    income_first: bool = False
    refill_together: bool = False
    clockwise_start: bool = False
    coal_at_chosen_end: bool = False
    cash_scores: bool = False
    income_tie_by_space: bool = False
    order_breaks_ties: bool = False
    canal_era_only: bool = False


@dataclass(frozen=True)
class Option:
    """A choice of rules made before the game; the first value is the default."""

    name: str
    values: tuple[Value, ...]
    meaning: str
    players: tuple[int, ...] = (2, 3, 4)  # the numbers of players that allow it
    excludes: tuple[str, ...] = ()  # options that cannot be combined with it

    @property
    def default(self) -> Value:
        return self.values[0]


@dataclass(frozen=True, eq=False)
class Edition:
    """An edition with its number of players and all options decided."""

    name: str
    title: str
    players: int
    options: Mapping[str, Value]
    places: tuple[Place, ...]
    lines: tuple[Line, ...]
    tiles: tuple[TileRow, ...]
    location_cards: Mapping[str, int]  # how many in the deck, by town
    industry_cards: Mapping[tuple[str, ...], int]  # ..., by the industries they show
    set_aside: tuple[Aside, Aside]  # by era
    rounds: int  # per era
    start_cash: int
    coal_market: Market
    iron_market: Market
    loans: tuple[int, ...]  # pounds
    traits: Traits
    sums: Mapping[str, int]  # the component counts of the rulebook; see `sums.py`
    wild_cards: int = 0  # of each kind, beside the deck
    distant: tuple[int, ...] = ()  # steps of the distant tiles
    distant_bonus: tuple[int, ...] = ()  # income spaces by space of the track
    merchants: tuple[str, ...] = ()  # the place of each open merchant space
    merchant_tiles: tuple[tuple[str, ...], ...] = ()  # the goods each buys
    virtual_links: tuple[tuple[str, str], ...] = ()  # a network here counts for that town (A-VIRT)

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self.changed_options.items())
        return f"edition({self.name!r}, {self.players}{changed})"

    def __reduce__(self) -> tuple[Any, ...]:
        from brassmill.editions import restore

        return restore, (self.name, self.players, dict(self.options))

    # --- tables made from the tables -------------------------------------------------------------

    @cached_property
    def changed_options(self) -> dict[str, Value]:
        """The options that differ from their defaults."""
        from brassmill.editions import EDITIONS

        defaults = {option.name: option.default for option in EDITIONS[self.name].options}
        return {name: value for name, value in self.options.items() if value != defaults[name]}

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return tuple(
            Space(place, number, symbols)
            for place, table in enumerate(self.places)
            for number, symbols in enumerate(table.spaces, 1)
        )

    @cached_property
    def place_spaces(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the spaces of each place."""
        return tuple(
            tuple(number for number, space in enumerate(self.spaces) if space.place == place)
            for place in range(len(self.places))
        )

    @cached_property
    def place_number(self) -> dict[str, int]:
        """The number of each place by its proper name."""
        return {place.name: number for number, place in enumerate(self.places)}

    @cached_property
    def line_ends(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(self.place_number[end] for end in line.ends) for line in self.lines)

    @cached_property
    def merchant_places(self) -> tuple[int, ...]:
        return tuple(self.place_number[name] for name in self.merchants)

    @cached_property
    def industries(self) -> tuple[int, ...]:
        """The industries of this edition."""
        return tuple(sorted({NUMBER[tile.industry] for tile in self.tiles}))

    @cached_property
    def tile(self) -> dict[int, TileRow]:
        """The tiles by their kind."""
        return {tile.kind: tile for tile in self.tiles}

    @cached_property
    def card_symbols(self) -> dict[int, tuple[str, ...]]:
        """The industries that each industry card shows; a wild one shows all."""
        symbols = {
            INDUSTRY_CARD + NUMBER[shown[-1]]: shown
            for shown in sorted(self.industry_cards, key=lambda shown: NUMBER[shown[-1]])
        }
        if self.wild_cards:
            symbols[WILD_INDUSTRY] = tuple(INDUSTRY[number] for number in self.industries)
        return symbols

    @cached_property
    def deck(self) -> dict[int, int]:
        """The number of cards of each kind in the deck, which has no wild cards."""
        towns = {self.place_number[name]: count for name, count in self.location_cards.items()}
        others = {
            INDUSTRY_CARD + NUMBER[shown[-1]]: count for shown, count in self.industry_cards.items()
        }
        return dict(sorted((towns | others).items()))

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """All kinds of card, including those not used with this number of players."""
        return (*self.deck, *(WILD_CARDS if self.wild_cards else ()))

    @cached_property
    def board(self) -> Any:
        """The edition as a `BOARD` record for the compiled rules. Read it, never write it."""
        from brassmill.editions.board import board_of

        return board_of(self)

    def check(self) -> None:
        """Raise an error unless the tables add up to the component counts of the rulebook."""
        from brassmill.editions.sums import check

        check(self)

    # --- names -----------------------------------------------------------------------------------

    def place_name(self, place: int) -> str:
        return self.places[place].name

    def space_name(self, space: int) -> str:
        """`Preston 2`; a town's only space has the name of the town."""
        row = self.spaces[space]
        town = self.places[row.place]
        return town.name if len(town.spaces) == 1 else f"{town.name} {row.number}"

    def line_name(self, line: int) -> str:
        return self.lines[line].name

    def industry_name(self, industry: int) -> str:
        return INDUSTRY[industry]

    def tile_name(self, kind: int) -> str:
        """`coal 2`."""
        return f"{INDUSTRY[(kind - 1) // LEVELS]} {(kind - 1) % LEVELS}"

    def card_name(self, card: int) -> str:
        if card < PLACES:
            return self.places[card].name
        if card in WILD_CARDS:
            return WILD_CARDS[card][0]
        return "/".join(self.card_symbols[card])

    def goods_name(self, goods: int) -> str:
        """A merchant tile, given as bits of goods: `cotton`, `all`, `blank`."""
        names = [INDUSTRY[number] for number in range(INDUSTRIES) if goods >> number & 1]
        if not names:
            return "blank"
        return names[0] if len(names) == 1 else "all"

    def merchant_name(self, merchant: int) -> str:
        """A merchant space: `Gloucester 2`, or the place alone if it has only one."""
        place = self.merchants[merchant]
        if self.merchants.count(place) == 1:
            return place
        return f"{place} {merchant - self.merchants.index(place) + 1}"

    # --- finding by name -------------------------------------------------------------------------

    def find_place(self, text: str) -> int:
        return self._place_names.find(text)

    def find_space(self, text: str) -> tuple[int, int | None]:
        """A place and, if the text has one (`Preston 2`), the number of the space there."""
        name, number = split_number(text)
        place = self._building_names.find(name)
        count = len(self.places[place].spaces)
        if number is not None and not 1 <= number <= count:
            town = self.places[place].name
            raise UnknownName(N_("space"), text, [f"{town} {n}" for n in range(1, count + 1)])
        return place, number

    def space_at(self, place: int, number: int) -> int:
        """The `number`th space of a place."""
        return self.place_spaces[place][number - 1]

    def find_line(self, text: str) -> int:
        """A line by its ends in any order: `Stone-Stoke`, `South Farm to Worcester`."""
        place = self._place_names.get(text)  # an unambiguous place alone is not a line
        line = self._line_names.get(text) if place is None else None
        if line is not None:
            return line
        near = [n for n, ends in enumerate(self.line_ends) if place in ends]
        for parts in split_line(text):
            places = [self._place_names.get(part) for part in parts]
            found = [place for place in places if place is not None]
            touching = [n for n, ends in enumerate(self.line_ends) if set(found) <= set(ends)]
            if len(set(found)) == len(parts) and len(touching) == 1:
                return touching[0]
            near += [n for n, ends in enumerate(self.line_ends) if set(found) & set(ends)]
        wanted = sorted(set(near)) or range(len(self.lines))
        raise UnknownName(N_("line"), text, [self.lines[number].name for number in wanted])

    def find_industry(self, text: str) -> int:
        return self._industry_names.find(text)

    def find_tile(self, text: str) -> int:
        """A kind of tile: `coal 2`."""
        name, level = split_number(text)
        industry = self.find_industry(name)
        kinds = {tile.level: tile for tile in self.tiles if NUMBER[tile.industry] == industry}
        if level is None or level not in kinds:
            raise UnknownName(N_("tile"), text, [tile.name for tile in kinds.values()])
        return kinds[level].kind

    def find_card(self, text: str) -> int:
        return self._card_names.find(text.strip().removesuffix(" card"))

    def find_goods(self, text: str) -> int:
        """A merchant tile as bits of goods."""
        return self._goods_names.find(text)

    @cached_property
    def _place_names(self) -> NameTable:
        return NameTable(
            N_("place"), [(p.name, p.other_names, n) for n, p in enumerate(self.places)]
        )

    @cached_property
    def _building_names(self) -> NameTable:
        rows = [(p.name, p.other_names, n) for n, p in enumerate(self.places) if p.spaces]
        return NameTable(N_("town"), rows)

    @cached_property
    def _line_names(self) -> NameTable:
        return NameTable(
            N_("line"),
            [
                (line.name, join([self._names_of(end) for end in ends]), number)
                for number, (line, ends) in enumerate(zip(self.lines, self.line_ends, strict=True))
            ],
        )

    @cached_property
    def _industry_names(self) -> NameTable:
        return NameTable(
            N_("industry"), [(INDUSTRY[n], INDUSTRY_NAMES[INDUSTRY[n]], n) for n in self.industries]
        )

    @cached_property
    def _card_names(self) -> NameTable:
        rows: list[tuple[str, tuple[str, ...], int]] = []
        for card in self.cards:
            if card < PLACES:
                others = self.places[card].other_names
            elif card in WILD_CARDS:
                others = WILD_CARDS[card]
            else:
                spellings = [(name, *INDUSTRY_NAMES[name]) for name in self.card_symbols[card]]
                others = tuple(name for names in spellings for name in names)
                if card == INDUSTRY_CARD + MANUFACTURER:
                    others += join(spellings)
            rows.append((self.card_name(card), others, card))
        return NameTable(N_("card"), rows)

    @cached_property
    def _goods_names(self) -> NameTable:
        others = {word.en: word.others for word in GOODS}
        kinds = {self.goods_name(goods): goods for goods in map(goods_bits, self.merchant_tiles)}
        return NameTable(
            N_("merchant tile"),
            [
                (name, others.get(name) or INDUSTRY_NAMES[name], goods)
                for name, goods in sorted(kinds.items())
            ],
        )

    def _names_of(self, place: int) -> tuple[str, ...]:
        return self.places[place].name, *self.places[place].other_names


def goods_bits(goods: tuple[str, ...]) -> int:
    """The goods that a merchant tile buys, as bits."""
    return sum(1 << NUMBER[name] for name in goods)
