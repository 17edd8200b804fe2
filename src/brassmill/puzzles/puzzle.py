"""Puzzles as data: what they contain, the collection of the package, the puzzle of the day."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from brassmill import editions
from brassmill.editions import Edition, Value
from brassmill.errors import BrassError
from brassmill.language import gettext as _

FOLDER = Path(__file__).parent / "data"
SUFFIX = ".jsonl.gz"

EXACT, JUDGED = "exact", "judged"

ID = 8  # characters of an id


@dataclass(frozen=True)
class ExactAnswer:
    """The answer to a last turn, found by trying every turn."""

    vp: int  # the most VP that the seat can have once the era is scored
    next_vp: int  # the most that any other turn makes
    turns: int  # different turns, by the position after them
    ways: int  # of them make the most


@dataclass(frozen=True)
class Compared:
    """A turn that the search compared with the best one."""

    turn: tuple[str, ...]  # its actions, in notation
    loss: float  # what it is worth less than the best, in VP


@dataclass(frozen=True)
class JudgedAnswer:
    """The answer to any other turn, found by searching."""

    compared: tuple[Compared, ...]  # the best turn first
    worlds: int  # possible deals of the hidden cards in which the best ones were tried
    error: float  # the standard error of the lead over the second best


@dataclass(frozen=True)
class Puzzle:
    """A position, the best turn from there, and how hard it is to find."""

    id: str  # follows from the position
    edition: str
    players: int
    options: Mapping[str, Value]  # those that differ from the default
    era: str
    round: int
    position: str  # in one line; hidden cards and tiles are drawn afresh, not those of the game
    solution: tuple[str, ...]  # the actions of the best turn, in notation
    answer: ExactAnswer | JudgedAnswer
    found: Mapping[str, float]  # by player: the share of tries in which they found a best turn
    level: int  # how hard it is, from 1 to 5 (`solvers.level_of`)
    themes: tuple[str, ...]
    seed: int  # of the game it comes from

    @property
    def kind(self) -> str:
        return EXACT if isinstance(self.answer, ExactAnswer) else JUDGED

    @property
    def table(self) -> Edition:
        """The edition with its players and options."""
        return editions.edition(self.edition, self.players, **self.options)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for a line of JSON."""
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Puzzle:
        """A puzzle from a line of JSON; `ValueError`, `TypeError` or `LookupError` if it is not."""
        given = dict(data)
        kind, answer = given.pop("kind"), dict(given.pop("answer"))
        if kind not in (EXACT, JUDGED):
            raise ValueError(kind)
        if kind == JUDGED:
            answer["compared"] = tuple(
                Compared(tuple(row["turn"]), row["loss"]) for row in answer["compared"]
            )
        tuples = {name: tuple(given[name]) for name in ("solution", "themes")}
        return cls(
            **given | tuples,
            answer=ExactAnswer(**answer) if kind == EXACT else JudgedAnswer(**answer),
        )


def id_of(position: str) -> str:
    """The id of the puzzle that asks about a position: equal positions have equal ids."""
    return sha256(position.encode()).hexdigest()[:ID]


# --- collections ---------------------------------------------------------------------------------


@cache
def puzzles() -> Mapping[str, Puzzle]:
    """The puzzles of the package by id."""
    found = (puzzle for path in sorted(FOLDER.glob(f"*{SUFFIX}")) for puzzle in read(path))
    return {puzzle.id: puzzle for puzzle in found}


def read(path: Path) -> list[Puzzle]:
    """Read a collection: a line of JSON for each puzzle, compressed or not."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
            lines = file.readlines()
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise BrassError(_("this is not a collection of puzzles")) from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(Puzzle.from_dict(json.loads(line)))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            words = _("line {number} is not a puzzle: {error}")
            raise BrassError(words.format(number=number, error=error)) from error
    return found


def write(path: Path, collection: Iterable[Puzzle]) -> None:
    """Write a collection; the same puzzles make the same file."""
    lines = (
        json.dumps(puzzle.as_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"
        for puzzle in collection
    )
    data = "".join(lines).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


# --- the puzzle of the day -----------------------------------------------------------------------


def of_the_day(day: date, among: Iterable[Puzzle] | None = None) -> Puzzle:
    """The puzzle of a day, from the date alone: the same for everyone, on any server.

    Each puzzle draws a number for the day, and the smallest one wins. So a new puzzle changes few
    days, and no list of days needs to be kept.
    """
    return min(
        puzzles().values() if among is None else among,
        key=lambda puzzle: sha256(f"{day.isoformat()} {puzzle.id}".encode()).digest(),
    )
