"""A choice: one number of the vocabulary, with its names in an edition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import index
from typing import Any, overload

from brassmill.editions.edition import Edition
from brassmill.errors import BrassError
from brassmill.language import known
from brassmill.rules.choices import CHOICES, KINDS, Subject, kind_of
from brassmill.rules.layout import SYMBOLS
from brassmill.vocabulary import say

# The kind and offset of every choice, its subject, the word for its kind; and the reverse.
MEANING = tuple((kind.name, offset) for kind, offset in map(kind_of, range(CHOICES)))
ABOUT = tuple((kind.subject, offset) for kind, offset in map(kind_of, range(CHOICES)))
WORD = {kind.name: kind.word for kind in KINDS}
NUMBER = {meaning: number for number, meaning in enumerate(MEANING)}


def build_number(space: int, symbol: int) -> int:
    """The choice to build the industry of a symbol on its space."""
    return NUMBER["BUILD", space * SYMBOLS + symbol]


def whole(what: str, value: Any) -> int:
    """A whole number, Python's or NumPy's; nothing is rounded, and booleans do not count."""
    if not isinstance(value, bool):
        with suppress(TypeError):
            return index(value)
    raise BrassError(f"{value!r} is not {what}: it must be a whole number")


class Choice:
    """One answer to one question; two choices with the same number are equal."""

    __slots__ = ("edition", "id")

    def __init__(self, number: int, edition: Edition) -> None:
        self.id = whole("a choice", number)
        if not 0 <= self.id < CHOICES:
            raise BrassError(f"unknown choice {self.id}: choose 0 to {CHOICES - 1}")
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

    def text_in(self, language: str) -> str:
        """The choice in the words of a language: `en`, `de` or `fr`."""
        return choice_text(self.edition, self.id, language)

    @property
    def kind(self) -> str:
        """The kind of choice, as in the vocabulary: `build`, `link`, `card`, `coal_from`, ..."""
        return MEANING[self.id][0].lower()

    @property
    def offset(self) -> int:
        """Which of its kind: the space, line, card, ... (see `rules/choices.py`)."""
        return MEANING[self.id][1]


class Choices(Sequence[Choice]):
    """The legal choices of a position: they can be counted, tested and iterated."""

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


def card_text(edition: Edition, card: int, language: str = "en") -> str:
    """A card in the words of a language; towns keep their names."""
    return "/".join(say(name, language) for name in edition.card_name(card).split("/"))


def choice_text(edition: Edition, number: int, language: str = "en") -> str:
    """A choice in words, whatever the position: `build coal Dudley`, `card Dudley`."""
    known(language)
    if not 0 <= number < CHOICES:
        return f"choice {number}"
    subject, offset = ABOUT[number]
    words = say(WORD[MEANING[number][0]], language)
    if subject not in _TEXTS:
        return words
    try:
        return f"{words} {_TEXTS[subject](edition, offset, language)}"
    except (IndexError, KeyError):  # this edition does not use the whole vocabulary
        return f"{words} {offset}"


def _build(edition: Edition, offset: int, language: str) -> str:
    space, symbol = divmod(offset, SYMBOLS)
    row = edition.spaces[space]
    industry = row.symbols[symbol]
    town = edition.places[row.place]
    alone = sum(industry in symbols for symbols in town.spaces) == 1
    return f"{say(industry, language)} {town.name if alone else edition.space_name(space)}"


def _industry(edition: Edition, industry: int, language: str) -> str:
    return say(edition.industry_name(industry), language)


def _merchant(edition: Edition, merchant: int, language: str) -> str:
    return f"{say('merchant', language)} {edition.merchant_name(merchant)}"


_TEXTS: dict[Subject, Callable[[Edition, int, str], str]] = {
    Subject.SITE: _build,
    Subject.SPACE: lambda edition, space, _: edition.space_name(space),
    Subject.LINE: lambda edition, line, _: edition.line_name(line),
    Subject.PLACE: lambda edition, place, _: edition.place_name(place),
    Subject.MERCHANT: _merchant,
    Subject.CARD: card_text,
    Subject.INDUSTRY: _industry,
    Subject.SIZE: lambda edition, size, _: str(10 * (size + 1)),
}
