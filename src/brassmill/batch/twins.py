"""The same games in two batches, compared byte by byte after every choice."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from brassmill.batch.batch import ARRAYS, Batch
from brassmill.core.deal import below
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import entry


class BatchDifference(NamedTuple):
    """The first difference between two batches."""

    what: str
    game: int
    step: int


class Twins:
    """Two batches of the same games, on different devices or threads, given the same choices."""

    def __init__(self, one: Batch, other: Batch) -> None:
        self.both = (one, other)
        self.choices = np.zeros(len(one), np.int64)
        self.steps = 0

    def step(self) -> BatchDifference | None:
        """Play the same random choice in both; return the first difference, if any."""
        self.steps += 1
        legal, seeds = (self.both[0].to_host(name) for name in ("legal", "seeds"))
        pick(legal, seeds.view(np.int64), self.choices, self.steps)
        for batch in self.both:
            batch.step(self.choices)
        return self.difference()

    def difference(self) -> BatchDifference | None:
        """The first column and game where the two differ."""
        pairs = [("positions", *(batch.positions() for batch in self.both))]
        for name in ARRAYS:
            pairs.append((name, *(batch.to_host(name) for batch in self.both)))
        for name, one, other in pairs:
            if one.tobytes() != other.tobytes():
                rows = (np.ascontiguousarray(part).view(np.uint8) for part in (one, other))
                unequal = np.not_equal(*(row.reshape(len(one), -1) for row in rows)).any(axis=1)
                return BatchDifference(name, int(unequal.argmax()), self.steps)
        return None


@entry
def pick(legal: Any, seeds: Any, choices: Any, number: int) -> None:
    """Pick a random legal choice for every game."""
    for game in range(len(choices)):
        count = 0
        for choice in range(CHOICES):
            count += int(legal[game, choice])
        left, _drawn = below(count, int(seeds[game]), number << 8)
        for choice in range(CHOICES):
            left -= int(legal[game, choice])
            if left < 0:
                choices[game] = choice
                break
