"""A run: play the missing games of a schedule, saving each as soon as it is over."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path

from brassmill.arena import cluster, match, workers
from brassmill.arena.results import GameResult, ResultsFile
from brassmill.arena.workers import Lost


def run(
    file: ResultsFile,
    *,
    processes: int = 1,
    ray: str | None = None,
    records: Path | None = None,
) -> Generator[GameResult | Lost]:
    """Play the games missing from the file, in processes here or on a Ray cluster.

    If `records` names a folder (which must exist), every game is saved there as `game-17.brass`.
    """
    results = file.results
    play = partial(match.play, results.schedule, records is not None)
    if ray is None:
        games = workers.play_all(play, results.missing, processes)
    else:
        games = cluster.play_all(play, results.missing, ray)
    with closing(games):  # stop the workers however the run ends
        for played in games:
            if isinstance(played, Lost):
                yield played
                continue
            if records and played.record:
                path = records / f"game-{played.result.game}.brass"
                path.write_text(played.record, encoding="utf-8", newline="\n")
            file.add(played.result)
            yield played.result
