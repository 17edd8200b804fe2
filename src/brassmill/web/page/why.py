"""Explain anything on the page: why it cannot be chosen, or what an open choice would yield.

The answers come from the rules, in the current language, and only from what a `View` shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from brassmill import terms
from brassmill.core.action import Action
from brassmill.core.bill import bill_of
from brassmill.core.choice import MEANING, NUMBER, build_number
from brassmill.core.engine import Engine
from brassmill.core.gain import gain_of
from brassmill.core.view import View
from brassmill.editions.edition import INDUSTRY
from brassmill.language import gettext as _
from brassmill.notation.matching import why_not_all, why_not_parsed
from brassmill.notation.reader import ParsedText, Spot, Target
from brassmill.play.ahead import begin_turn_of
from brassmill.play.held import uses_of, why_not_with, with_card
from brassmill.rules import layout
from brassmill.rules.layout import SYMBOLS
from brassmill.rules.reasons import Reason
from brassmill.svg.panel import capital, is_over
from brassmill.web.page.bill import Amount, BillView, bill_view, gain_view
from brassmill.web.page.choices import HEADINGS, OfferView, offers_of, short_words
from brassmill.web.page.dom_ids import VERBS, Thing, equal_spaces, thing_of
from brassmill.web.page.draft import beginning
from brassmill.web.page.model import engine_of
from brassmill.words import Refusal, lowest_tile, refusal, refusal_of_nothing

# The choice that a thing stands for, by open question. At the start of an action a space, place,
# mat or card can stand for several choices (`BEGINNINGS`).
MEANT = {
    ("space", layout.COAL_SOURCE): "COAL_FROM",
    ("space", layout.IRON_SOURCE): "IRON_FROM",
    ("space", layout.BEER_SOURCE): "BEER_FROM",
    ("space", layout.BUYER): "SELL_TO_PORT",
    ("space", layout.MORE_SALES): "SELL",
    ("space", layout.DEBT): "GIVE_UP",
    ("line", layout.ACTION): "LINK",
    ("line", layout.MORE_RAIL): "LINK",
    ("place", layout.RAIL_END): "COAL_AT",
    ("merchant", layout.BEER_SOURCE): "BARREL_OF",
    ("distant", layout.BUYER): "SELL_FAR",
    ("card", layout.CARD): "CARD",
    ("mat", layout.MORE_DEVELOP): "DEVELOP",
    ("mat", layout.FREE_DEVELOP): "REMOVE",
}
# Why a market cannot be the source: coal mines and iron works come first.
MARKETS = {
    ("coal", layout.COAL_SOURCE): Reason.NO_COAL_MINE,
    ("iron", layout.IRON_SOURCE): Reason.NO_IRON_WORKS,
}
NEVER_SOLD = (Reason.NOTHING_TO_SELL, Reason.ALREADY_FLIPPED)


@dataclass(frozen=True)
class Explanation:
    """One possible meaning of an element, and why it can or cannot be done."""

    words: str
    verb: str = ""  # the heading: "Build"
    what: str = ""  # the object: "coal mine II"
    rules: tuple[str, ...] = ()  # ids of the rules that apply
    choices: tuple[int, ...] = ()
    is_open: bool = False  # it can be done; the words say what, and for how much
    is_general: bool = False  # says nothing about the element: another choice comes first

    @property
    def about(self) -> str:
        """The prefix of the words: "Build: coal mine II"."""
        if self.verb and self.what:
            return _("{name}: {value}").format(name=self.verb, value=self.what)
        return capital(self.what)


@dataclass(frozen=True)
class Preview:
    """What a choice would cost and yield, including the action in progress."""

    words: str
    bill: BillView
    gain: tuple[Amount, ...]
    elements: tuple[str, ...]
    uses: str = ""  # the card that it discards without a question, in words
    asks_card: bool = False  # which card to discard is the next question


def preview(
    view: View, choice: int, draft: Action | None = None, card: int | None = None
) -> Preview:
    """The bill and gain of an open choice; raises `IllegalAction` if it is not open.

    `draft` is the viewer's action in progress, and `card` the one that they hold.
    """
    engine = engine_of(view)
    if choice not in view.legal:
        refused = why_not_all(engine, [choice]) or refusal_of_nothing(engine, Reason.NOT_ASKED_NOW)
        raise refused.error()
    uses = uses_of(engine, [choice])
    offer = offers_of(engine, [choice], uses)[0]
    cards = (NUMBER["CARD", card],) if card is not None else uses.get(choice, ())
    begun, made = (engine, ()) if draft is None else (beginning(engine, draft), draft.ids)
    choices = (choice,) if card is None else with_card(engine, choice, card)
    bill = bill_of(begun, (*made, *choices))
    return Preview(
        words=offer.label,
        bill=bill_view(bill),
        gain=gain_view(gain_of(engine, choices, since=begun)),
        elements=offer.elements,
        uses="" if bill.wild or offer.needs_two_cards else _uses(engine, cards),
        asks_card=offer.needs_two_cards or len(cards) > 1,
    )


def _uses(engine: Engine, cards: Sequence[int]) -> str:
    """The only card that fits, in words."""
    if len(cards) != 1:
        return ""
    name = terms.card(engine.edition.card_name(MEANING[cards[0]][1]))
    return _("Uses your {card} card").format(card=name)


def why_not(view: View, element: str, card: int | None = None) -> list[Explanation]:
    """The possible meanings of a page element, and why each can or cannot be chosen.

    A player who holds a `card` can choose only what can use it.
    """
    engine = engine_of(view)
    thing = thing_of(engine.edition, element)
    if thing is None:
        return []
    if is_over(view):
        return [Explanation(_("The game is over."))]
    if view.seat is None or view.seat != view.to_move:
        return list(_out_of_turn(view, engine, thing))
    if engine.phase == layout.TURN_OVER:
        return [_refused(refusal_of_nothing(engine, Reason.NOT_ASKED_NOW))]
    found = _together(_with_card(engine, _explanations(engine, thing), card))
    if found or engine.phase == layout.ACTION:
        return found
    general = Reason.ACTION_UNFINISHED if engine.in_progress else Reason.NOT_ASKED_NOW
    return [replace(_refused(refusal_of_nothing(engine, general)), is_general=True)]


def _with_card(
    engine: Engine, explanations: Iterable[Explanation], card: int | None
) -> Iterator[Explanation]:
    """Explanations for a player who holds this card; None: they hold none."""
    for one in explanations:
        if card is None or not one.is_open:
            yield one
            continue
        refused = {choice: why_not_with(engine, choice, card) for choice in one.choices}
        if not any(refused.values()):
            yield one
        for choice, refusal_ in refused.items():
            if refusal_:
                yield _refused(refusal_, choice, one.verb, short_words(engine, choice))
            elif any(refused.values()):
                yield _explained(engine, choice)


def _out_of_turn(view: View, engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """Whose turn it is; for a player, also what they could do if it were theirs."""
    assert view.to_move is not None
    name = engine.seats[view.to_move]
    if view.seat is None or not view.hand:  # without a card nothing can be done
        yield Explanation(_("It is {name}'s turn.").format(name=name))
        return
    yield Explanation(_("It is {name}'s turn. If it were yours:").format(name=name))
    begin_turn_of(engine, view.seat)
    yield from _together(_explanations(engine, thing))


def _together(explanations: Iterable[Explanation]) -> list[Explanation]:
    """Merge explanations with the same words."""
    found: dict[tuple[str, str], Explanation] = {}
    for one in explanations:
        key = one.verb, one.words
        same = found.get(key)
        if same:
            what = ", ".join(dict.fromkeys((same.what, one.what)))
            one = replace(one, what=what, choices=same.choices + one.choices)
        found[key] = one
    return list(found.values())


def _refused(
    refused: Refusal, choice: int | None = None, verb: str = "", what: str = ""
) -> Explanation:
    return Explanation(
        words=capital(refused.briefly if what else refused.words),
        verb=verb,
        what=what,
        rules=tuple(refused.rule.split(", ")) if refused.rule else (),
        choices=() if choice is None else (choice,),
    )


def _explained(engine: Engine, choice: int) -> Explanation:
    """Explain a choice: its cost if it is open, or why it is not."""
    reason, verb, what = engine.why(choice), _verb(choice), short_words(engine, choice)
    if reason != Reason.OK:
        return _refused(refusal(engine, choice, reason), choice, verb, what)
    label = offers_of(engine, [choice])[0].label
    return Explanation(label, verb, what, choices=(choice,), is_open=True)


def _verb(choice: int) -> str:
    """The heading of a choice that starts an action on the map or on a mat."""
    kind = MEANING[choice][0]
    return _(HEADINGS[kind]) if kind.lower() in VERBS else ""


def _builds(engine: Engine, builds: Iterable[int]) -> Iterator[Explanation]:
    """Open builds, grouped by industry: where, and for how much."""
    found: dict[str, list[OfferView]] = {}
    for offer in offers_of(engine, tuple(builds)):
        found.setdefault(offer.short, []).append(offer)
    for what, offers in found.items():
        words = [f"{_place_of(engine, offer.id)} {offer.price}" for offer in offers]
        ids = tuple(offer.id for offer in offers)
        yield Explanation(", ".join(words), offers[0].verb, what, choices=ids, is_open=True)


def _place_of(engine: Engine, build: int) -> str:
    edition = engine.edition
    return edition.place_name(edition.spaces[MEANING[build][1] // SYMBOLS].place)


# --- possible meanings ---------------------------------------------------------------------------


def _explanations(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """Everything a thing could mean for the open question."""
    kind, phase = thing.kind, engine.phase
    if kind == "button":
        yield _explained(engine, thing.number)
    elif kind == "end":
        yield Explanation(capital(_("you still have actions left; pass to skip one")))
    elif kind == "mat" and thing.seat != engine.seat:
        owner = engine.seats[thing.seat]
        yield Explanation(_("This is {name}'s mat.").format(name=owner))
    elif (kind, phase) in MEANT:
        yield from _lower_first(engine, thing)
        yield _explained(engine, NUMBER[MEANT[kind, phase], thing.number])
    elif (kind, phase) in MARKETS:
        yield _refused(refusal_of_nothing(engine, MARKETS[kind, phase]))
    elif phase == layout.ACTION:
        yield from BEGINNINGS[kind](engine, thing)


def _of_space(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """The industries of an empty space, or what can be done with a tile: sell or overbuild."""
    edition, state = engine.edition, engine.state
    space = equal_spaces(engine, thing.number)[0]
    tile = int(state.tile[space])
    standing = edition.tile[tile].industry if tile else ""
    if tile and int(state.owner[space]) == engine.seat:
        yield _explained(engine, NUMBER["SELL", space])
    for symbol, industry in enumerate(edition.spaces[space].symbols):
        if standing in ("", industry):
            yield _explained(engine, build_number(space, symbol))


def _of_place(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """The industries of a town, each on its most promising space; or the merchants."""
    edition, place = engine.edition, thing.number
    name, spaces, legal = edition.place_name(place), edition.place_spaces[place], engine.legal()
    if not spaces:
        yield Explanation(_("{place}: nothing can be built here.").format(place=name))
    if place in edition.merchant_places:
        yield from _of_buyer(engine, thing)
    builds: dict[str, list[int]] = {}
    for space in spaces:
        for symbol, industry in enumerate(edition.spaces[space].symbols):
            builds.setdefault(industry, []).append(build_number(space, symbol))
    for industry, here in builds.items():
        possible = [choice for choice in here if choice in legal]
        for choice in possible:
            yield _explained(engine, choice)
        refused = None if possible else _why_not(engine, "build", industry, place)
        if refused:
            verb, what = _verb(here[0]), short_words(engine, here[0])
            yield _refused(refused, verb=verb, what=what)


def _of_card(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """What a card allows to build; any other action takes any card."""
    possible = [choice for choice in engine.legal() if MEANING[choice][0] == "BUILD"]
    uses = uses_of(engine, possible)
    builds = [choice for choice in possible if NUMBER["CARD", thing.number] in uses[choice]]
    if not builds:
        words = _(
            "This card does not let you build anything right now. Every other action "
            "works with any card."
        )
        yield Explanation(words, rules=("BLD-1",))
    yield from _builds(engine, builds)


def _of_mat(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """Whether the next tile of an industry can be developed, and where it can be built."""
    industry, symbol = thing.number, engine.edition.board.symbol
    yield from _lower_first(engine, thing)
    yield _explained(engine, NUMBER["DEVELOP", industry])
    legal = [(choice, *MEANING[choice]) for choice in engine.legal()]
    builds = [
        choice
        for choice, kind, offset in legal
        if kind == "BUILD" and int(symbol[divmod(offset, SYMBOLS)]) == industry
    ]
    yield from _builds(engine, builds)
    if not builds and lowest_tile(engine, engine.seat, industry):
        yield from _nowhere(engine, INDUSTRY[industry])


def _why_not(
    engine: Engine, verb: str, industry: str | None = None, place: int | None = None
) -> Refusal | None:
    """Why an action is refused, for an industry and a place if given."""
    number = None if industry is None else INDUSTRY.index(industry)
    return why_not_parsed(engine, ParsedText("", verb, [Target(number, Spot(place))]))


def _nowhere(engine: Engine, industry: str) -> Iterator[Explanation]:
    """Why an industry cannot be built anywhere: the reason at the most promising place."""
    refused = _why_not(engine, "build", industry)
    heading = HEADINGS["BUILD"]
    verb, what = _(heading), terms.industry(industry)
    if refused and refused.reason == Reason.NO_CARD_FOR_IT:  # at every place
        words = _("None of your cards allows that.")
        yield Explanation(words, verb, what, rules=("BLD-1",))
    elif refused:
        yield _refused(refused, verb=verb, what=what)


def _lower_first(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """A higher tile on a mat must wait for the lower ones."""
    tile = lowest_tile(engine, engine.seat, thing.number) if thing.level else 0
    if tile and engine.edition.tile[tile].level < thing.level:
        words = _("The lowest tile always comes first: {tile}.")
        name = terms.tile(engine.edition.tile_name(tile))
        yield Explanation(words.format(tile=name), rules=("BLD-4", "DEV-1"))


def _of_buyer(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """Merchants or the distant market: which of the player's tiles can be sold, and why not."""
    yield Explanation(_("First choose the tile to sell; then you choose the buyer."))
    own = _unsold(engine)
    if not own:
        yield _refused(refusal_of_nothing(engine, Reason.NOTHING_TO_SELL))
    for choice in own:
        yield _explained(engine, choice)


