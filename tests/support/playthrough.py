"""Playthroughs: every public fact at every action of a whole game, as text to read and compare.

`make proofs` writes `tests/data/playthroughs/`; a test writes them again
(`docs/contribute/proofs.md`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from brassmill import record
from brassmill.core.events import Event
from brassmill.game import Game
from brassmill.record import Record
from support.paths import RECORDS, TESTS

STORED = TESTS / "data" / "playthroughs"

# One recorded game of each edition.
GAMES = ("birmingham-4-merchant-bonuses", "classic-3-chosen-end", "lancashire-3-distant-market")

TITLE = """\
# {name}: every public fact at every action (docs/contribute/proofs.md).
#   =  the facts at the start; after an action those that changed, or - and those that are gone
#   !  what happened
#   ?  the numbers of the open choices
"""


def playthrough(name: str) -> str:
    """Return the text of a recorded game."""
    written = next(iter(record.read(RECORDS / f"{name}.brass")))
    assert isinstance(written, Record)
    return TITLE.format(name=name) + "\n".join(lines(written.game())) + "\n"


def lines(played: Game) -> Iterator[str]:
    """Replay a game and yield what can be seen."""
    game = Game(played.edition, deal=played.deal, seats=played.seats)
    facts = facts_of(game)
    yield from (f"= {name}: {value}" for name, value in facts.items())
    yield f"? {stretches(game.legal_choices().ids)}"
    for action in played.actions:
        yield ""
        yield f"{action.number}. {game.seats[action.seat]}: {action.text}"
        yield f"  choices {' '.join(map(str, action.ids))}"
        yield from (f"! {told(event)}" for event in game.play(action))
        game.publish()  # a spectator would see it at the end of the turn
        before, facts = facts, facts_of(game)
        yield from changes(before, facts)
        yield f"? {stretches(game.legal_choices().ids)}"
    outcome = game.outcome()
    assert outcome is not None
    yield ""
    for result in outcome.ranking:
        yield f"{result.rank}. {game.seats[result.seat]}: {result.total}"


def facts_of(game: Game) -> dict[str, str]:
    """Return what a spectator sees, by name."""
    return dict(named("", game.view().as_dict()))


def named(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the facts of plain data; a tile, a link and a merchant are one each."""
    match value:
        case dict():
            for key, item in value.items():
                yield from named(f"{name} {key}".strip(), item)
        case [{"points": _}, *_]:  # the seats
            for seat in value:
                yield from named(f"{name} {seat['name']}", seat)
        case [{}, *_]:
            for number, item in enumerate(value):
                words = ", ".join(f"{key} {value}" for key, value in item.items())
                yield f"{name} {item.get('name', number)}", words
        case list():
            yield name, " ".join(map(str, value)) or "none"
        case _:
            yield name, str(value)


def changes(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """Yield the facts that an action changed."""
    yield from (f"- {name}" for name in before if name not in after)
    yield from (f"= {name}: {value}" for name, value in after.items() if before.get(name) != value)


def told(event: Event) -> str:
    values = event.as_dict()
    kind = values.pop("kind")
    return " ".join([kind, *(f"{name}={value}" for name, value in values.items())])


def stretches(numbers: tuple[int, ...]) -> str:
    """Write numbers as ranges: `3, 7-9`."""
    ordered = sorted(numbers)
    ends = [0, *(n for n, (a, b) in enumerate(pairwise(ordered), 1) if b > a + 1), len(ordered)]
    runs = [ordered[first:last] for first, last in pairwise(ends) if first < last]
    texts = (str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return ", ".join(texts) or "none"


def main() -> None:
    STORED.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        (STORED / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
