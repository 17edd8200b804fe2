"""The page model: everything the page of a table shows one viewer, as plain data in words.

It is built only from a `View` and public facts about the table, so a page cannot leak what its
seat may not know. Both the templates and the JSON version render a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from brassmill import terms
from brassmill.core.action import Action
from brassmill.core.engine import Engine
from brassmill.core.outcome import Outcome, outcome_of
from brassmill.core.view import View
from brassmill.editions import EDITIONS
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.play.held import uses_of
from brassmill.svg.panel import capital, edition_of, is_last_round, signed
from brassmill.web.page.bill import Amount, BillView
from brassmill.web.page.choices import OfferView, offers_of
from brassmill.web.page.dom_ids import DISTANT, merchant_element
from brassmill.web.page.draft import Draft, draft_of
from brassmill.web.page.happened import Happened, happened
from brassmill.web.page.log import LineView, LogPart, RoundView, lines_of, rounds_of
from brassmill.web.page.players import CardView, PlayerView, SeatInfo, cards_of, players_of
from brassmill.words import question_words

__all__ = ["LogPart", "PageModel", "SeatInfo", "engine_of", "page_model"]

# The state field with the number of cards, cubes or barrels still to choose, by question.
DUE = {"card": "cards_due", "coal": "coal_due", "iron": "iron_due", "beer": "beer_due"}


@dataclass(frozen=True)
class Primary:
    """The main button."""

    kind: str  # end: end the turn; choose: make the choice
    choice: int | None
    words: str


@dataclass(frozen=True)
class MarketLine:
    """A market in words."""

    element: str
    name: str
    words: str
    cubes: int
    price: str  # of the next cube


@dataclass(frozen=True)
class MerchantLine:
    """A merchant in words."""

    element: str
    place: str
    goods: str
    barrel: bool


@dataclass(frozen=True)
class PageModel:
    """A table as one viewer sees it."""

    title: str
    edition: str
    players: tuple[PlayerView, ...]  # by seat
    order: tuple[int, ...]
    order_next: tuple[int, ...]  # if the round ended now; empty in the last round
    options: tuple[str, ...]
    intro: bool  # the introductory game
    scouting: bool  # these rules have the scout action
    two_cards: bool  # these rules let any two cards be discarded for a build
    era: str
    era_name: str
    round: int
    rounds: int
    round_words: str
    deck: int
    deck_words: str
    stamp: str
    number: int
    you: int | None
    to_move: int | None
    your_turn: bool
    is_bot_turn: bool
    over: bool
    asked: str  # the open question by its plain name: action, card, coal, ..., turn over
    question: str
    actions_left: int
    crumbs: tuple[str, ...]
    draft_title: str
    draft_elements: tuple[str, ...]  # the page elements of the action in progress
    draft_tile: str  # the tile on the player's mat that it places; empty: none
    bill: BillView | None  # of the action in progress
    gain: tuple[Amount, ...]
    offers: tuple[OfferView, ...]
    primary: Primary | None
    hand: tuple[CardView, ...]
    markets: tuple[MarketLine, ...]
    merchants: tuple[MerchantLine, ...]
    log: tuple[LineView, ...]
    happened: tuple[Happened, ...]  # the last parts of the log, to be shown in motion
    outcome: str
    can_undo: bool
    can_reset: bool
    can_hint: bool

    @property
    def lit(self) -> tuple[int, ...]:
        """The open choices, for the pictures to highlight."""
        return tuple(offer.id for offer in self.offers)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(player.name for player in self.players)

    @property
    def has_news(self) -> bool:
        """Has anything happened since the viewer's last turn?"""
        return any(line.fresh for line in self.log)

    @property
    def log_rounds(self) -> tuple[RoundView, ...]:
        """The log by round."""
        return rounds_of(self.log)

    @property
    def me(self) -> PlayerView | None:
        """The viewer's own seat."""
        return None if self.you is None else self.players[self.you]


def engine_of(view: View) -> Engine:
    """An engine at the position of a view, where everything the seat may not know is blank."""
    return Engine(edition_of(view), tuple(seat.name for seat in view.seats), view.position)


