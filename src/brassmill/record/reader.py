"""From text to records: one game at a time, so files may be long; broken games are skipped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record.parser import GAME_BEGINS, LineError, Parser, SourceLine
from brassmill.record.record import Record
from brassmill.record.tree import BLANKS, NOT_TEXT

LONGEST_LINE = 1_000_000  # bytes in UTF-8
LONGEST_GAME = 20_000_000  # characters
MOST_LINES = 200_000  # of a game

Source = str | Path | IO[str] | IO[bytes] | Iterable[str]


class BrokenRecord(BrassError):  # noqa: N818 (errors are named by what happened, as in errors.py)
    """A game that cannot be read: its number in the file, the line, and why."""

    def __init__(self, number: int, line: int, message: str) -> None:
        self.number = number
        self.line = line
        self.message = message
        super().__init__(
            _("game {number}, line {line}: {message}").format(
                number=number, line=line, message=message
            )
        )


def read(source: Source) -> Iterator[Record | BrokenRecord]:
    """The games of a file, one by one; the source is a path, an open file, or lines of text.

    A game that cannot be read is returned as a `BrokenRecord`, and reading continues with the next.
    """
    if isinstance(source, str | Path):
        with open(source, "rb") as file:
            yield from read(file)
        return
    for number, lines in enumerate(games(lines_of(source)), 1):
        try:
            yield Parser(lines).record()
        except LineError as error:
            yield BrokenRecord(number, error.line, str(error))


def load(path: str | Path, number: int = 1) -> Record:
    """One game of a file, by default the first; a broken one raises an error."""
    count = 0
    for count, found in enumerate(read(path), 1):
        if count == number:
            return _whole(found)
    if not count:
        raise BrassError(_("there is no game in this file"))
    raise BrassError(
        _("there is no game {number}: the file has {count}").format(number=number, count=count)
    )


def loads(text: str) -> Record:
    """The one game of a text."""
    found = list(read(text.split("\n")))
    if len(found) != 1:
        raise BrassError(_("the text holds {count} games, not one").format(count=len(found)))
    return _whole(found[0])


def _whole(found: Record | BrokenRecord) -> Record:
    if isinstance(found, BrokenRecord):
        raise found
    return found


# --- lines and games -----------------------------------------------------------------------------


def lines_of(source: IO[str] | IO[bytes] | Iterable[str]) -> Iterator[SourceLine]:
    """The lines of a file; the rest of a line that is too long is dropped."""
    for number, (raw, too_long) in enumerate(_raw_lines(source), 1):
        text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else str(raw)
        text = text.removesuffix("\n").removesuffix("\r")
        if number == 1:
            text = text.removeprefix("\ufeff")
        problem = ""
        if too_long or _size(text) > LONGEST_LINE:
            problem = _("the line is longer than {most} bytes").format(most=LONGEST_LINE)
        elif found := NOT_TEXT.search(text):
            problem = _("this is not UTF-8 text (character {place} of the line)").format(
                place=found.start() + 1
            )
        yield SourceLine(
            number, "" if problem and not text.startswith(GAME_BEGINS) else text, problem
        )


def _size(text: str) -> int:
    """The size of a text in a file, in bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def _raw_lines(source: Any) -> Iterator[tuple[str | bytes, bool]]:
    """Each line, and whether it was cut."""
    if not hasattr(source, "readline"):
        for line in source:
            yield line, False
        return
    most = LONGEST_LINE + len("\r\n")
    while line := source.readline(most):
        whole = len(line) < most or line[-1:] in ("\n", b"\n")
        yield line, not whole
        while not whole:
            rest = source.readline(most)
            whole = len(rest) < most or rest[-1:] in ("\n", b"\n")


def games(lines: Iterable[SourceLine]) -> Iterator[list[SourceLine]]:
    """The lines of each game; a game always begins at its first header.

    After a line that cannot be read, the rest of its game is dropped.
    """
    game: list[SourceLine] = []
    size = 0
    for line in lines:
        if line.text.startswith(GAME_BEGINS) and game:
            yield game
            game, size = [], 0
        if not game and not line.text.strip(BLANKS) and not line.problem:
            continue  # blank lines between games
        if game and game[-1].problem:
            continue
        size += len(line.text) + 1
        if size > LONGEST_GAME or len(game) == MOST_LINES:
            line = SourceLine(line.number, "", _("the game is too long"))
        game.append(line)
    if game:
        yield game
