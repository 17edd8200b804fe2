"""Observations: what a seat may know, as a row of whole numbers for neural networks.

>>> import brassmill as bm
>>> game = bm.Game("birmingham", players=4, seed=7)
>>> layout = bm.Layout.of(game.edition)
>>> observation = game.observation()
>>> observation.shape == (len(layout),), observation.dtype
(True, dtype('int16'))
>>> int(observation[layout.index("seats", "you", "pounds")])
17
>>> int(observation[layout["hand"]].sum())  # cards
8
"""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError
from brassmill.observation.layout import Layout, Part
from brassmill.observation.observe import observe_all
from brassmill.rules.layout import BOARD, STATE

__all__ = ["Layout", "Part", "observation_of"]


def observation_of(edition: Edition, view: View) -> Any:
    """A view as numbers."""
    if view.seat is None:
        raise BrassError("only a seat has an observation, not a spectator")
    states, boards = np.zeros(1, STATE), np.zeros(1, BOARD)
    states[:] = np.frombuffer(view.position, STATE)
    boards[0] = edition.board
    values = np.zeros((1, len(Layout.of(edition))), np.int16)
    observe_all(boards, states, np.array([view.seat], np.int8), values, 0, 1)
    return values[0]