def page_model(
    view: View,
    seats: Sequence[SeatInfo],
    *,
    number: int,
    stamp: str,
    undoable: int = 0,
    draft: Action | None = None,
    others: Mapping[int, View] | None = None,
    history: Sequence[LogPart] = (),
    seen: int = 0,
    hints: bool = True,
    outcome: Outcome | None = None,
) -> PageModel:
    """The model of a view.

    `number` and `stamp` come from the session. `draft` is the action in progress, if it is the
    viewer's. `others` are the views of seats whose hands are open. The viewer has already seen the
    first `seen` parts of the `history`. The `outcome` is given if the players decided it, by
    conceding or by ending the game: otherwise it follows from the position. Without `hints` the
    coach cannot be asked.
    """
    engine = engine_of(view)
    edition = engine.edition
    outcome = outcome or outcome_of(engine)
    over = outcome is not None
    to_move = None if over else view.to_move
    yours = to_move is not None and to_move == view.seat and not seats[to_move].is_stood_in
    ended = yours and view.question == "turn over"
    legal = view.legal if yours else ()
    uses = uses_of(engine, legal)
    offers = offers_of(engine, legal, uses)
    made = draft_of(engine, draft if yours else None)
    order_next = () if over or is_last_round(view) else _order_next(engine)
    return PageModel(
        title=edition.title,
        edition=edition.name,
        players=players_of(view, engine, seats, order_next, others or {}, outcome),
        order=view.order,
        order_next=order_next,
        options=_options(view),
        intro=edition.traits.canal_era_only,
        scouting=edition.traits.scouting,
        two_cards=edition.traits.two_cards_build,
        era=terms.era(view.era),
        era_name=view.era,
        round=view.round,
        rounds=view.rounds,
        round_words=_("round {round} of {rounds}").format(round=view.round, rounds=view.rounds),
        deck=view.deck,
        deck_words=ngettext("{number} card to draw", "{number} cards to draw", view.deck).format(
            number=view.deck
        ),
        stamp=stamp,
        number=number,
        you=view.seat,
        to_move=to_move,
        your_turn=yours,
        is_bot_turn=to_move is not None and bool(seats[to_move].bot),
        over=over,
        asked="game over" if over else view.question,
        question=_question(view, engine) if yours else _waiting(view, seats, over),
        actions_left=view.actions_left,
        crumbs=made.crumbs,
        draft_title=made.title,
        draft_elements=made.elements,
        draft_tile=made.tile,
        bill=made.bill,
        gain=made.gain,
        offers=offers,
        primary=Primary("end", None, _("End turn")) if ended else _primary(offers, made),
        hand=cards_of(edition, view.hand or {}, uses=uses),
        markets=_markets(view),
        merchants=_merchants(view, engine),
        log=lines_of(edition, engine.seats, history, seen, view.seat),
        happened=happened(edition, history),
        outcome=_outcome(view, engine, outcome),
        can_undo=yours and undoable > 0,
        can_reset=yours and undoable > 0,
        can_hint=hints and yours and not ended,
    )


def before_the_game(model: PageModel) -> PageModel:
    """The model of a table in the waiting room: nobody is to move."""
    return replace(
        model,
        players=tuple(replace(player, to_move=False) for player in model.players),
        to_move=None,
        is_bot_turn=False,
        asked="players",
        question=_("Waiting for players"),
    )


def of_plan(model: PageModel, to_move: int | None) -> PageModel:
    """The model of a turn planned ahead, while another seat is to move; the coach is not asked."""
    question, is_done = model.question, model.asked == "turn over"
    if model.asked == "action":
        question = ngettext(
            "Your plan: {number} action left",
            "Your plan: {number} actions left",
            model.actions_left,
        ).format(number=model.actions_left)
    return replace(
        model,
        players=tuple(replace(each, to_move=each.seat == to_move) for each in model.players),
        question=_("Your plan is complete.") if is_done else question,
        primary=None if is_done else model.primary,
        can_hint=False,
    )


def without_result(model: PageModel) -> PageModel:
    """The model of a game ended without a result: no moves, no winner."""
    return replace(
        model,
        players=tuple(replace(player, to_move=False) for player in model.players),
        order_next=(),
        to_move=None,
        your_turn=False,
        is_bot_turn=False,
        over=True,
        asked="game over",
        question=_("The game is over."),
        offers=(),
        primary=None,
        outcome=_("This game ended without a result."),
        can_undo=False,
        can_reset=False,
        can_hint=False,
    )


# --- the question --------------------------------------------------------------------------------


