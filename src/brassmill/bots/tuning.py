"""Tuning: weights that play better, found by an evolution strategy in games against each other.

Each generation tries pairs of opposite random changes of the weights. A pair plays one deal at four
tables: twice mixed, with the seats swapped, and once at a table of its own each. What one scores
more than the other in all its seats says how good the change is; so points count that are made,
not those that others are kept from, nor those that others are helped to. The weights then move by
the mean of the changes, each times its gain (Adam's step), and what is kept is a running mean of
them.

Three sets of deals have nothing in common: those that are tuned on, those of the validation, and
those of the report, which the arena plays. They are told apart by their seeds:

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
from brassmill.bots.selfplay import Player, Room
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
CHANGE = 0.1  # of a weight, times what its term varies by: standard deviation, in points
STEP = 0.02  # in the same measure, for every generation
MOST = 25.0  # points: a larger gain was luck
SAME = 1e-6  # a term that varies less is not seen in this game
LITTLE = 0.2  # a term that varies less is taken to vary so much
SLOPE, SQUARE, MEAN = 0.9, 0.99, 0.95  # how much is kept of running means

# A point on the track and one of a flipped tile are points: they set the measure. A constant
# decides nothing.
FIXED = (Term.BANKED, Term.TILES, Term.CONSTANT)


class Stage(NamedTuple):
    """How far a tuning has come; one that is interrupted has taken a whole step, or none of it."""

    generation: int
    center: Any  # of the changes that are tried next
    mean: Any  # of the last centers: what is kept
    slope: Any  # running means, of which Adam makes a step
    square: Any


ARRAYS = Stage._fields[1:]


class Comparison(NamedTuple):
    """What came of two players on one deal."""

    gain: float  # points of the one more than of the other, in all their seats
    points: float  # of both


def compare(room: Room, one: Player, other: Player, seed: int) -> Comparison:
    """Let two players play a deal: mixed, with seats swapped, and each against itself."""
    mixed = (np.arange(room.edition.players) + seed) % 2
    seats = np.array([mixed, 1 - mixed, 0 * mixed, 0 * mixed + 1])
    points = room.play((one, other), seats, [seed] * len(seats))
    return Comparison(float(points[seats == 0].mean() - points[seats == 1].mean()), points.mean())


class Validation(NamedTuple):
    """How much better the tuned weights are than those they began with."""

    gain: float  # points
    error: float  # 95 % of the time it is off by less


class Tuning:
    """The weights of an edition and number of players, on their way up."""

    def __init__(
        self, edition: Edition, start: Any, *, seed: int = 1, width: int = 0, threads: int = 1
    ) -> None:
        """Begin with weights; one and the same seed goes one and the same way.

        With a `width` everybody searches whole turns, which takes much longer.
        """
        if not 0 <= seed < RUNS:
            words = _("the seed of a tuning is a whole number from 0 to {last}, not {seed}")
            raise BrassError(words.format(last=RUNS - 1, seed=seed))
        self.edition = edition
        self.seed = seed
        self.width = width
        self.start = np.array(start, float)
        self._pool = ThreadPoolExecutor(threads)
        self._rooms: SimpleQueue[Room] = SimpleQueue()  # those that are free
        for _thread in range(threads):
            self._rooms.put(Room(edition))
        self._measure()
        begin, flat = self._begin, np.zeros_like(self._begin)
        self.stage = Stage(0, center=begin, mean=begin, slope=flat, square=flat)

    def _measure(self) -> None:
        """Which weights are tuned, and in which measure: one over what their terms vary by."""
        room = self._rooms.get()
        samples = room.sample(Player(self.start), self._deals(0, SAMPLED))
        self._rooms.put(room)
        varies = spread(samples)
        varies[:, FIXED] = 0.0
        self._tuned = np.flatnonzero(varies > SAME)
        self._scale = 1.0 / np.maximum(varies.flat[self._tuned], LITTLE)

    @property
    def _begin(self) -> Any:
        """The weights that were begun with, in that measure."""
        return self.start.flat[self._tuned] / self._scale

    def _deals(self, first: int, number: int) -> range:
        """Deals of this run."""
        begin = TUNING + self.seed * DEALS + first
        return range(begin, begin + number)

    # --- going on --------------------------------------------------------------------------------

    def step(self) -> float:
        """One more generation; the mean points of its games."""
        chance = np.random.default_rng([self.seed, self.generation])
        center = self.stage.center
        changes = chance.standard_normal((PAIRS, len(center)))
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
        """Compare with the start, on deals that nothing is tuned on."""
        deals = range(VALIDATION, VALIDATION + VALIDATED)
        ones, others = [self.stage.mean] * VALIDATED, [self._begin] * VALIDATED
        found = self._compare_all(ones, others, deals)
        gains = np.array([pair.gain for pair in found])
        return Validation(float(gains.mean()), float(1.96 * gains.std(ddof=1) / VALIDATED**0.5))

    def _compare_all(
        self, ones: Iterable[Any], others: Iterable[Any], deals: Iterable[int]
    ) -> list[Comparison]:
        """Compare pairs, a deal for each, on all threads."""

        def compare_two(one: Any, other: Any, deal: int) -> Comparison:
            room = self._rooms.get()
            try:
                return compare(room, self._player(one), self._player(other), deal)
            finally:
                self._rooms.put(room)

        return list(self._pool.map(compare_two, ones, others, deals))

    def _player(self, center: Any) -> Player:
        return Player(self._weights(center), self.width)

    def _weights(self, center: Any) -> Any:
        weight = self.start.copy()
        weight.flat[self._tuned] = center * self._scale
        return weight

    # --- what comes of it ------------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """How many there have been."""
        return self.stage.generation

    @property
    def weights(self) -> Any:
        """The tuned weights: the running mean."""
        return self._weights(self.stage.mean)

    @property
    def games(self) -> int:
        """How many games the tuning has played."""
        return SAMPLED + 4 * PAIRS * self.generation

    @property
    def state(self) -> dict[str, Any]:
        """All that is needed to go on, as plain data."""
        settings = {"generation": self.generation, "seed": self.seed, "width": self.width}
        arrays = {name: getattr(self.stage, name).tolist() for name in ARRAYS}
        return settings | {"start": self.start.tolist()} | arrays

    @classmethod
    def from_state(cls, edition: Edition, state: Mapping[str, Any], *, threads: int = 1) -> Tuning:
        """Go on where another tuning was."""
        try:
            generation, seed, width = (int(state[name]) for name in ("generation", "seed", "width"))
            start, *arrays = (np.array(state[name], float) for name in ("start", *ARRAYS))
        except (LookupError, TypeError, ValueError) as error:
            raise BrassError(_("this is not the state of a tuning")) from error
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
    """Adam's step: as far for every weight, the straighter its way so far."""
    generation = stage.generation + 1
    square = SQUARE * stage.square + (1 - SQUARE) * slope**2
    slope = SLOPE * stage.slope + (1 - SLOPE) * slope
    size = np.sqrt(np.maximum(square / (1 - SQUARE**generation), 1e-16))
    center = stage.center + STEP * slope / (1 - SLOPE**generation) / size
    mean = MEAN * stage.mean + (1 - MEAN) * center
    return Stage(generation, center, mean, slope, square)


def spread(samples: Any) -> Any:
    """What each term varies by in games: by itself, and times the share of actions to come."""
    varies = np.zeros((2, TERMS, 2))
    for era in (CANAL, RAIL):
        seen = samples[samples["era"] == era]
        terms, share = seen["term"], seen["share"][:, None]
        varies[era] = np.stack([terms.std(axis=0), (share * terms).std(axis=0)], axis=-1)
    return varies