def _unsold(engine: Engine) -> list[int]:
    """The sales of the player's tiles that can be sold at some time, if not now."""
    state, spaces = engine.state, range(len(engine.edition.spaces))
    own = [space for space in spaces if state.tile[space] and state.owner[space] == engine.seat]
    sales = [NUMBER["SELL", space] for space in own]
    return [choice for choice in sales if engine.why(choice) not in NEVER_SOLD]


def _of_market(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """The coal or the iron market."""
    if thing.kind == "coal":
        words = _(
            "You buy coal here only when no connected mine has any left, and only if the "
            "market is connected."
        )
        yield Explanation(words, rules=("COAL-4",))
    else:
        words = _("You buy iron here only when no iron works has any left.")
        yield Explanation(words, rules=("IRON-3",))


def _of_verb(engine: Engine, thing: Thing) -> Iterator[Explanation]:
    """All choices of a kind, or why there are none."""
    found = [choice for choice in engine.legal() if MEANING[choice][0] == thing.kind.upper()]
    for choice in found:
        yield _explained(engine, choice)
    if found:
        return
    if thing.kind == "build":  # each industry has its own reason
        for industry in engine.edition.industries:
            yield from _nowhere(engine, INDUSTRY[industry])
    elif thing.kind == "sell" and not _unsold(engine):
        yield _refused(refusal_of_nothing(engine, Reason.NOTHING_TO_SELL))
    elif refused := _why_not(engine, thing.kind):
        yield _refused(refused)


# What a thing can mean at the start of an action.
BEGINNINGS = {
    **dict.fromkeys(VERBS, _of_verb),
    "space": _of_space,
    "place": _of_place,
    "card": _of_card,
    "mat": _of_mat,
    "merchant": _of_buyer,
    "distant": _of_buyer,
    "coal": _of_market,
    "iron": _of_market,
}