def _question(view: View, engine: Engine) -> str:
    """The question to the viewer."""
    if view.question == "turn over":
        return _("Actions done. End your turn or undo.")
    if view.question == "action":
        return ngettext(
            "Your turn: {number} action left", "Your turn: {number} actions left", view.actions_left
        ).format(number=view.actions_left)
    words = question_words(engine.phase)
    due = int(engine.state[DUE[view.question]]) if view.question in DUE else 1
    if view.question == "give up":
        words = _("{question} (£{owed})").format(question=words, owed=view.owed)
    elif view.question == "card" and engine.state.combined:
        words = _("{question} (any two; uses both actions)").format(question=words)
    elif due > 1:
        words = _("{question} ({number} still to choose)").format(question=words, number=due)
    return _("{question}?").format(question=capital(words))


def _waiting(view: View, seats: Sequence[SeatInfo], over: bool) -> str:
    """Which other player the table is waiting for."""
    if over or view.to_move is None:
        return _("The game is over.")
    seat = seats[view.to_move]
    if view.question == "give up":
        return _("{name} must remove tiles to pay a debt").format(name=seat.name)
    if seat.is_preparing:
        words = _("{name} ({level}) will be ready in less than a minute")
        return words.format(name=seat.name, level=seat.level)
    if seat.bot:
        return _("{name} ({level}) is thinking").format(name=seat.name, level=seat.level)
    return _("{name} to move").format(name=seat.name)


def _primary(offers: Sequence[OfferView], made: Draft) -> Primary | None:
    """The button that ends an action, or makes the only choice."""
    for offer in offers:
        if offer.kind == "done":
            return Primary("choose", offer.id, _done(offer, made))
    if len(offers) == 1:
        return Primary("choose", offers[0].id, offers[0].label)
    return None


def _done(offer: OfferView, made: Draft) -> str:
    """The label of the button that ends an action."""
    parts = [made.title, made.bill.total if made.bill and made.bill.pounds else ""]
    action = ", ".join(filter(None, parts))
    return _("{done}: {action}").format(done=offer.words, action=action) if action else offer.words


def _outcome(view: View, engine: Engine, outcome: Outcome | None) -> str:
    """Who won, and the tie-break if there was one."""
    if outcome is None:
        return ""
    names = [engine.seats[seat] for seat in outcome.winners]
    if outcome.winners == (view.seat,):
        words = _("You win.")
    elif len(names) > 1:
        words = _("The winners: {names}.").format(names=", ".join(names))
    else:
        words = _("{name} wins.").format(name=names[0])
    return f"{words} {terms.tie_break(outcome.tie_break)}".rstrip()


# --- the table -----------------------------------------------------------------------------------


def _order_next(engine: Engine) -> tuple[int, ...]:
    plan = engine.copy()
    plan.set_order()
    return tuple(plan.state.order[: engine.edition.players].tolist())


def _options(view: View) -> tuple[str, ...]:
    """The non-default options: what each changes."""
    options = {option.name: option.meaning for option in EDITIONS[view.edition].options}
    return tuple(_(options[name]) for name in edition_of(view).changed_options)


def _markets(view: View) -> tuple[MarketLine, ...]:
    """The coal and iron markets, and the distant market if there is one."""
    found = []
    for plain, market in (("coal", view.coal_market), ("iron", view.iron_market)):
        name, price = capital(terms.resource(plain)), terms.pounds(market.price)
        words = ngettext(
            "{market}: {number} cube, the next costs {price}",
            "{market}: {number} cubes, the next costs {price}",
            market.cubes,
        ).format(market=name, number=market.cubes, price=price)
        found.append(MarketLine(f"{plain}-market", name, words, market.cubes, price))
    if view.distant is not None:
        name = capital(_("distant market"))
        bonus = _("closed") if view.distant.closed else signed(view.distant.bonus)
        tiles = ngettext(
            "{number} tile face down", "{number} tiles face down", view.distant.left
        ).format(number=view.distant.left)
        found.append(MarketLine(DISTANT, name, f"{name}: {bonus}; {tiles}", 0, bonus))
    return tuple(found)


def _merchants(view: View, engine: Engine) -> tuple[MerchantLine, ...]:
    return tuple(
        MerchantLine(
            element=merchant_element(engine.edition, n),
            place=merchant.place,
            goods=terms.goods(merchant.goods),
            barrel=merchant.barrel,
        )
        for n, merchant in enumerate(view.merchants)
    )
