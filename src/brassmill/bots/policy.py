"""What a network says of a position: compiled, and small, because it needs hardly any rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.bots.inference import NONE, OUTPUTS, infer
from brassmill.observation.observe import observe
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import entry, rule

ONE = np.float32(1)


@entry
def judge(
    states: Any,
    boards: Any,
    weights: Any,
    scores: Any,
    choices: Any,
    seat: int,
    number: int,
    inputs: int,
    width: int,
    blocks: int,
) -> None:
    """Score every choice in the first position, in which a seat has a `number` of legal ones.

    The network's forecasts follow the scores.
    """
    rows = np.zeros((1, inputs + CHOICES), np.float32)
    seen = np.zeros(inputs, np.int16)
    look(states[0], boards[0], choices, number, seat, weights, seen, rows[0])
    out = np.empty((1, OUTPUTS), np.float32)
    infer(rows, 1, weights, inputs, width, blocks, out)
    for place in range(OUTPUTS):
        scores[place] = out[0, place]


@rule
def look(
    state: Any, board: Any, legal: Any, number: int, seat: int, weights: Any, seen: Any, row: Any
) -> None:
    """Write a row of inputs: the observation, scaled, and the legal choices."""
    observe(state, board, seat, seen)
    inputs = len(seen)
    for place in range(inputs):
        row[place] = np.float32(seen[place]) / weights[place]
    for place in range(CHOICES):
        row[inputs + place] = NONE
    for place in range(number):
        row[inputs + int(legal[place])] = ONE
