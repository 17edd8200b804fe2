"""Averages and shares with their 95 % intervals.

The games of one deal are not independent, for they share its luck. All intervals are therefore
those of whole deals: a deal is one observation, however many games were played with it. A handful
of deals, or deals that all ended alike, say nothing about how far others would lie apart: then
there is no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev

NORMAL_95 = NormalDist().inv_cdf(0.975)  # standard errors that a 95 % interval reaches
LEAST_DEALS = 6  # for an interval: that of fewer is so wide that it says nothing
NO_SPREAD = 1e-9  # a smaller one is rounding


@dataclass(frozen=True)
class Mean:
    """An average, its spread, and where it would lie in 95 of 100 such runs."""

    mean: float
    sd: float | None  # None: of a single game
    interval: tuple[float, float] | None  # None: the deals do not tell


@dataclass(frozen=True)
class Share:
    """How often something happened, from 0 to 1, with its 95 % interval."""

    share: float
    interval: tuple[float, float] | None  # None: too few deals


def mean_of(values: Sequence[float], deals: Sequence[int]) -> Mean:
    """An average over games; the games of one deal count as one observation for its interval."""
    mean = fmean(values)
    sd = stdev(values) if len(values) > 1 else None
    number = len(set(deals))
    error = _standard_error(values, deals)
    if number < LEAST_DEALS or error < NO_SPREAD:
        return Mean(mean, sd, None)
    margin = student_95(number - 1) * error
    return Mean(mean, sd, (mean - margin, mean + margin))


def share_of(values: Sequence[float], deals: Sequence[int]) -> Share:
    """A share (of values from 0 to 1), with Wilson's interval, which holds near 0 and 1 too.

    Wilson counts independent observations. As many as would be as unsure as the deals are, but no
    fewer than there are deals and no more than there are games.
    """
    share = min(1.0, fmean(values))
    number = float(len(set(deals)))
    if number < LEAST_DEALS:
        return Share(share, None)
    if error := _standard_error(values, deals):
        number = min(float(len(values)), max(number, share * (1 - share) / error**2))
    shrunk = 1 / (1 + NORMAL_95**2 / number)
    middle = (share + NORMAL_95**2 / (2 * number)) * shrunk
    margin = NORMAL_95 * shrunk * sqrt(share * (1 - share) / number + (NORMAL_95 / number / 2) ** 2)
    return Share(share, (max(0.0, middle - margin), min(1.0, middle + margin)))


def student_95(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches, by Student's t.

    Fisher's expansion is good from five degrees of freedom on, which six deals have.
    """
    z = NORMAL_95
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _standard_error(values: Sequence[float], deals: Sequence[int]) -> float:
    """Of the mean, by the sums of the deals; of one deal there is none."""
    mean = fmean(values)
    sums = sums_by_deal([value - mean for value in values], deals)
    if len(sums) < 2:
        return 0.0
    return sqrt(len(sums) / (len(sums) - 1) * sum(part**2 for part in sums)) / len(values)


def sums_by_deal(values: Sequence[float], deals: Sequence[int]) -> list[float]:
    """The sum of each deal, in the order of the deals."""
    sums: dict[int, float] = {}
    for value, deal in zip(values, deals, strict=True):
        sums[deal] = sums.get(deal, 0.0) + value
    return [sums[deal] for deal in sorted(sums)]
