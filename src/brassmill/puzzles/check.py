"""Confirm puzzles by a second run: exact ones by trying every turn again, judged ones elsewhere.

A judged puzzle is searched again with other seeds, so in other worlds; the turns that the solvers
play with other seeds are compared, too. What does not come out as it says is thrown away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from brassmill.game import Game
from brassmill.play.session import HistoryPart
from brassmill.puzzles import exact, judged, solvers
from brassmill.puzzles.grading import vp_after
from brassmill.puzzles.mining import answer_of, texts_of
from brassmill.puzzles.puzzle import ExactAnswer, Puzzle, id_of
from brassmill.puzzles.rejection import Rejection, Unfit
from brassmill.puzzles.run import played
from brassmill.puzzles.themes import themes_of

OTHER = 1_000_003  # added to the seed of a puzzle for its second run


class Checked(NamedTuple):
    """A puzzle and what the second run says about it."""

    puzzle: Puzzle
    problem: str  # empty: it is as it says
    number: int = 0  # in a list of puzzles


class Mismatch(Exception):  # noqa: N818 (a finding, not an error of the program)
    """Something about a puzzle that does not come out as it says."""


def nth(puzzles: Sequence[Puzzle], again: int, number: int) -> Checked:
    """Check one of a list of puzzles."""
    return check(puzzles[number], again)._replace(number=number)


def check(puzzle: Puzzle, again: int = OTHER) -> Checked:
    """Run a puzzle a second time; a judged one gets the answer of that run."""
    try:
        return Checked(_checked(puzzle, again), "")
    except Unfit as unfit:
        return Checked(puzzle, unfit.reason)
    except Mismatch as mismatch:
        return Checked(puzzle, str(mismatch))


def _checked(puzzle: Puzzle, again: int) -> Puzzle:
    game = Game.from_position(puzzle.position)
    solved = played(puzzle, puzzle.solution, HistoryPart).game
    turn = tuple(action.ids for action in solved.actions)
    _expect("id", puzzle.id, id_of(puzzle.position))
    _expect("themes", puzzle.themes, themes_of(game.engine, turn))
    _expect("solution", puzzle.solution, texts_of(game, turn))
    _expect("level", puzzle.level, solvers.level_of(puzzle.found))
    if isinstance(puzzle.answer, ExactAnswer):
        solution = exact.solve(game.engine)
        ways = len(solution.best)
        found = ExactAnswer(solution.most, solution.next_most, len(solution.turns), ways)
        _expect("answer", puzzle.answer, found)
        _expect("VP of the solution", found.vp, vp_after(solved.engine, game.engine.seat))
        return puzzle
    seed = puzzle.seed + again
    others = [played(puzzle, one.turn, HistoryPart).game for one in puzzle.answer.compared[1:]]
    turns = [tuple(action.ids for action in one.actions) for one in others]
    turns += [turn for _name, turn in solvers.turns_of(game, seed)]
    view = game.view(game.engine.seat)
    trials = judged.confirm(game.edition, view, seed, turn, turns, judged.STILL)
    return replace(puzzle, answer=answer_of(game, trials))


def _expect(name: str, said: object, found: object) -> None:
    if said != found:
        raise Mismatch(f"{name}: it says {said}, but it is {found}")


def without_duplicates(found: Iterable[Puzzle]) -> Iterator[Checked]:
    """Keep the first of all puzzles with the same answer: the same actions, whatever the cards."""
    known = set[object]()
    for puzzle in found:
        actions = frozenset(text.partition("; ")[0] for text in puzzle.solution)
        key = puzzle.edition, puzzle.players, puzzle.era, actions
        yield Checked(puzzle, Rejection.DUPLICATE if key in known else "")
        known.add(key)
