"""The packaged network as a policy for the environments.

>>> from brassmill.env import brass_v0
>>> from brassmill.env.policy import NetworkPolicy
>>> env = brass_v0.env(edition="lancashire", players=3)
>>> env.reset(seed=7)
>>> policy = NetworkPolicy("lancashire", 3)
>>> policy.choice(env.last()[0]) in env.last()[0]["action_mask"].nonzero()[0]
True

It plays what the bot `net` plays, up to rounding. It needs nothing but NumPy, so it can be read as
an example of how to use the networks elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from brassmill import editions
from brassmill.bots.inference import TINY
from brassmill.bots.lookahead import MIDDLE, OWN_VP, RIVAL_VP, UNIT, WIN
from brassmill.bots.network import Network, packaged, shapes
from brassmill.editions import Value
from brassmill.rules.choices import CHOICES


class Forecast(NamedTuple):
    """What the network expects for a seat at the end of the game."""

    vp: float
    best_rival: float  # VP
    win: float  # the share of first place


class NetworkPolicy:
    """The network for an edition; it takes observations of any environment of this package."""

    def __init__(self, edition: str, players: int | None = None, **options: Value) -> None:
        network = packaged(editions.edition(edition, players, **options))
        self.scale = network.weights[: network.inputs]
        self.layers = list(_layers(network))

    def choice(self, observation: dict[str, Any]) -> int:
        """The likeliest legal choice; of equal ones the first."""
        return int(self.likelihood(observation).argmax())

    def likelihood(self, observation: dict[str, Any]) -> Any:
        """How likely the network finds every choice; illegal ones have the likelihood 0."""
        legal = observation["action_mask"] != 0
        scores = np.where(legal, self._outputs(observation)[:CHOICES], -np.inf)
        likely = np.exp(scores - scores.max())
        return likely / likely.sum()

    def forecast(self, observation: dict[str, Any]) -> Forecast:
        """What the network expects for the seat that must choose."""
        found = self._outputs(observation)[CHOICES:]
        vp, rival = (float(found[place] * UNIT + MIDDLE) for place in (OWN_VP, RIVAL_VP))
        return Forecast(vp, rival, float(found[WIN]))

    def _outputs(self, observation: dict[str, Any]) -> Any:
        """The scores of all choices, then the forecasts (`docs/bots/networks.md`)."""
        (enter, start), *blocks, (leave, end) = self.layers
        row = [observation["observation"] / self.scale, observation["action_mask"]]
        stream = np.maximum(np.concatenate(row).astype(np.float32) @ enter + start, 0)
        for (first, bias), (second, other) in zip(blocks[::2], blocks[1::2], strict=True):
            inner = np.maximum(_normal(stream) @ first + bias, 0)
            stream = stream + inner @ second + other
        return _normal(stream) @ leave + end


def _layers(network: Network) -> Iterator[tuple[Any, Any]]:
    """The matrix and the bias of each layer."""
    at = network.inputs
    for height, width in shapes(network.inputs, network.width, network.blocks).values():
        end = at + height * width
        matrix = network.weights[at:end].reshape(width, height)
        yield matrix, network.weights[end : end + height]
        at = end + height


def _normal(values: Any) -> Any:
    """The values with the mean 0 and the variance 1."""
    level = values - values.mean()
    return level / np.sqrt((level**2).mean() + TINY)
