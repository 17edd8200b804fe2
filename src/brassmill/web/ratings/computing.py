"""How a game moves ratings: openskill's Plackett-Luce model, one game after the other.

Nothing here reads a database or a clock, so the same games in the same order always give the same
numbers, to the last bit. The seats of a game enter in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import sqrt
from typing import NamedTuple

from openskill.models import PlackettLuce

MODEL = PlackettLuce()
POINTS = 60  # of the rating that is shown, for one of the model's: a newcomer has 1500
UNSURE = 5.0  # with a greater sigma, a rating is marked as uncertain
WIDTH = 2.0  # sigmas on either side: about 95%

REST = 30  # days without a game after which a rating becomes less certain
DRIFT = 0.04  # added to the variance for each day after that

# The measured strength of the levels (`docs/bots/ratings.md`), which no game moves.
LEVELS = {"beginner": 8.0, "apprentice": 18.0, "journeyman": 28.0, "expert": 46.0, "master": 52.0}
LEVEL_SIGMA = 1.0


class Skill(NamedTuple):
    """A rating, and when the game that it follows from was finished."""

    mu: float
    sigma: float
    at: datetime | None = None  # None: no game yet


NEWCOMER = Skill(MODEL.mu, MODEL.sigma)


class Entrant(NamedTuple):
    """A seat of a game: a player by number, or a level."""

    player: int | None
    level: str
    rank: int


class Change(NamedTuple):
    """A player's rating before and after a game."""

    before: Skill
    after: Skill


def rate(
    known: dict[int, Skill], finished: datetime, entrants: Sequence[Entrant]
) -> list[Change | None]:
    """Count a game: return what changes for each entrant, and update what is known."""
    before = [_skill(known, finished, entrant) for entrant in entrants]
    teams = [[MODEL.rating(skill.mu, skill.sigma)] for skill in before]
    rated = MODEL.rate(teams, ranks=[float(entrant.rank) for entrant in entrants])
    changes: list[Change | None] = []
    for entrant, skill, (after,) in zip(entrants, before, rated, strict=True):
        if entrant.player is None:
            changes.append(None)
            continue
        change = Change(skill, Skill(float(after.mu), float(after.sigma), finished))
        known[entrant.player] = change.after
        changes.append(change)
    return changes


def _skill(known: dict[int, Skill], finished: datetime, entrant: Entrant) -> Skill:
    if entrant.player is None:
        return Skill(LEVELS[entrant.level], LEVEL_SIGMA)
    return rested(known.get(entrant.player, NEWCOMER), finished)


def rested(skill: Skill, now: datetime) -> Skill:
    """A rating after a pause: the longer it lasts, the less certain it is."""
    days = (now - skill.at).days - REST if skill.at else 0
    if days <= 0:
        return skill
    sigma = min(MODEL.sigma, sqrt(skill.sigma * skill.sigma + days * DRIFT))
    return skill._replace(sigma=max(skill.sigma, sigma))


# --- as shown ------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """A rating as people see it."""

    rating: int
    margin: int  # the interval on either side
    is_sure: bool

    @property
    def floor(self) -> int:
        return self.rating - self.margin


def shown(mu: float, sigma: float) -> Shown:
    """A rating as people see it: a newcomer has 1500, give or take 1000."""
    return Shown(round(POINTS * mu), round(POINTS * WIDTH * sigma), sigma <= UNSURE)


def floor_of(mu: float, sigma: float) -> float:
    """The lower end of the interval, which leaderboards are sorted by."""
    return mu - WIDTH * sigma
