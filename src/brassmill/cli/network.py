"""A network that plays every game of a batch, for `brass bench --network`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brassmill.rules.choices import CHOICES

try:
    import torch
    from torch import nn
except ImportError:
    raise click.ClickException("--network needs PyTorch: pip install 'brassmill[learn]'") from None

if TYPE_CHECKING:
    from brassmill.batch import Batch

WIDTH = 512  # of the two hidden layers: about a million parameters including input and output


class BenchNetwork:
    """Observes every game, scores all choices, and samples one of the legal ones.

    It is untrained: the benchmark measures the way from the position to the network and back.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.kind = torch.bfloat16 if batch.device == "cuda" else torch.float32
        self.layers = nn.Sequential(
            nn.Linear(len(batch.layout), WIDTH),
            nn.ReLU(),
            nn.Linear(WIDTH, WIDTH),
            nn.ReLU(),
            nn.Linear(WIDTH, CHOICES),
        ).to(batch.device, self.kind)
        # Views of the batch's memory, not copies.
        self.seen = torch.as_tensor(batch.observations(), device=batch.device)
        self.legal = torch.as_tensor(batch.legal, device=batch.device)
        self.scale = torch.as_tensor(batch.layout.scale, device=batch.device)

    @property
    def parameters(self) -> int:
        """The number of trainable parameters."""
        return sum(part.numel() for part in self.layers.parameters())

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def step(self) -> None:
        """Play one choice in every game."""
        self.batch.observations()
        scores = self.layers((self.seen / self.scale).to(self.kind)).float()
        noise = torch.empty_like(scores).exponential_().log_()  # Gumbel noise: samples by score
        choices = (scores - noise).masked_fill_(~self.legal, -torch.inf).argmax(dim=1)
        self.batch.step(choices)
