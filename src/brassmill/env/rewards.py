"""What the end of a game is worth to each seat: the one reward of all environments."""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.game import Game

WORST = -1.0  # the last of all; also for an illegal choice


def rewards_of(ranks: Any) -> Any:
    """By the ranks of a game (or of games, row by row): the rivals left behind, less those ahead.

    They are counted as a share of all rivals: 1 for the winner, -1 for the last, and 0 in all.

    >>> rewards_of([2, 1, 3, 3]).round(2).tolist()
    [0.33, 1.0, -0.67, -0.67]
    """
    ranks = np.asarray(ranks, np.int64)
    ahead = np.sign(ranks[..., None, :] - ranks[..., :, None])
    return ahead.sum(axis=-1) / (ranks.shape[-1] - 1)


def final_rewards(game: Game) -> list[float]:
    """By seat, of a game that is over."""
    outcome = game.outcome()
    assert outcome is not None
    rewards: list[float] = rewards_of([result.rank for result in outcome.results]).tolist()
    return rewards


def final_info(game: Game, seat: int) -> dict[str, Any]:
    """How a seat came out of a game that is over; its margin is over the best other seat."""
    outcome = game.outcome()
    assert outcome is not None
    points = [result.total for result in outcome.results]
    best_other = max(points[:seat] + points[seat + 1 :])
    return {
        "rank": outcome.results[seat].rank,
        "points": points[seat],
        "margin": points[seat] - best_other,
    }
