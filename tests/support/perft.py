"""Perft: the number of sequences of choices from fixed positions to depth 1, 2, 3, ...

`make proofs` writes `tests/data/perft.txt`; a test counts again (`docs/contribute/proofs.md`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from brassmill import record
from brassmill.core.engine import Engine
from brassmill.record import Record
from brassmill.rules.layout import TURN_OVER
from support.paths import RECORDS, TESTS

STORED = TESTS / "data" / "perft.txt"
FILES = sorted(RECORDS.glob("*.brass"))

ENOUGH = 5_000  # sequences: a row ends at the first depth with at least this many
DEEPEST = 4
PARTS = 6  # of a game: counting starts at the first action of each

TITLE = """\
# How many sequences of choices there are to depth 1, 2, 3, ... (docs/contribute/proofs.md).
# record | before action | counts
"""


class Row(NamedTuple):
    """The counts of one position: before an action of a recorded game."""

    name: str  # of the record
    action: int
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} | {self.action} | {' '.join(map(str, self.counts))}"

    @classmethod
    def parse(cls, line: str) -> Row:
        """Parse a row of the file."""
        name, action, counts = line.split(" | ")
        return cls(name, int(action), tuple(map(int, counts.split())))


def perft(engine: Engine, depth: int) -> int:
    """Count the sequences; forced choices are made automatically, as for players."""
    options = engine.legal()
    if depth == 1:
        return len(options)
    here = engine.snapshot()
    total = 0
    for choice in options:
        engine.restore(here)
        engine.choose(choice)
        if engine.phase == TURN_OVER:
            engine.end_turn()
        total += perft(engine, depth - 1)
    return total


def counts(engine: Engine) -> Iterator[int]:
    """Yield the counts of a row, depth by depth."""
    here = engine.snapshot()
    for depth in range(1, DEEPEST + 1):
        engine.restore(here)
        count = perft(engine, depth)
        yield count
        if count >= ENOUGH:
            return


def rows(path: Path) -> Iterator[Row]:
    """Return the rows of the first game of a file."""
    first = next(iter(record.read(path)))
    assert isinstance(first, Record)
    game = first.game()
    for part in range(PARTS):
        number = len(game.actions) * part // PARTS
        engine = Engine(game.edition, game.seats, game.actions[number].before)
        yield Row(path.stem, number + 1, tuple(counts(engine)))


def stored() -> list[Row]:
    """Return the rows of the file."""
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return [Row.parse(line) for line in lines if not line.startswith("#")]


def main() -> None:
    lines = [str(row) for path in FILES for row in rows(path)]
    STORED.write_text(TITLE + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
