"""Runs of openings: the parts of the games that are still missing, on processes or on a GPU."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from functools import partial

from brassmill.arena import workers
from brassmill.arena.workers import Lost
from brassmill.batch import Batch
from brassmill.batch.batch import Device
from brassmill.bots.network import packaged
from brassmill.openings.play import BatchBrain, CompiledBrain, play
from brassmill.openings.store import OpeningFile, OpeningSettings, PlayedPart

PART = 256  # games of a part: they are played side by side
PART_ON_GPU = 16384


def run(
    file: OpeningFile, games: int, *, processes: int = 1, device: Device = "cpu"
) -> Generator[PlayedPart | Lost]:
    """Play the missing parts: on several processes, or here on a GPU."""
    one = partial(play_part, file.settings, device=device)
    missing = file.missing(games)
    if device == "cpu":
        parts = workers.play_all(one, missing, processes)
    else:
        parts = (part for part in map(one, missing))
    with closing(parts):  # stop the workers however the run ends
        for part in parts:
            if isinstance(part, PlayedPart):
                file.add(part)
            yield part


def play_part(settings: OpeningSettings, number: int, device: Device = "cpu") -> PlayedPart:
    """Play a part of the games."""
    edition = settings.table
    threads = 1 if device == "cpu" else None
    batch = Batch(edition, games=settings.part, device=device, threads=threads)
    try:
        brain = brain_for(batch, device)
        return PlayedPart(number, tuple(play(batch, brain, settings.seeds(number), settings.heat)))
    finally:
        batch.close()


def brain_for(batch: Batch, device: Device) -> BatchBrain:
    """The network of the batch's game: compiled on a CPU, with PyTorch on a GPU."""
    network = packaged(batch.edition)
    if device == "cpu":
        return CompiledBrain(batch, network)
    from brassmill.openings.torch_brain import TorchBrain

    return TorchBrain(batch, network, device)
