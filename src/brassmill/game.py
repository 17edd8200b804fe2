"""A game: the position, the deal and the log, with the methods to play and study it.

>>> from brassmill.game import Game
>>> game = Game("birmingham", players=4, seed=7)
>>> game.era, game.round, game.actions_left
('canal', 1, 1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

import brassmill
from brassmill import editions, saving
from brassmill import position as positions
from brassmill.core import worlds
from brassmill.core.action import Action
from brassmill.core.bill import Bill, bill_of
from brassmill.core.choice import Choice, Choices, whole
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.events import ERAS, Event, events_of
from brassmill.core.names import QUESTIONS
from brassmill.core.outcome import Outcome, Points, outcome_of, score_now
from brassmill.core.view import View, view_of
from brassmill.editions import Edition, Value
from brassmill.errors import BrassError, IllegalAction, InvalidPosition
from brassmill.language import gettext as _
from brassmill.notation import matching
from brassmill.notation.actions import Actions
from brassmill.notation.reader import name_problems
from brassmill.observation import observation_of
from brassmill.position.words import POSITION_KEYS, SEAT_NAMES
from brassmill.rules import warmup
from brassmill.rules.emit import EventKind
from brassmill.rules.layout import DEBT, GAME_OVER, STATE, TURN_OVER
from brassmill.rules.reasons import Reason
from brassmill.words import Refusal

if TYPE_CHECKING:
    from brassmill.record import Record

Move = Choice | Action | str | int  # anything that can be played

TURN_ENDED = -1  # the end of a turn, in the moves of an undo point


class UndoPoint(NamedTuple):
    """A point to go back to: the state before a move, and the move."""

    position: bytes
    public: bytes  # the position that others see
    public_actions: int
    public_moves: int
    began: bytes  # where the action in progress began
    draft: tuple[int, ...]  # the choices of the action in progress
    actions: int
    moves: tuple[int, ...]  # the choices made from here, and TURN_ENDED


class Game:
    """One game of one edition.

    A turn consists of choices. `play` ends the turn when its actions are done; `choose` leaves
    that to `end_turn`. Until then the turn is a draft, which `view` shows to its own seat only.
    A choice that reveals something hidden (a distant tile), or removes a tile to pay a debt,
    publishes the draft up to there at once.

    A game contains hidden information, and so does its log, `actions`: they are only for the code
    that runs the game. Until the game is over, players may get only a view or a seat's record.
    """

    def __init__(
        self,
        edition: str | Edition = "birmingham",
        players: int | None = None,
        seed: int | None = None,
        *,
        deal: Deal | None = None,
        seats: Sequence[str] = SEAT_NAMES,
        secret: bool | None = None,
        **options: Value,
    ) -> None:
        """A new game: from a seed, from a deal or, with neither, at random.

        The deal of a random game is secret until the game is over, unless `secret` says otherwise.
        """
        warmup.ready()
        if players is not None:
            players = whole("a number of players", players)
        edition = editions.decided(edition, players, options)
        if secret is None:
            secret = seed is None and deal is None
        if deal is None:
            deal = Deal.random(edition) if seed is None else Deal.from_seed(edition, seed)
        elif seed is not None:
            raise BrassError("a game has a seed or a deal, not both")
        elif not isinstance(deal, Deal):
            raise BrassError(f"{deal!r} is not a deal")
        engine = Engine(edition, check_names(edition, seats))
        engine.set_up(deal.record(edition))
        self._start(engine, deal, secret)

    def _start(self, engine: Engine, deal: Deal, secret: bool = False) -> None:
        self.engine = engine
        self.deal = deal
        self.secret = secret  # whether the deal is secret until the game is over
        self.actions: list[Action] = []  # the log
        self._undo_points: list[UndoPoint] = []
        self._draft: tuple[int, ...] = ()
        self._began = self._public = engine.snapshot()
        self._public_actions = self._public_moves = 0

    @classmethod
    def from_position(
        cls, position: Mapping[str, Any] | str, seats: Sequence[str] | None = None
    ) -> Game:
        """A game that starts from a position: a mapping (`docs/formats/scenarios.md`) or a text.

        The `seats` are other names than those of the position.
        """
        if isinstance(position, str):
            position = positions.from_text(position)
        read = positions.read(position)
        return cls._begin(replace(read, seats=check_names(read.edition, seats or read.seats)))

    @classmethod
    def from_state(cls, edition: Edition, state: Any, seats: tuple[str, ...]) -> Game:
        """A game that starts from a position reached by the rules (a `STATE` record)."""
        return cls._begin(positions.of_state(edition, state, seats))

    @classmethod
    def _begin(cls, position: positions.Position) -> Game:
        game = cls.__new__(cls)
        state = position.state.tobytes()
        game._start(Engine(position.edition, position.seats, state), position.deal)
        return game

    def position(self) -> dict[str, Any]:
        """Every fact of the position, including hidden ones, as plain data."""
        return positions.write(self.edition, self.state, self.seats)

    def position_text(self, one_line: bool = False) -> str:
        """The same as short text (`docs/formats/notation.md`), by lines or in one line."""
        return positions.to_text(self.edition, self.state, self.seats, one_line)

    @property
    def start(self) -> bytes:
        """The position in which the game started, packed."""
        return self._undo_points[0].position if self._undo_points else self.engine.snapshot()

    def record(
        self,
        seat: int | Literal["spectator"] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Record:
        """The game as a record (`docs/formats/notation.md`): everything, or what a seat may know.

        While a game with a secret deal runs, only a record of a seat or of a spectator is allowed.
        """
        return brassmill.Record.of(self, seat, headers)

    # --- the current state -----------------------------------------------------------------------

    @property
    def edition(self) -> Edition:
        return self.engine.edition

    @property
    def players(self) -> int:
        return self.edition.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.engine.seats

    @property
    def state(self) -> Any:
        """The position itself (`STATE` in `rules/layout.py`); do not change it."""
        return self.engine.state

    @property
    def seat(self) -> int | None:
        """The seat that must choose now; None when the game is over."""
        return None if self.over else self.engine.seat

    @property
    def era(self) -> str:
        return ERAS[int(self.state.era)]

    @property
    def round(self) -> int:
        return int(self.state.round_number)

    @property
    def actions_left(self) -> int:
        """The actions left to the seat on turn, including the one in progress."""
        return int(self.state.actions_left)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in turn order."""
        return tuple(self.state.order[: self.players].tolist())

    @property
    def question(self) -> str:
        """The open question: `action`, `card`, `coal`, ..., `turn over`, `game over`."""
        return QUESTIONS[self.engine.phase]

    @property
    def draft(self) -> Action | None:
        """The action in progress so far; None between actions."""
        if not self._draft:
            return None
        return Action(self.edition, self.seats, self._began, self._draft)

    @property
    def unpublished(self) -> int:
        """How many of the last moves only the seat to move has seen: those it may still undo."""
        return len(self._undo_points) - self._public_moves

    @property
    def over(self) -> bool:
        return self.engine.phase == GAME_OVER

    def __repr__(self) -> str:
        if self.over:
            now = "over"
        else:
            now = f"{self.era} era, round {self.round}, {self.seats[self.engine.seat]} to move"
        return f"<Game {self.edition.name}, {self.players} players, {now}>"

    # --- questions about the position ------------------------------------------------------------

    def legal_choices(self) -> Choices:
        """The legal answers to the open question."""
        return Choices(self.edition, self.engine.legal())

    def legal_actions(self) -> Actions:
        """All complete legal actions; within an action, all ways to complete it.

        They are made a few at a time while you iterate. `len(game.legal_actions())` and
        `text in game.legal_actions()` make none.
        """
        return Actions(self.engine)

    def why_not(self, move: Move) -> Refusal | None:
        """Why something cannot be played; None if it can."""
        if isinstance(move, str):
            return matching.why_not(self.engine, move)
        return matching.why_not_all(self.engine, self._ids(move))

    def bill(self, move: Move) -> Bill:
        """What an action would cost and where everything would come from."""
        if isinstance(move, str):
            choices, parsed = matching.begin(self.engine, move)
            return bill_of(self.engine, choices, parsed.open_resources)
        return bill_of(self.engine, self._choices(move))

    def score_now(self) -> tuple[Points, ...]:
        """The VP that each seat would score if the era ended now, by source."""
        return score_now(self.engine)

    def outcome(self) -> Outcome | None:
        """The winner and the VP; None while the game runs."""
        return outcome_of(self.engine)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: what a spectator may see."""
        return self.view()._repr_svg_()

    def view(self, seat: int | None = None) -> View:
        """What a seat, or a spectator, may know now."""
        if seat is not None:
            seat = whole("a seat", seat)
            if not 0 <= seat < self.players:
                raise BrassError(f"there is no seat {seat}: they are 0 to {self.players - 1}")
        if seat is not None and seat == self.seat:
            legal = self.legal_choices()
            return view_of(self.edition, self.seats, self.state, seat, len(self.actions), legal)
        public = Engine(self.edition, self.seats, self._public)
        return view_of(self.edition, self.seats, public.state, seat, self._public_actions)

    def observation(self, seat: int | None = None) -> Any:
        """What a seat (or the one to choose) may know: `docs/research/observations.md`."""
        return observation_of(self.edition, self.view(self._viewer(seat)))

    def world(self, seat: int | None = None, seed: int = 0) -> Game:
        """A game in a position that could be the true one, as far as a seat knows.

        What the seat cannot see is sampled with the seed; all possibilities are equally likely.
        """
        sampled = worlds.sample(self.edition, self.view(self._viewer(seat)), seed)
        state = np.frombuffer(sampled, STATE).view(np.recarray)[0]
        return Game.from_state(self.edition, state, self.seats)

    def _viewer(self, seat: int | None) -> int:
        """The given seat, or the one that must choose."""
        if seat is None and self.over:
            raise BrassError("the game is over and nobody must choose: name a seat")
        return self.engine.seat if seat is None else seat

    # --- playing ---------------------------------------------------------------------------------

    def play(self, move: Move) -> list[Event]:
        """Play a choice, an action or a text, and end the turn if it is over; return the events."""
        return self.carry_out(self._choices(move))

    def choose(self, move: Move) -> list[Event]:
        """Play a move without ending the turn; return the events."""
        return self.carry_out(self._choices(move), ends_turn=False)

    def end_turn(self) -> list[Event]:
        """End a turn whose actions are done."""
        if self.over:
            raise IllegalAction("the game is over", Reason.GAME_IS_OVER)
        if self.engine.phase != TURN_OVER:
            raise IllegalAction("the turn is not over", Reason.ACTION_UNFINISHED)
        return self.carry_out(())

    def _choices(self, move: Move) -> tuple[int, ...]:
        if isinstance(move, str):
            return matching.resolve(self.engine, move)
        choices = self._ids(move)
        found = matching.why_not_all(self.engine, choices)
        if found:
            raise found.error()
        return choices

    def _ids(self, move: Choice | Action | int) -> tuple[int, ...]:
        """The numbers of a choice or an action, which must belong to this edition."""
        if isinstance(move, Choice | Action) and move.edition.name != self.edition.name:
            raise BrassError(f"{move!r} belongs to {move.edition.title}")
        return move.ids if isinstance(move, Action) else (whole("a choice", move),)

    def carry_out(self, choices: tuple[int, ...], ends_turn: bool = True) -> list[Event]:
        """Play choices as one move that can be undone.

        They are not checked: call this only with legal choices, and `play` with anything else.
        """
        point = self._undo_point()
        rows: list[list[int]] = []
        moves: list[int] = []
        while choices:
            made = self._make(choices[0], rows)
            moves += made
            choices = self._rest(choices, made)
        if self._public is not point.public:  # what reveals something shows the whole move
            self.publish()
        if ends_turn and self.engine.phase == TURN_OVER:
            self.engine.end_turn()
            rows += self.engine.rows
            moves.append(TURN_ENDED)
            self.publish()
        self._undo_points.append(point._replace(moves=tuple(moves)))
        if self._public is not point.public:
            self._public_moves = len(self._undo_points)
        return events_of(self.edition, rows)

    def _make(self, choice: int, rows: list[list[int]]) -> tuple[int, ...]:
        """Make a choice and the forced ones after it."""
        engine = self.engine
        if not self._draft:
            self._began = engine.snapshot()
        in_debt = engine.phase == DEBT
        made = tuple(engine.choose(choice))
        rows += engine.rows
        if in_debt:  # further tiles that must be removed are not actions: events report them
            made = made[:1]
        self._draft += made
        if not engine.in_progress:
            number = len(self.actions) + 1
            action = Action(self.edition, self.seats, self._began, self._draft, number)
            self.actions.append(action)
            self._draft = ()
        if in_debt or any(row[0] == EventKind.DISTANT_TILE for row in engine.rows):
            self.publish()
        return made

    def _rest(self, choices: tuple[int, ...], made: tuple[int, ...]) -> tuple[int, ...]:
        """The choices still to be made."""
        if not self.engine.in_progress:
            return ()  # if the distant market has closed, the rest lapses (SELL-4)
        return choices[len(made) :]

    def publish(self) -> None:
        """Show everyone the turn so far; the end of a turn does this by itself."""
        self._public = self.engine.snapshot()
        self._public_actions = len(self.actions)
        self._public_moves = len(self._undo_points)

    # --- undo, copies, saving --------------------------------------------------------------------

    def undo(self, to: int | None = None) -> None:
        """Undo the last move, or go back to just after an action, by number (0: the start)."""
        if to is None:
            if not self._undo_points:
                raise BrassError("there is nothing to undo")
            self._go_to(self._undo_points.pop())
            return
        if not 0 <= whole("the number of an action", to) <= len(self.actions):
            raise BrassError(f"there is no action {to}: they are 1 to {len(self.actions)}")
        while self._draft or len(self.actions) > to:
            self._go_to(self._undo_points.pop())

    def _undo_point(self) -> UndoPoint:
        return UndoPoint(
            position=self.engine.snapshot(),
            public=self._public,
            public_actions=self._public_actions,
            public_moves=self._public_moves,
            began=self._began,
            draft=self._draft,
            actions=len(self.actions),
            moves=(),
        )

    def _go_to(self, point: UndoPoint) -> None:
        self.engine.restore(point.position)
        self._public, self._public_actions = point.public, point.public_actions
        self._public_moves = point.public_moves
        self._began, self._draft = point.began, point.draft
        del self.actions[point.actions :]

    def copy(self) -> Game:
        """A copy to continue with independently."""
        game = Game.__new__(Game)
        game.__dict__.update(self.__dict__)
        game.engine = self.engine.copy()
        game.actions = self.actions.copy()
        game._undo_points = self._undo_points.copy()
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.from_bytes, (self.to_bytes(),)

    def to_bytes(self) -> bytes:
        """The whole game: edition, deal, log and draft."""
        return saving.pack_game(
            {
                "edition": self.edition.name,
                "players": self.players,
                "options": dict(self.edition.options),
                "seats": self.seats,
                "deal": self.deal.to_dict(self.edition),
                "secret": self.secret,
                "start": self.start.hex(),
                "calls": [point.moves for point in self._undo_points],
                "position": self.engine.snapshot().hex(),
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Game:
        """A game from `to_bytes`: it is replayed, so its moves can be undone too."""
        saved = saving.unpack_game(data)
        try:
            return cls._replayed(**saved)
        except InvalidPosition:
            raise
        except (TypeError, LookupError, AttributeError, ValueError) as error:
            raise InvalidPosition([f"the saved game cannot be: {error}"]) from error

    @classmethod
    def _replayed(
        cls,
        *,
        layout: str,
        edition: str,
        players: int,
        options: dict[str, Value],
        seats: list[str],
        deal: dict[str, Any],
        secret: bool,
        start: str,
        calls: list[list[int]],
        position: str,
    ) -> Game:
        """Set up a saved game and replay it."""
        table = editions.edition(edition, whole("a number of players", players), **options)
        engine = Engine(table, check_names(table, seats), bytes.fromhex(start))
        game = cls.__new__(cls)
        if not isinstance(secret, bool):
            raise InvalidPosition([f"the saved game cannot be: secret is {secret!r}"])
        game._start(engine, Deal.from_dict(table, deal), secret)
        if positions.read(game.position()).state.tobytes() != engine.snapshot():
            raise InvalidPosition(["the saved game begins in a position that cannot be"])
        for moves in calls:
            choices = tuple(whole("a choice", move) for move in moves if move != TURN_ENDED)
            if choices and matching.why_not_all(engine, choices):
                break
            game.carry_out(choices, ends_turn=TURN_ENDED in moves)
        if engine.snapshot().hex() != position:
            raise InvalidPosition(["the saved game was played by other rules: it ends elsewhere"])
        return game


def check_names(edition: Edition, seats: Sequence[str]) -> tuple[str, ...]:
    """The names of the seats, after a check that texts and positions can contain them."""
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise InvalidPosition([_("seats: {seats!r} is not a list of names").format(seats=seats)])
    names = tuple(seats[: edition.players])
    problems = name_problems(names, POSITION_KEYS)
    if len(names) < edition.players:
        words = _("{players} players need {players} different names, not {number}")
        problems.append(words.format(players=edition.players, number=len(names)))
    if problems:
        raise InvalidPosition(
            [_("seats: {problem}").format(problem=problem) for problem in problems]
        )
    return names
