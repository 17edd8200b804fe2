"""What one seat, or a spectator, may know.

A view is made by copying public fields into an empty position, never by deleting secret ones: what
is not in `PUBLIC` cannot be seen. Everything a view shows is made from that copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from brassmill.choice import Choices
from brassmill.editions.edition import INDUSTRY, Edition, Market
from brassmill.engine import plain
from brassmill.events import ERAS
from brassmill.position.words import DOINGS, QUESTIONS, SOURCES
from brassmill.rules import income
from brassmill.rules.layout import CLOSED, LINK_TILES, NOBODY, NOTHING, STATE, blank

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
HIDDEN = ("hand", "deck", "rail_deck", "distant", "rail_distant")  # shown in part, or not at all
UNKNOWN = -1  # a card or a distant tile that nobody has seen


@dataclass(frozen=True)
class SeatView:
    """What everybody sees of a seat."""

    name: str
    cash: int
    spent: int
    income: int  # space of the marker
    level: int
    vp: int
    points: dict[str, dict[str, int]]  # by era and source
    cards: int
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
    bonus: int  # income spaces that a sale without a step would bring
    revealed: tuple[int, ...]  # this era's tiles so far: steps
    left: int


@dataclass(frozen=True)
class ActionView:
    """The action in progress."""

    doing: str
    space: str | None
    industry: str | None
    line: str | None


@dataclass(frozen=True)
class View:
    """A position as one seat sees it (None: as a spectator sees it)."""

    edition: str
    players: int
    options: dict[str, Any]
    seat: int | None  # whose view it is
    number: int  # of actions played
    era: str
    round: int
    rounds: int
    to_move: int | None
    question: str
    actions_left: int
    order: tuple[int, ...]
    owed: int
    seats: tuple[SeatView, ...]
    hand: dict[str, int] | None  # own cards and how many
    tiles: tuple[TileView, ...]
    links: tuple[LinkView, ...]
    coal_market: MarketView
    iron_market: MarketView
    merchants: tuple[MerchantView, ...]
    distant: DistantView | None
    deck: int  # cards left to draw
    discards: dict[str, int]
    action: ActionView | None
    legal: tuple[int, ...]  # the open choices, for the seat that must choose
    position: bytes = field(repr=False)  # a STATE record in which everything unknown is blank

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; all but the packed position."""
        return {
            entry.name: _plain_data(getattr(self, entry.name))
            for entry in fields(self)
            if entry.name != "position"
        }

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        from brassmill import svg

        return svg.table(self)


def _plain_data(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _plain_data(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, dict):
        return {key: _plain_data(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain_data(item) for item in value]
    return value


def seen(state: Any, seat: int | None) -> Any:
    """A copy of a position with what a seat may know of it."""
    copy = blank(STATE)[0]
    for name in PUBLIC:
        copy[name] = state[name]
    for name in ("deck", "rail_deck", "distant", "rail_distant"):
        copy[name] = UNKNOWN
    drawn = int(state.distant_next)
    copy.distant[:drawn] = state.distant[:drawn]
    if seat is not None:
        copy.hand[seat] = state.hand[seat]
    return copy


def view_of(
    edition: Edition,
    names: Sequence[str],
    state: Any,
    seat: int | None,
    number: int,
    legal: Choices | None = None,
) -> View:
    """What a seat may know of a position; `legal` if it is the one that must choose."""
    known = seen(state, seat)
    to_move = int(known.seat)
    return View(
        edition=edition.name,
        players=edition.players,
        options=dict(edition.options),
        seat=seat,
        number=number,
        era=ERAS[int(known.era)],
        round=int(known.round_number),
        rounds=edition.rounds,
        to_move=None if to_move == NOBODY else to_move,
        question=QUESTIONS[int(known.phase)],
        actions_left=int(known.actions_left),
        order=tuple(known.order[: edition.players].tolist()),
        owed=int(known.owed),
        seats=tuple(_seat(edition, names, known, seat) for seat in range(edition.players)),
        hand=None if seat is None else _cards(edition, known.hand[seat]),
        tiles=_tiles(edition, known),
        links=tuple(
            LinkView(line, edition.line_name(line), int(owner))
            for line, owner in enumerate(known.link_owner[: len(edition.lines)])
            if owner != NOBODY
        ),
        coal_market=_market(int(known.coal_market), edition.coal_market),
        iron_market=_market(int(known.iron_market), edition.iron_market),
        merchants=tuple(
            MerchantView(place, edition.goods_name(int(known.merchant[n])), bool(known.barrel[n]))
            for n, place in enumerate(edition.merchants)
        ),
        distant=_distant(edition, known),
        deck=int(known.deck_end) - int(known.deck_next),
        discards=_cards(edition, known.discards),
        action=_action(edition, known),
        legal=() if legal is None else legal.ids,
        position=known.tobytes(),
    )


def _cards(edition: Edition, counts: Any) -> dict[str, int]:
    return {edition.card_name(card): int(n) for card, n in enumerate(counts) if n}


def _seat(edition: Edition, names: Sequence[str], known: Any, seat: int) -> SeatView:
    points = {
        era: {
            source: int(number)
            for source, number in zip(SOURCES, known.points[seat, n], strict=True)
            if number
        }
        for n, era in enumerate(ERAS)
    }
    return SeatView(
        name=names[seat],
        cash=int(known.cash[seat]),
        spent=int(known.spent[seat]),
        income=int(known.income[seat]),
        level=int(income_level(int(known.income[seat]))),
        vp=int(known.vp[seat]),
        points=points,
        cards=int(known.hand_size[seat]),
        links_left=LINK_TILES - int((known.link_owner == seat).sum()),
        mat={INDUSTRY[n]: _stack(edition, known, seat, n) for n in edition.industries},
    )


def _stack(edition: Edition, known: Any, seat: int, industry: int) -> tuple[int, ...]:
    board = edition.board
    left = board.stack[industry, int(known.gone[seat, industry]) : int(board.stack_size[industry])]
    return tuple(edition.tile[int(kind)].level for kind in left)


def _tiles(edition: Edition, known: Any) -> tuple[TileView, ...]:
    return tuple(
        TileView(
            space=space,
            place=edition.place_name(edition.spaces[space].place),
            name=edition.space_name(space),
            owner=int(known.owner[space]),
            industry=edition.tile[int(tile)].industry,
            level=edition.tile[int(tile)].level,
            flipped=bool(known.flipped[space]),
            cubes=int(known.cubes[space]),
        )
        for space, tile in enumerate(known.tile[: len(edition.spaces)])
        if tile
    )


def _market(cubes: int, market: Market) -> MarketView:
    return MarketView(cubes, market.prices[-cubes] if cubes else market.empty_price)


def _distant(edition: Edition, known: Any) -> DistantView | None:
    if not edition.distant:
        return None
    marker, drawn = int(known.demand), int(known.distant_next)
    return DistantView(
        marker=marker,
        closed=marker == CLOSED,
        bonus=int(edition.board.distant_bonus[marker]),
        revealed=tuple(known.distant[:drawn].tolist()),
        left=len(edition.distant) - drawn,
    )


def _action(edition: Edition, known: Any) -> ActionView | None:
    if known.doing == NOTHING:
        return None
    space, industry, line = int(known.space), int(known.industry), int(known.line)
    return ActionView(
        doing=DOINGS[int(known.doing)],
        space=edition.space_name(space) if space >= 0 else None,
        industry=edition.industry_name(industry) if industry >= 0 else None,
        line=edition.line_name(line) if line >= 0 else None,
    )
