"""The results of a run: a JSON Lines file that gains one line per game.

The first line is the header with the settings of the schedule. Every other line is a finished
game, in any order. A game whose line is incomplete is played again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from brassmill.arena.lines import LinesFile, check_same
from brassmill.arena.schedule import Schedule
from brassmill.core.events import ERAS
from brassmill.errors import BrassError
from brassmill.language import gettext as _

FORMAT, VERSION = "brassmill arena", 1


@dataclass(frozen=True)
class Forfeited:
    """A choice that a bot forfeited."""

    number: int  # of the action, from 1
    kind: str  # as `host.py` names them
    text: str


@dataclass(frozen=True)
class PlayerResult:
    """One seat at the end of a game."""

    vp: int
    rank: int  # from 1; players who share a place have the same rank
    place: int  # in the first turn order, from 1
    points: Mapping[str, Mapping[str, int]]  # by era and source
    cash: int
    income: int  # level
    loans: int
    did: Mapping[str, int]  # actions by kind
    built: Mapping[str, tuple[int, ...]]  # levels of the tiles by industry, in the order built
    turns: int
    thought: float  # seconds in total
    slowest: float  # seconds of the slowest turn
    forfeits: tuple[Forfeited, ...]

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PlayerResult:
        built = {industry: tuple(levels) for industry, levels in data["built"].items()}
        forfeits = tuple(Forfeited(**forfeit) for forfeit in data["forfeits"])
        return cls(**data | {"built": built, "forfeits": forfeits})


@dataclass(frozen=True)
class GameResult:
    """A finished game."""

    game: int  # its number in the schedule, from 0
    deal: int  # the number of its deal, from 0
    seed: int  # of the deal
    seats: tuple[int, ...]  # by seat: the index of its bot in the schedule
    actions: int
    seconds: float
    players: tuple[PlayerResult, ...]  # by seat

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GameResult:
        players = tuple(PlayerResult.from_dict(player) for player in data["players"])
        return cls(**data | {"seats": tuple(data["seats"]), "players": players})


@dataclass(frozen=True)
class Results:
    """The games of a schedule played so far."""

    schedule: Schedule
    games: Mapping[int, GameResult]  # by number, each once, in order

    @property
    def specs(self) -> tuple[str, ...]:
        """The different bots, in the order they were named."""
        return tuple(dict.fromkeys(self.schedule.bots))

    @property
    def missing(self) -> list[int]:
        """The numbers of the games still to play."""
        return [number for number in range(self.schedule.games) if number not in self.games]

    def bot(self, game: GameResult, seat: int) -> str:
        """The bot in a seat."""
        return self.schedule.bots[game.seats[seat]]


def read(path: Path) -> Results:
    """Read results from a file; the run may be unfinished."""
    return parse(path.read_bytes())


def parse(data: bytes) -> Results:
    """Parse the content of a results file, ignoring an incomplete last line."""
    head, *lines = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    schedule = _header(head)
    games: dict[int, GameResult] = {}
    for number, line in enumerate(lines, 2):
        try:
            game = GameResult.from_dict(json.loads(line))
            _check(schedule, game)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            words = _("line {number} is not a valid game result: {error}")
            raise BrassError(words.format(number=number, error=error)) from error
        games.setdefault(game.game, game)
    return Results(schedule, dict(sorted(games.items())))


def _check(schedule: Schedule, game: GameResult) -> None:
    """Raise `ValueError` if this is not a game of the schedule."""
    if game.game not in range(schedule.games):
        raise ValueError(f"game {game.game}")
    if game.seats != schedule.match(game.game).seats:
        raise ValueError(f"seats {list(game.seats)}")
    if len(game.players) != schedule.players:
        raise ValueError(f"{len(game.players)} players")
    for player in game.players:
        if not all(isinstance(number, int) for number in (player.vp, player.rank, player.place)):
            raise ValueError(f"vp {player.vp!r}, rank {player.rank!r}, place {player.place!r}")
        if player.points.keys() != set(ERAS):
            raise ValueError(f"points of {', '.join(player.points) or 'no era'}")


def _header(line: bytes) -> Schedule:
    try:
        header = json.loads(line)
        if header.pop("format") != FORMAT:
            raise ValueError
        version = header.pop("version")
        schedule = Schedule(**header | {"bots": tuple(header["bots"])})
        assert schedule.table  # fails if the edition does not exist
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise BrassError(_("this is not an arena results file")) from error
    if version != VERSION:
        raise BrassError(_("it was written by another version of the program"))
    return schedule


class ResultsFile:
    """The file of a running schedule; while it is open, no other process writes to it."""

    def __init__(self, path: Path, schedule: Schedule) -> None:
        """Start a file, or continue one with the same header."""
        self.path = path
        header = {"format": FORMAT, "version": VERSION, **asdict(schedule)}
        self.lines = LinesFile(path, header, _("another arena is writing to this file"))
        try:
            self.results = parse(self.lines.data)
            check_same(self.results.schedule, schedule)
        except BaseException:
            self.lines.close()
            raise
        self.lines.drop_incomplete()

    def add(self, game: GameResult) -> None:
        """Append a game."""
        self.lines.add(asdict(game))

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.lines.close()
