"""Tables of openings: counts of many games of one kind, as a small file.

A table is made from the files of runs and from other tables (`docs/play/openings.md`). The package
has one for each game that has a network, with its usual rules.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from brassmill import editions
from brassmill.editions import Edition, Value
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.openings.counts import Counts, Tree, as_rows, from_rows, merged, without_rare
from brassmill.openings.moves import LONGEST, fits
from brassmill.openings.store import FORMAT as RUN_FORMAT
from brassmill.openings.store import OpeningSettings
from brassmill.openings.store import parse as parse_run

FORMAT, VERSION = "brassmill openings", 1
FOLDER = Path(__file__).with_name("data")
SUFFIX = ".json.gz"


@dataclass(frozen=True)
class SeededGames:
    """Where games come from: no game may be counted twice."""

    seed: int
    games: int


@dataclass(frozen=True)
class Openings:
    """The openings of one kind of game, by place in the first turn order."""

    edition: str
    players: int
    options: Mapping[str, Value]  # those that differ from the default
    network: str  # a digest of the network that played
    heat: float  # how freely it drew the openings
    sources: tuple[SeededGames, ...]
    least: int  # games of the rarest lines that are kept
    counts: tuple[Counts, ...]

    @property
    def table(self) -> Edition:
        """The edition with its players and options."""
        return editions.edition(self.edition, self.players, **self.options)

    @property
    def games(self) -> int:
        return sum(source.games for source in self.sources)

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The openings by place in the first turn order."""
        return tuple(Tree(counts) for counts in self.counts)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for a file."""
        about = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return about | {"counts": [as_rows(counts) for counts in self.counts]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Openings:
        """Openings from plain data; `ValueError`, `TypeError` or `LookupError` if they are none."""
        given = dict(data)
        if given.pop("format") != FORMAT or given.pop("version") != VERSION:
            raise ValueError("format")
        given["sources"] = tuple(SeededGames(**source) for source in given["sources"])
        given["counts"] = tuple(from_rows(rows) for rows in given["counts"])
        found = cls(**given)
        found.check()
        return found

    def check(self) -> None:
        """`ValueError` if something cannot be."""
        edition = self.table
        if len(self.counts) != self.players:
            raise ValueError(f"{len(self.counts)} seats")
        for counts in self.counts:
            if sum(tally.games for tally in counts.values()) != self.games:
                raise ValueError(f"not {self.games} games")
            for line in counts:
                if len(line) > LONGEST or not all(fits(edition, move) for move in line):
                    raise ValueError(f"{line}")


def of_run(settings: OpeningSettings, parts: Iterable[Sequence[Counts]]) -> Openings:
    """The openings of a run, of all parts that have been played."""
    played = list(parts)
    if not played:
        raise BrassError(_("no game has been played yet"))
    return Openings(
        edition=settings.edition,
        players=settings.players,
        options=settings.options,
        network=settings.network,
        heat=settings.heat,
        sources=(SeededGames(settings.seed, len(played) * settings.part),),
        least=1,
        counts=tuple(merged(part[place] for part in played) for place in range(settings.players)),
    )


SAME = ("edition", "players", "options", "network", "heat")  # in all games of a table


def collect(several: Sequence[Openings], least: int = 1) -> Openings:
    """One table of several; lines of fewer games are shortened."""
    first = several[0]
    for other in several[1:]:
        for name in SAME:
            one, two = getattr(first, name), getattr(other, name)
            if one != two:
                words = _(
                    "these openings do not belong together: {name} is {one} here, {two} there"
                )
                raise BrassError(words.format(name=name, one=one, two=two))
    sources = sorted((s for each in several for s in each.sources), key=lambda s: s.seed)
    seeds = [source.seed for source in sources]
    for seed in seeds:
        if seeds.count(seed) > 1:
            words = _("the games with the seed {seed} would be counted twice")
            raise BrassError(words.format(seed=seed))
    counts = (
        without_rare(merged(each.counts[place] for each in several), least)
        for place in range(first.players)
    )
    kept = max(least, *(each.least for each in several))
    about = {name: getattr(first, name) for name in SAME}
    return Openings(**about, sources=tuple(sources), least=kept, counts=tuple(counts))


# --- files ---------------------------------------------------------------------------------------


def write(path: Path, openings: Openings) -> None:
    """Write a table; the same openings make the same file."""
    data = json.dumps(openings.as_dict(), separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(data, mtime=0))


def read(path: Path) -> Openings:
    """Read a table, or the file of a run."""
    data = path.read_bytes()
    if RUN_FORMAT.encode() in data[: data.find(b"\n")]:
        settings, parts = parse_run(data)
        return of_run(settings, [part.counts for part in parts])
    try:
        return Openings.from_dict(json.loads(gzip.decompress(data)))
    except (OSError, EOFError, zlib.error, ValueError, TypeError, LookupError) as error:
        raise BrassError(_("this is not a table of openings")) from error
    except BrassError as error:
        raise BrassError(_("this is not a table of openings")) from error


@cache
def openings(edition: str, players: int) -> Openings:
    """The openings of the package for a game with its usual rules."""
    table = editions.edition(edition, players)
    path = FOLDER / f"{table.name}-{table.players}{SUFFIX}"
    if not path.exists():
        words = _("there are no openings of {edition} for {players} players")
        raise BrassError(words.format(edition=table.title, players=table.players))
    return read(path)


def kinds() -> tuple[tuple[str, int], ...]:
    """The games of which the package has openings: edition and number of players."""
    return tuple(
        (name, players)
        for name, edition in editions.EDITIONS.items()
        for players in edition.players
        if (FOLDER / f"{name}-{players}{SUFFIX}").exists()
    )
