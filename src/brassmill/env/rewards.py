"""The reward of all environments: what the end of a game is worth to each seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.game import Game

WORST = -1.0  # for last place, and for an illegal choice


def rewards_of(ranks: Any) -> Any:
    """From the ranks of a game (or of games, row by row): opponents behind minus opponents ahead.

    As a share of all opponents: 1 for the winner, -1 for last place, and 0 in total.

    >>> rewards_of([2, 1, 3, 3]).round(2).tolist()
    [0.33, 1.0, -0.67, -0.67]
    """
    ranks = np.asarray(ranks, np.int64)
    ahead = np.sign(ranks[..., None, :] - ranks[..., :, None])
    return ahead.sum(axis=-1) / (ranks.shape[-1] - 1)


def final_rewards(game: Game) -> list[float]:
    """The rewards by seat, of a finished game."""
    outcome = game.outcome()
    assert outcome is not None
    rewards: list[float] = rewards_of([result.rank for result in outcome.results]).tolist()
    return rewards


def final_info(game: Game, seat: int) -> dict[str, Any]:
    """The result of a seat in a finished game; the margin is over the best other seat."""
    outcome = game.outcome()
    assert outcome is not None
    points = [result.total for result in outcome.results]
    best_other = max(points[:seat] + points[seat + 1 :])
    return {
        "rank": outcome.results[seat].rank,
        "points": points[seat],
        "margin": points[seat] - best_other,
    }
