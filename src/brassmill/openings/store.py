"""The file of a run: its settings, then the counts of each part of the games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from brassmill import editions
from brassmill.arena.lines import LinesFile, check_same
from brassmill.bots.network import Network, packaged
from brassmill.editions import Edition, Value
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.openings.counts import Counts, as_rows, from_rows

FORMAT, VERSION = "brassmill openings run", 1

OPENING_DEALS = 1 << 43  # the seeds from here on; nothing is trained on them
OF_A_RUN = 1 << 32  # how many of them belong to each seed of a run


def digest_of(network: Network) -> str:
    """A short digest of the weights: which network has played."""
    return sha256(network.weights.tobytes()).hexdigest()[:16]


@dataclass(frozen=True)
class OpeningSettings:
    """What is played."""

    edition: str
    players: int
    options: Mapping[str, Value]  # those that differ from the default
    seed: int
    heat: float  # how freely the openings are drawn
    part: int  # games of a part
    network: str  # a digest of the network that plays

    @classmethod
    def of(cls, edition: Edition, seed: int, heat: float, part: int) -> OpeningSettings:
        network = digest_of(packaged(edition))
        changed = dict(edition.changed_options)
        return cls(edition.name, edition.players, changed, seed, heat, part, network)

    @property
    def table(self) -> Edition:
        return editions.edition(self.edition, self.players, **self.options)

    def seeds(self, number: int) -> range:
        """The seeds of a part's games."""
        first = OPENING_DEALS + self.seed * OF_A_RUN + number * self.part
        return range(first, first + self.part)


@dataclass(frozen=True)
class PlayedPart:
    """The counts of a part of the games, by place in the first turn order."""

    number: int  # from 0
    counts: tuple[Counts, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for a line of JSON."""
        return {"part": self.number, "counts": [as_rows(counts) for counts in self.counts]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PlayedPart:
        return cls(data["part"], tuple(from_rows(rows) for rows in data["counts"]))


class OpeningFile:
    """The file of a run; while it is open, no other process writes to it."""

    def __init__(self, path: Path, settings: OpeningSettings) -> None:
        """Start a file, or continue one with the same settings."""
        header = {"format": FORMAT, "version": VERSION, **asdict(settings)}
        self.lines = LinesFile(path, header, _("another run is writing to this file"))
        self.settings = settings
        try:
            found, self.parts = parse(self.lines.data)
            check_same(found, settings)
        except BaseException:
            self.lines.close()
            raise
        self.lines.drop_incomplete()

    @property
    def games(self) -> int:
        """Games played so far."""
        return len(self.parts) * self.settings.part

    def missing(self, games: int) -> list[int]:
        """The numbers of the parts still to play to reach this number of games."""
        done = {part.number for part in self.parts}
        return [part for part in range(-(-games // self.settings.part)) if part not in done]

    def add(self, part: PlayedPart) -> None:
        """Append a part."""
        self.parts.append(part)
        self.lines.add(part.as_dict())

    def __enter__(self) -> OpeningFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.lines.close()


def parse(data: bytes) -> tuple[OpeningSettings, list[PlayedPart]]:
    """The content of a file, without an incomplete last line."""
    head, *lines = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    try:
        header = json.loads(head)
        if header.pop("format") != FORMAT or header.pop("version") != VERSION:
            raise ValueError
        return OpeningSettings(**header), [PlayedPart.from_dict(json.loads(line)) for line in lines]
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise BrassError(_("this is not the file of a run of openings")) from error
