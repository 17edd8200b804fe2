"""Play random games and print a digest of positions, worlds and observations on the way.

A line that starts with `batch` is for games side by side.

`test_uncompiled.py` runs it twice, with the rules compiled and as plain Python.
"""

from __future__ import annotations

import hashlib
import random
import sys

import numpy as np

from brassmill.batch import Batch
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.view import view_of
from brassmill.core.worlds import sample
from brassmill.editions import edition
from brassmill.observation import observation_of
from brassmill.rules.layout import GAME_OVER, TURN_OVER


def trace(name: str, players: int, options: dict[str, str], seed: int) -> str:
    """Play a whole game; return one digest of its positions, choices and events."""
    kind = edition(name, players, **options)
    engine = Engine(kind, ("Y", "R", "G", "P")[:players])
    engine.set_up(Deal.from_seed(kind, seed).record(kind))
    digest = hashlib.sha256(engine.snapshot())
    chance = random.Random(seed)
    turns = 0
    while engine.phase != GAME_OVER:
        legal = engine.legal()
        made = engine.choose(chance.choice(legal))
        digest.update(repr((legal, made, engine.rows)).encode())
        if engine.in_progress:
            view = view_of(kind, engine.seats, engine.state, engine.seat, turns)
            digest.update(observation_of(kind, view).tobytes())
        if engine.phase == TURN_OVER:
            engine.end_turn()
            digest.update(repr(engine.rows).encode())
            turns += 1
            seat = turns % players
            view = view_of(kind, engine.seats, engine.state, seat, turns)
            digest.update(sample(kind, view, seed + turns))
            digest.update(observation_of(kind, view).tobytes())
        digest.update(engine.snapshot())
    return digest.hexdigest()


def trace_batch(name: str, players: int, options: dict[str, str], seed: int) -> str:
    """Play two games side by side at random until each has ended, then a little more."""
    batch = Batch(edition(name, players, **options), games=2, seed=seed, threads=1)
    digest = hashlib.sha256(batch.snapshot())
    while (batch.seeds < seed + 2).any():
        batch.play_at_random(3)
        digest.update(batch.snapshot())
        digest.update(batch.legal.tobytes())
    for number in range(9):
        batch.step([np.flatnonzero(row)[number % row.sum()] for row in batch.legal])
        batch.resample(seed + number)
        digest.update(batch.snapshot())
        digest.update(batch.observations(number % players).tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    np.seterr(all="raise")
    for line in sys.stdin:
        words = line.split()
        played = trace
        if words[0] == "batch":
            played = trace_batch
            del words[0]
        name, players, seed, *options = words
        print(played(name, int(players), dict(o.split("=") for o in options), int(seed)))
