"""The layout of an observation: its parts, and the meaning of every single number.

>>> from brassmill import edition
>>> layout = Layout.of(edition("birmingham", 4))
>>> layout.words(layout.index("seats", "rival 1", "pounds"))
'seats: rival 1: pounds'
>>> hand = layout["hand"]  # a slice
>>> layout.words(hand.start)
'hand: your cards: Belper'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from brassmill import editions
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError, UnknownName
from brassmill.observation.cards import words_of_hand, words_of_unseen
from brassmill.observation.index import Index
from brassmill.observation.map import words_of_lines, words_of_spaces
from brassmill.observation.markets import words_of_markets
from brassmill.observation.moment import words_of_action, words_of_options, words_of_progress
from brassmill.observation.seats import words_of_mats, words_of_points, words_of_seats

USUAL = 100  # numbers without a close bound rarely exceed this


class PartKind(NamedTuple):
    """A part, the same in every edition."""

    name: str
    meaning: str
    words: Callable[[Edition], Iterator[Index]]


# In the order in which `observe` writes them.
KINDS = (
    PartKind("options", "the rules chosen before the game, by number", words_of_options),
    PartKind("progress", "era, round and turn", words_of_progress),
    PartKind("action", "the open question and the action in progress", words_of_action),
    PartKind("seats", "money, income, points, turn order", words_of_seats),
    PartKind("mats", "the tiles that are left on the mats", words_of_mats),
    PartKind("hand", "how many of each card are in your hand", words_of_hand),
    PartKind(
        "unseen",
        "what you have not seen of this era's cards and distant tiles: how many are in the other"
        " hands, still to come, or set aside",
        words_of_unseen,
    ),
    PartKind("markets", "coal and iron, merchants, the distant market", words_of_markets),
    PartKind("spaces", "the industry tiles on the map", words_of_spaces),
    PartKind("lines", "the links on the map", words_of_lines),
    PartKind("points", "where the points of every seat came from", words_of_points),
)


@dataclass(frozen=True)
class Part:
    """A named range of an observation."""

    name: str
    meaning: str
    start: int
    indices: tuple[Index, ...]

    @property
    def span(self) -> slice:
        """Its place in the observation."""
        return slice(self.start, self.start + len(self.indices))


class Layout:
    """What the numbers of an observation mean, for one edition and number of players.

    `low` and `high` are the bounds of each number. Divided by `scale`, nearly all of them are
    between -1 and 1, which suits neural networks.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.parts: dict[str, Part] = {}
        self.indices: tuple[Index, ...] = ()
        for kind in KINDS:
            indices = tuple(kind.words(edition))
            self.parts[kind.name] = Part(kind.name, kind.meaning, len(self.indices), indices)
            self.indices += indices

    @classmethod
    def of(cls, edition: Edition) -> Layout:
        """The layout of an edition, cached."""
        return layout_of(edition)

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, part: str) -> slice:
        """The place of a part."""
        if part not in self.parts:
            raise UnknownName("part of an observation", part, list(self.parts))
        return self.parts[part].span

    def __repr__(self) -> str:
        return f"<Layout: {len(self)} numbers of {self.edition}>"

    def index(self, part: str, subject: str, detail: str) -> int:
        """The place of one number."""
        within = self[part]
        for number in range(within.start, within.stop):
            if self.indices[number][:2] == (subject, detail):
                return number
        raise BrassError(f"{part} has no number for {subject!r}: {detail!r}")

    def words(self, index: int) -> str:
        """The meaning of one number."""
        if not 0 <= index < len(self):
            raise BrassError(f"unknown number {index}: choose 0 to {len(self) - 1}")
        part = next(part for part in self.parts.values() if index < part.span.stop)
        found = self.indices[index]
        return f"{part.name}: {found.subject}: {found.detail}"

    @property
    def names(self) -> list[tuple[str, str]]:
        """The meanings of the numbers, without their bounds."""
        return [(index.subject, index.detail) for index in self.indices]

    @cached_property
    def low(self) -> Any:
        """The smallest value of each number."""
        return np.array([index.low for index in self.indices], np.int16)

    @cached_property
    def high(self) -> Any:
        """The largest value of each number."""
        return np.array([index.high for index in self.indices], np.int16)

    @cached_property
    def scale(self) -> Any:
        """The divisor for each number, the same for all options.

        So a network sees the same numbers even if an option adds cards to a deck.
        """
        usual = Layout.of(editions.edition(self.edition.name, self.edition.players))
        high = usual.high if usual.names == self.names else self.high  # one option has its own map
        return np.clip(high, 1, USUAL).astype(np.float32)


@cache
def layout_of(edition: Edition) -> Layout:
    return Layout(edition)
