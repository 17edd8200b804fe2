"""Random games on a GPU with all invariants checked, as `playout.RandomGames` does on a CPU."""

from __future__ import annotations

import numpy as np

from brassmill.batch.cuda import Gpu
from brassmill.core.deal import seed_bits
from brassmill.core.playout import (
    BROKEN_LAW,
    BROKEN_SEED,
    BROKEN_STEP,
    CHOICES_MADE,
    COUNTS,
    GAMES,
    BrokenLaw,
    broken_law_in,
)
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.rules.laws import Law
from brassmill.rules.layout import DEAL, STATE, WORK

SIDE_BY_SIDE = 1 << 16  # games at once


class WatchedGames:
    """Memory for games side by side, each played by its own thread."""

    def __init__(self, edition: Edition) -> None:
        self.gpu = Gpu(edition)
        array = self.gpu.cuda.device_array
        self.states = array(2 * SIDE_BY_SIDE, STATE)
        self.works = array(SIDE_BY_SIDE, WORK)
        self.deals = array(SIDE_BY_SIDE, DEAL)
        self.counts = np.zeros(COUNTS, np.int64)

    def watched(self, first: int, games: int) -> None:
        """Play games, checking all invariants after every step, as `RandomGames.watched` does."""
        if games > SIDE_BY_SIDE:
            raise BrassError(f"at most {SIDE_BY_SIDE} games can be checked at once, not {games}")
        counts = self.gpu.zeros((games, COUNTS), np.int64)
        records = (self.states, self.gpu.boards, self.works, self.deals)
        kernel = self.gpu.kernels.watch_kernel
        self.gpu.launch(kernel, games, 0, *records, counts, seed_bits(first))
        rows = counts.copy_to_host()
        for count in (GAMES, CHOICES_MADE):
            self.counts[count] += rows[:, count].sum()
        broken = np.flatnonzero(rows[:, BROKEN_LAW] != Law.KEPT)
        if len(broken):
            broken_fields = [BROKEN_LAW, BROKEN_SEED, BROKEN_STEP]
            self.counts[broken_fields] = rows[broken[0], broken_fields]

    def broken_law(self) -> BrokenLaw | None:
        """The invariant that a game has broken, if any."""
        return broken_law_in(self.counts)
