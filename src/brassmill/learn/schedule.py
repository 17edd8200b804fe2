"""How the learning rate and the bonus for entropy change from round to round."""

from __future__ import annotations

from brassmill.learn.settings import LeagueSettings

SLOW_START = 10  # rounds


def rate(settings: LeagueSettings, number: int) -> float:
    """The learning rate of a round: it rises for some rounds, then falls in a straight line."""
    left = 1 - number / max(1, settings.rounds)
    full = settings.last_rate + (settings.rate - settings.last_rate) * left
    return full * min(1.0, (number + 1) / SLOW_START)


def entropy(settings: LeagueSettings, number: int) -> float:
    """The bonus for entropy in a round: it falls by the same factor every time."""
    if not settings.entropy:
        return 0.0
    share = number / max(1, settings.rounds)
    return settings.entropy * float((settings.last_entropy / settings.entropy) ** share)
