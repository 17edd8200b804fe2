"""Train a small policy by self-play until it beats `random`: one minute on a CPU or a GPU.

    pip install 'brassmill[torch]'  # for a GPU: 'brassmill[torch,cuda]'
    python examples/train.py
    python examples/train.py --device cuda --games 8192 --edition lancashire --players 4

One network plays every seat of a batch of games. Each choice then becomes more likely the better
its seat did, compared with what the network expected (PPO with whole games). The learning curve is
written to learning.svg, the network to policy.pt.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

import brassmill as bm
from brassmill.svg import chart

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise SystemExit("this example needs PyTorch: pip install 'brassmill[torch]'") from None

WIDTH = 128  # of the hidden layers
PARTS = 20  # mini-batches per round of learning
POINTS = 50  # VP ahead of the best opponent that count as a clear win
CLIP = 0.2  # how far one round of learning may change the policy
ENTROPY = 0.01  # weight of the entropy bonus, which keeps the policy exploring


class Played(NamedTuple):
    """Choices that were made, and their results."""

    seen: Tensor
    legal: Tensor
    chosen: Tensor
    likelihood: Tensor  # its log, at the time of the choice
    result: Tensor  # from -1 to 1


class Policy:
    """Predicts likelihoods of the choices, and the expected result."""

    def __init__(self, batch: bm.Batch, device: str) -> None:
        layout = batch.layout
        inputs, choices = len(layout), batch.legal.shape[1]
        self.device = device
        self.title = f"{batch.edition.title}, {batch.edition.players} players"
        self.scale = torch.as_tensor(layout.scale, device=device)
        self.network = nn.Sequential(
            *(nn.Linear(inputs, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU()),
            nn.Linear(WIDTH, choices + 1),
        ).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=2e-3)

    def tensor(self, array: Any) -> Tensor:
        """An array of a batch as a tensor; on a GPU without a copy."""
        return torch.as_tensor(array, device=self.device)

    def judge(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """The log likelihood of every choice, and the expected result."""
        out = self.network(seen)
        return out[:, :-1].masked_fill(~legal, -1e9).log_softmax(dim=1), out[:, -1]

    def choose(self, batch: bm.Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Sample a choice in every game; return observation, legal mask, choice and likelihood."""
        seen = self.tensor(batch.observations()) / self.scale
        legal = self.tensor(batch.legal).clone()
        with torch.no_grad():
            likelihoods, _expected = self.judge(seen, legal)
        chosen = likelihoods.exp().multinomial(1)
        return seen, legal, chosen[:, 0], likelihoods.gather(1, chosen)[:, 0]

    def learn(self, played: Played) -> None:
        """Learn from the played choices, once."""
        for rows in torch.randperm(len(played.chosen), device=self.device).chunk(PARTS):
            seen, legal, chosen, before, result = (column[rows] for column in played)
            likelihoods, expected = self.judge(seen, legal)
            better = result - expected.detach()
            better = better / (better.std() + 1e-6)
            ratio = (likelihoods.gather(1, chosen[:, None])[:, 0] - before).exp()
            gain = torch.minimum(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
            entropy = -(likelihoods.exp() * likelihoods).sum(dim=1).mean()
            loss = -gain + (expected - result).square().mean() - ENTROPY * entropy
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
            self.optimizer.step()


def play(policy: Policy, batch: bm.Batch, seed: int) -> Played:
    """Play a whole game in every row, with the policy in every seat."""
    batch.reset(seed)
    steps = []
    games = torch.arange(len(batch), device=policy.device)
    margins = torch.zeros(batch.margins.shape, device=policy.device)
    running = torch.ones(len(batch), dtype=torch.bool, device=policy.device)
    while running.any():
        seen, legal, chosen, likelihood = policy.choose(batch)
        seats = policy.tensor(batch.seats).long()
        steps.append(
            [column[running] for column in (seen, legal, chosen, likelihood, games, seats)]
        )
        batch.step(chosen)
        ended = policy.tensor(batch.ended)
        margins[ended & running] = policy.tensor(batch.margins).float()[ended & running]
        running &= ~ended
    *columns, game, seat = (torch.cat(column) for column in zip(*steps, strict=True))
    return Played._make([*columns, (margins[game, seat] / POINTS).clamp(-1, 1)])


def share_won(policy: Policy, batch: bm.Batch, seed: int) -> float:
    """The share of games won against `random`; the policy's seat changes from row to row."""
    batch.reset(seed)
    games = torch.arange(len(batch), device=policy.device)
    own = games % batch.edition.players
    won = torch.zeros(len(batch), device=policy.device)
    running = torch.ones(len(batch), dtype=torch.bool, device=policy.device)
    while running.any():
        _seen, legal, chosen, _likelihood = policy.choose(batch)
        anything = legal.float().multinomial(1)[:, 0]
        batch.step(torch.where(policy.tensor(batch.seats) == own, chosen, anything))
        ended = policy.tensor(batch.ended) & running
        first = (policy.tensor(batch.ranks) == 1).float()
        won[ended] = (first[games, own] / first.sum(dim=1))[ended]  # a shared win counts in part
        running &= ~ended
    return float(won.mean())


def train(settings: argparse.Namespace, report: Callable[[float, float, int], None]) -> Policy:
    """Alternate between playing and learning until the time is up; call `report` after tests."""
    torch.manual_seed(settings.seed)
    kind = (settings.edition, settings.players, settings.games)
    batch = bm.Batch(*kind, device=settings.device)
    policy = Policy(batch, settings.device)
    began, played = monotonic(), 0
    while True:
        won = share_won(policy, batch, settings.seed + 2**63 + played)
        report((monotonic() - began) / 60, won, played)
        for _ in range(settings.rounds):
            if monotonic() - began > 60 * settings.minutes:
                won = share_won(policy, batch, settings.seed + 2**63 + played)
                report(settings.minutes, won, played)
                return policy
            policy.learn(play(policy, batch, settings.seed + played))
            played += len(batch)


def best_device() -> str:
    """The GPU, if both PyTorch and Brassmill can use it; if only PyTorch can, print why."""
    if not torch.cuda.is_available():
        return "cpu"
    try:
        bm.Batch(games=1, device="cuda")
    except bm.BrassError as error:
        print(f"Training on the CPU: {error}")
        return "cpu"
    return "cuda"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a policy by self-play to beat random.")
    parser.add_argument("--edition", default="birmingham")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=128, help="games to play side by side")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=4, help="rounds of play between two tests")
    parser.add_argument("--seed", type=int, default=0, help="seed of the deals and the network")
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], help="default: the GPU if there is one"
    )
    settings = parser.parse_args()
    if settings.minutes <= 0:
        parser.error(f"--minutes must be more than 0, not {settings.minutes:g}")
    settings.device = settings.device or best_device()
    torch.set_num_threads(1)  # such a small network gains nothing from more
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    curve: list[tuple[float, float]] = []
    with Progress(*columns) as bar:
        task = bar.add_task("playing the first games", total=settings.minutes)

        def report(minutes: float, won: float, games: int) -> None:
            curve.append((games, won))
            words = f"{games:,} games: wins {won:.0%} against random"
            bar.update(task, completed=minutes, description=words)

        try:
            policy = train(settings, report)
        except bm.BrassError as error:
            bar.update(task, visible=False)
            parser.error(str(error))
    title = f"{policy.title}: games won against random"
    x = chart.Axis("games played", whole=True)
    y = chart.Axis("", chart.percent, chart.percent, reach=(0, 1))
    picture = chart.LineChart(title, [chart.Series("policy", curve)], x, y)
    Path("learning.svg").write_text(chart.draw(picture, theme="light"))
    torch.save(policy.network.state_dict(), "policy.pt")
    print("Saved the learning curve in learning.svg and the network in policy.pt.")


if __name__ == "__main__":
    main()
