"""Ratings of the bots: openskill's Plackett-Luce model over all games, with intervals.

The model uses the order in which the seats of a game finish. Its own uncertainty assumes that
games are independent, so the interval comes from bootstrapping over the deals instead. Where that
says nothing (few deals, or all samples alike because one bot won everything), there is no interval.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import stdev
from typing import NamedTuple

from openskill.models import PlackettLuce

from brassmill.arena.estimates import LEAST_DEALS, NO_SPREAD, NORMAL_95
from brassmill.arena.results import Results

GAMES_RATED = 20_000  # in all samples together, which takes about two seconds
DRAWS = (20, 100)  # at least, at most

Skill = tuple[float, float]  # mu and sigma of a bot


@dataclass(frozen=True)
class Rating:
    """How strong a bot is among those it played with; every bot starts at 25."""

    bot: str  # its spec
    rating: float  # mu
    sigma: float  # the model's uncertainty
    interval: tuple[float, float] | None  # 95%; None: too few deals, or no spread


def ratings(results: Results) -> tuple[Rating, ...]:
    """The different bots that played, best first; empty if there is only one."""
    deals: dict[int, list[Finish]] = {}
    for game in results.games.values():
        seated = [results.bot(game, seat) for seat in range(len(game.seats))]
        finish = Finish(seated, [float(player.rank) for player in game.players])
        deals.setdefault(game.deal, []).append(finish)
    bots = {bot for deal in deals.values() for finish in deal for bot in finish.bots}
    if len(bots) < 2:
        return ()
    least, most = DRAWS
    draws = max(least, min(most, GAMES_RATED // len(results.games)))
    rng = random.Random(results.schedule.seed)
    played = list(deals.values())
    drawn = [rate(bots, rng.choices(played, k=len(played))) for _draw in range(draws)]
    rated = []
    for bot, (mu, sigma) in rate(bots, played).items():
        margin = NORMAL_95 * stdev(other[bot][0] for other in drawn)
        is_known = len(played) >= LEAST_DEALS and margin >= NO_SPREAD
        rated.append(Rating(bot, mu, sigma, (mu - margin, mu + margin) if is_known else None))
    return tuple(sorted(rated, key=lambda rating: (-rating.rating, rating.bot)))


class Finish(NamedTuple):
    """How a game ended, by seat."""

    bots: list[str]
    ranks: list[float]


def rate(bots: Iterable[str], deals: Iterable[Sequence[Finish]]) -> dict[str, Skill]:
    """The skill of every bot after these deals."""
    model = PlackettLuce(tau=0)  # bots do not change while they play
    known: dict[str, Skill] = dict.fromkeys(bots, (model.mu, model.sigma))
    for finish in chain.from_iterable(deals):
        before = [[model.rating(*known[bot])] for bot in finish.bots]
        after = model.rate(before, ranks=finish.ranks)
        learned: dict[str, list[Skill]] = {}
        for bot, (seat,) in zip(finish.bots, after, strict=True):
            learned.setdefault(bot, []).append((seat.mu, seat.sigma))
        for bot, skills in learned.items():
            known[bot] = combined(known[bot], skills)
    return known


def combined(before: Skill, after: Iterable[Skill]) -> Skill:
    """Add up what the seats of one bot have learned.

    A normal distribution is given by its precision and its precision times its mean; new
    knowledge adds to both.
    """
    mu, sigma = before
    weight, moment = sigma**-2, mu * sigma**-2
    for other_mu, other_sigma in after:
        weight += other_sigma**-2 - sigma**-2
        moment += other_mu * other_sigma**-2 - mu * sigma**-2
    return moment / weight, weight**-0.5
