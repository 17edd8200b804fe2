"""The digests of positions in recorded games, as the first version that stored any wrote them.

`tests/data/digests.txt` has the digest of every 10th position of some games, of the first one for
each question, and of the last one. It is frozen: add lines, but never write a line again.

Run as a program, it prints the digests of those positions and the stored words of Birmingham, for
a test that runs it with another source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from brassmill import editions, record
from brassmill.game import Game
from brassmill.notation.stored import words_of
from brassmill.position.digest import digest_of
from brassmill.record import Record
from brassmill.rules.layout import TURN_OVER
from support.paths import RECORDS, TESTS

FILE = TESTS / "data" / "digests.txt"


class Pinned(NamedTuple):
    """A line of the file: a position, numbered from 0 in its game, and its digest."""

    game: str
    number: int
    digest: str


def pinned() -> list[Pinned]:
    rows = (line.split() for line in FILE.read_text().splitlines() if not line.startswith("#"))
    return [Pinned(game, int(number), digest) for game, number, digest in rows]


def played_game(name: str) -> Game:
    written = next(iter(record.read(RECORDS / f"{name}.brass")))
    assert isinstance(written, Record)
    return written.game()


def positions(played: Game) -> Iterator[bytes]:
    """Replay a game and yield the position at every choice, every end of a turn and the end."""
    engine = Game(played.edition, deal=played.deal, seats=played.seats).engine
    for action in played.actions:
        choices = action.ids
        while choices:
            yield engine.snapshot()
            choices = choices[len(engine.choose(choices[0])) :]
        if engine.phase == TURN_OVER:
            yield engine.snapshot()
            engine.end_turn()
    yield engine.snapshot()


def digests(name: str) -> list[str]:
    """Return the digests of all positions of a recorded game."""
    game = played_game(name)
    return [digest_of(game.edition, position) for position in positions(game)]


def main() -> None:
    games = {row.game for row in pinned() if row.game.startswith("birmingham")}
    birmingham = editions.edition("birmingham", 4)
    found = {
        "words": sorted(words_of(birmingham).choice),
        "digests": {name: digests(name) for name in games},
        "place": birmingham.place_name(birmingham.find_place("Stone")),
        "card": birmingham.card_name(birmingham.find_card("pottery card")),
        "industry": birmingham.industry_name(birmingham.find_industry("pottery")),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
