"""The bill of an action before it is done: what it costs, where everything comes from."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from brassmill import terms
from brassmill.core.choice import ABOUT, MEANING, NUMBER, WORD
from brassmill.core.engine import Engine
from brassmill.language import either
from brassmill.language import gettext as _
from brassmill.rules.choices import Subject
from brassmill.rules.emit import Event as Kind
from brassmill.rules.emit import Money
from brassmill.rules.layout import NOWHERE

DONE = NUMBER["DONE", 0]


@dataclass(frozen=True)
class Part:
    """An amount, and what it is for: a tile (`coal 2`), `link`, `coal`, `loan`, ..."""

    label: str
    pounds: int

    @property
    def words(self) -> str:
        """What it is for, in the language of the context."""
        label = self.label
        return terms.purpose(label) if label in terms.PURPOSES else terms.tile(label)

    def __str__(self) -> str:
        return _("{pounds} for {purpose}").format(
            pounds=terms.pounds(self.pounds), purpose=self.words
        )


@dataclass(frozen=True)
class Source:
    """Where one coal, iron or beer comes from; several names where it is the player's choice."""

    resource: str
    names: tuple[str, ...]
    pounds: int = 0

    @property
    def words(self) -> str:
        """Where it comes from, in the language of the context."""
        return either([_giver(name) for name in self.names])

    def __str__(self) -> str:
        words = (
            _("{resource} from {sources} for {pounds}")
            if self.pounds
            else _("{resource} from {sources}")
        )
        return words.format(
            resource=terms.resource(self.resource),
            sources=self.words,
            pounds=terms.pounds(self.pounds),
        )


def _giver(name: str) -> str:
    """`market`, `merchant Oxford`, `Y Dudley 1`."""
    kind, _space, place = name.partition(" ")
    if kind == "merchant":
        return _("merchant {place}").format(place=place)
    return terms.place(name)


@dataclass(frozen=True)
class Bill:
    """What an action costs and brings at once.

    What is still open when the bill is made is taken as the least there can be: no second rail, no
    further sale or tile, the cheaper end of a rail (A-COAL), no bonus of a merchant who need not be
    the one. Neither the card nor a choice among sources ever changes the price.
    """

    parts: tuple[Part, ...]
    receipts: tuple[Part, ...]  # money that the action brings
    sources: tuple[Source, ...]
    total: int
    cash_left: int
    place: int  # in the turn order of the next round if nobody spent more, from 1

    def __str__(self) -> str:
        parts = ", ".join(map(str, self.parts)) or _("nothing to pay")
        left = _("{pounds} left, place {place} in the next order")
        lines = [
            _("{total}: {parts}").format(total=terms.pounds(self.total), parts=parts),
            *map(str, self.sources),
            *(_("receives {receipt}").format(receipt=receipt) for receipt in self.receipts),
            left.format(pounds=terms.pounds(self.cash_left), place=self.place),
        ]
        return "\n".join(lines)


PRICED = ("BUILD", "LINK", "DEVELOP", "COAL_AT")  # choices that cost something
RESOURCES = ("coal", "iron", "beer")  # words of choices that name a source


def bill_of(engine: Engine, choices: Sequence[int], open_resources: Container[str] = ()) -> Bill:
    """The bill of legal choices and of what must follow them.

    The sources of `open_resources` are not meant: they are still to be chosen.
    """
    maker = _Maker(engine.blind())
    for choice in choices:
        is_open = WORD[MEANING[choice][0]] in open_resources
        maker.make(choice, maker.plan.legal() if is_open else [choice])
    maker.finish()
    return maker.bill()


def prices_of(engine: Engine, choices: Sequence[int]) -> dict[int, int]:
    """The totals of the bills of open choices, of each that can cost something."""
    plan = engine.blind()
    here = plan.snapshot()
    prices = {}
    for choice in choices:
        if MEANING[choice][0] in PRICED:
            plan.restore(here)
            maker = _Maker(plan)
            maker.make(choice, [choice])
            maker.finish()
            prices[choice] = sum(part.pounds for part in maker.parts)
    return prices


class _Maker:
    def __init__(self, plan: Engine) -> None:
        self.plan = plan
        self.seat = plan.seat
        self.parts: list[Part] = []
        self.receipts: list[Part] = []
        self.sources: list[Source] = []
        self.tile = ""
        self.sure = True  # the choice in hand is the only one there is

    def finish(self) -> None:
        """Make what must follow the choices made."""
        while self.plan.in_progress:
            options = self.plan.legal()
            self.make(self.least(options), options)

    def least(self, options: Sequence[int]) -> int:
        """The choice that costs least: no more than must be, the cheaper end of a rail."""
        if DONE in options:
            return DONE
        if MEANING[options[0]][0] == "COAL_AT":
            return min(options, key=lambda end: bill_of(self.plan, [end]).total)
        return options[0]

    def make(self, choice: int, options: Sequence[int]) -> None:
        """Make a choice and write down what it costs."""
        word = WORD[MEANING[choice][0]]
        if word in RESOURCES:
            names = tuple(self.source_name(*ABOUT[option]) for option in options)
            self.sources.append(Source(word, names))
        self.sure = len(options) == 1
        self.plan.step(choice)
        for row in self.plan.rows:
            self.note(*row)

    def source_name(self, subject: Subject, offset: int) -> str:
        edition, state = self.plan.edition, self.plan.state
        if subject == Subject.MERCHANT:
            return f"merchant {edition.merchant_name(offset)}"
        return f"{self.plan.seats[int(state.owner[offset])]} {edition.space_name(offset)}"

    def note(self, kind: int, one: int, two: int, three: int) -> None:
        match kind:
            case Kind.BUILT:
                self.tile = self.plan.edition.tile_name(three)
            case Kind.COAL_USED | Kind.IRON_USED if two == NOWHERE:
                resource = "coal" if kind == Kind.COAL_USED else "iron"
                self.sources.append(Source(resource, ("market",), three))
            case Kind.PAID if one == self.seat:
                self.parts.append(Part(self.label(three), two))
            case Kind.INCOME_PAID if one == self.seat and two < 0:
                self.parts.append(Part("debt", -two))
            case Kind.RECEIVED if one == self.seat and three == Money.BONUS and not self.sure:
                self.plan.state.cash[self.seat] -= two
            case Kind.RECEIVED if one == self.seat:
                self.receipts.append(Part(self.label(three), two))

    def label(self, purpose: int) -> str:
        return self.tile if purpose == Money.TILE else Money(purpose).name.lower().replace("_", " ")

    def bill(self) -> Bill:
        state = self.plan.state
        cash = int(state.cash[self.seat])
        self.plan.set_order()
        order = [int(seat) for seat in state.order]
        return Bill(
            parts=tuple(self.parts),
            receipts=tuple(self.receipts),
            sources=tuple(self.sources),
            total=sum(part.pounds for part in self.parts),
            cash_left=cash,
            place=order.index(self.seat) + 1,
        )
