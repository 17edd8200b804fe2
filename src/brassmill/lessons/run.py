"""A lesson as one learner plays it: everything follows from the clicks so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Generic

from brassmill.core.choice import NUMBER
from brassmill.core.engine import Engine
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.language import Text
from brassmill.lessons.lesson import Lesson, Rival, Step
from brassmill.notation.matching import ways_of
from brassmill.play.session import GameSession, Part
from brassmill.position import read as read_position
from brassmill.rules.layout import TURN_OVER

Click = tuple[int, ...]  # choices made at once

CONTINUE: Click = (-1,)  # the learner has read the text
END_TURN: Click = (-2,)


class Run(Generic[Part]):
    """A lesson after some clicks. It never changes: the next click makes another run."""

    def __init__(
        self,
        lesson: Lesson,
        clicks: Sequence[Click] = (),
        *,
        part: type[Part],
        names: Sequence[str] = (),
    ) -> None:
        """Replay the clicks, as far as the lesson allows: it may have changed since.

        The history is kept in objects of class `part`; `names` are shown for the seats.
        """
        self.lesson = lesson
        self.clicks: list[Click] = []
        self.number = 0  # of the step
        self.is_solved = False  # the action of the step is done, and its text remains to be read
        self._part = part
        self._names = tuple(names) or lesson.seats
        self.session: GameSession[Part] = self._begin(lesson.position)
        self._enter()
        for click in clicks:
            try:
                self._apply(click)
            except BrassError:
                break

    def after(self, click: Click) -> Run[Part]:
        """The run after one more click; an error if the step is about something else."""
        run = Run(self.lesson, self.clicks, part=self._part, names=self._names)
        run._apply(click)
        return run

    # --- where it stands -------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def is_over(self) -> bool:
        """Is this the last step? It has nothing to do."""
        return self.number == len(self.lesson.steps) - 1

    @property
    def step(self) -> Step:
        """The current step."""
        return self.lesson.steps[self.number]

    @property
    def idea(self) -> Text:
        """The heading: the last one so far."""
        ideas = [step.idea for step in self.lesson.steps[: self.number + 1] if step.idea]
        return ideas[-1] if ideas else self.lesson.title

    @property
    def text(self) -> Text:
        """What the panel says now."""
        return self.step.after if self.is_solved else self.step.say

    @property
    def awaits(self) -> str:
        """What the learner must do: `choose`, `end` the turn, `continue`, or nothing: `over`."""
        if self.is_over:
            return "over"
        if self.step.do and not self.is_solved:
            return "choose"
        if self.step.do and self.game.engine.phase == TURN_OVER:
            return "end"
        return "continue"

    @cached_property
    def ways(self) -> tuple[tuple[int, ...], ...]:
        """The ways to complete the action from here that solve the step, by choices."""
        if self.awaits != "choose":
            return ()
        draft = self.game.draft
        made = draft.ids if draft else ()
        start = self._action_start()
        found = [way for text in self.step.do for way in ways_of(start, self.lesson.seats, text)]
        kept = {NUMBER["CARD", start.edition.find_card(name)] for name in self.step.keep}
        return tuple(
            way[len(made) :]
            for way in dict.fromkeys(found)
            if way[: len(made)] == made and not kept.intersection(way)
        )

    @property
    def lit(self) -> tuple[int, ...]:
        """The open choices that the step is about."""
        return tuple(dict.fromkeys(way[0] for way in self.ways))

    def _action_start(self) -> Engine:
        engine, draft = self.game.engine.copy(), self.game.draft
        if draft:
            engine.restore(draft.before)
        return engine

    # --- clicks ----------------------------------------------------------------------------------

    def _begin(
        self, position: Mapping[str, Any], history: Sequence[Part] = ()
    ) -> GameSession[Part]:
        """Begin at a position; the history so far is kept, and tells which round it is now."""
        read = read_position(position)
        game = Game.from_state(read.edition, read.state, self._names)
        return GameSession.begin(game, self._part, history)

    def _enter(self) -> None:
        """Begin a step."""
        self.is_solved = False
        self.__dict__.pop("ways", None)
        if self.step.position is not None:
            self.session = self._begin(self.step.position, self.session.history)

    def _apply(self, click: Click) -> None:
        awaits = self.awaits
        if click == CONTINUE and awaits == "continue":
            self._advance()
        elif click == END_TURN and awaits == "end":
            self.session.end_turn()
            for rival in self.step.rivals:
                self._play(rival)
            self._advance()
        elif click and awaits == "choose" and click in {way[: len(click)] for way in self.ways}:
            self._choose(click)
        else:
            raise IllegalAction("this step is about something else")
        self.clicks.append(click)

    def _choose(self, click: Click) -> None:
        self.session.choose(click)
        self.__dict__.pop("ways", None)
        if not self.game.engine.in_progress:
            self.is_solved = True
            if not self.step.after and self.game.engine.phase != TURN_OVER:
                self._advance()

    def _advance(self) -> None:
        self.number += 1
        self._enter()

    def _play(self, rival: Rival) -> None:
        """A rival's move: what it leaves open is chosen by the first way that fits."""
        game, seat = self.game, self.lesson.seats.index(rival.seat)
        if game.seat != seat:
            raise BrassError(f"it is not the turn of {rival.seat}")
        way = next(ways_of(game.engine, self.lesson.seats, rival.move), None)
        if way is None:
            raise BrassError(f"{rival.seat} cannot {rival.move}: {game.why_not(rival.move)}")
        self.session.choose(way)
        if game.engine.phase == TURN_OVER:
            self.session.end_turn()
