"""The players for the page: what everyone sees of each, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from brassmill import terms
from brassmill.bots import BotError, parse
from brassmill.core.engine import Engine
from brassmill.core.outcome import Outcome, Points, score_now
from brassmill.core.view import View
from brassmill.editions.edition import INDUSTRY, WILD_CARDS, Edition, TileRow
from brassmill.language import gettext as _
from brassmill.play.held import Uses, can_use
from brassmill.rules.layout import PLACES
from brassmill.svg.kept import kept
from brassmill.svg.panel import capital, signed
from brassmill.terms import ROMAN
from brassmill.web.page.bill import Amount
from brassmill.web.page.dom_ids import card_element, mat_element
from brassmill.web.setup.programs import program_words

SHAPES = ("disc", "square", "triangle", "diamond")  # of the seats, as `svg.glyphs` draws them


@dataclass(frozen=True)
class SeatInfo:
    """Who plays a seat, as everyone knows it."""

    name: str
    bot: str = ""  # the spec of a bot; empty: a person
    is_stood_in: bool = False  # the bot plays for someone who may come back
    is_left: bool = False  # its player has left for good
    has_conceded: bool = False
    is_preparing: bool = False  # the bot cannot play yet
    is_program: bool = False  # a program plays with its account

    @property
    def level(self) -> str:
        """The level of a bot in words."""
        try:
            return parse(self.bot).local_text
        except BotError:  # from a package that is no longer installed
            return self.bot


@dataclass(frozen=True)
class CardView:
    """A kind of card in a hand."""

    element: str
    name: str  # as in the notation
    words: str
    kind: str  # location, industry or wild
    count: int
    uses: tuple[int, ...] = ()  # the open choices that can use it, if it is chosen first


@dataclass(frozen=True)
class MatView:
    """One industry of a mat."""

    element: str
    industry: str  # as in the notation, for its symbol
    name: str
    left: int
    level: str  # of the next tile, in Roman numerals; empty: none left
    cost: str  # of the next tile: "£9, 1 coal"
    words: str  # everything in one line
    now: bool  # the next tile can be built in this era


@dataclass(frozen=True)
class NowView:
    """A seat's VP if the era ended now."""

    total: int  # including the VP already scored
    more: int  # without those
    links: int
    tiles: int
    other: int  # money, income
    parts: tuple[Amount, ...]  # every source in words


@dataclass(frozen=True)
class PlayerView:
    """A player as everyone sees them, with their cards where hands are open."""

    seat: int  # also selects the colour
    name: str
    role: str  # the level of a bot, "you", or empty
    is_bot: bool
    is_you: bool
    to_move: bool
    shape: str
    cash: str
    pounds: int
    level: str  # of income
    income: int  # space on the income track
    spent: str  # this round
    has_spent: bool
    vp: int
    banked: tuple[Amount, ...]  # the VP by era and source
    now: NowView
    cards: int
    wild: tuple[str, ...]
    links_left: int
    mat: tuple[MatView, ...]
    place: int  # in the turn order, from 1
    next_place: int  # if the round ended now; 0 in the last round
    rank: int  # in the result; 0 until the game is over
    hand: tuple[CardView, ...] | None  # None: not shown


def players_of(
    view: View,
    engine: Engine,
    seats: Sequence[SeatInfo],
    order_next: Sequence[int],
    others: Mapping[int, View],
    outcome: Outcome | None = None,
) -> tuple[PlayerView, ...]:
    """All players; `others` are the views of those whose hands are open."""
    more = score_now(engine)
    found = []
    for seat, (row, info) in enumerate(zip(view.seats, seats, strict=True)):
        is_you = seat == view.seat
        hand = others[seat].hand if seat in others and not is_you else None
        found.append(
            PlayerView(
                seat=seat,
                name=info.name,
                role=_role(info, is_you),
                is_bot=bool(info.bot),
                is_you=is_you,
                to_move=seat == view.to_move and outcome is None,
                shape=SHAPES[seat],
                cash=terms.pounds(row.cash),
                pounds=row.cash,
                level=signed(row.level),
                income=row.income,
                spent=terms.pounds(row.spent),
                has_spent=row.spent > 0,
                vp=outcome.results[seat].total if outcome else row.vp,
                banked=tuple(
                    Amount(f"{terms.source(source)}, {terms.era(era)}", signed(points))
                    for era, sources in row.points.items()
                    for source, points in sources.items()
                ),
                now=_now(row.vp, more[seat]),
                cards=row.cards,
                wild=tuple(map(terms.card, row.wild)),
                links_left=row.links_left,
                mat=tuple(
                    _stack(engine.edition, view.era, seat, industry, stack)
                    for industry, stack in row.mat.items()
                ),
                place=view.order.index(seat) + 1,
                next_place=order_next.index(seat) + 1 if order_next else 0,
                rank=outcome.results[seat].rank if outcome else 0,
                hand=None if hand is None else cards_of(engine.edition, hand, f"open-{seat}-"),
            )
        )
    return tuple(found)


def _role(info: SeatInfo, is_you: bool) -> str:
    if info.is_left:
        return _("former player")
    if info.has_conceded:
        return _("conceded")
    if info.is_stood_in:
        return _("{level} playing").format(level=info.level)
    if info.is_program:
        return program_words()
    return info.level if info.bot else _("you") if is_you else ""


def cards_of(
    edition: Edition, hand: Mapping[str, int], prefix: str = "", uses: Uses | None = None
) -> tuple[CardView, ...]:
    """The cards of a hand; `uses` are those of the open choices."""
    cards = [(edition.find_card(name), name) for name in hand]
    return tuple(
        CardView(
            element=prefix + card_element(edition, card),
            name=name,
            words=capital(terms.card(name)),
            kind=_kind(card),
            count=hand[name],
            uses=tuple(choice for choice, found in (uses or {}).items() if can_use(found, card)),
        )
        for card, name in cards
    )


def _kind(card: int) -> str:
    if card in WILD_CARDS:
        return "wild"
    return "location" if card < PLACES else "industry"


def _now(vp: int, more: Points) -> NowView:
    """The VP that the end of the era would score: for links, tiles and the rest."""
    links = more.get("links", 0)
    tiles = sum(points for source, points in more.items() if source in INDUSTRY)
    total = sum(more.values())
    parts = tuple(Amount(terms.source(source), signed(points)) for source, points in more.items())
    return NowView(vp + total, total, links, tiles, total - links - tiles, parts)


@kept(2_000)
def _stack(edition: Edition, era: str, seat: int, industry: str, stack: tuple[int, ...]) -> MatView:
    """An industry of a mat: its next tile, and the number left."""
    name = capital(terms.industry(industry))
    element = mat_element(seat, INDUSTRY.index(industry))
    if not stack:
        words = _("{industry}: none left").format(industry=name)
        return MatView(element, industry, name, 0, "", "", words, now=False)
    row = next(row for row in edition.tiles if (row.industry, row.level) == (industry, stack[0]))
    cost, level = cost_words(row), ROMAN[row.level]
    words = _("{industry}: {level} next, {cost}; {number} left").format(
        industry=name, level=level, cost=cost, number=len(stack)
    )
    now = row.buildable[era == "rail"]
    return MatView(element, industry, name, len(stack), level, cost, words, now)


def cost_words(row: TileRow) -> str:
    """The cost of building a tile: `£9, 1 coal`."""
    needs = (("coal", row.coal), ("iron", row.iron))
    resources = [f"{count} {terms.resource(name)}" for name, count in needs if count]
    return ", ".join([terms.pounds(row.cost), *resources])
