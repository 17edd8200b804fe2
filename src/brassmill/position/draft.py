"""A position being set up: it may still be impossible, and every problem is named.

>>> from brassmill.position import draft_of, from_text
>>> draft = draft_of(from_text("birmingham 2 | Y: hand coal*9"))
>>> draft.problems[0]
'Y.hand has 9 cards: 8 is the limit'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from brassmill.editions.edition import Edition
from brassmill.errors import InvalidPosition
from brassmill.position.law import check_laws
from brassmill.position.reader import read_all
from brassmill.position.text import CARD_PILES, DISTANT_PILES, draft_text, from_text
from brassmill.position.words import tile_text
from brassmill.position.writer import write_open

# What is written as given, since most positions leave it to the seed.
PILES = ("seed", *CARD_PILES, *DISTANT_PILES)


@dataclass(frozen=True, eq=False)
class PositionDraft:
    """What could be set up of a position, and everything that is wrong with it."""

    edition: Edition
    seats: tuple[str, ...]
    state: Any  # a STATE record
    piles: Mapping[str, Any]  # the named piles and the seed, as given
    problems: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        """What was set up, in one line."""
        return draft_text(self.edition, self.state, self.seats, self.piles)

    def mapping(self) -> dict[str, Any]:
        """The same as a mapping to change, with names in full; mats only where the map differs."""
        mapping, full = from_text(self.text), write_open(self.edition, self.state, self.seats)
        for key in ("tiles", "links", "merchants"):
            if key in full:
                mapping[key] = full[key]
        for name in self.seats:
            mapping[name]["hand"] = full[name]["hand"]
        return mapping

    def tile(self, space: int) -> str:
        """The tile on a space, as a position writes it; empty if there is none."""
        if not self.state.tile[space]:
            return ""
        return tile_text(self.edition, self.seats, self.state, space)


def draft_of(mapping: Mapping[str, Any]) -> PositionDraft:
    """Set up what can be set up; an error only if not even the game and its seats are known."""
    reading = read_all(mapping)
    problems = reading.problems.words
    if not problems:
        try:
            check_laws(reading.edition, reading.seats, reading.state)
        except InvalidPosition as refused:
            problems = refused.problems
    piles = {key: mapping[key] for key in PILES if key in mapping}
    return PositionDraft(reading.edition, reading.seats, reading.state, piles, tuple(problems))
