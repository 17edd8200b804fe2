"""Playing openings: many games of a network side by side, to their end.

In the first two rounds every choice is drawn: the better the network scores it, the likelier. The
heat divides the scores, so that rarer moves are tried more often than the network would try them.
Afterwards it plays its likeliest choice. A game follows from its seed alone: the deal, and the
numbers that choices are drawn with. So its line is the same in any batch and in any process.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

import numpy as np

from brassmill.batch import Batch
from brassmill.bots.inference import OUTPUTS, infer
from brassmill.bots.network import Network
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.editions import Edition
from brassmill.observation import Layout
from brassmill.openings.counts import WIN, Counts, Tally, add
from brassmill.openings.moves import ROUNDS, lines_of
from brassmill.position.words import SEAT_NAMES
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import entry

HEAT = 2.0  # 1: as likely as the network finds it; rarer moves are likelier with more
LIKELIEST = -1.0  # instead of a random number: nothing is drawn


class BatchBrain(Protocol):
    """A network that chooses for the games of a batch."""

    def rounds(self) -> Any:
        """The round of every game, counted through both eras."""

    def choose(self, games: Any, draws: Any, heat: float) -> Any:
        """The choices in some games; each is drawn with a number from 0 to 1, or `LIKELIEST`."""


class CompiledBrain:
    """The network on one core, with exactly the figures that the bot `net` has."""

    def __init__(self, batch: Batch, network: Network) -> None:
        self.batch, self.network = batch, network
        games, inputs = len(batch), network.inputs
        self.scale = network.weights[:inputs]
        self.rows = np.empty((games, inputs + CHOICES), np.float32)
        self.out = np.empty((games, OUTPUTS), np.float32)

    def rounds(self) -> Any:
        return round_of(self.batch.layout, self.batch.observations())

    def choose(self, games: Any, draws: Any, heat: float) -> Any:
        network, inputs, count = self.network, self.network.inputs, len(games)
        legal = self.batch.legal[games]
        self.rows[:count, :inputs] = self.batch.observations()[games] / self.scale
        self.rows[:count, inputs:] = legal
        sizes = (inputs, network.width, network.blocks)
        infer_rows(self.rows, count, network.weights, *sizes, self.out)
        return drawn(np.where(legal, self.out[:count, :CHOICES], -np.inf), draws, heat)


@entry
def infer_rows(
    rows: Any, count: int, weights: Any, inputs: int, width: int, blocks: int, out: Any
) -> None:
    """`infer`, called from Python."""
    infer(rows, count, weights, inputs, width, blocks, out)


def round_of(layout: Layout, seen: Any) -> Any:
    """The round of every game, counted through both eras, from its observation."""
    era, number = (layout.index("progress", *words) for words in PROGRESS)
    return seen[:, number] + layout.edition.rounds * seen[:, era]


PROGRESS = (("era", "0 canal, 1 rail"), ("round", "of this era"))


def drawn(scores: Any, draws: Any, heat: float) -> Any:
    """For each row of scores, the best choice, or one drawn as likely as its score says."""
    chosen = scores.argmax(axis=1)
    early = np.flatnonzero(draws != LIKELIEST)
    best = scores[early].max(axis=1, keepdims=True)
    sums = np.exp((scores[early].astype(np.float64) - best) / heat).cumsum(axis=1)
    chosen[early] = (sums <= draws[early, None] * sums[:, -1:]).sum(axis=1)
    return chosen


def play(batch: Batch, brain: BatchBrain, seeds: range, heat: float = HEAT) -> list[Counts]:
    """Play the games of a batch once; count their openings by place in the first turn order."""
    assert len(batch) == len(seeds)
    batch.reset(seeds=seeds)
    edition = batch.edition
    opening: list[list[int]] = [[] for _seed in seeds]
    randoms = [Random(f"opening {seed}") for seed in seeds]
    running = np.ones(len(seeds), bool)
    points = np.zeros((len(seeds), edition.players), np.int64)
    ranks = np.zeros_like(points)
    while running.any():
        games = np.flatnonzero(running)
        early = brain.rounds()[games] <= ROUNDS
        draws = np.full(len(games), LIKELIEST)
        draws[early] = [randoms[game].random() for game in games[early]]
        chosen = batch.to_host("legal").argmax(axis=1)  # in games that have been played again
        chosen[games] = brain.choose(games, draws, heat)
        for game in games[early].tolist():
            opening[game].append(int(chosen[game]))
        batch.step(chosen)
        over = batch.to_host("ended") & running
        if over.any():
            points[over] = batch.to_host("points")[over]
            ranks[over] = batch.to_host("ranks")[over]
            running &= ~over
    return count(edition, seeds, opening, points, ranks)


def count(
    edition: Edition, seeds: range, opening: list[list[int]], points: Any, ranks: Any
) -> list[Counts]:
    """Count games, given the choices of their openings, the VP and the rank of every seat."""
    counts: list[Counts] = [{} for _place in range(edition.players)]
    engine = Engine(edition, SEAT_NAMES[: edition.players])
    for game, seed in enumerate(seeds):
        engine.set_up(Deal.from_seed(edition, seed).record(edition))
        order = [int(seat) for seat in engine.state.order[: edition.players]]
        lines = lines_of(engine, opening[game])
        winners = int((ranks[game] == 1).sum())
        for place, seat in enumerate(order):
            won = WIN // winners if ranks[game, seat] == 1 else 0
            add(counts[place], lines[place], Tally(1, won, int(points[game, seat])))
    return counts
