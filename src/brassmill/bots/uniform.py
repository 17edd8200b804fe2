"""The `random` bot."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from brassmill.bots.bot import Clock

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.editions.edition import Edition


class Uniform:
    """Any open choice, all equally likely.

    Its chance comes from the seed and what it sees, not from how often it was asked: a game that
    was left and taken up again goes on like one that was not.
    """

    name = "random"

    def __init__(self, edition: Edition, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View, clock: Clock) -> int:
        return Random(b"%d/" % self.seed + view.position).choice(view.legal)

    def close(self) -> None:
        """It holds nothing."""
