"""Imitation: a network learns the choices of recorded games, and to forecast their results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from brassmill.editions import Edition
from brassmill.learn.model import Games, Model
from brassmill.learn.settings import Settings
from brassmill.learn.teacher import NO_CHOICE, Taught, read_all

FORECAST_WEIGHT = 0.5  # of the forecasts in the loss
TOLD = 50  # updates between two reports
SIDE_BY_SIDE = 4096  # games that are played again together


class Positions(NamedTuple):
    """Positions of recorded games, with the choice that was made and the result."""

    seen: Tensor
    legal: Tensor
    chosen: Tensor
    result: Tensor


def replay(edition: Edition, taught: Taught, device: str) -> Positions:
    """Play recorded games again and keep what their players saw."""
    moves = torch.as_tensor(taught.moves, device=device).long()
    games = Games(edition, len(moves), device)
    games.batch.reset(seeds=taught.seeds.tolist())
    running = torch.ones(len(moves), dtype=torch.bool, device=device)
    results = torch.zeros(len(moves), edition.players, 3, device=device)
    kept, whose = [], []
    for move in moves.T:
        seen, legal = games.look()
        rows = running.nonzero()[:, 0]
        kept.append((seen[rows].clone(), legal[rows].clone(), move[rows]))
        whose.append((rows, games.seats[rows].long()))
        games.batch.step(torch.where(running, move, legal.long().argmax(1)))
        over = games.ended & running
        results[over] = games.outcome()[over]
        running &= ~over
    games.batch.close()
    assert not running.any() and all(bool((row[2] != NO_CHOICE).all()) for row in kept)
    rows, seats = (torch.cat(column) for column in zip(*whose, strict=True))
    seen, legal, chosen = (torch.cat(column) for column in zip(*kept, strict=True))
    return Positions(seen, legal, chosen, results[rows, seats])


def replay_all(edition: Edition, settings: Settings, folder: Path, device: str) -> Positions:
    """All recorded games of a folder."""
    taught = read_all(folder, settings)
    parts = range(0, len(taught.seeds), SIDE_BY_SIDE)
    found = [
        replay(edition, Taught(*(column[at : at + SIDE_BY_SIDE] for column in taught)), device)
        for at in parts
    ]
    return Positions(*(torch.cat(column) for column in zip(*found, strict=True)))


class Imitation:
    """A network that learns from recorded games."""

    def __init__(self, settings: Settings, start: Model) -> None:
        self.settings = settings.imitation
        self.model = start
        self.optimizer = torch.optim.AdamW(self.model.parameters(), weight_decay=0.01)
        self.done = 0  # updates

    def learn(
        self, positions: Positions, report: Callable[[int, float], None], updates: int
    ) -> None:
        """Make updates; report the share of choices that the network would have made."""
        hits = torch.zeros((), device=positions.chosen.device)
        for _ in range(min(updates, self.settings.updates - self.done)):
            left = 1 - self.done / self.settings.updates
            for group in self.optimizer.param_groups:
                group["lr"] = self.settings.rate * left
            hits += self._update(positions)
            self.done += 1
            if self.done % TOLD == 0 or self.done == self.settings.updates:
                report(self.done, float(hits) / (self.done % TOLD or TOLD))
                hits.zero_()

    def _update(self, positions: Positions) -> Tensor:
        size, device = self.settings.minibatch, positions.chosen.device
        rows = torch.randint(0, len(positions.chosen), (size,), device=device)
        seen, legal, chosen, result = (column[rows] for column in positions)
        logs, forecasts = self.model(seen, legal)
        loss = -logs.gather(1, chosen[:, None]).mean()
        wrong = (forecasts - result).square().sum(1).mean()
        self.optimizer.zero_grad()
        (loss + FORECAST_WEIGHT * wrong).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return (logs.argmax(1) == chosen).float().mean()

    def state(self) -> dict[str, Any]:
        """Everything that a later run needs to go on."""
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "done": self.done,
            "random": torch.get_rng_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.done = state["done"]
        torch.set_rng_state(state["random"].cpu())
