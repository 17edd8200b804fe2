"""From text to choices: match what a text names with the legal choices, step by step.

This module knows no rules. A text fits if every choice it names is legal when its question comes
up. What it leaves out must have only one answer, or the text is ambiguous. If nothing fits, the
reason is that of the first choice that fails, in the order: what and where, card, sources. If the
text could mean several choices, the one that passes the most checks of the rules decides
(`CHECKED`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, NamedTuple

from brassmill.core.action import Action, in_one_order
from brassmill.core.choice import MEANING, NUMBER, WORD, build_number
from brassmill.core.engine import Engine
from brassmill.errors import AmbiguousAction, IllegalAction
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.notation.reader import MARKET, Buyer, ParsedText, Spot, Target, read
from brassmill.rules import layout
from brassmill.rules.choices import CHOICES, LOANS
from brassmill.rules.emit import EventKind
from brassmill.rules.layout import BREWERY, BUILDING, COAL, INDUSTRIES, IRON, NOWHERE, PORT
from brassmill.rules.reasons import Reason
from brassmill.words import Refusal, refusal, refusal_of_nothing, refusal_of_rest

MOST_WAYS = 10  # of an ambiguous text that are listed

DONE, TWO_CARDS, SELL_FAR = NUMBER["DONE", 0], NUMBER["TWO_CARDS", 0], NUMBER["SELL_FAR", 0]

MORE = (layout.MORE_RAIL, layout.MORE_SALES, layout.MORE_DEVELOP)

# Sources on tiles: the kind of choice, the industry of the tile, the reason if there is none.
TILES = {
    "coal": ("COAL_FROM", COAL, Reason.NO_COAL_MINE),
    "iron": ("IRON_FROM", IRON, Reason.NO_IRON_WORKS),
    "beer": ("BEER_FROM", BREWERY, Reason.NO_BREWERY),
    "buyer": ("SELL_TO_PORT", PORT, Reason.NO_PORT),
}

# The checks of each kind of choice, in the order of the rules (a test reads them from the source).
# Reasons that are not listed come first: nothing of the kind is asked, or exists in this game.
CHECKED: dict[str, tuple[Reason, ...]] = {
    "BUILD": (
        Reason.WRONG_INDUSTRY_FOR_SPACE,
        Reason.SAME_AS_EARLIER_SPACE,
        Reason.NEEDS_BOTH_ACTIONS,  # the named card or cards
        Reason.NEEDS_TWO_CARDS,
        Reason.NOT_IN_HAND,
        Reason.CARD_NAMES_ANOTHER_TOWN,
        Reason.FARM_NEEDS_INDUSTRY_CARD,
        Reason.CARD_SHOWS_ANOTHER_INDUSTRY,
        Reason.NO_CARD_FOR_IT,  # any card
        Reason.NOT_IN_NETWORK,
        Reason.NEEDS_LOCATION_CARD,
        Reason.NO_TILE_LEFT,
        Reason.WRONG_ERA,
        Reason.NEVER_BUILT,
        Reason.SINGLE_SPACE_FIRST,
        Reason.SPACE_TAKEN,
        Reason.NOT_HIGHER_LEVEL,
        Reason.RIVAL_STILL_SUPPLIED,
        Reason.ONE_TILE_PER_TOWN,
        Reason.NO_COAL_IN_REACH,
        Reason.CANNOT_AFFORD,
    ),
    "LINK": (
        Reason.WRONG_ERA,
        Reason.LINE_TAKEN,
        Reason.NO_LINK_LEFT,
        Reason.NOT_IN_NETWORK,
        Reason.NO_COAL_IN_REACH,
        Reason.CANNOT_AFFORD,
        Reason.NO_BEER_IN_REACH,
    ),
    "SELL": (
        Reason.NOTHING_TO_SELL,
        Reason.ALREADY_FLIPPED,
        Reason.NO_BUYER,
        Reason.NO_BEER_IN_REACH,
        Reason.DISTANT_MARKET_CLOSED,
    ),
    "DEVELOP": (Reason.NO_TILE_LEFT, Reason.NOT_DEVELOPABLE, Reason.CANNOT_AFFORD),
    "LOAN": (Reason.NO_SUCH_LOAN, Reason.INCOME_TOO_LOW, Reason.LOANS_HAVE_ENDED),
    "SCOUT": (Reason.HOLDS_WILD_CARD, Reason.NEEDS_THREE_CARDS),
    "PASS": (Reason.NOT_IN_HAND,),
    "CARD": (
        Reason.NOT_IN_HAND,
        Reason.CARD_NAMES_ANOTHER_TOWN,
        Reason.FARM_NEEDS_INDUSTRY_CARD,
        Reason.CARD_SHOWS_ANOTHER_INDUSTRY,
        Reason.NOT_IN_NETWORK,
        Reason.NEEDS_LOCATION_CARD,
    ),
    "TWO_CARDS": (Reason.NEEDS_BOTH_ACTIONS, Reason.NEEDS_TWO_CARDS),
    "COAL_FROM": (Reason.NO_COAL_MINE, Reason.NOT_CONNECTED, Reason.NOT_NEAREST),
    "IRON_FROM": (Reason.NO_IRON_WORKS,),
    "BEER_FROM": (Reason.NO_BREWERY, Reason.NOT_CONNECTED),
    "BARREL_OF": (
        Reason.NO_MERCHANT_BEER_FOR_RAILS,
        Reason.NOT_CONNECTED,
        Reason.MERCHANT_BUYS_OTHER_GOODS,
        Reason.NO_BARREL,
        Reason.ONE_MERCHANT_BARREL_A_SALE,
    ),
    "COAL_AT": (Reason.NOT_AN_END, Reason.NO_COAL_IN_REACH, Reason.CANNOT_AFFORD),
    "SELL_TO_PORT": (Reason.NO_PORT, Reason.ALREADY_FLIPPED, Reason.NOT_CONNECTED),
    "SELL_FAR": (Reason.DISTANT_MARKET_CLOSED,),
    "REMOVE": (Reason.NO_TILE_LEFT, Reason.NOT_DEVELOPABLE),
    "GIVE_UP": (Reason.NOT_YOUR_TILE, Reason.TILE_WORTH_NOTHING),
    "DONE": (),
}

# Reasons that have nothing to do with the card: another space would do.
ELSEWHERE = (Reason.SAME_AS_EARLIER_SPACE, Reason.WRONG_INDUSTRY_FOR_SPACE)

BEGINS = {word: kind for kind, word in WORD.items()}  # the kind of choice that a verb begins with

DOING = {"link": layout.LINKING, "sell": layout.SELLING, "develop": layout.DEVELOPING}


NO_TARGET = Target()


class Way(NamedTuple):
    """One way in which a text fits."""

    choices: tuple[int, ...]
    after: bytes  # the position it leads to


def resolve(engine: Engine, text: str) -> tuple[int, ...]:
    """The choices that a text stands for; an error if none fit, or more than one way does."""
    matcher = Matcher(engine, read(engine.edition, engine.seats, text))
    ways: dict[bytes, Way] = {}  # ways to the same position count as one
    for way in matcher.ways():
        ways.setdefault(way.after, way)
        if len(ways) > MOST_WAYS:
            break
    if not ways:
        raise matcher.error()
    found = [way.choices for way in ways.values()]
    if len(found) > 1:
        actions = [Action(engine.edition, engine.seats, matcher.start, way) for way in found]
        texts = [action.text_in(language()) for action in actions[:MOST_WAYS]]
        message = _("{text!r} could mean").format(text=text)
        raise AmbiguousAction(message, texts + ["..."] * (len(found) > MOST_WAYS))
    return found[0]


def begin(engine: Engine, text: str) -> tuple[tuple[int, ...], ParsedText]:
    """The choices of the first way in which a text fits, as far as it goes; and what it names."""
    matcher = Matcher(engine, read(engine.edition, engine.seats, text))
    matcher.parsed.open = True
    way = next(matcher.ways(), None)
    if way is None:
        raise matcher.error()
    return way.choices, matcher.parsed


def ways_of(engine: Engine, seats: Sequence[str], text: str) -> Iterator[tuple[int, ...]]:
    """The choices of every action that a text allows, which gives the seats these names."""
    return (way.choices for way in Matcher(engine, read(engine.edition, seats, text)).ways())


def why_not(engine: Engine, text: str) -> Refusal | None:
    """Why a text cannot be played; None if it can, at least in one way."""
    return why_not_parsed(engine, read(engine.edition, engine.seats, text))


def why_not_parsed(engine: Engine, parsed: ParsedText) -> Refusal | None:
    """The same for a text that is already parsed, or that was never written."""
    matcher = Matcher(engine, parsed)
    return matcher.refusal if next(matcher.ways(), None) is None else None


def why_not_all(engine: Engine, choices: Sequence[int]) -> Refusal | None:
    """Why choices cannot be made one after another as one action; None if they can."""
    for choice in choices:
        if not 0 <= choice < CHOICES:  # the rules count in 64 bits
            return refusal(engine, choice, Reason.NOT_IN_THIS_GAME)
    if len(choices) == 1:  # a single one needs no trial
        reason = engine.why(choices[0])
        return None if reason == Reason.OK else refusal(engine, choices[0], reason)
    plan = engine.blind()
    for number, choice in enumerate(choices):
        if number and not plan.in_progress:
            return refusal_of_rest("targets")
        reason = plan.why(choice)
        if reason != Reason.OK:
            return refusal(plan, choice, reason)
        plan.step(choice)
    return None


@dataclass(frozen=True)
class Unused:
    """The parts of a parsed text that have not been used yet."""

    targets: tuple[Target, ...]
    cards: tuple[int, ...]
    two_cards: bool
    coal: tuple[Spot, ...]
    iron: tuple[Spot, ...]
    beer: tuple[Spot | Buyer, ...]
    ends: tuple[int, ...]
    removes: tuple[int, ...]
    buyer: Buyer | None  # of the sale in progress
    done: bool
    passed_over: Mapping[str, Refusal] = field(default_factory=dict)  # see `TextAnswer.part`

    @property
    def parts(self) -> list[str]:
        """The names of the parts that are left."""
        return [name for name, value in vars(self).items() if value and name != "passed_over"]

    def rest(self, part: str, **changes: Any) -> Unused:
        """The same without the first item of a list."""
        return replace(self, **{part: getattr(self, part)[1:]}, **changes)


class NamedChoice(NamedTuple):
    """A choice that the text names, and what is left of the text after it."""

    choice: int
    left: Unused


@dataclass
class TextAnswer:
    """A text's answer to the open question."""

    answers: list[NamedChoice]
    nothing: Reason = Reason.NOT_ASKED_NOW  # why not, if it names nothing that exists
    about: Target = NO_TARGET  # what it names, if anything
    part: str = ""  # a list: it may answer a later question, if the answer to this one is forced


