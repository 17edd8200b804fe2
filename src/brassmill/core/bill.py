"""The bill of an action before it is played: what it costs, and where everything comes from."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from brassmill import terms
from brassmill.core.choice import ABOUT, MEANING, NUMBER, WORD
from brassmill.core.engine import Engine
from brassmill.editions.edition import WILD_CARDS
from brassmill.language import N_, either
from brassmill.language import gettext as _
from brassmill.rules.choices import Subject
from brassmill.rules.emit import EventKind, Money
from brassmill.rules.layout import NOWHERE

DONE = NUMBER["DONE", 0]


@dataclass(frozen=True)
class BillItem:
    """An amount and its purpose: a tile (`coal 2`), `link`, `coal`, `loan`, ..."""

    label: str
    pounds: int

    @property
    def words(self) -> str:
        """What it is for, in the language of the context."""
        label = self.label
        return terms.purpose(label) if label in terms.PURPOSES else terms.a_tile(label)

    def __str__(self) -> str:
        return _("{pounds} for {purpose}").format(
            pounds=terms.pounds(self.pounds), purpose=self.words
        )


YOURS = {
    "coal": N_("your mine in {town}"),
    "iron": N_("your works in {town}"),
    "beer": N_("your brewery in {town}"),
}


@dataclass(frozen=True)
class Supplier:
    """The market, a merchant, or a tile on the board and its owner."""

    name: str  # `market`, `Oxford`, `Dudley 1`
    owner: str = ""  # of a tile
    is_own: bool = False  # it belongs to the player who pays
    is_merchant: bool = False

    def __str__(self) -> str:
        """The plain name: `market`, `merchant Oxford`, `Y Dudley 1`."""
        return f"{'merchant' if self.is_merchant else self.owner} {self.name}".strip()

    def words_for(self, resource: str) -> str:
        """What supplies a resource, in the language of the context."""
        if self.is_merchant:
            return terms.merchant(self.name)
        if not self.owner:
            return terms.place(self.name)
        words = _(YOURS[resource]) if self.is_own else _("{owner} ({town})")
        return words.format(owner=self.owner, town=terms.town(self.name))


MARKET = Supplier("market")


@dataclass(frozen=True)
class Source:
    """Where one coal, iron or beer comes from; several suppliers if the player may choose."""

    resource: str
    suppliers: tuple[Supplier, ...]
    pounds: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The plain names of the suppliers."""
        return tuple(map(str, self.suppliers))

    @property
    def words(self) -> str:
        """Where it comes from, in the language of the context."""
        words = [supplier.words_for(self.resource) for supplier in self.suppliers]
        return either(list(dict.fromkeys(words)))

    def __str__(self) -> str:
        if len(self.suppliers) > 1:
            words = _("{resource}: {suppliers}")
        else:
            words = _("{resource} from {suppliers}: {price}")
        return words.format(
            resource=terms.resource(self.resource),
            suppliers=self.words,
            price=terms.pounds(self.pounds) if self.pounds else _("free"),
        )


@dataclass(frozen=True)
class Bonus:
    """What a merchant gives for the use of its beer (6.2)."""

    place: str
    kind: str  # points, income, money or develop
    amount: int
    is_sure: bool  # the beer can come from nowhere else

    def __str__(self) -> str:
        words = (
            _("{place} bonus: {bonus}") if self.is_sure else _("Beer from {place} gives {bonus}")
        )
        return words.format(place=self.place, bonus=terms.bonus(self.kind, self.amount))


def discards_words(card: str) -> str:
    """What a bill says about a card, in the language of the context."""
    return _("discards {card}").format(card=terms.the_card(card))


@dataclass(frozen=True)
class Bill:
    """What an action costs and earns at once.

    Anything still open counts as the minimum: no second railway, no further sale or tile, the
    cheaper end of a railway (A-COAL), no merchant bonus unless it is certain. Neither the card nor
    the choice of a source ever changes the price.
    """

    parts: tuple[BillItem, ...]
    receipts: tuple[BillItem, ...]  # money that the action earns
    sources: tuple[Source, ...]
    total: int
    cash_left: int
    place: int  # in the turn order of the next round if nobody spends more, from 1
    wild: tuple[str, ...] = ()  # the wild cards that it certainly discards
    bonuses: tuple[Bonus, ...] = ()  # of the merchants whose beer it uses or may use

    @property
    def bonuses_beside_money(self) -> tuple[Bonus, ...]:
        """The bonuses without sure money, which is among the receipts."""
        return tuple(
            bonus for bonus in self.bonuses if not (bonus.is_sure and bonus.kind == "money")
        )

    @property
    def only_earns(self) -> bool:
        """Does the action only earn money, as a loan does?"""
        return bool(self.receipts) and not self.total

    @property
    def next_round(self) -> str:
        """The position in the next turn order, in words: `1st next round`."""
        return _("{ordinal} next round").format(ordinal=terms.ordinal(self.place))

    def __str__(self) -> str:
        words = _("Cost {total}, {cash} left, {place}")
        if self.only_earns:
            words = _("You will have {cash}, {place}")
        left = words.format(
            total=terms.pounds(self.total),
            cash=terms.pounds(self.cash_left),
            place=self.next_round,
        )
        return "\n".join(
            [
                left,
                *map(str, self.parts),
                *map(discards_words, self.wild),
                *map(str, self.sources),
                *(f"+{receipt}" for receipt in self.receipts),
                *map(str, self.bonuses),
            ]
        )


