"""Where a record is wrong: the line, the column, the reason and the surrounding lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from brassmill.errors import BrassError
from brassmill.record import BrokenRecord, Difference
from brassmill.record.parser import ACTION, GAME_BEGINS

AROUND = 2  # lines shown above and below
LONGEST = 160  # characters shown of a line

QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")


class Excerpt(NamedTuple):
    """A line of the text, split around the part that is wrong."""

    number: int
    before: str
    wrong: str  # empty in a line of context
    after: str


class RecordProblem(NamedTuple):
    """An error in a text."""

    words: str
    line: int = 0  # from 1; 0 if unknown
    column: int = 0
    around: tuple[Excerpt, ...] = ()


def problem_of(text: str, error: BrassError, game: int = 1) -> RecordProblem:
    """Return the reader's message and the place it refers to."""
    lines = text.replace("\r\n", "\n").split("\n")
    if isinstance(error, BrokenRecord):
        return _placed(lines, error.line, error.message)
    if isinstance(error, Difference) and error.number:
        return _placed(lines, _line_of(lines, error.number, game), str(error))
    return RecordProblem(str(error))


def _placed(lines: Sequence[str], number: int, words: str) -> RecordProblem:
    if not 1 <= number <= len(lines):
        return RecordProblem(words)
    number, start, end = _spot(lines, number, words)
    first = max(1, number - AROUND)
    around = tuple(
        _excerpt(lines[n - 1], n, *((start, end) if n == number else (0, 0)))
        for n in range(first, min(len(lines), number + AROUND) + 1)
    )
    return RecordProblem(words, number, start + 1, around)


def _spot(lines: Sequence[str], number: int, words: str) -> tuple[int, int, int]:
    """Return the line, and where in it the error starts and ends.

    The reader names what it did not understand; a row may span several lines.
    """
    names = [one or other for one, other in QUOTED.findall(words)]
    for place in range(number, len(lines) + 1):
        line = lines[place - 1]
        if place > number and not line[:1].isspace():
            break
        for name in names:
            if (start := line.casefold().find(name.casefold())) >= 0:
                return place, start, start + len(name)
    line = lines[number - 1]
    action = ACTION.fullmatch(line.strip())
    start = len(line) - len(line.lstrip())
    if action:
        start += action.start(2)
    return number, start, max(start, len(line.rstrip()))


def _excerpt(line: str, number: int, start: int, end: int) -> Excerpt:
    """Shorten a very long line, keeping the error."""
    skip = max(0, start - LONGEST // 2)
    return Excerpt(
        number,
        ("… " if skip else "") + line[skip:start],
        line[start : min(end, start + LONGEST)],
        line[end : max(end, skip + LONGEST)],
    )


def _line_of(lines: Sequence[str], number: int, game: int) -> int:
    """Return the line of a main line action by its number, or 0 if not found."""
    found = depth = 0
    for place, line in enumerate(lines, 1):
        words = line.strip()
        if line.startswith(GAME_BEGINS):
            found, depth = found + 1, 0
        elif words in ("(", ")"):
            depth += 1 if words == "(" else -1
        elif found == game and depth == 0:
            action = ACTION.fullmatch(words)
            if action and int(action[1]) == number:
                return place
    return 0
