"""The network with PyTorch: thousands of games side by side on a GPU.

Sums are rounded in another order than in compiled code, so a few choices between nearly equal ones
differ from those on a CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn import functional

from brassmill.batch import Batch
from brassmill.bots.inference import TINY
from brassmill.bots.network import Network, shapes
from brassmill.openings.play import LIKELIEST, round_of
from brassmill.rules.choices import CHOICES


class TorchBrain:
    """The network on a device; the batch is there, too."""

    def __init__(self, batch: Batch, network: Network, device: str) -> None:
        self.batch, self.device = batch, device
        weights = torch.as_tensor(network.weights, device=device)
        self.scale = weights[: network.inputs]
        self.layers, at = [], network.inputs
        for height, width in shapes(network.inputs, network.width, network.blocks).values():
            end = at + height * width
            matrix = weights[at:end].reshape(width, height)
            self.layers.append((matrix, weights[end : end + height]))
            at = end + height
        self.seen = torch.as_tensor(batch.observations(), device=device)
        self.legal = torch.as_tensor(batch.legal, device=device)

    def rounds(self) -> Any:
        self.batch.observations()
        return round_of(self.batch.layout, self.seen).cpu().numpy()

    def choose(self, games: Any, draws: Any, heat: float) -> Any:
        with torch.no_grad():
            rows = torch.as_tensor(games, device=self.device)
            legal = self.legal[rows]
            scores = self._scores(self.seen[rows], legal).masked_fill(~legal, -torch.inf)
            return self._drawn(scores, draws, heat).cpu().numpy()

    def _scores(self, seen: Any, legal: Any) -> Any:
        (enter, start), *blocks, (leave, end) = self.layers
        stream = torch.cat([seen / self.scale, legal.float()], 1) @ enter + start
        stream = functional.relu(stream)
        for (first, bias), (second, other) in zip(blocks[::2], blocks[1::2], strict=True):
            inner = functional.relu(_level(stream) @ first + bias)
            stream = stream + inner @ second + other
        return (_level(stream) @ leave + end)[:, :CHOICES]

    def _drawn(self, scores: Any, draws: Any, heat: float) -> Any:
        """As `play.drawn`."""
        chosen = scores.argmax(1)
        early = torch.as_tensor(np.flatnonzero(draws != LIKELIEST), device=self.device)
        likely = (scores[early].double() / heat).softmax(1).cumsum(1)
        numbers = torch.as_tensor(draws, device=self.device)[early, None]
        chosen[early] = (likely <= numbers * likely[:, -1:]).sum(1)
        return chosen


def _level(values: Any) -> Any:
    """The values of each row with the mean 0 and the variance 1."""
    return functional.layer_norm(values, values.shape[-1:], eps=float(TINY))
