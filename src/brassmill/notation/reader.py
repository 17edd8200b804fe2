"""Actions as text: the grammar of `docs/formats/notation.md`.

`read` turns text into a `ParsedText`: what the text names, legal or not. `matching.py` matches that
with the legal choices, and `action.py` writes an action as text. The words are those of
`vocabulary.py`; a `ParsedText` has their English form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from brassmill import vocabulary
from brassmill.editions.edition import Edition
from brassmill.editions.names import NameTable, fold, split_number
from brassmill.errors import UnknownName
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.vocabulary import BUYERS, PARTS, POUNDS, Word, say

DOTS = ("...", "\u2026")
VERBS = tuple(word.en for word in vocabulary.VERBS)
OTHER_PARTS = (*(word.en for word in (*PARTS, *BUYERS)), DOTS[0])
ALONE = ("scout", "pass", "done", *DOTS)  # nothing may follow these within their part
LOANS = ("10", "20", "30")
SAME = {"cards": "card"}  # one part, whatever the number

T = TypeVar("T")

_NOT_IN_NAMES = re.compile(r"[,;>()]")
_POUNDS = "|".join(re.escape(word) for word in (POUNDS.en, *POUNDS.others))
_AMOUNT = re.compile(rf"(?:{_POUNDS})?\s*(\d+)\s*(?:{_POUNDS})?", re.IGNORECASE)
_LAST_AUF = re.compile(r"\s+auf$", re.IGNORECASE)  # German splits its verb: gib X auf


def _lexicon(words: Iterable[Word], shortest: int = 1) -> NameTable:
    """The words that the grammar allows in one position, numbered by part."""
    numbers: dict[str, int] = {}
    rows = []
    for word in words:
        name = SAME.get(word.en, word.en)
        spellings = (word.en, *word.others)
        rows.append((name, spellings, numbers.setdefault(name, len(numbers))))
    return NameTable(N_("action"), rows, shortest)


VERB_WORDS = _lexicon(vocabulary.VERBS)
PART_WORDS = _lexicon((*PARTS, *BUYERS))
BUYER_WORDS = _lexicon(BUYERS, shortest=2)
MARKET_WORDS = _lexicon([vocabulary.MARKET], shortest=3)
_LONGEST = max(  # the most words in a spelling
    len(spelling.split())
    for word in (*vocabulary.VERBS, *PARTS, *BUYERS)
    for spelling in (word.en, *word.others)
)


def split_head(text: str, *tables: NameTable) -> tuple[str, str] | None:
    """The entry of a table that a text begins with, which may be several words, and the rest."""
    words = text.split()
    for cut in range(min(_LONGEST, len(words)), 0, -1):
        if not fold(words[cut - 1]):
            continue  # the ignored end of a word may be the name of a seat
        for table in tables:
            number = table.exact(" ".join(words[:cut]))
            if number is not None:
                return table.proper[number], " ".join(words[cut:])
    return None


def split_short_head(text: str, *tables: NameTable) -> tuple[str, str] | None:
    """The same if the first word is an abbreviation; the first table that has it decides."""
    word, _blank, rest = text.partition(" ")
    for table in tables:
        found = [table.proper[number] for number in table.beginning(word)]
        if len(found) > 1:
            raise UnknownName(N_("action"), word, _localized(found), ambiguous=True)
        if found:
            return found[0], rest.strip()
    return None


def _localized(words: Iterable[str]) -> list[str]:
    """Words in the user's language."""
    return [say(word, language()) for word in words]


def name_problems(names: Sequence[object], taken: Container[str]) -> list[str]:
    """Why names of seats could be confused with other words of a text or a position.

    `taken` are the words of a position that cannot be names.
    """
    problems = [
        _("{name!r} is not text").format(name=name) for name in names if not isinstance(name, str)
    ]
    texts = [name for name in names if isinstance(name, str)]
    folded = [name.casefold() for name in texts]
    for name, words in zip(texts, folded, strict=True):
        if name != " ".join(name.split()) or not name.isprintable():
            problem = _("{name!r} begins or ends with a space, or has an invisible character")
        elif not name or words in taken or words.split()[0] == "merchant":
            problem = _("{name!r} cannot be the name of a seat")
        elif _NOT_IN_NAMES.search(name):
            problem = _("{name!r} contains one of the characters , ; > ( )")
        elif folded.count(words) > 1:
            problem = _("{name!r} appears twice: every seat needs its own name")
        else:
            continue
        problems.append(problem.format(name=name))
    return list(dict.fromkeys(problems))


