"""The file of a mining run: the settings, then the puzzles found in each game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import TracebackType

from brassmill.arena import cluster, workers
from brassmill.arena.lines import LinesFile, check_same
from brassmill.arena.workers import Lost
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.puzzles.mining import Mined, MiningSettings, mine

FORMAT, VERSION = "brassmill puzzles", 1


class MiningFile:
    """The file of a run; while it is open, no other process writes to it."""

    def __init__(self, path: Path, settings: MiningSettings) -> None:
        """Start a file, or continue one with the same settings."""
        header = {"format": FORMAT, "version": VERSION, **asdict(settings)}
        self.lines = LinesFile(path, header, _("another run is writing to this file"))
        self.settings = settings
        try:
            found, self.mined = parse(self.lines.data)
            check_same(found, settings)
        except BaseException:
            self.lines.close()
            raise
        self.lines.drop_incomplete()

    @property
    def missing(self) -> list[int]:
        """The numbers of the games still to mine."""
        done = {one.game for one in self.mined}
        return [number for number in range(self.settings.games) if number not in done]

    def add(self, mined: Mined) -> None:
        """Append a game."""
        self.mined.append(mined)
        self.lines.add(mined.as_dict())

    def __enter__(self) -> MiningFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.lines.close()


def parse(data: bytes) -> tuple[MiningSettings, list[Mined]]:
    """The content of a file, without an incomplete last line."""
    head, *lines = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    try:
        header = json.loads(head)
        if header.pop("format") != FORMAT or header.pop("version") != VERSION:
            raise ValueError
        return MiningSettings(**header), [Mined.from_dict(json.loads(line)) for line in lines]
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise BrassError(_("this is not the file of a mining run")) from error


def is_run(path: Path) -> bool:
    """Is this the file of a run? Otherwise it may be a collection."""
    with open(path, "rb") as file:
        return FORMAT.encode() in file.readline()


def run(file: MiningFile, *, processes: int = 1, ray: str | None = None) -> Generator[Mined | Lost]:
    """Mine the missing games, in processes here or on a Ray cluster."""
    play = partial(mine, file.settings)
    if ray is None:
        games = workers.play_all(play, file.missing, processes)
    else:
        games = cluster.play_all(play, file.missing, ray)
    with closing(games):  # stop the workers however the run ends
        for mined in games:
            if isinstance(mined, Mined):
                file.add(mined)
            yield mined


def counts(mined: Iterable[Mined]) -> tuple[Counter[str], Counter[str]]:
    """Positions tried, by kind of puzzle; and those thrown away, by reason."""
    tried, thrown = Counter[str](), Counter[str]()
    for one in mined:
        tried.update(one.tried)
        thrown.update(one.thrown)
    return tried, thrown
