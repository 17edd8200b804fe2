"""A puzzle as one visitor solves it: everything follows from the clicks so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic

from brassmill import position
from brassmill.core.engine import Engine
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.notation.matching import ways_of, why_not_all
from brassmill.play.session import GameSession, Part
from brassmill.puzzles.grading import mark_of, vp_after
from brassmill.puzzles.puzzle import ExactAnswer, Puzzle
from brassmill.rules.layout import TURN_OVER

Click = tuple[int, ...]  # choices made at once

CONTINUE: Click = (-1,)  # show the next step of the best turn
END_TURN: Click = (-2,)
GIVE_UP: Click = (-3,)


@dataclass(frozen=True)
class PuzzleVerdict:
    """What a turn is worth, compared with the best one."""

    is_best: bool
    vp: int | None = None  # of a last turn
    loss: float | None = None  # VP less than the best; None: unknown
    compared: int | None = None  # which of the turns that the search compared


class PuzzleRun(Generic[Part]):
    """A puzzle after some clicks. It never changes: the next click makes another run."""

    def __init__(
        self,
        puzzle: Puzzle,
        clicks: Sequence[Click] = (),
        *,
        part: type[Part],
        names: Sequence[str] = (),
    ) -> None:
        """Replay the clicks, as far as the puzzle allows: it may have changed since.

        The history is kept in objects of class `part`; `names` are shown for the seats.
        """
        self.puzzle = puzzle
        self.clicks: list[Click] = []
        self.is_over = False  # the turn has ended, or the visitor has given up
        self.has_given_up = False
        self.shown = 0  # actions of the best turn, once it is over; 0: the visitor's own turn
        self._part, self._names = part, tuple(names)
        self.session = begun(puzzle, part, names)
        self.seat = self.session.game.engine.seat
        self.end: Engine | None = None  # the visitor's turn, once it has ended
        for click in clicks:
            try:
                self._apply(click)
            except BrassError:
                break

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def awaits(self) -> str:
        """What the visitor must do: `choose`, `end` the turn, or nothing: `over`."""
        if self.is_over:
            return "over"
        return "end" if self.game.engine.phase == TURN_OVER else "choose"

    def after(self, click: Click) -> PuzzleRun[Part]:
        """The run after one more click; an error if it is not allowed."""
        run = PuzzleRun(self.puzzle, self.clicks, part=self._part, names=self._names)
        run._apply(click)
        return run

    def before(self) -> PuzzleRun[Part]:
        """The run without the last click, unless that has ended the turn or revealed something."""
        if not (self.shown if self.is_over else self.session.undoable):
            return self
        return PuzzleRun(self.puzzle, self.clicks[:-1], part=self._part, names=self._names)

    def _apply(self, click: Click) -> None:
        awaits = self.awaits
        if click == END_TURN and awaits == "end":
            self.is_over = True
            self.end = self.game.engine.copy()
        elif click == GIVE_UP and awaits != "over":
            self.is_over = self.has_given_up = True
        elif click == CONTINUE and awaits == "over" and self.shown < len(self.puzzle.solution):
            self.shown += 1
            actions = self.puzzle.solution[: self.shown]
            self.session = played(self.puzzle, actions, self._part, self._names)
        elif click and awaits == "choose":
            if refusal := why_not_all(self.game.engine, click):
                raise refusal.error()
            self.session.choose(click)
        else:
            raise IllegalAction("the turn is over")
        self.clicks.append(click)

    @cached_property
    def verdict(self) -> PuzzleVerdict | None:
        """What the turn is worth, once it has ended."""
        if not self.is_over:
            return None
        if self.end is None:
            return PuzzleVerdict(is_best=False)
        answer, engine = self.puzzle.answer, self.end
        if isinstance(answer, ExactAnswer):
            vp = vp_after(engine, self.seat)
            return PuzzleVerdict(vp == answer.vp, vp, answer.vp - vp)
        mark = mark_of(engine.snapshot())
        for number, compared in enumerate(answer.compared):
            end = played(self.puzzle, compared.turn, self._part)
            if mark_of(end.game.engine.snapshot()) == mark:
                return PuzzleVerdict(not number, loss=compared.loss, compared=number)
        return PuzzleVerdict(is_best=False)


def begun(puzzle: Puzzle, part: type[Part], names: Sequence[str] = ()) -> GameSession[Part]:
    """The table at the start of a puzzle."""
    read = position_of(puzzle.position)
    game = Game.from_state(read.edition, read.state, tuple(names) or read.seats)
    return GameSession.begin(game, part)


@lru_cache(maxsize=256)
def position_of(text: str) -> position.Position:
    """The position of a puzzle; reading it takes longer than anything else."""
    return position.read(position.from_text(text))


def played(
    puzzle: Puzzle, actions: Sequence[str], part: type[Part], names: Sequence[str] = ()
) -> GameSession[Part]:
    """The table after some actions of a turn, in notation."""
    session = begun(puzzle, part, names)
    for text in actions:
        way = next(ways_of(session.game.engine, position.SEAT_NAMES, text), None)
        if way is None:
            raise BrassError(f"{puzzle.id}: {text}: {session.game.why_not(text)}")
        session.choose(way)
    return session
