"""The `random` bot."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from brassmill.bots.bot import Clock

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.editions.edition import Edition


class Uniform:
    """Plays any legal choice at random.

    Its randomness comes from the seed and the position, not from how often it was asked, so an
    interrupted game continues as if it had not been interrupted.
    """

    name = "random"
    plays_plain = True

    def __init__(self, edition: Edition, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View, clock: Clock) -> int:
        return Random(b"%d/" % self.seed + view.position).choice(view.legal)

    def close(self) -> None:
        """Nothing to release."""
