"""Actions as text: the grammar of `docs/scenarios.md`.

`read` turns text into a `Wish`: what it names, and nothing about whether it can be. `matching.py`
holds a wish against the open choices, `action.py` writes an action as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from brassmill.editions.edition import Edition
from brassmill.editions.names import split_number
from brassmill.errors import UnknownName

VERBS = ("build", "link", "sell", "develop", "loan", "scout", "pass", "give up")
OTHER_PARTS = (
    "card",
    "cards",
    "two cards",
    "coal",
    "iron",
    "beer",
    "end",
    "remove",
    "port",
    "distant",
    "merchant",
    "done",
    "...",
)
DOTS = ("...", "\u2026")
ALONE = ("scout", "pass", "done", *DOTS)  # nothing may follow these in their part
LOANS = ("10", "20", "30")

T = TypeVar("T")

_HEAD = re.compile(
    r"(give\s+up|two\s+cards|\.\.\.|…|[a-z]+)(?:\s+|$)(.*)", re.IGNORECASE | re.DOTALL
)


_NOT_IN_NAMES = re.compile(r"[,;>()]")


def name_faults(names: Sequence[object], taken: Container[str]) -> list[str]:
    """What keeps names of seats from being told from the rest of a text or of a position.

    `taken` are the words of a position that are no names.
    """
    faults = [f"{name!r} is not text" for name in names if not isinstance(name, str)]
    texts = [name for name in names if isinstance(name, str)]
    folded = [name.casefold() for name in texts]
    for name, words in zip(texts, folded, strict=True):
        if name != " ".join(name.split()) or not name.isprintable():
            faults.append(f"{name!r} has blanks around it or something that cannot be seen")
        elif not name or words in taken or words.split()[0] == "merchant":
            faults.append(f"{name!r} cannot be the name of a seat")
        elif _NOT_IN_NAMES.search(name):
            faults.append(f"{name!r} has one of the signs , ; > ( ) in it")
        elif folded.count(words) > 1:
            faults.append(f"{name!r} is there twice: seats have different names")
    return faults


@dataclass(frozen=True)
class Spot:
    """A place, as far as it is named: its number among the spaces there, the owner of the tile."""

    place: int | None = None
    number: int | None = None
    owner: int | None = None


MARKET = Spot()  # where a cube is bought


@dataclass(frozen=True)
class Buyer:
    """Where a tile is sold: to a port or a merchant, or far away."""

    kind: str  # port, merchant, distant
    spot: Spot = Spot()


@dataclass(frozen=True)
class Target:
    """One thing to build, link, sell, develop, borrow or give up."""

    industry: int | None = None
    spot: Spot = Spot()
    line: int | None = None
    levels: int | None = None
    buyer: Buyer | None = None


@dataclass
class Wish:
    """What a text names."""

    text: str
    verb: str = ""
    targets: list[Target] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    two_cards: bool = False
    coal: list[Spot] = field(default_factory=list)
    iron: list[Spot] = field(default_factory=list)
    beer: list[Spot | Buyer] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    removes: list[int] = field(default_factory=list)
    buyer: Buyer | None = None  # of the sale in progress
    done: bool = False
    open: bool = False  # the rest stays open

    @property
    def open_resources(self) -> list[str]:
        """Of coal, iron and beer, those whose sources are not named."""
        buyers = [self.buyer, *(target.buyer for target in self.targets)]
        named = {"coal": self.coal, "iron": self.iron, "beer": self.beer or any(buyers)}
        return [resource for resource, sources in named.items() if not sources]


def read(edition: Edition, seats: Sequence[str], text: str) -> Wish:
    """Read an action, or the rest of the one in progress."""
    wish = Wish(text)
    reader = _Reader(edition, seats, wish)
    for part in text.split(";"):
        if part.strip():
            reader.part(part.strip())
    if wish.verb == "build" and len(wish.cards) == 2:
        wish.two_cards = True
    return wish


class _Reader:
    def __init__(self, edition: Edition, seats: Sequence[str], wish: Wish) -> None:
        self.edition = edition
        # The longest name first: "Ann" may sit beside "Ann Lee".
        self.owners = sorted(enumerate(seats), key=lambda seat: len(seat[1]), reverse=True)
        self.wish = wish
        self.readers: dict[str, Callable[[str], None]] = {
            "card": self.cards,
            "cards": self.cards,
            "two cards": self.two_cards,
            "coal": lambda rest: self.wish.coal.extend(self.each(rest, self.source)),
            "iron": lambda rest: self.wish.iron.extend(self.each(rest, self.source)),
            "beer": lambda rest: self.wish.beer.extend(self.each(rest, self.barrel)),
            "end": lambda rest: self.wish.ends.extend(self.each(rest, edition.find_place)),
            "remove": lambda rest: self.wish.removes.extend(self.each(rest, edition.find_industry)),
            "port": lambda rest: self.sale(f"port {rest}"),
            "distant": lambda rest: self.sale(f"distant {rest}"),
            "merchant": lambda rest: self.wish.beer.append(self.buyer(f"merchant {rest}")),
            "done": self.done,
            **dict.fromkeys(DOTS, self.open),
        }

    def part(self, part: str) -> None:
        """One part of the text."""
        part = part.removeprefix(">").strip()
        match = _HEAD.fullmatch(part)
        head = " ".join(match[1].casefold().split()) if match else part
        rest = match[2].strip() if match else ""
        if self.wish.open and head not in DOTS:
            raise UnknownName("part after ...", part, ())
        if rest and head in ALONE:
            raise UnknownName("further part", rest, OTHER_PARTS)
        if head in self.readers:
            self.readers[head](rest)
        elif head in VERBS:
            self.verb(head, rest)
        else:
            raise UnknownName("action", head, VERBS if not self.wish.verb else OTHER_PARTS)

    def verb(self, verb: str, rest: str) -> None:
        if self.wish.verb:
            raise UnknownName("further part", f"{verb} {rest}".strip(), OTHER_PARTS)
        self.wish.verb = verb
        match verb:
            case "build":
                self.wish.targets = [self.building(rest)]
            case "link":
                self.wish.targets = [
                    Target(line=line) for line in self.each(rest, self.edition.find_line)
                ]
            case "sell":
                self.wish.targets = self.each(rest, self.selling)
            case "develop":
                self.wish.targets = [
                    Target(industry=found) for found in self.each(rest, self.edition.find_industry)
                ]
            case "loan":
                self.wish.targets = [Target(levels=self.levels(rest))]
            case "give up":
                self.wish.targets = [self.building(rest)]
        if not self.wish.targets:
            self.wish.targets = [Target()]

    # --- lists -----------------------------------------------------------------------------------

    @staticmethod
    def each(rest: str, find: Callable[[str], T]) -> list[T]:
        return [find(name.strip()) for name in rest.split(",")] if rest else []

    def cards(self, rest: str) -> None:
        self.wish.cards += self.each(rest, self.edition.find_card) or [self.edition.find_card("")]

    def two_cards(self, rest: str) -> None:
        self.wish.two_cards = True
        if rest:
            self.cards(rest)

    def sale(self, text: str) -> None:
        self.wish.buyer = self.buyer(text)

    def done(self, rest: str) -> None:
        self.wish.done = True

    def open(self, rest: str) -> None:
        self.wish.open = True

    # --- names -----------------------------------------------------------------------------------

    def levels(self, rest: str) -> int | None:
        if not rest:
            return None
        amount = rest.strip("£ ").removesuffix("pounds").strip()
        if amount not in LOANS:
            raise UnknownName("loan", rest, LOANS)
        return LOANS.index(amount) + 1

    def spot(self, text: str) -> Spot:
        """`Preston`, `Preston 2`, `R Preston`; a place may begin like the name of a seat."""
        error: UnknownName | None = None
        for owner, name in self.owners:
            if text[: len(name) + 1].casefold() == f"{name} ".casefold():
                try:
                    return Spot(*self.edition.find_space(text[len(name) :].strip()), owner)
                except UnknownName as wrong:
                    error = error or wrong
        try:
            return Spot(*self.edition.find_space(text))
        except UnknownName as wrong:
            raise error or wrong from None

    def source(self, text: str) -> Spot:
        return MARKET if text.casefold() in ("market", "the market") else self.spot(text)

    def barrel(self, text: str) -> Spot | Buyer:
        return self.buyer(text) if text.casefold().startswith("merchant") else self.spot(text)

    def building(self, text: str) -> Target:
        """`cotton Oldham 2`, or as much of it as is given; a tile may go by its space alone."""
        if not text:
            return Target()
        words = text.split()
        error: UnknownName | None = None
        for cut in range(1, len(words) + 1):
            try:
                industry = self.edition.find_industry(" ".join(words[:cut]))
            except UnknownName as wrong:
                error = error or wrong
                continue
            if cut == len(words):
                return Target(industry)
            try:
                return Target(industry, self.spot(" ".join(words[cut:])))
            except UnknownName as wrong:
                error = wrong
        if self.wish.verb != "build":
            try:
                return Target(spot=self.spot(text))
            except UnknownName:
                pass
        assert error is not None
        raise error

    def selling(self, text: str) -> Target:
        """`cotton Oldham > port Preston`."""
        tile, _, buyer = text.partition(">")
        target = self.building(tile.strip())
        if not buyer.strip():
            return target
        return Target(target.industry, target.spot, buyer=self.buyer(buyer.strip()))

    def buyer(self, text: str) -> Buyer:
        """`port Preston`, `distant`, `merchant Oxford 2` or `Oxford`."""
        head, _, rest = text.partition(" ")
        head, rest = head.casefold(), rest.strip()
        if head == "distant":
            if rest:
                raise UnknownName("distant market", rest, ("distant",))
            return Buyer("distant")
        if head == "port":
            return Buyer("port", self.spot(rest))
        if head == "merchant":
            text = rest
        if not self.edition.merchants:
            return Buyer("port", self.spot(text))
        return Buyer("merchant", self.merchant(text))

    def merchant(self, text: str) -> Spot:
        """A place with merchants, and the number of the merchant there: `Oxford 2`."""
        name, number = split_number(text)
        place = self.edition.find_place(name) if name else None
        count = self.edition.merchant_places.count(place)
        if count == 0 or (number is not None and not 1 <= number <= count):
            known = range(len(self.edition.merchants))
            raise UnknownName("merchant", text, [self.edition.merchant_name(n) for n in known])
        return Spot(place, number)
