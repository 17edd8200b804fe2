"""A game at the table: its players, what each has not seen yet, and every move saved at once.

A move is some choices, or the end of a turn. Replaying the moves restores the same table, with its
news and with everything that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from brassmill.core.action import Action
from brassmill.core.choice import whole
from brassmill.core.events import Event
from brassmill.game import Game, Move
from brassmill.notation import matching
from brassmill.play.host import Host, as_action
from brassmill.play.seating import Participant


class PlaySession:
    """A game, its seats, and the moves so far."""

    def __init__(
        self, game: Game, seats: Sequence[Participant], seed: int = 0, clock: float | None = None
    ) -> None:
        """A table whose bots have `clock` seconds for each answer and seeds made from `seed`."""
        self.game = game
        self.seats = tuple(seats)
        self.host = Host.of([seat.bot for seat in self.seats], game.edition, seed, clock)
        self.moves: list[list[int]] = []
        self.news: list[list[Event]] = [[] for _ in seats]  # of each seat, since its last turn
        self.turn: list[list[Event]] = []  # what each move of this turn did: a draft
        self.undoable = 0  # of these moves
        self.keep: Callable[[], None] = lambda: None  # called after every move
        self.kept: Path | None = None  # where

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [number for number, seat in enumerate(self.seats) if seat.is_person]

    def choose(self, move: Move) -> list[Event]:
        """Play a move for the seat to choose; return what happened."""
        events = self._choose(self.ids(move))
        self.keep()
        return events

    def end_turn(self) -> list[Event]:
        """End a turn whose actions are done, and show it to everyone."""
        events = self._end_turn()
        self.keep()
        return events

    def undo(self) -> None:
        """Undo the last move of the turn."""
        self.game.undo()
        self.moves.pop()
        self.turn.pop()
        self.undoable -= 1
        self.keep()

    def play_bot(self) -> None:
        """Let the bot whose turn it is make a move."""
        if self.game.question == "turn over":
            self._end_turn()
        else:
            self._choose(self.host.ask(self.game))
        self.keep()

    def replay(self, moves: Iterable[Sequence[int]]) -> None:
        """Replay the moves of a saved game."""
        for move in moves:
            if move:
                self._choose(tuple(whole("a choice", choice) for choice in move))
            else:
                self._end_turn()

    # --- internals -------------------------------------------------------------------------------

    def ids(self, move: Move) -> tuple[int, ...]:
        """The choices that a move stands for."""
        if isinstance(move, str):
            return matching.resolve(self.game.engine, move)
        return move.ids if isinstance(move, Action) else (int(move),)

    def _choose(self, ids: tuple[int, ...]) -> list[Event]:
        game = self.game
        seat, in_debt = game.seat, game.question == "give up"
        events = game.choose(as_action(game, ids))
        assert seat is not None
        self.moves.append(list(ids))
        if in_debt:
            self._add_news(seat, [], events)
            return events
        self.turn.append(events)
        revealed = any(event.kind == "distant_tile" for event in events)
        self.undoable = 0 if revealed else self.undoable + 1
        return events

    def _end_turn(self) -> list[Event]:
        seat = self.game.seat
        events = self.game.end_turn()
        assert seat is not None
        self.moves.append([])
        done = [event for move in self.turn for event in move]
        self.turn, self.undoable = [], 0
        self._add_news(seat, done, events)
        return events

    def _add_news(self, seat: int, done: list[Event], events: list[Event]) -> None:
        """Add the turn to the news of the others, and what followed to everyone's."""
        for other, news in enumerate(self.news):
            if other == seat:
                news[:] = events
            else:
                news += done + events
