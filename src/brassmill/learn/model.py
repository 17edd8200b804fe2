"""The network while it learns, and the games that it plays: PyTorch."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as fn
from torch import Tensor, nn

from brassmill.batch import Batch
from brassmill.bots.inference import OUTPUTS
from brassmill.bots.lookahead import MIDDLE, UNIT, WIN
from brassmill.bots.network import Network, shapes
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.learn.settings import NetworkSettings
from brassmill.observation import Layout
from brassmill.rules.choices import CHOICES

NEVER = -1e9  # the score of an illegal choice

torch.set_float32_matmul_precision("high")  # a GPU may round what it multiplies a little


class Model(nn.Module):  # type: ignore[misc]
    """The network of `bots/inference.py`."""

    def __init__(self, edition: Edition, settings: NetworkSettings) -> None:
        super().__init__()
        layout = Layout.of(edition)
        layers = {
            name: nn.Linear(entering, leaving)
            for name, (leaving, entering) in shapes(
                len(layout), settings.width, settings.blocks
            ).items()
        }
        self.register_buffer("scale", torch.as_tensor(layout.scale), persistent=False)
        self.enter, self.leave = layers["enter"], layers["leave"]
        self.first = nn.ModuleList(layers[f"first.{n}"] for n in range(settings.blocks))
        self.second = nn.ModuleList(layers[f"second.{n}"] for n in range(settings.blocks))
        with torch.no_grad():  # blocks that change little, and all choices about equally likely
            for layer in self.second:
                layer.weight.mul_(0.5)
            self.leave.weight.mul_(0.1)
            self.leave.bias.zero_()

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """The log likelihood of every choice, and the forecasts."""
        with torch.autocast(seen.device.type, torch.bfloat16, enabled=seen.is_cuda):
            x = fn.relu(self.enter(torch.cat([seen / self.scale, legal.float()], 1))).float()
            for first, second in zip(self.first, self.second, strict=True):
                x = x + second(fn.relu(first(fn.layer_norm(x, x.shape[-1:]))))
        out = self.leave(fn.layer_norm(x, x.shape[-1:]))
        assert out.shape[1] == OUTPUTS
        return out[:, :CHOICES].masked_fill(~legal, NEVER).log_softmax(1), out[:, CHOICES:]

    def take(self, network: Network) -> None:
        """Take over the weights of a network."""
        if (network.width, network.blocks) != (self.enter.out_features, len(self.first)):
            raise BrassError(
                f"the network has {network.blocks} blocks {network.width} wide; the settings say"
                f" {len(self.first)} and {self.enter.out_features}"
            )
        given = {name: torch.from_numpy(part.copy()) for name, part in network.parts().items()}
        self.load_state_dict(given)

    def parts(self) -> dict[str, Any]:
        """The weights by name, as NumPy arrays."""
        return {name: part.detach().cpu().numpy() for name, part in self.state_dict().items()}


class Games:
    """A batch whose arrays are tensors on its device."""

    def __init__(self, edition: Edition, games: int, device: str, seed: int = 0) -> None:
        self.batch = Batch(edition, games=games, device=device, seed=seed)  # type: ignore[arg-type]
        self.device, self.count, self.players = device, games, edition.players
        self.seen = self._tensor(self.batch.observations())
        self.legal = self._tensor(self.batch.legal)
        self.seats = self._tensor(self.batch.seats)
        self.ended = self._tensor(self.batch.ended)
        self.points = self._tensor(self.batch.points)
        self.ranks = self._tensor(self.batch.ranks)

    def _tensor(self, array: Any) -> Tensor:
        return torch.as_tensor(array, device=self.device)

    def step(self, choices: Tensor) -> None:
        """Play legal choices: on a GPU, nothing waits for them to be checked."""
        self.batch.step(choices, checked=self.device == "cpu")

    def look(self) -> tuple[Tensor, Tensor]:
        """What the seats that must choose see, and their legal choices."""
        self.batch.observations()
        return self.seen, self.legal

    def outcome(self) -> Tensor:
        """What the forecasts should have been, by game and seat, in games that have just ended."""
        points = (self.points.float() - float(MIDDLE)) / float(UNIT)
        rivals = points[:, None, :].repeat(1, self.players, 1)
        rivals.diagonal(dim1=1, dim2=2).fill_(-math.inf)
        first = (self.ranks == 1).float()
        first = first / first.sum(1, keepdim=True).clamp(min=1)
        return torch.stack([points, rivals.amax(2), first], 2)


def pick(model: Model, seen: Tensor, legal: Tensor, heat: float) -> tuple[Tensor, Tensor, Tensor]:
    """Draw choices (heat 0: the likeliest); return their log likelihoods and the forecasts too."""
    with torch.no_grad():
        logs, forecasts = model(seen, legal)
        if heat:
            noise = torch.empty_like(logs).exponential_().log_()
            chosen = (logs / heat - noise).argmax(1)
        else:
            chosen = logs.argmax(1)
    return chosen, logs.gather(1, chosen[:, None])[:, 0], forecasts


def compare(edition: Edition, first: Model, second: Model, games: int, seed: int) -> list[float]:
    """The share of first place of one model against another in all other seats, game by game."""
    device = first.scale.device.type
    table = Games(edition, games, device, seed)
    own = torch.arange(games, device=device) % edition.players
    every = torch.arange(games, device=device)
    running = torch.ones(games, dtype=torch.bool, device=device)
    won = torch.zeros(games, device=device)
    while running.any():
        seen, legal = table.look()
        mine = pick(first, seen, legal, 0)[0]
        others = pick(second, seen, legal, 0)[0]
        table.step(torch.where(table.seats == own, mine, others))
        over = table.ended & running
        won[over] = table.outcome()[every, own, WIN][over]
        running &= ~over
    table.batch.close()
    return won.tolist()  # type: ignore[no-any-return]
