"""From a network's forecasts to chances to win: a fit for each network, stored in this package.

A network forecasts every seat's VP and its share of first place. Its VP are right on average. Its
shares are too timid: they were learned from games that explored, and they need not add up to 1. So
the chances of the seats are in proportion to exp(win * logit(share) + vp * VP). The two factors of
each era were fitted to games that the network played out, and checked on others
(`brassmill.learn.calibration`, `docs/play/coach.md`).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from brassmill.bots.network import has_network
from brassmill.core.events import ERAS
from brassmill.editions.edition import Edition
from brassmill.svg.chart import percent

FILE = "chances.json"
SUREST = 0.995  # no share of first place counts for more, or for less than the rest to 1

# Options whose games end otherwise than the games that the networks learned from.
ENDS_OTHERWISE = ("intro",)


class Factors(NamedTuple):
    """What one of each forecast adds to the logarithm of a seat's chance."""

    win: float  # of the share of first place, as a logit
    vp: float


def is_forecast(edition: Edition) -> bool:
    """Is there a network whose forecasts hold for this game?"""
    return has_network(edition) and not any(edition.options.get(name) for name in ENDS_OTHERWISE)


def factors_for(edition: Edition) -> tuple[Factors, ...]:
    """The factors of the network for an edition, by era."""
    stored = stored_for(edition)["factors"]
    return tuple(Factors(**stored[era]) for era in ERAS)


def stored_for(edition: Edition) -> Any:
    """What is stored about the network for an edition: its factors, and how they were checked."""
    return _all_stored()[f"{edition.name}-{edition.players}"]


@cache
def _all_stored() -> Any:
    return json.loads((files("brassmill.coach") / FILE).read_text("utf-8"))


def chance_text(chance: float) -> str:
    """A chance as a percentage; only what is certain is 0% or 100%."""
    return percent(chance if chance in (0, 1) else min(max(chance, 0.01), 0.99))


def evidence(points: Any, shares: Any) -> Any:
    """What the chances depend on: for each seat (last axis but one) a row for `Factors`."""
    sure = np.clip(shares, 1 - SUREST, SUREST)
    return np.stack([np.log(sure / (1 - sure)), points], axis=-1)


def chances(points: Any, shares: Any, factors: Factors) -> Any:
    """The chances of the seats (along the last axis), given their forecasts."""
    weight = evidence(points, shares) @ np.array(factors)
    likely = np.exp(weight - weight.max(axis=-1, keepdims=True))
    return likely / likely.sum(axis=-1, keepdims=True)
