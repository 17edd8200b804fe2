"""The league: a network plays itself, its imitation and its past, and learns what won (PPO).

In most games the learner has every seat. In the others it has one or two, and a frozen network has
the rest. The only reward comes at the end: the seat's own VP, and the prize for a win.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import torch
from torch import Tensor

from brassmill.bots.inference import FORECASTS
from brassmill.bots.lookahead import MIDDLE, OWN_VP, UNIT, WIN
from brassmill.editions import Edition
from brassmill.learn import schedule
from brassmill.learn.model import Games, Model, pick
from brassmill.learn.settings import LEAGUE_DEALS, Settings
from brassmill.rules.layout import STATE

CLIP = 0.2  # how far one round may change the likelihood of a choice
TRACE = 0.95  # how much later surprises count for a choice (lambda)
FORECAST_WEIGHT = 0.5  # of the forecasts in the loss
STEEPEST = 0.5  # norm of a gradient
RIVAL_HEAT = 0.5  # frozen networks play their better choices more often than they would
RIVALS = ("imitation", "rival", "past")
STAGES = 64  # groups of games that start at different stages


class League:
    """A learner with its games and rivals."""

    def __init__(
        self,
        edition: Edition,
        settings: Settings,
        start: Model,
        device: str,
        rival: Model | None = None,
    ) -> None:
        torch.manual_seed(settings.seed + 1)
        self.settings, self.device, self.players = settings.league, device, edition.players
        self.model, self.imitation, self.past = start, deepcopy(start), deepcopy(start)
        self.rival = rival or self.imitation
        on_gpu = device == "cuda"
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.99), eps=1e-6, weight_decay=0.0, fused=on_gpu
        )
        self.judge = torch.compile(self._judge, dynamic=False) if on_gpu else self._judge
        self.number = 0  # rounds
        count = self.settings.games
        seed = LEAGUE_DEALS + (settings.seed << 32)
        self.games = Games(edition, count, device, seed)
        self.rivals, end = {}, 0
        for name in RIVALS:
            start_of, end = end, end + int(count * getattr(self.settings, f"{name}_games"))
            self.rivals[name] = slice(start_of, end)
        self.alone = slice(end, count)  # with the learner in every seat
        self.mine = torch.ones(count, self.players, dtype=torch.bool, device=device)
        order = torch.rand(end, self.players, device=device).argsort(1)
        seats = torch.randint(1, min(2, self.players - 1) + 1, (end, 1), device=device)
        self.mine[:end] = order < seats
        prize = self.settings.win / float(UNIT)
        self.reward = torch.tensor([1.0, 0.0, prize], device=device)

    # --- playing ---------------------------------------------------------------------------------

    def _choose(self) -> tuple[Tensor, ...]:
        """What is seen, and the choices of the learner and its rivals."""
        seen, legal = self.games.look()
        chosen, logs, forecasts = pick(self.model, seen, legal, 1.0)
        for name, rows in self.rivals.items():
            if rows.start < rows.stop:
                other = pick(getattr(self, name), seen[rows], legal[rows], RIVAL_HEAT)[0]
                own = self.mine[rows].gather(1, self.games.seats[rows].long()[:, None])[:, 0]
                chosen[rows] = torch.where(own, chosen[rows], other)
        return seen, legal, chosen, logs, forecasts

    def spread(self) -> None:
        """Let the games be at all stages, so that every stretch holds all of them."""
        batch, length = self.games.batch, 0
        fresh = batch.positions()
        mixed = fresh.copy()
        stage_of = torch.randperm(self.games.count).numpy() % STAGES
        ended = torch.zeros(self.games.count, dtype=torch.bool, device=self.device)
        taken = [fresh]
        while not ended.any():  # how long is a game?
            self.games.step(self._choose()[2])
            ended |= self.games.ended
            length += 1
            if not ended.any() and length % 4 == 0:
                taken.append(batch.positions())
        for stage in range(STAGES):
            rows = stage_of == stage
            mixed[rows] = taken[stage * len(taken) // STAGES][rows]
        seeds = self.games.batch.to_host("seeds").tolist()
        batch._set_up(seeds, np.ascontiguousarray(mixed, STATE).tobytes())

    def play(self) -> dict[str, Tensor]:
        """A stretch of all games."""
        kept: dict[str, list[Tensor]] = {}
        for _ in range(self.settings.stretch):
            seen, legal, chosen, logs, forecasts = self._choose()
            row = {"seen": seen.clone(), "legal": legal.clone(), "seats": self.games.seats.long()}
            self.games.step(chosen)
            row |= {"chosen": chosen, "logs": logs, "forecasts": forecasts}
            row |= {"ended": self.games.ended.clone(), "outcomes": self.games.outcome()}
            for name, column in row.items():
                kept.setdefault(name, []).append(column)
        return {name: torch.stack(columns) for name, columns in kept.items()}

    def weigh(self, played: dict[str, Tensor]) -> None:
        """Add how much better than forecast each choice did, and what the forecasts should be.

        Only a seat's own choices count, without discount.
        """
        count, device = self.games.count, self.device
        every = torch.arange(count, device=device)
        later = torch.zeros(count, self.players, FORECASTS, device=device)  # its next forecast
        gained = torch.zeros_like(later)
        known = torch.zeros(count, self.players, dtype=torch.bool, device=device)
        better, target, valid = [], [], []
        for step in reversed(range(self.settings.stretch)):
            over = played["ended"][step][:, None]
            later = torch.where(over[..., None], played["outcomes"][step], later)
            gained = gained.masked_fill(over[..., None], 0)
            known = known | over
            seat, now = played["seats"][step], played["forecasts"][step]
            counts = known[every, seat]
            gain = later[every, seat] - now + TRACE * gained[every, seat]
            gain = gain * counts[:, None]
            later[every, seat], gained[every, seat], known[every, seat] = now, gain, True
            better.append(gain @ self.reward)
            target.append(gain + now)
            valid.append(counts & self.mine[every, seat])
        for name, column in (("better", better), ("target", target), ("valid", valid)):
            played[name] = torch.stack(column[::-1])

    # --- learning --------------------------------------------------------------------------------

    def learn(self, played: dict[str, Tensor]) -> None:
        """Learn from a stretch."""
        flat = {name: column.flatten(0, 1) for name, column in played.items()}
        rows = flat["valid"].nonzero()[:, 0]
        good = flat["better"][rows]
        flat["better"] = (flat["better"] - good.mean()) / (good.std() + 1e-6)
        for group in self.optimizer.param_groups:
            group["lr"] = schedule.rate(self.settings, self.number)
        bonus = torch.tensor(schedule.entropy(self.settings, self.number), device=self.device)
        for _ in range(self.settings.epochs):
            order = rows[torch.randperm(len(rows), device=self.device)]
            whole = len(order) - len(order) % self.settings.minibatch  # one size is compiled once
            for part in order[: whole or None].split(self.settings.minibatch):
                self._update({name: column[part] for name, column in flat.items()}, bonus)

    def _update(self, rows: dict[str, Tensor], bonus: Tensor) -> None:
        self.optimizer.zero_grad()
        self.judge(rows, bonus).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), STEEPEST)
        self.optimizer.step()

    def _judge(self, rows: dict[str, Tensor], bonus: Tensor) -> Tensor:
        """The loss of some choices."""
        logs, forecasts = self.model(rows["seen"], rows["legal"])
        likely = logs.gather(1, rows["chosen"][:, None])[:, 0]
        ratio = (likely - rows["logs"]).exp()
        clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
        gain = torch.minimum(ratio * rows["better"], clipped * rows["better"]).mean()
        entropy = -(logs.exp() * logs).sum(1).mean()
        wrong = (forecasts - rows["target"]).square().sum(1).mean()
        return FORECAST_WEIGHT * wrong - gain - bonus * entropy

    def round(self) -> float | None:
        """Play a stretch and learn from it; return the mean VP where the learner has all seats."""
        if self.number == 0:
            self.spread()
        played = self.play()
        self.weigh(played)
        self.learn(played)
        self.number += 1
        if self.number % self.settings.past_every == 0:
            self.past.load_state_dict(self.model.state_dict())
        ended = played["ended"][:, self.alone]
        if not ended.any():
            return None
        vp = played["outcomes"][:, self.alone, :, OWN_VP] * float(UNIT) + float(MIDDLE)
        return float(vp[ended].mean())

    # --- going on later --------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that a later run needs to go on."""
        nets = {name: getattr(self, name).state_dict() for name in ("model", *RIVALS)}
        return {
            **nets,
            "optimizer": self.optimizer.state_dict(),
            "number": self.number,
            "mine": self.mine,
            "games": self.games.batch.snapshot(),
            "random": torch.get_rng_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        for name in ("model", *RIVALS):
            getattr(self, name).load_state_dict(state[name])
        self.optimizer.load_state_dict(state["optimizer"])
        self.number, self.mine = state["number"], state["mine"]
        self.games.batch.restore(state["games"])
        torch.set_rng_state(state["random"].cpu())


assert WIN == FORECASTS - 1  # the order of `reward`
