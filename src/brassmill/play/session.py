"""A game at a table: moves, undo, and what each seat has seen.

A move is some choices, or the end of a turn. The moves of a turn stay private until the turn ends;
what reveals something hidden is published at once (`Game` decides).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from brassmill.core.events import Event
from brassmill.game import Game


@dataclass(eq=False)
class HistoryPart:
    """What happened in one action, or after the end of a turn."""

    seat: int | None  # None: not an action
    number: int  # of actions so far, including this one
    events: tuple[Event, ...]


Part = TypeVar("Part", bound=HistoryPart)


class GameSession(Generic[Part]):
    """A game, its public history, and the unpublished moves of the current turn."""

    def __init__(self, game: Game, part: type[Part]) -> None:
        """Start at the game's current position. The history is kept in objects of class `part`."""
        self.game = game
        self.history: list[Part] = []  # public
        self.unpublished: list[Part] = []  # one for each move of this turn
        self.seen = [0] * game.players  # parts of the history when each seat's last turn ended
        self._part = part

    @classmethod
    def begin(cls, game: Game, part: type[Part], history: Sequence[Part] = ()) -> GameSession[Part]:
        """A session that begins at the game's current position and tells which round it is."""
        session = cls(game, part)
        began = Event("round_began", era=game.era, round=game.round)
        session.history = [*history, part(None, 0, (began,))]
        session.seen = [len(session.history)] * game.players
        return session

    def copy(self) -> GameSession[Part]:
        """A copy to continue with independently."""
        copied = GameSession(self.game.copy(), self._part)
        copied.history, copied.unpublished = self.history.copy(), self.unpublished.copy()
        copied.seen = self.seen.copy()
        return copied

    __copy__ = copy

    @property
    def undoable(self) -> int:
        """How many moves of this turn can be undone."""
        return len(self.unpublished)

    def choose(self, choices: tuple[int, ...]) -> list[Event]:
        """Play choices, which must be legal, for the seat to move."""
        game, seat = self.game, self.game.seat
        events = game.carry_out(choices, ends_turn=False)
        number = len(game.actions) + game.engine.in_progress
        self.unpublished.append(self._part(seat, number, tuple(events)))
        if not game.unpublished:
            self._publish()
        return events

    def undo(self, moves: int = 1) -> None:
        """Undo the last moves of the turn."""
        for _move in range(moves):
            self.game.undo()
            self.unpublished.pop()

    def end_turn(self, seen: bool = True) -> list[Event]:
        """End a turn whose actions are done; unless `seen`, its player has not seen it yet."""
        seat = self.game.seat
        events = self.game.end_turn()
        assert seat is not None  # or the turn could not have ended
        self._publish()
        if seen:
            self.seen[seat] = len(self.history)
        if events:
            self.history.append(self._part(None, len(self.game.actions), tuple(events)))
        return events

    def publish(self) -> None:
        """Show everyone what has been done so far in this turn."""
        self.game.publish()
        self._publish()

    def _publish(self) -> None:
        for part in self.unpublished:
            add(self.history, part)
        self.unpublished = []

    def history_for(self, seat: int | None) -> list[Part]:
        """The history as a seat knows it; the seat to move knows its unpublished moves too."""
        history = list(self.history)
        if seat is not None and seat == self.game.seat:
            for part in self.unpublished:
                add(history, part)
        return history

    def news(self, seat: int) -> list[Event]:
        """What has happened since a seat's last turn."""
        return [event for part in self.history[self.seen[seat] :] for event in part.events]


def add(history: list[Part], part: Part) -> None:
    """Append a part, merging the moves of one action."""
    last = history[-1] if history else None
    if last and type(last) is type(part) and (last.seat, last.number) == (part.seat, part.number):
        history[-1] = replace(last, events=last.events + part.events)
    else:
        history.append(part)