PRICED = ("BUILD", "LINK", "DEVELOP", "COAL_AT")  # choices that can cost money
RESOURCES = ("coal", "iron", "beer")  # words of choices that name a source


def bill_of(engine: Engine, choices: Sequence[int], open_resources: Container[str] = ()) -> Bill:
    """The bill of legal choices and of the choices that must follow.

    The sources of `open_resources` count as not chosen, even if the choices name some.
    """
    maker = _Maker(engine.blind())
    for choice in choices:
        is_open = WORD[MEANING[choice][0]] in open_resources
        maker.make(choice, maker.plan.legal() if is_open else [choice])
    maker.finish()
    return maker.bill()


def prices_of(engine: Engine, choices: Sequence[int]) -> dict[int, int]:
    """The total cost of each legal choice that can cost money."""
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
        self.parts: list[BillItem] = []
        self.receipts: list[BillItem] = []
        self.sources: list[Source] = []
        self.wild: list[str] = []
        self.bonuses: dict[str, Bonus] = {}  # by place
        self.tile = ""
        self.sure = True  # the choice being made is the only one

    def finish(self) -> None:
        """Make the choices that must follow."""
        while self.plan.in_progress:
            options = self.plan.legal()
            self.make(self.least(options), options)

    def least(self, options: Sequence[int]) -> int:
        """The cheapest choice: nothing more than necessary, the cheaper end of a railway."""
        if DONE in options:
            return DONE
        if MEANING[options[0]][0] == "COAL_AT":
            return min(options, key=lambda end: bill_of(self.plan, [end]).total)
        return options[0]

    def make(self, choice: int, options: Sequence[int]) -> None:
        """Make a choice and note what it costs."""
        word = WORD[MEANING[choice][0]]
        if word in RESOURCES:
            suppliers = tuple(self.supplier(*ABOUT[option]) for option in options)
            self.sources.append(Source(word, suppliers))
            self.note_bonuses(options)
        self.sure = len(options) == 1
        self.plan.step(choice)
        for row in self.plan.rows:
            self.note(*row)

    def note_bonuses(self, options: Sequence[int]) -> None:
        """Note what the beer of each merchant would bring."""
        edition, here = self.plan.edition, self.plan.snapshot()
        for option in options:
            if ABOUT[option][0] != Subject.MERCHANT:
                continue
            self.plan.step(option)
            for kind, _seat, place, amount in self.plan.rows:
                if kind == EventKind.BONUS:
                    found = edition.places[place]
                    bonus = Bonus(found.name, found.bonus, amount, is_sure=len(options) == 1)
                    self.bonuses.setdefault(found.name, bonus)
            self.plan.restore(here)

    def supplier(self, subject: Subject, offset: int) -> Supplier:
        edition = self.plan.edition
        if subject == Subject.MERCHANT:
            return Supplier(edition.merchant_name(offset), is_merchant=True)
        owner = int(self.plan.state.owner[offset])
        return Supplier(
            edition.space_name(offset), self.plan.seats[owner], is_own=owner == self.seat
        )

    def note(self, kind: int, one: int, two: int, three: int) -> None:
        match kind:
            case EventKind.BUILT:
                self.tile = self.plan.edition.tile_name(three)
            case EventKind.DISCARDED if two in WILD_CARDS and self.sure:
                self.wild.append(self.plan.edition.card_name(two))
            case EventKind.COAL_USED | EventKind.IRON_USED if two == NOWHERE:
                resource = "coal" if kind == EventKind.COAL_USED else "iron"
                self.sources.append(Source(resource, (MARKET,), three))
            case EventKind.PAID if one == self.seat:
                self.parts.append(BillItem(self.label(three), two))
            case EventKind.INCOME_PAID if one == self.seat and two < 0:
                self.parts.append(BillItem("debt", -two))
            case EventKind.RECEIVED if one == self.seat and three == Money.BONUS and not self.sure:
                self.plan.state.cash[self.seat] -= two
            case EventKind.RECEIVED if one == self.seat:
                self.receipts.append(BillItem(self.label(three), two))

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
            wild=tuple(self.wild),
            bonuses=tuple(self.bonuses.values()),
        )
