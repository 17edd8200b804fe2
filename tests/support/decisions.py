"""What greedy and the planner decide in fixed positions.

`make proofs` writes `tests/data/decisions.txt`; a test asks the bots again: thinking faster must
not change a decision (`docs/contribute/proofs.md`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from brassmill import record
from brassmill.bots import make
from brassmill.bots.bot import Clock
from brassmill.game import Game
from brassmill.record import Record
from support.paths import RECORDS, TESTS

STORED = TESTS / "data" / "decisions.txt"
FILES = sorted(RECORDS.glob("*.brass"))
BOTS = ("greedy", "planner:worlds=2")
PARTS = 6  # of a game: the bots decide at the first action of each

TITLE = """\
# What greedy and planner:worlds=2 decide in fixed positions (docs/contribute/proofs.md).
# record | before action | choices of greedy | choices of the planner
"""


def decision(spec: str, game: Game) -> str:
    """The choices of a bot, as numbers."""
    answer = make(spec, game.edition).choose(game.view(game.seat), Clock())
    assert isinstance(answer, tuple)
    return " ".join(map(str, answer))


def rows(path: Path) -> Iterator[str]:
    """The lines about the first game of a file."""
    first = next(iter(record.read(path)))
    assert isinstance(first, Record)
    actions = len(first.game().actions)
    for part in range(PARTS):
        number = actions * part // PARTS
        decided = [decision(spec, first.game(number)) for spec in BOTS]
        yield " | ".join([path.stem, str(number + 1), *decided])


def stored() -> list[str]:
    """The lines of the file."""
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def main() -> None:
    lines = [row for path in FILES for row in rows(path)]
    STORED.write_text(TITLE + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
