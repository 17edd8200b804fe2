"""A choice: one number of the vocabulary, with the names its edition gives it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import index
from typing import Any, overload

from brassmill.editions.edition import Edition
from brassmill.errors import BrassError
from brassmill.rules.choices import CHOICES, kind_of
from brassmill.rules.layout import SYMBOLS

# The kind and offset of every choice, and back.
MEANING = tuple((kind.name, offset) for kind, offset in map(kind_of, range(CHOICES)))
NUMBER = {meaning: number for number, meaning in enumerate(MEANING)}


def build_number(space: int, symbol: int) -> int:
    """The choice to build the industry of a symbol on its space."""
    return NUMBER["BUILD", space * SYMBOLS + symbol]


def whole(what: str, value: Any) -> int:
    """A whole number, NumPy's too; nothing is rounded, and yes and no are no numbers."""
    if not isinstance(value, bool):
        with suppress(TypeError):
            return index(value)
    raise BrassError(f"{value!r} is not {what}: a whole number is")


class Choice:
    """One answer to one question; two choices with the same number are equal."""

    __slots__ = ("edition", "id")

    def __init__(self, number: int, edition: Edition) -> None:
        self.id = whole("a choice", number)
        if not 0 <= self.id < CHOICES:
            raise BrassError(f"there is no choice {self.id}: they are 0 to {CHOICES - 1}")
        self.edition = edition

    def __eq__(self, other: object) -> bool:
        return self.id == other.id if isinstance(other, Choice) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)

    def __int__(self) -> int:
        return self.id

    def __index__(self) -> int:
        return self.id

    def __reduce__(self) -> tuple[Any, ...]:
        return Choice, (self.id, self.edition)

    def __str__(self) -> str:
        return choice_text(self.edition, self.id)

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def kind(self) -> str:
        """The kind of choice, as in the vocabulary: `build`, `link`, `card`, `coal_from`, ..."""
        return MEANING[self.id][0].lower()

    @property
    def offset(self) -> int:
        """Which of its kind: the space, line, card, ... (see `rules/choices.py`)."""
        return MEANING[self.id][1]


class Choices(Sequence[Choice]):
    """The open choices of one moment: can be counted, tested and iterated."""

    __slots__ = ("_edition", "_members", "ids")

    def __init__(self, edition: Edition, ids: Sequence[int]) -> None:
        self._edition = edition
        self.ids = tuple(ids)
        self._members = frozenset(ids)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> Choices: ...
    def __getitem__(self, index: int | slice) -> Choice | Choices:
        if isinstance(index, slice):
            return Choices(self._edition, self.ids[index])
        return Choice(self.ids[index], self._edition)

    def __contains__(self, item: object) -> bool:
        try:
            return whole("a choice", item) in self._members
        except BrassError:
            return False

    def __repr__(self) -> str:
        return f"<{len(self)} choices: {', '.join(str(choice) for choice in self)}>"


def choice_text(edition: Edition, number: int) -> str:
    """A choice in words, whatever the position: `build coal Dudley`, `card Dudley`."""
    if not 0 <= number < CHOICES:
        return f"choice {number}"
    kind, offset = MEANING[number]
    words = kind.lower().replace("_", " ")
    if kind not in _TEXTS:
        return words
    try:
        return _TEXTS[kind](edition, offset)
    except (IndexError, KeyError):  # the vocabulary is larger than this edition
        return f"{words} {offset}"


def _build(edition: Edition, offset: int) -> str:
    space, symbol = divmod(offset, SYMBOLS)
    row = edition.spaces[space]
    industry = row.symbols[symbol]
    town = edition.places[row.place]
    alone = sum(industry in symbols for symbols in town.spaces) == 1
    return f"build {industry} {town.name if alone else edition.space_name(space)}"


def _merchant(edition: Edition, merchant: int) -> str:
    return f"beer merchant {edition.merchant_name(merchant)}"


_TEXTS: dict[str, Callable[[Edition, int], str]] = {
    "BUILD": _build,
    "LINK": lambda edition, line: f"link {edition.line_name(line)}",
    "SELL": lambda edition, space: f"sell {edition.space_name(space)}",
    "DEVELOP": lambda edition, industry: f"develop {edition.industry_name(industry)}",
    "LOAN": lambda edition, size: f"loan {10 * (size + 1)}",
    "CARD": lambda edition, card: f"card {edition.card_name(card)}",
    "COAL_FROM": lambda edition, space: f"coal {edition.space_name(space)}",
    "IRON_FROM": lambda edition, space: f"iron {edition.space_name(space)}",
    "BEER_FROM": lambda edition, space: f"beer {edition.space_name(space)}",
    "BARREL_OF": _merchant,
    "COAL_AT": lambda edition, place: f"end {edition.place_name(place)}",
    "SELL_TO_PORT": lambda edition, space: f"port {edition.space_name(space)}",
    "SELL_FAR": lambda edition, _: "distant",
    "REMOVE": lambda edition, industry: f"remove {edition.industry_name(industry)}",
    "GIVE_UP": lambda edition, space: f"give up {edition.space_name(space)}",
}
