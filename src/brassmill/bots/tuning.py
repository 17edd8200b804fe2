"""Tuning: an evolution strategy that finds better weights in games against each other.

Each generation tries pairs of opposite random changes to the weights. A pair plays one deal at four
tables: twice mixed, with the seats swapped, and once each at a table of its own. The difference of
their scores over all seats measures the change; so scoring VP counts, and neither hindering nor
helping others does. The weights then move by the mean of the changes, each times its gain (an Adam
step), and the result is a running mean of the weights.

Three sets of deals are disjoint: those for tuning, those for validation, and those of the arena.
They differ by their seeds:

    below 2**48              the arena
    2**48 to 2**49 - 1       tuning, 2**32 deals for each seed of a run
    from 2**49 on            validation
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from brassmill.bots.mind import TERMS, Term
from brassmill.bots.selfplay import GameRunner, WeightedPlayer
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.rules.layout import CANAL, RAIL

TUNING, VALIDATION = 1 << 48, 1 << 49  # the first seeds of deals
RUNS = 1 << 16  # seeds of runs, from 0
DEALS = (VALIDATION - TUNING) // RUNS  # for each of them

PAIRS = 64  # in a generation
SAMPLED = 40  # deals that show how much each term varies
VALIDATED = 48  # deals of a validation
CHANGE = 0.1  # of a weight, times the standard deviation of its term, in VP
STEP = 0.02  # per generation, in the same unit
MOST = 25.0  # VP: a larger gain was luck
SAME = 1e-6  # a term that varies less does not occur in this game
LITTLE = 0.2  # the least variation assumed for a term
SLOPE, SQUARE, MEAN = 0.9, 0.99, 0.95  # decay of the running means

# VP scored so far and VP of flipped tiles set the scale, so their weights are fixed. A constant
# decides nothing.
FIXED = (Term.BANKED, Term.TILES, Term.CONSTANT)


class Stage(NamedTuple):
    """The progress of a tuning run. It changes in whole steps, even if interrupted."""

    generation: int
    center: Any  # of the changes to try next
    mean: Any  # of the last centers: the result
    slope: Any  # running means for Adam's step
    square: Any


ARRAYS = Stage._fields[1:]


class Comparison(NamedTuple):
    """The result of two players on one deal."""

    gain: float  # VP of the first minus VP of the second, over all their seats
    points: float  # mean VP of both


def compare(
    runner: GameRunner, one: WeightedPlayer, other: WeightedPlayer, seed: int
) -> Comparison:
    """Play a deal with two players: mixed, with seats swapped, and each against itself."""
    mixed = (np.arange(runner.edition.players) + seed) % 2
    seats = np.array([mixed, 1 - mixed, 0 * mixed, 0 * mixed + 1])
    points = runner.play((one, other), seats, [seed] * len(seats))
    return Comparison(float(points[seats == 0].mean() - points[seats == 1].mean()), points.mean())


class Validation(NamedTuple):
    """How much better the tuned weights are than the initial ones."""

    gain: float  # VP
    error: float  # half-width of the 95% interval


class Tuning:
    """A tuning run for an edition and number of players."""

    def __init__(
        self, edition: Edition, start: Any, *, seed: int = 1, width: int = 0, threads: int = 1
    ) -> None:
        """Start from given weights; the same seed gives the same run.

        With a `width`, all players search whole turns, which takes much longer.
        """
        if not 0 <= seed < RUNS:
            words = _("the seed must be a whole number from 0 to {last}, not {seed}")
            raise BrassError(words.format(last=RUNS - 1, seed=seed))
        self.edition = edition
        self.seed = seed
        self.width = width
        self.start = np.array(start, float)
        self._pool = ThreadPoolExecutor(threads)
        self._runners: SimpleQueue[GameRunner] = SimpleQueue()  # those that are free
        for _thread in range(threads):
            self._runners.put(GameRunner(edition))
        self._measure()
        begin, flat = self._begin, np.zeros_like(self._begin)
        self.stage = Stage(0, center=begin, mean=begin, slope=flat, square=flat)

    def _measure(self) -> None:
        """Find which weights to tune, and their scale: one over the variation of their terms."""
        runner = self._runners.get()
        samples = runner.sample(WeightedPlayer(self.start), self._deals(0, SAMPLED))
        self._runners.put(runner)
        varies = spread(samples)
        varies[:, FIXED] = 0.0
        self._tuned = np.flatnonzero(varies > SAME)
        self._scale = 1.0 / np.maximum(varies.flat[self._tuned], LITTLE)

    @property
    def _begin(self) -> Any:
        """The initial weights, scaled."""
        return self.start.flat[self._tuned] / self._scale

    def _deals(self, first: int, number: int) -> range:
        """Deals of this run."""
        begin = TUNING + self.seed * DEALS + first
        return range(begin, begin + number)

    # --- steps -----------------------------------------------------------------------------------

    def step(self) -> float:
        """Run one more generation; return the mean VP of its games."""
        rng = np.random.default_rng([self.seed, self.generation])
        center = self.stage.center
        changes = rng.standard_normal((PAIRS, len(center)))
        found = self._compare_all(
            [center + CHANGE * change for change in changes],
            [center - CHANGE * change for change in changes],
            self._deals(SAMPLED + self.generation * PAIRS, PAIRS),
        )
        gains = np.array([pair.gain for pair in found])
        slope = np.clip(gains, -MOST, MOST) @ changes / (PAIRS * max(1.0, gains.std()))
        self.stage = climbed(self.stage, slope)
        return float(np.mean([pair.points for pair in found]))

    def validate(self) -> Validation:
        """Compare with the start, on deals not used for tuning."""
        deals = range(VALIDATION, VALIDATION + VALIDATED)
        ones, others = [self.stage.mean] * VALIDATED, [self._begin] * VALIDATED
        found = self._compare_all(ones, others, deals)
        gains = np.array([pair.gain for pair in found])
        return Validation(float(gains.mean()), float(1.96 * gains.std(ddof=1) / VALIDATED**0.5))

    def _compare_all(
        self, ones: Iterable[Any], others: Iterable[Any], deals: Iterable[int]
    ) -> list[Comparison]:
        """Compare pairs on all threads, one deal per pair."""

        def compare_two(one: Any, other: Any, deal: int) -> Comparison:
            runner = self._runners.get()
            try:
                return compare(runner, self._player(one), self._player(other), deal)
            finally:
                self._runners.put(runner)

        return list(self._pool.map(compare_two, ones, others, deals))

    def _player(self, center: Any) -> WeightedPlayer:
        return WeightedPlayer(self._weights(center), self.width)

    def _weights(self, center: Any) -> Any:
        weight = self.start.copy()
        weight.flat[self._tuned] = center * self._scale
        return weight

    # --- results ---------------------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """How many generations have been run."""
        return self.stage.generation

    @property
    def weights(self) -> Any:
        """The tuned weights: the running mean."""
        return self._weights(self.stage.mean)

    @property
    def games(self) -> int:
        """How many games have been played."""
        return SAMPLED + 4 * PAIRS * self.generation

    @property
    def state(self) -> dict[str, Any]:
        """Everything needed to resume, as plain data."""
        settings = {"generation": self.generation, "seed": self.seed, "width": self.width}
        arrays = {name: getattr(self.stage, name).tolist() for name in ARRAYS}
        return settings | {"start": self.start.tolist()} | arrays

    @classmethod
    def from_state(cls, edition: Edition, state: Mapping[str, Any], *, threads: int = 1) -> Tuning:
        """Resume from a saved state."""
        try:
            generation, seed, width = (int(state[name]) for name in ("generation", "seed", "width"))
            start, *arrays = (np.array(state[name], float) for name in ("start", *ARRAYS))
        except (LookupError, TypeError, ValueError) as error:
            raise BrassError(_("this is not a saved tuning run")) from error
        if start.shape != (2, TERMS, 2):
            raise BrassError(_("it was written by another version of the program"))
        tuning = cls(edition, start, seed=seed, width=width, threads=threads)
        if any(array.shape != tuning._tuned.shape for array in arrays):
            raise BrassError(_("it was written by another version of the program"))
        tuning.stage = Stage(generation, *arrays)
        return tuning

    def __enter__(self) -> Tuning:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)


def climbed(stage: Stage, slope: Any) -> Stage:
    """Adam's step: the steadier the slope of a weight so far, the longer the step."""
    generation = stage.generation + 1
    square = SQUARE * stage.square + (1 - SQUARE) * slope**2
    slope = SLOPE * stage.slope + (1 - SLOPE) * slope
    size = np.sqrt(np.maximum(square / (1 - SQUARE**generation), 1e-16))
    center = stage.center + STEP * slope / (1 - SLOPE**generation) / size
    mean = MEAN * stage.mean + (1 - MEAN) * center
    return Stage(generation, center, mean, slope, square)


def spread(samples: Any) -> Any:
    """How much each term varies in games: by itself, and times the share of actions to come."""
    varies = np.zeros((2, TERMS, 2))
    for era in (CANAL, RAIL):
        seen = samples[samples["era"] == era]
        terms, share = seen["term"], seen["share"][:, None]
        varies[era] = np.stack([terms.std(axis=0), (share * terms).std(axis=0)], axis=-1)
    return varies