@dataclass(frozen=True)
class Spot:
    """A space or a tile as far as a text names it: place, number of the space there, owner."""

    place: int | None = None
    number: int | None = None
    owner: int | None = None


MARKET = Spot()  # where a cube is bought


@dataclass(frozen=True)
class Buyer:
    """Where a tile is sold: to a port, a merchant or the distant market."""

    kind: str  # port, merchant, distant
    spot: Spot = Spot()


@dataclass(frozen=True)
class Target:
    """One thing to build, link, sell, develop, borrow or remove."""

    industry: int | None = None
    spot: Spot = Spot()
    line: int | None = None
    levels: int | None = None
    buyer: Buyer | None = None


@dataclass
class ParsedText:
    """What a text names, part by part."""

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


def read(edition: Edition, seats: Sequence[str], text: str) -> ParsedText:
    """Read an action, or the rest of the one in progress."""
    parsed = ParsedText(text)
    reader = _Reader(edition, seats, parsed)
    for part in text.split(";"):
        if part.strip():
            reader.part(part.strip())
    return parsed


class _Reader:
    def __init__(self, edition: Edition, seats: Sequence[str], parsed: ParsedText) -> None:
        self.edition = edition
        # The longest name first: "Ann" may sit beside "Ann Lee".
        self.owners = sorted(enumerate(seats), key=lambda seat: len(seat[1]), reverse=True)
        self.parsed = parsed
        self.readers: dict[str, Callable[[str], None]] = {
            "card": self.cards,
            "two cards": self.two_cards,
            "coal": lambda rest: self.parsed.coal.extend(self.some(rest, self.source)),
            "iron": lambda rest: self.parsed.iron.extend(self.some(rest, self.source)),
            "beer": lambda rest: self.parsed.beer.extend(self.some(rest, self.barrel)),
            "end": lambda rest: self.parsed.ends.extend(self.some(rest, edition.find_place)),
            "remove": lambda rest: self.parsed.removes.extend(
                self.some(rest, edition.find_industry)
            ),
            "port": lambda rest: self.sale("port", rest),
            "distant": lambda rest: self.sale("distant", rest),
            "merchant": lambda rest: self.parsed.beer.append(self.bought_by("merchant", rest)),
            "done": self.done,
            **dict.fromkeys(DOTS, self.open),
        }

    def part(self, part: str) -> None:
        """One part of the text."""
        part = " ".join(part.removeprefix(">").split())
        head, rest = self.head(part)
        if self.parsed.open and head not in DOTS:
            raise UnknownName(N_("part after ..."), part, ())
        if rest and head in ALONE:
            raise UnknownName(N_("extra part"), rest, _localized(OTHER_PARTS))
        if head in self.readers:
            self.readers[head](rest)
        else:
            self.verb(head, rest)

    def head(self, part: str) -> tuple[str, str]:
        """What kind of part it is, and the rest of it.

        An abbreviation means a verb until there is one, and another part after that.
        """
        first, _blank, rest = part.partition(" ")
        if first in DOTS:
            return first, rest
        found = split_head(part, VERB_WORDS, PART_WORDS)
        if found is None:
            tables = (PART_WORDS,) if self.parsed.verb else (VERB_WORDS, PART_WORDS)
            found = split_short_head(part, *tables)
        if found is None:
            known = OTHER_PARTS if self.parsed.verb else VERBS
            raise UnknownName(N_("action"), first, _localized(known))
        return found

    def verb(self, verb: str, rest: str) -> None:
        if self.parsed.verb:
            raise UnknownName(N_("extra part"), f"{verb} {rest}".strip(), _localized(OTHER_PARTS))
        self.parsed.verb = verb
        match verb:
            case "build":
                self.parsed.targets = [self.building(rest)]
            case "link":
                self.parsed.targets = [
                    Target(line=line) for line in self.each(rest, self.edition.find_line)
                ]
            case "sell":
                self.parsed.targets = self.each(rest, self.selling)
            case "develop":
                self.parsed.targets = [
                    Target(industry=found) for found in self.each(rest, self.edition.find_industry)
                ]
            case "loan":
                self.parsed.targets = [Target(levels=self.levels(rest))]
            case "give up":
                self.parsed.targets = [self.building(_LAST_AUF.sub("", rest))]
        if not self.parsed.targets:
            self.parsed.targets = [Target()]

    # --- lists -----------------------------------------------------------------------------------

    @staticmethod
    def each(rest: str, find: Callable[[str], T]) -> list[T]:
        return [find(name.strip()) for name in rest.split(",")] if rest else []

    def some(self, rest: str, find: Callable[[str], T]) -> list[T]:
        """A list with at least one entry."""
        return self.each(rest, find) or [find("")]

    def cards(self, rest: str) -> None:
        self.parsed.cards += self.some(rest, self.edition.find_card)

    def two_cards(self, rest: str) -> None:
        self.parsed.two_cards = True
        if rest:
            self.cards(rest)

    def sale(self, kind: str, rest: str) -> None:
        if self.parsed.buyer:
            known = _localized(word.en for word in PARTS)
            raise UnknownName(N_("extra part"), f"{kind} {rest}".strip(), known)
        self.parsed.buyer = self.bought_by(kind, rest)

    def done(self, rest: str) -> None:
        self.parsed.done = True

    def open(self, rest: str) -> None:
        self.parsed.open = True

    # --- names -----------------------------------------------------------------------------------

    def levels(self, rest: str) -> int | None:
        if not rest:
            return None
        amount = _AMOUNT.fullmatch(rest)
        if amount is None or amount[1] not in LOANS:
            raise UnknownName(N_("loan"), rest, LOANS)
        return LOANS.index(amount[1]) + 1

    def spot(self, text: str) -> Spot:
        """`Preston`, `Preston 2`, `R Preston`; a place may begin with the name of a seat."""
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
        if MARKET_WORDS.exact(text) is not None:
            return MARKET
        try:
            return self.spot(text)
        except UnknownName:
            if MARKET_WORDS.get(text) is not None:
                return MARKET
            raise

    def barrel(self, text: str) -> Spot | Buyer:
        """A brewery or a merchant; the name of a seat may be the word for merchant."""
        found = split_head(text, BUYER_WORDS)
        if found is None or found[0] != "merchant":
            return self.spot(text)
        if any(text.casefold().startswith(f"{name} ".casefold()) for _owner, name in self.owners):
            with suppress(UnknownName):
                return self.spot(text)
        return self.bought_by(*found)

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
        if self.parsed.verb != "build":
            try:
                return Target(spot=self.spot(text))
            except UnknownName:
                pass
        assert error is not None
        raise error

    def selling(self, text: str) -> Target:
        """`cotton Oldham > port Preston`."""
        tile, _sign, buyer = text.partition(">")
        target = self.building(tile.strip())
        if not buyer.strip():
            return target
        return Target(target.industry, target.spot, buyer=self.buyer(buyer.strip()))

    def buyer(self, text: str) -> Buyer:
        """`port Preston`, `distant`, `merchant Oxford 2`, or the place alone."""
        found = split_head(text, BUYER_WORDS)
        if found:
            return self.bought_by(*found)
        try:
            return self.bought_by("merchant" if self.edition.merchants else "port", text)
        except UnknownName:
            found = split_short_head(text, BUYER_WORDS)
            if found is None:
                raise
            return self.bought_by(*found)

    def bought_by(self, kind: str, rest: str) -> Buyer:
        """A buyer of this kind."""
        if kind == "distant":
            if rest:
                raise UnknownName(N_("distant market"), rest, _localized(["distant"]))
            return Buyer("distant")
        if kind == "port" or not self.edition.merchants:
            return Buyer("port", self.spot(rest))
        return Buyer("merchant", self.merchant(rest))

    def merchant(self, text: str) -> Spot:
        """A place with merchants, and the number of the merchant there: `Oxford 2`."""
        name, number = split_number(text)
        place = self.edition.find_place(name) if name else None
        count = self.edition.merchant_places.count(place)
        if count == 0 or (number is not None and not 1 <= number <= count):
            known = range(len(self.edition.merchants))
            raise UnknownName(N_("merchant"), text, [self.edition.merchant_name(n) for n in known])
        return Spot(place, number)
