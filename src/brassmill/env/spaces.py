"""The spaces of all environments: the engine's observations and choices."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.observation import Layout
from brassmill.rules.choices import CHOICES

Observation = dict[str, Any]  # the observation, and the mask of legal choices


def action_space() -> Discrete:
    """The vocabulary of choices (`docs/reference/choices.md`): the same for every edition."""
    return Discrete(CHOICES)


def observation_space(edition: Edition) -> Dict:
    """The observation of a seat, and its legal choices."""
    layout = Layout.of(edition)
    high = np.maximum(layout.high, layout.low + 1)  # Gymnasium wants room between the bounds
    seen = Box(layout.low, high, dtype=np.int16)
    return Dict({"observation": seen, "action_mask": Box(0, 1, (CHOICES,), np.int8)})


def observe(game: Game, seat: int) -> Observation:
    """What a seat may know now; a seat that need not choose has no legal choices."""
    mask = np.zeros(CHOICES, np.int8)
    if seat == game.seat:
        mask[list(game.legal_choices().ids)] = 1
    return {"observation": game.observation(seat), "action_mask": mask}


def without_choice(observation: Observation) -> Observation:
    """The same without legal choices: the episode is over although the game is not."""
    return {**observation, "action_mask": np.zeros(CHOICES, np.int8)}
