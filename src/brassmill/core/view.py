"""A view: what one seat, or a spectator, may know.

A view is made by copying public fields into an empty position, never by deleting secret ones: what
is not in `PUBLIC` cannot be seen. Everything a view shows is made from that copy, and most of it
only on first use, because programs that play many games a second need little of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any, NamedTuple

import numpy as np

from brassmill.core.choice import Choices
from brassmill.core.engine import plain
from brassmill.core.events import ERAS
from brassmill.core.names import DOINGS, QUESTIONS, SOURCES
from brassmill.editions.edition import INDUSTRY, WILD_CARDS, Edition, Market
from brassmill.rules import income
from brassmill.rules.layout import CLOSED, LINK_TILES, NOBODY, NOTHING, STATE, WILD_LOCATION, blank

income_level = plain(income.income_level)

PUBLIC = (
    *("cash", "spent", "vp", "points", "owed"),
    *("phase", "seat", "era", "round_number", "turn", "actions_left", "order", "income_turn"),
    *("income", "hand_size", "gone"),
    *("tile", "owner", "flipped", "cubes", "link_owner", "coal_market", "iron_market"),
    *("merchant", "barrel", "demand", "discards"),
    *("deck_next", "deck_end", "distant_next"),  # how many are left, not which
    *("doing", "count", "space", "industry", "line", "end", "loan", "combined", "barrel_used"),
    *("cards_due", "coal_due", "iron_due", "beer_due", "develop_due"),
)
HIDDEN = ("hand", "deck", "rail_deck", "distant", "rail_distant")  # shown partly or not at all
PICTURES = "brassmill.svg"  # in a higher layer, so only its name is known here
UNKNOWN = -1  # a card or a distant tile that nobody has seen

RECORD = np.dtype((np.record, STATE))


@cache
def nothing_seen() -> Any:
    """The bytes of a position about which nothing is known."""
    unknown = blank(STATE)
    for name in ("deck", "rail_deck", "distant", "rail_distant"):
        unknown[name] = UNKNOWN
    return unknown.view(np.uint8)


@cache
def shown(seat: int | None) -> Any:
    """A mask of the bytes of a position that a seat sees."""
    mask = blank(STATE)[0]
    everything = -1  # all bits of a number
    for name in PUBLIC:
        mask[name] = everything
    mask.hand[:, WILD_LOCATION:] = everything
    if seat is not None:
        mask.hand[seat] = everything
    return np.frombuffer(mask, np.uint8) != 0


def seen(state: Any, seat: int | None) -> Any:
    """A copy of a position, reduced to what a seat may know."""
    copy = np.where(shown(seat), np.frombuffer(state, np.uint8), nothing_seen()).view(RECORD)[0]
    drawn = int(state["distant_next"])
    copy["distant"][:drawn] = state["distant"][:drawn]
    return copy


@dataclass(frozen=True)
class SeatView:
    """What everyone sees of a seat."""

    name: str
    cash: int
    spent: int
    income: int  # space of the marker
    level: int
    vp: int
    points: dict[str, dict[str, int]]  # by era and source
    cards: int
    wild: tuple[str, ...]  # the wild cards among them, which are public (SCT-1)
    links_left: int
    mat: dict[str, tuple[int, ...]]  # the levels of the tiles left, by industry, lowest first


@dataclass(frozen=True)
class TileView:
    """An industry tile on the map."""

    space: int
    place: str
    name: str  # of the space
    owner: int
    industry: str
    level: int
    flipped: bool
    cubes: int  # or barrels


@dataclass(frozen=True)
class LinkView:
    """A link on the map."""

    line: int
    name: str
    owner: int


@dataclass(frozen=True)
class MerchantView:
    """A merchant tile."""

    place: str
    goods: str
    barrel: bool


@dataclass(frozen=True)
class MarketView:
    """The coal or iron market."""

    cubes: int
    price: int  # of the next cube


@dataclass(frozen=True)
class DistantView:
    """The distant market of the Lancashire games."""

    marker: int
    closed: bool
    bonus: int  # income spaces for a sale that does not move the marker
    revealed: tuple[int, ...]  # this era's tiles so far: steps
    left: int


@dataclass(frozen=True)
class ActionView:
    """The action in progress."""

    doing: str
    space: str | None
    industry: str | None
    line: str | None


# --- fields computed on first use ----------------------------------------------------------------


class Known(NamedTuple):
    """The data that a view is made of."""

    edition: Edition
    names: Sequence[str]  # of the seats
    seat: int | None  # the viewer
    state: Any  # what that seat may know


class Later:
    """A field of a view that is computed on first use."""

    def __init__(self, read: Callable[[Known], Any]) -> None:
        self.read = read

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, view: View | None, owner: type) -> Any:
        if view is None:
            raise AttributeError(self.name)  # or a dataclass would take the result for a default
        value = vars(view)[self.name] = self.read(view._known)
        return value


def later(read: Callable[[Known], Any]) -> Any:
    """The same, typed so that it can be the value of any field."""
    return Later(read)


@later
def _to_move(known: Known) -> int | None:
    seat = int(known.state["seat"])
    return None if seat == NOBODY else seat


@later
def _order(known: Known) -> tuple[int, ...]:
    return tuple(known.state["order"][: known.edition.players].tolist())


@later
def _seats(known: Known) -> tuple[SeatView, ...]:
    return tuple(_seat(known, seat) for seat in range(known.edition.players))


def _seat(known: Known, seat: int) -> SeatView:
    edition, state = known.edition, known.state
    marker = int(state["income"][seat])
    points = {
        era: {source: number for source, number in zip(SOURCES, row, strict=True) if number}
        for era, row in zip(ERAS, state["points"][seat].tolist(), strict=True)
    }
    return SeatView(
        name=known.names[seat],
        cash=int(state["cash"][seat]),
        spent=int(state["spent"][seat]),
        income=marker,
        level=int(income_level(marker)),
        vp=int(state["vp"][seat]),
        points=points,
        cards=int(state["hand_size"][seat]),
        wild=tuple(edition.card_name(card) for card in WILD_CARDS if state["hand"][seat, card]),
        links_left=LINK_TILES - int((state["link_owner"] == seat).sum()),
        mat={INDUSTRY[n]: _stack(known, seat, n) for n in edition.industries},
    )


def _stack(known: Known, seat: int, industry: int) -> tuple[int, ...]:
    board = known.edition.board
    gone, size = int(known.state["gone"][seat, industry]), int(board["stack_size"][industry])
    left = board["stack"][industry, gone:size].tolist()
    return tuple(known.edition.tile[kind].level for kind in left)


@later
def _hand(known: Known) -> dict[str, int] | None:
    if known.seat is None:
        return None
    return _cards(known.edition, known.state["hand"][known.seat])


@later
def _deck(known: Known) -> int:
    return int(known.state["deck_end"]) - int(known.state["deck_next"])


@later
def _discards(known: Known) -> dict[str, int]:
    return _cards(known.edition, known.state["discards"])


def _cards(edition: Edition, counts: Any) -> dict[str, int]:
    return {edition.card_name(card): n for card, n in enumerate(counts.tolist()) if n}


@later
def _tiles(known: Known) -> tuple[TileView, ...]:
    edition, state = known.edition, known.state
    return tuple(
        TileView(
            space=space,
            place=edition.place_name(edition.spaces[space].place),
            name=edition.space_name(space),
            owner=int(state["owner"][space]),
            industry=edition.tile[tile].industry,
            level=edition.tile[tile].level,
            flipped=bool(state["flipped"][space]),
            cubes=int(state["cubes"][space]),
        )
        for space, tile in enumerate(state["tile"][: len(edition.spaces)].tolist())
        if tile
    )


@later
def _links(known: Known) -> tuple[LinkView, ...]:
    edition = known.edition
    return tuple(
        LinkView(line, edition.line_name(line), owner)
        for line, owner in enumerate(known.state["link_owner"][: len(edition.lines)].tolist())
        if owner != NOBODY
    )


@later
def _coal_market(known: Known) -> MarketView:
    return _market(int(known.state["coal_market"]), known.edition.coal_market)


@later
def _iron_market(known: Known) -> MarketView:
    return _market(int(known.state["iron_market"]), known.edition.iron_market)


def _market(cubes: int, market: Market) -> MarketView:
    return MarketView(cubes, market.prices[-cubes] if cubes else market.empty_price)


@later
def _merchants(known: Known) -> tuple[MerchantView, ...]:
    edition, state = known.edition, known.state
    return tuple(
        MerchantView(place, edition.goods_name(int(state["merchant"][n])), bool(state["barrel"][n]))
        for n, place in enumerate(edition.merchants)
    )


@later
def _distant(known: Known) -> DistantView | None:
    edition, state = known.edition, known.state
    if not edition.distant:
        return None
    marker, drawn = int(state["demand"]), int(state["distant_next"])
    return DistantView(
        marker=marker,
        closed=marker == CLOSED,
        bonus=int(edition.board.distant_bonus[marker]),
        revealed=tuple(state["distant"][:drawn].tolist()),
        left=len(edition.distant) - drawn,
    )


@later
def _action(known: Known) -> ActionView | None:
    edition, state = known.edition, known.state
    if state["doing"] == NOTHING:
        return None
    space, industry, line = (int(state[name]) for name in ("space", "industry", "line"))
    return ActionView(
        doing=DOINGS[int(state["doing"])],
        space=edition.space_name(space) if space >= 0 else None,
        industry=edition.industry_name(industry) if industry >= 0 else None,
        line=edition.line_name(line) if line >= 0 else None,
    )


# --- the view ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class View:
    """A position as one seat sees it (None: as a spectator sees it)."""

    edition: str
    players: int
    options: dict[str, Any]
    seat: int | None  # whose view it is
    number: int  # of actions played
    era: str = later(lambda known: ERAS[int(known.state["era"])])
    round: int = later(lambda known: int(known.state["round_number"]))
    rounds: int
    to_move: int | None = _to_move
    question: str = later(lambda known: QUESTIONS[int(known.state["phase"])])
    actions_left: int = later(lambda known: int(known.state["actions_left"]))
    order: tuple[int, ...] = _order
    owed: int = later(lambda known: int(known.state["owed"]))
    seats: tuple[SeatView, ...] = _seats
    hand: dict[str, int] | None = _hand  # own cards and how many
    tiles: tuple[TileView, ...] = _tiles
    links: tuple[LinkView, ...] = _links
    coal_market: MarketView = _coal_market
    iron_market: MarketView = _iron_market
    merchants: tuple[MerchantView, ...] = _merchants
    distant: DistantView | None = _distant
    deck: int = _deck  # cards left to draw
    discards: dict[str, int] = _discards
    action: ActionView | None = _action
    legal: tuple[int, ...]  # the legal choices, for the seat that must choose
    position: bytes = field(repr=False)  # a STATE record in which everything unknown is blank
    _known: Known = field(init=False, repr=False, compare=False)

    @classmethod
    def of(cls, known: Known, number: int, legal: tuple[int, ...]) -> View:
        """A view whose fields are computed on first use."""
        edition = known.edition
        view = cls.__new__(cls)
        vars(view).update(
            edition=edition.name,
            players=edition.players,
            options=dict(edition.options),
            seat=known.seat,
            number=number,
            rounds=edition.rounds,
            legal=legal,
            position=known.state.tobytes(),
            _known=known,
        )
        return view

    def __getstate__(self) -> dict[str, Any]:
        """Everything it shows, without the data it is made of."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.init}

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON: everything except the packed position."""
        return {
            entry.name: plain_data(getattr(self, entry.name))
            for entry in fields(self)
            if entry.repr
        }

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        svg = import_module(PICTURES)
        return str(svg.table(self))


@cache
def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The names of a dataclass's fields; none for anything else."""
    return tuple(entry.name for entry in fields(kind)) if is_dataclass(kind) else ()


def plain_data(value: Any) -> Any:
    """Convert dataclasses, mappings and sequences to plain data for JSON."""
    if isinstance(value, (str, int, NoneType)):  # the most common case by far
        return value
    if names := field_names(value.__class__):
        return {name: plain_data(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {key: plain_data(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain_data(item) for item in value]
    return value


def view_of(
    edition: Edition,
    names: Sequence[str],
    state: Any,
    seat: int | None,
    number: int,
    legal: Choices | None = None,
) -> View:
    """What a seat may know of a position; with `legal` if it must choose."""
    known = Known(edition, names, seat, seen(state, seat))
    return View.of(known, number, () if legal is None else legal.ids)
