"""Means and shares with their 95% intervals.

Games on the same deal share its luck, so they are not independent. All intervals are therefore
over whole deals: a deal is one observation, however many games were played on it. A handful of
deals, or deals that all ended alike, say nothing about the spread; then there is no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev

NORMAL_95 = NormalDist().inv_cdf(0.975)  # half-width of a 95% interval in standard errors
LEAST_DEALS = 6  # with fewer, an interval would be too wide to say anything
NO_SPREAD = 1e-9  # anything smaller is rounding


@dataclass(frozen=True)
class Mean:
    """A mean, its standard deviation and its 95% interval."""

    mean: float
    sd: float | None  # None for a single game
    interval: tuple[float, float] | None  # None: too few deals, or no spread


@dataclass(frozen=True)
class Share:
    """How often something happened, from 0 to 1, with its 95% interval."""

    share: float
    interval: tuple[float, float] | None  # None: too few deals


def mean_of(values: Sequence[float], deals: Sequence[int]) -> Mean:
    """The mean over games; for the interval, the games of one deal count as one observation."""
    mean = fmean(values)
    sd = stdev(values) if len(values) > 1 else None
    number = len(set(deals))
    error = _standard_error(values, deals)
    if number < LEAST_DEALS or error < NO_SPREAD:
        return Mean(mean, sd, None)
    margin = student_95(number - 1) * error
    return Mean(mean, sd, (mean - margin, mean + margin))


def share_of(values: Sequence[float], deals: Sequence[int]) -> Share:
    """A share (of values from 0 to 1) with Wilson's interval, which is also good near 0 and 1.

    Wilson counts independent observations. We use the number that would be as uncertain as the
    deals are, but at least the number of deals and at most the number of games.
    """
    share = min(1.0, fmean(values))
    number = float(len(set(deals)))
    if number < LEAST_DEALS:
        return Share(share, None)
    if error := _standard_error(values, deals):
        number = min(float(len(values)), max(number, share * (1 - share) / error**2))
    return Share(share, wilson(share, number))


def wilson(share: float, number: float) -> tuple[float, float]:
    """Wilson's 95% interval of a share of independent observations."""
    shrunk = 1 / (1 + NORMAL_95**2 / number)
    middle = (share + NORMAL_95**2 / (2 * number)) * shrunk
    margin = NORMAL_95 * shrunk * sqrt(share * (1 - share) / number + (NORMAL_95 / number / 2) ** 2)
    return max(0.0, middle - margin), min(1.0, middle + margin)


def student_95(freedom: int) -> float:
    """The half-width of a 95% interval in standard errors, by Student's t.

    Fisher's expansion is good from five degrees of freedom, which is what six deals have.
    """
    z = NORMAL_95
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _standard_error(values: Sequence[float], deals: Sequence[int]) -> float:
    """The standard error of the mean, from the sums of the deals; zero for a single deal."""
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