class Matcher:
    """Finds the ways in which a parsed text fits a position."""

    def __init__(self, engine: Engine, parsed: ParsedText) -> None:
        self.engine = engine.blind()
        self.start = self.engine.snapshot()
        self.edition = engine.edition
        self.parsed = parsed
        self.refusal = refusal_of_nothing(engine, Reason.NOT_ASKED_NOW)
        self.rank = (-1, -1)  # how far the refused choice got: depth, checks passed
        # Why no other action can begin, if one is in progress and the text begins another.
        self.unfinished: Refusal | None = None
        if engine.in_progress and self.parsed.verb:
            self.unfinished = refusal_of_nothing(engine, Reason.ACTION_UNFINISHED)

    @property
    def builds(self) -> bool:
        """Is it a build that may discard one card or two?"""
        state = self.engine.state
        return self.parsed.verb == "build" or (state.doing == BUILDING and not state.combined)

    def error(self) -> IllegalAction:
        """The refusal as an error."""
        return self.refusal.error(self.parsed.text)

    def ways(self) -> Iterator[Way]:
        """All ways in which the text fits, one by one."""
        parsed = self.parsed
        if self.unfinished and DOING.get(parsed.verb) != self.engine.state.doing:
            self.refusal = self.unfinished
            return
        left = Unused(
            targets=tuple(parsed.targets),
            cards=tuple(sorted(parsed.cards)),
            two_cards=parsed.two_cards or (self.builds and len(parsed.cards) == 2),
            coal=tuple(parsed.coal),
            iron=tuple(parsed.iron),
            beer=tuple(parsed.beer),
            ends=tuple(parsed.ends),
            removes=tuple(parsed.removes),
            buyer=parsed.buyer,
            done=parsed.done,
        )
        if left.parts == ["done"] and self.engine.phase not in MORE:
            self.refuse(TextAnswer([NamedChoice(DONE, left)]), left, 0)
        elif left.parts:  # a text without parts answers nothing
            yield from self.go_on(left, ())

    # --- the search ------------------------------------------------------------------------------

    def go_on(self, left: Unused, made: tuple[int, ...]) -> Iterator[Way]:
        """All ways to continue from the engine's position."""
        engine = self.engine
        if made and not engine.in_progress:
            if left.parts:
                self.refuse_rest(left, len(made))
            else:
                yield Way(made, engine.snapshot())
            return
        here = engine.snapshot()
        options = engine.legal()
        given = self.text_answer(left)
        if given is None:
            if made and self.parsed.open and len(options) > 1 and not left.parts:
                yield Way(made, here)
                return
            answers = self.silence(left, options, made)
        else:
            answers = [answer for answer in given.answers if answer.choice in options]
            if not answers:
                why = self.refuse(given, left, len(made))
                if not given.part or len(options) != 1:
                    return
                passed_over = {given.part: why, **left.passed_over}
                answers = [NamedChoice(options[0], replace(left, passed_over=passed_over))]
        for choice, rest in answers:
            engine.restore(here)
            engine.step(choice)
            yield from self.go_on(self.bought(rest, here, choice), (*made, choice))

    def silence(self, left: Unused, options: list[int], made: tuple[int, ...]) -> list[NamedChoice]:
        """The text has no answer: end the action if possible, else try every choice."""
        if not self.engine.in_progress:
            self.refuse(TextAnswer([]), left, 0)
            return []
        if DONE in options:
            options = [DONE]
        elif not self.parsed.cards:  # next to a named card, the text may mean any other
            options = in_one_order(self.engine, options, made)
        return [NamedChoice(choice, left) for choice in options]

    def bought(self, left: Unused, here: bytes, choice: int) -> Unused:
        """Use up the text's `market` for cubes bought in the last step, which are no choices."""
        for kind, _seat, space, _pounds in self.engine.rows:
            part = {EventKind.COAL_USED: "coal", EventKind.IRON_USED: "iron"}.get(EventKind(kind))
            if part and space == NOWHERE and getattr(left, part):
                if getattr(left, part)[0] == MARKET:
                    left = left.rest(part)
                elif part not in left.passed_over:
                    why = self.why_not_bought_there(left, part, here, choice)
                    left = replace(left, passed_over={part: why, **left.passed_over})
        return left

    # --- refusals --------------------------------------------------------------------------------

    def refuse(self, given: TextAnswer, left: Unused, depth: int) -> Refusal:
        """Why none of the answers is legal: the reason of the one that got furthest."""
        found = [(choice, self.first_reason(choice, left)) for choice, _ in given.answers]
        return self.keep(self.furthest(found, given), depth)

    def furthest(self, found: list[tuple[int, Refusal]], given: TextAnswer) -> tuple[int, Refusal]:
        """The checks that the best choice passed, and why it failed the next one."""
        if not found:
            named, spot = given.about.industry, given.about.spot
            why = refusal_of_nothing(self.engine, given.nothing, spot.place, spot.number, named)
            return 0, why
        ranked = [(progress(choice, why.reason), why) for choice, why in found]
        return max(ranked, key=itemgetter(0))

    def keep(self, found: tuple[int, Refusal], depth: int) -> Refusal:
        """Keep the refusal that got furthest."""
        checks, why = found
        if (depth, checks) > self.rank:
            self.rank, self.refusal = (depth, checks), why
        return why

    def first_reason(self, choice: int, left: Unused) -> Refusal:
        """Why a choice is not legal; for a build, first why its named card does not allow it."""
        engine = self.engine
        found = refusal(engine, choice, engine.why(choice))
        named = [TWO_CARDS] if left.two_cards else [NUMBER["CARD", card] for card in left.cards]
        if not named or self.parsed.verb != "build" or engine.phase != layout.ACTION:
            return found
        if found.reason in ELSEWHERE:
            return found
        here = engine.snapshot()
        engine.step(choice)  # not legal, but it asks for the card
        reason = engine.why(named[0])
        if reason != Reason.OK:
            found = refusal(engine, named[0], reason)
        engine.restore(here)
        return found

    def refuse_rest(self, left: Unused, depth: int) -> None:
        """The action is complete, but the text says more."""
        part = left.parts[0]
        if self.unfinished and left.targets == tuple(self.parsed.targets):
            why = self.unfinished
        else:
            why = left.passed_over.get(part) or refusal_of_rest(part)
        self.keep((0, why), depth)

    def why_not_bought_there(self, left: Unused, part: str, here: bytes, choice: int) -> Refusal:
        """Why a cube was bought although the text names a tile for it."""
        engine = self.engine
        now = engine.snapshot()
        engine.restore(here)
        kind, offset = MEANING[choice]
        if kind == "LINK":
            engine.state.line = offset
        elif kind == "COAL_AT":
            engine.state.end = offset
        engine.state.phase = layout.COAL_SOURCE if part == "coal" else layout.IRON_SOURCE
        given = self.from_tile(left, part)
        options = [option for option, _ in given.answers]
        found = [(option, refusal(engine, option, engine.why(option))) for option in options]
        _rank, why = self.furthest(found, given)
        engine.restore(now)
        return why

    # --- the text's answers ----------------------------------------------------------------------

    def text_answer(self, left: Unused) -> TextAnswer | None:
        """The text's answer to the open question; None if it has none."""
        phase = self.engine.phase
        if not self.engine.in_progress or phase in MORE:
            return self.next_target(left)
        if phase == layout.CARD:
            return self.card(left)
        if phase == layout.COAL_SOURCE:
            return self.from_tile(left, "coal") if left.coal else None
        if phase == layout.IRON_SOURCE:
            return self.from_tile(left, "iron") if left.iron else None
        if phase == layout.BEER_SOURCE:
            return self.barrel(left)
        if phase == layout.BUYER:
            return self.buyer(left)
        if phase == layout.RAIL_END and left.ends:
            return self.named(left, "ends", "COAL_AT", left.ends[0])
        if phase == layout.FREE_DEVELOP and left.removes:
            return self.named(left, "removes", "REMOVE", left.removes[0])
        return None

    def named(self, left: Unused, part: str, kind: str, offset: int) -> TextAnswer:
        """The choice that the first item of a list names."""
        return TextAnswer([NamedChoice(NUMBER[kind, offset], left.rest(part))], part=part)

    def next_target(self, left: Unused) -> TextAnswer | None:
        """What to do first, or next."""
        if self.engine.phase in MORE and left.buyer:
            return TextAnswer([])  # the sale is over and needs no buyer
        if not left.targets:
            return TextAnswer([NamedChoice(DONE, replace(left, done=False))]) if left.done else None
        target = left.targets[0]
        if left.buyer and target.buyer:
            return TextAnswer([])  # one sale, two buyers
        rest = left.rest("targets", buyer=target.buyer or left.buyer)
        if self.engine.phase in (layout.MORE_RAIL, layout.MORE_DEVELOP):
            rest = replace(rest, done=False)  # the second one ends the action by itself
        choices, nothing = self.targeted(target)
        general = self.engine.why(NUMBER[BEGINS[self.parsed.verb], 0])
        if general in (Reason.NOT_ASKED_NOW, Reason.GAME_IS_OVER):
            nothing = general
        return TextAnswer([NamedChoice(choice, rest) for choice in choices], nothing, target)

    def targeted(self, target: Target) -> tuple[list[int], Reason]:
        """The choices that a target names, and the reason to give if there are none."""
        kind = BEGINS[self.parsed.verb]
        match self.parsed.verb:
            case "build":
                return self.buildings(target), Reason.WRONG_INDUSTRY_FOR_SPACE
            case "sell":
                return self.own_tiles(kind, target), Reason.NOTHING_TO_SELL
            case "give up":
                return self.own_tiles(kind, target), Reason.NOT_YOUR_TILE
            case "link":
                return self.one_or_all(kind, target.line, len(self.edition.lines)), Reason.OK
            case "develop":
                return self.one_or_all(kind, target.industry, INDUSTRIES), Reason.OK
            case "loan":
                size = None if target.levels is None else target.levels - 1
                return self.one_or_all(kind, size, LOANS), Reason.OK
        return [NUMBER[kind, 0]], Reason.OK

    def card(self, left: Unused) -> TextAnswer | None:
        """A card; for a build with two cards, that choice comes first."""
        state = self.engine.state
        if left.two_cards and state.doing == BUILDING and not state.combined:
            return TextAnswer([NamedChoice(TWO_CARDS, replace(left, two_cards=False))])
        if not left.cards:
            return None
        return TextAnswer([NamedChoice(NUMBER["CARD", left.cards[0]], left.rest("cards"))])

    def from_tile(self, left: Unused, part: str) -> TextAnswer:
        """The first item of a list of sources on tiles."""
        kind, industry, nothing = TILES[part]
        spot = getattr(left, part)[0]
        choices = [] if spot == MARKET else self.tiles(kind, spot, industry)
        answers = [NamedChoice(choice, left.rest(part)) for choice in choices]
        return TextAnswer(answers, nothing, Target(spot=spot), part)

    def barrel(self, left: Unused) -> TextAnswer | None:
        """The merchant's barrel if the text names that buyer, else the next source."""
        if left.buyer:
            return TextAnswer(self.barrels(left.buyer, replace(left, buyer=None)))
        if not left.beer:
            return None
        source = left.beer[0]
        if isinstance(source, Buyer):
            return TextAnswer(self.barrels(source, left.rest("beer")), part="beer")
        return self.from_tile(left, "beer")

    def barrels(self, buyer: Buyer, rest: Unused) -> list[NamedChoice]:
        places = self.edition.merchant_places
        there = [merchant for merchant, place in enumerate(places) if place == buyer.spot.place]
        if buyer.spot.number is not None:
            there = there[buyer.spot.number - 1 : buyer.spot.number]
        return [NamedChoice(NUMBER["BARREL_OF", merchant], rest) for merchant in there]

    def buyer(self, left: Unused) -> TextAnswer | None:
        """A port, or the distant market."""
        if left.buyer is None:
            return None
        rest = replace(left, buyer=None)
        if left.buyer.kind == "distant":
            return TextAnswer([NamedChoice(SELL_FAR, rest)])
        kind, industry, nothing = TILES["buyer"]
        spot = left.buyer.spot
        choices = self.tiles(kind, spot, industry)
        return TextAnswer(
            [NamedChoice(choice, rest) for choice in choices], nothing, Target(spot=spot)
        )

    # --- choices by name -------------------------------------------------------------------------

    def one_or_all(self, kind: str, offset: int | None, count: int) -> list[int]:
        offsets = range(count) if offset is None else [offset]
        return [NUMBER[kind, n] for n in offsets]

    def spaces(self, spot: Spot) -> list[int]:
        """The spaces that a spot may refer to."""
        if spot.place is None:
            return list(range(len(self.edition.spaces)))
        if spot.number is not None:
            return [self.edition.space_at(spot.place, spot.number)]
        return list(self.edition.place_spaces[spot.place])

    def buildings(self, target: Target) -> list[int]:
        """The builds of an industry on the named spaces."""
        return [
            build_number(space, symbol)
            for space in self.spaces(target.spot)
            for symbol, name in enumerate(self.edition.spaces[space].symbols)
            if target.industry is None or name == self.edition.industry_name(target.industry)
        ]

    def own_tiles(self, kind: str, target: Target) -> list[int]:
        """The choices about the player's own tiles; if a place is named, about any tile there."""
        spot = target.spot
        if spot.place is None:
            spot = replace(spot, owner=self.engine.seat)
        return self.tiles(kind, spot, target.industry)

    def tiles(self, kind: str, spot: Spot, industry: int | None) -> list[int]:
        """The choices about tiles of an industry on the named spaces."""
        state, industry_of = self.engine.state, self.edition.board.industry_of
        return [
            NUMBER[kind, space]
            for space in self.spaces(spot)
            if (tile := int(state.tile[space]))
            and (industry is None or industry_of[tile] == industry)
            and (spot.owner is None or state.owner[space] == spot.owner)
        ]


def progress(choice: int, reason: Reason) -> int:
    """How many checks a choice passed, in the order in which the rules check its kind."""
    checks = CHECKED[MEANING[choice][0]]
    return checks.index(reason) + 1 if reason in checks else 0
