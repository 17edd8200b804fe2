"""Who tries a puzzle, to say how hard it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple

from brassmill.game import Game
from brassmill.play.host import Host


class Solver(NamedTuple):
    """A bot that tries puzzles."""

    spec: str
    tries: int  # each with a seed of its own


# The five levels and the greedy bot. The master's time is replaced by a number of worlds, so that
# it answers alike on every machine.
LEVELS = {
    "beginner": Solver("beginner", 6),
    "apprentice": Solver("apprentice", 6),
    "journeyman": Solver("journeyman", 6),
    "expert": Solver("expert", 1),
    "master": Solver("net:worlds=24", 2),
}
SOLVERS = {**LEVELS, "greedy": Solver("greedy", 1)}

ENOUGH = 0.5  # the share of tries that a level must find it in

Turn = tuple[tuple[int, ...], ...]


def turns_of(game: Game, seed: int) -> Iterator[tuple[str, Turn]]:
    """The turn that each solver plays in each of its tries."""
    for name, (spec, tries) in SOLVERS.items():
        for number in range(tries):
            yield name, turn_of(game.copy(), spec, seed + number)


def turn_of(game: Game, spec: str, seed: int) -> Turn:
    """The turn that a bot plays; the game is played on, up to the end of the turn."""
    began = len(game.actions)
    with closing(Host.of([spec] * game.players, game.edition, seed)) as host:
        while game.question != "turn over":
            game.carry_out(host.ask(game), ends_turn=False)
    return tuple(action.ids for action in game.actions[began:])


def shares(tried: Iterable[tuple[str, bool]]) -> Mapping[str, float]:
    """By solver, the share of tries that found a best turn."""
    found: dict[str, list[bool]] = {}
    for name, is_found in tried:
        found.setdefault(name, []).append(is_found)
    return {name: round(sum(row) / len(row), 2) for name, row in found.items()}


def level_of(found: Mapping[str, float]) -> int:
    """How hard it is, from 1 to 5: the weakest level that finds it, if all stronger ones do."""
    finders = sum(found[name] >= ENOUGH for name in LEVELS)
    return min(len(LEVELS), 1 + len(LEVELS) - finders)
