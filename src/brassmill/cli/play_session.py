"""A game in the terminal: its players, and every move saved at once.

Replaying the moves restores the same game, with its news and everything that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from brassmill.core.action import Action
from brassmill.core.choice import whole
from brassmill.core.events import Event
from brassmill.game import Game, Move
from brassmill.notation import matching
from brassmill.play.host import Host
from brassmill.play.seating import Participant
from brassmill.play.session import GameSession, HistoryPart


class PlaySession(GameSession[HistoryPart]):
    """A game, its seats, and the moves so far."""

    def __init__(
        self, game: Game, seats: Sequence[Participant], seed: int = 0, clock: float | None = None
    ) -> None:
        """A game whose bots have `clock` seconds for each answer and seeds made from `seed`."""
        super().__init__(game, HistoryPart)
        self.seats = tuple(seats)
        self.host = Host.of([seat.bot for seat in self.seats], game.edition, seed, clock)
        self.moves: list[list[int]] = []  # the choices of each; an empty one ends a turn
        self.save: Callable[[], None] = lambda: None  # called after every move
        self.path: Path | None = None  # where it is saved

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [number for number, seat in enumerate(self.seats) if seat.is_person]

    def play(self, move: Move) -> list[Event]:
        """Play a move for the seat to move; return what happened."""
        return self._play(self.choices(move))

    def play_bot(self) -> None:
        """Let the bot whose turn it is make a move."""
        if self.game.question == "turn over":
            self.end_turn()
        else:
            self.choose(self.host.ask(self.game))

    def replay(self, moves: Iterable[Sequence[int]]) -> None:
        """Replay the moves of a saved game."""
        for move in moves:
            if move:
                self._play(tuple(whole("a choice", choice) for choice in move))
            else:
                self.end_turn()

    def choices(self, move: Move) -> tuple[int, ...]:
        """The choices that a move stands for."""
        if isinstance(move, str):
            return matching.resolve(self.game.engine, move)
        return move.ids if isinstance(move, Action) else (int(move),)

    def _play(self, choices: tuple[int, ...]) -> list[Event]:
        if refusal := matching.why_not_all(self.game.engine, choices):
            raise refusal.error()
        return self.choose(choices)

    # --- every move is saved ---------------------------------------------------------------------

    def choose(self, choices: tuple[int, ...]) -> list[Event]:
        seat, in_debt = self.game.seat, self.game.question == "give up"
        events = super().choose(choices)
        if seat is not None and in_debt:  # the news before the debt has just been shown
            self.seen[seat] = len(self.history) - 1
        self.moves.append(list(choices))
        self.save()
        return events

    def undo(self, moves: int = 1) -> None:
        super().undo(moves)
        del self.moves[-moves:]
        self.save()

    def end_turn(self, seen: bool = True) -> list[Event]:
        events = super().end_turn(seen)
        self.moves.append([])
        self.save()
        return events
