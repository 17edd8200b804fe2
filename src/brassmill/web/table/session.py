"""A session: one table in memory, which can be rebuilt from its log at any time.

Every move (a click, the end of a turn, an undo) is a log entry. It is checked, written and then
applied while the session is locked. Between processes the unique entry number decides who wins. A
person's moves are a draft until the turn ends or something hidden is revealed; a bot's are
published action by action. The log also records whether a person or a bot plays a seat, who
conceded, an end by agreement, and repairs: a rewind, or an end without a result.

The log is stored in words (`archive.py`) and checked against the current rules when it is first
replayed (`fitting.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from threading import RLock
from typing import Any, NamedTuple

from django.db import IntegrityError, connection
from django.utils.crypto import salted_hmac

from brassmill import editions
from brassmill.core.action import Action
from brassmill.core.engine import Engine
from brassmill.core.outcome import Outcome, outcome_of
from brassmill.core.stamp import stamp_of
from brassmill.core.view import View, view_of
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.play.host import Forfeit
from brassmill.play.session import GameSession
from brassmill.web.models import Entry, Seat, Table
from brassmill.web.page.log import AgreedEnd, LogPart, Rewind, SeatChange, TakenBack
from brassmill.web.table import agreements, archive, entries, fitting, live, planning, writing
from brassmill.web.table.agreements import Request
from brassmill.web.table.archive import Body, path_of
from brassmill.web.table.clock import Absence, Waiting
from brassmill.web.table.coach import CoachAnswer
from brassmill.web.table.mistakes import LastAction
from brassmill.web.table.reasons import BotReasons
from brassmill.web.table.rewind_states import RewindStates, State
from brassmill.web.table.take_back import TurnEnd
from brassmill.web.table.writing import MOVED_ON, Overtaken, Stale

ATTEMPTS = 5  # to append an entry while others keep changing the table

_serials = count()

NOT_YET = N_("The game starts when every seat is taken.")
OTHER_RULES = N_("This game was played with different rules and cannot continue.")


class BrokenLog(BrassError):  # noqa: N818
    """The game was played with different rules: it opens as a record."""


class TurnStart(NamedTuple):
    """The start of a turn: a point in the log to rewind to."""

    entry: int  # log entries so far
    turn: int  # from 1
    era: str
    round: int
    seat: int | None  # whose turn it is
    parts: int  # of the history so far


class TableSession:
    """A table, its game, and what every seat has seen."""

    def __init__(self, table: Table, seats: Iterable[Seat]) -> None:
        """The table as dealt; `catch_up` replays its log."""
        self.table = table
        self.seats = tuple(seats)
        self.lock = RLock()
        self.published = 0  # how often something became visible to others
        self.cast = 0  # how often the bots changed, or the point they play from
        self.forfeits: list[Forfeit] = []  # by bots, while the session is in memory
        self.fault = ""  # why its bots cannot play, while the session is in memory
        self.is_lost = False  # its state may be ahead of the database
        self.serial = next(_serials)  # unique in this process
        self.log: list[Body] = []  # with choices by number
        self.archive = archive.archive_of(table)
        self._fits = False  # the log has been replayed and matches
        self._rewind_states = RewindStates()
        known = set(vars(self))
        try:
            self._begin()
        except BrassError as error:  # an edition, option or card no longer exists
            fitting.set_aside(table, fitting.stamp_for(table), error)
            raise BrokenLog(_(OTHER_RULES)) from error
        self._decided_by_log = vars(self).keys() - known  # attributes

    def _begin(self) -> None:
        """Reset to the state before the first log entry."""
        self._play = self._started()
        self.bots = [
            seat.first_bot for seat in self.seats
        ]  # the bot playing each seat; empty: a person
        self.turns = 0  # finished
        self.actions_before_turn = 0  # actions taken when the last turn ended
        self.is_void = False  # ended without a result
        self.is_agreed = False  # ended by agreement, before the rules end it
        self.conceded: list[int] = []  # seats, first to last
        # Each seat's remaining time for the game in seconds, as the log has it. A seat with None
        # has all of its time; None instead of a list: the log predates this.
        self.banks: list[float | None] | None = [None] * len(self.seats)
        self.absences: list[Absence | None] = [None] * len(self.seats)  # of players, by seat
        self.coach_answers: dict[int, CoachAnswer] = {}  # each seat's latest answer from the coach
        self.bot_reasons: dict[int, BotReasons] = {}  # of actions, for the only person
        self.last_action: LastAction | None = None  # of an unfinished turn, as the coach judges it
        self._after: list[bytes] = [self.game.start]  # the position after each action
        self.turn_starts = [self._turn_start(0)]  # of every turn so far
        self.turn_ends: list[TurnEnd] = []  # of every turn so far

    def _started(self) -> GameSession[LogPart]:
        """The game as dealt, or at the position where it begins."""
        table = self.table
        # An open seat gets a name that no player can choose.
        seats = [name or f"{seat + 1}: …" for seat, name in enumerate(self.names)]
        if self.archive.position:
            return GameSession.begin(Game.from_position(self.archive.position, seats), LogPart)
        edition = editions.edition(table.edition, table.players, **table.options)
        deal = archive.deal_of(edition, table, self.archive)
        return GameSession(Game(edition, deal=deal, seats=seats, secret=table.secret), LogPart)

    # --- state -----------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self._play.game

    @property
    def history(self) -> list[LogPart]:
        """What everyone has seen."""
        return self._play.history

    @property
    def undoable(self) -> int:
        """How many moves of this turn can be undone."""
        return self._play.undoable

    def moves_of(self, action: Action) -> int:
        """How many moves of this turn made its last action."""
        return sum(part.number == action.number for part in self._play.unpublished)

    @property
    def names(self) -> list[str]:
        """The players' names; empty for an open seat."""
        return [seat.name for seat in self.seats]

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.over else self.game.seat

    @property
    def mover_is_bot(self) -> bool:
        """Is it a bot's turn? Bots too wait until every seat is taken."""
        if self.table.gathering or self.to_move is None:
            return False
        return bool(self.bots[self.to_move])

    @property
    def next_move(self) -> Waiting | None:
        """The seat to move, and why; None before the game starts and when it is over."""
        if self.table.gathering or self.to_move is None:
            return None
        return Waiting(self.to_move, self.turns, self.game.question == "give up")

    @property
    def waiting(self) -> Waiting | None:
        """The person the table is waiting for; None: nobody, or a bot."""
        return None if self.mover_is_bot else self.next_move

    @property
    def over(self) -> bool:
        return self.is_void or self.is_agreed or self.game.over

    @property
    def is_revealed(self) -> bool:
        """Is hidden information public? Not after an end without a result: the game may resume."""
        return self.is_agreed or self.game.over

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        return outcome_of(self.game.engine, self.conceded, self.is_agreed)

    @property
    def length(self) -> int:
        """The number of log entries, which must stay secret (see `number`)."""
        return len(self.log)

    @property
    def number(self) -> int:
        """An identifier for this state of the log, sent back with the next move.

        It does not reveal the number of entries: counting another player's clicks would tell how
        many options their hand left open.
        """
        return self._name("number", self.length)

    def stamp(self, seats: Sequence[int]) -> str:
        """A token that changes exactly when something changes for the holder of these seats."""
        told = (*agreements.told(self, seats), *planning.told(self, seats))
        if self.to_move in seats:
            return f"{self._name('draft', self.length, self.table.revision, *told):x}"
        return f"{self._name('public', self.published, self.table.revision, *told):x}"

    def _name(self, kind: str, *counts: int) -> int:
        made = salted_hmac(f"brassmill.web.desk.{kind}", f"{self.table.id} {counts}").digest()
        return int.from_bytes(made[:6], "big")  # JavaScript keeps 53 bits

    def view(self, seat: int | None) -> View:
        """What a seat, or a spectator, may see now."""
        return self.game.view(seat)

    def past(self, seat: int | None, action: int) -> View:
        """What a seat, or a spectator, may see of the table just after a published action."""
        engine = Engine(self.game.edition, self.game.seats, self.position_after(action))
        return view_of(self.game.edition, self.game.seats, engine.state, seat, action)

    def position_after(self, action: int) -> bytes:
        """The position just after a published action, with everything that is hidden."""
        if not 0 <= action <= self.actions:
            raise BrassError(_("no action {number}").format(number=action))
        return self._after[action]

    @property
    def actions(self) -> int:
        """The number of published actions."""
        return self.game.view().number

    def history_for(self, seat: int | None, held: Sequence[int] = ()) -> tuple[list[LogPart], int]:
        """The history as a seat knows it, and how many parts of it are not new.

        While players sharing a screen hand over, no seat is shown: the history is the public one,
        and new is what came after the last turn of these `held` seats.
        """
        history, seen = self._play.history_for(seat), self._play.seen
        if seat is None:
            return history, max((seen[each] for each in held), default=len(history))
        return history, seen[seat]

    @property
    def summary(self) -> dict[str, Any]:
        """The public progress of the game, for lists."""
        view, outcome = self.game.view(), self.outcome
        summary: dict[str, Any] = {
            "era": view.era,
            "round": view.round,
            "rounds": view.rounds,
            "to_move": self.to_move,
        }
        if self.conceded:
            summary["conceded"] = list(self.conceded)
        if self.is_void:
            summary["void"] = True
        elif outcome:
            summary["result"] = [
                [result.seat, result.rank, result.total] for result in outcome.ranking
            ]
            if outcome.by_agreement:
                summary["agreed"] = True
        return summary

    # --- playing ---------------------------------------------------------------------------------

    def choose(self, number: int, ids: Sequence[int]) -> None:
        """Play choices as one move, for the seat to move."""
        self._append_at(number, {"choose": list(ids)})

    def end_turn(self, number: int) -> None:
        """End a turn whose actions are done."""
        self._append_at(number, {"end": True})

    def undo(self, number: int, moves: int | None = 1) -> None:
        """Undo the last moves of the turn; None: all that can be undone."""
        self._append_at(number, {"back": self.undoable if moves is None else moves})

    def replace(self, seat: int, bot: str, why: str = "") -> None:
        """Hand a seat to a bot; with an empty spec, back to a person.

        The seat's unpublished moves are undone.
        """
        self._repair({"seat": seat, "bot": bot, **({"why": why} if why else {})})

    def concede(self, seat: int) -> None:
        """Hand a seat to a bot for the rest of the game; it is ranked behind all others."""
        bot = self.bots[seat] or self.table.standby
        self._repair({"seat": seat, "bot": bot, "why": Entry.CONCEDED})

    def end_by_agreement(self, seats: Sequence[int], request: Request | None = None) -> None:
        """End the game with the result as if the era ended now; the players of the seats agree."""
        self.append({"agree": list(seats)}, request)

    def take_back(self, seat: int, turn: TurnEnd, request: Request | None = None) -> None:
        """Return to the moment before a player ended a turn."""
        self.append({"rewind": turn.entry - 1, "by": seat}, request)

    def rewind(self, length: int) -> None:
        """Return to the state after this many log entries, as a new entry of the log."""
        self._repair({"rewind": length})

    def void(self) -> None:
        """End the game without a result."""
        self._repair({"void": True})

    def _turn_start(self, entry: int) -> TurnStart:
        game = self.game
        parts = len(self.history)
        return TurnStart(entry, self.turns + 1, game.era, game.round, game.seat, parts)

    def _repair(self, body: Body) -> None:
        """Append to whatever state the table is in, without comparing it with anyone's page."""
        attempts = ATTEMPTS
        while True:
            try:
                with self.lock:
                    self.catch_up()
                    self.append(body)
            except Stale:  # another process was faster
                attempts -= 1
                if self.is_lost or not attempts:
                    raise
            else:
                return

    def _append_at(self, number: int, body: Body) -> None:
        """Append to the state with this number; `Stale` if the table has changed since."""
        with self.lock:
            if number != self.number:
                raise Stale(_(MOVED_ON))
            self.append(body)

    def append_next(self, body: Body) -> None:
        """Append to the log as it is now, even if rows of the table or its seats just changed.

        So a name or a vacation does not stop a move. Raises `Stale` if the log has changed, too.
        """
        with self.lock:
            state = self.length, self.next_move, self.mover_is_bot
            attempts = ATTEMPTS
            while True:
                try:
                    self.append(body)
                except Stale:  # and it has caught up
                    attempts -= 1
                    now = self.length, self.next_move, self.mover_is_bot
                    if self.is_lost or now != state or not attempts:
                        raise
                else:
                    return

    def append(self, body: Body, request: Request | None = None) -> None:
        """Check, write and apply an entry, perhaps one that carries out a request.

        Raises `Stale` if another process was faster, `Table.DoesNotExist` if the table is gone.
        """
        with self.lock:
            if self.is_lost:
                raise Stale(_(MOVED_ON))
            if self.table.gathering:
                raise IllegalAction(_(NOT_YET))
            entries.check(self, body)
            length = self.length
            try:
                writing.write(self, body, request)
            except agreements.NoLongerStands:  # nothing has changed
                raise
            except BaseException as fault:
                if self.length == length and isinstance(fault, IntegrityError | Overtaken):
                    self.catch_up()
                    if self.length > length or isinstance(fault, Overtaken):
                        raise Stale(_(MOVED_ON)) from None
                self.lose()
                raise
        live.moved(self.table.id)

    @property
    def is_replayed(self) -> bool:
        """Has it been replayed once? Then a move needs no `catch_up`: `append` compares all."""
        return self._fits

    def lose(self) -> None:
        """Its state may be ahead of the database: discard it and reload."""
        self.is_lost = True

    def catch_up(self) -> None:
        """Apply the log entries that this session has not applied yet.

        Raises `Table.DoesNotExist` if the table is gone.
        """
        connection.ensure_connection()  # never wait for one while holding the lock
        with self.lock:
            known = self.table.revision
            if self._fits:  # otherwise it was fetched just now
                self.table = Table.objects.get(pk=self.table.pk)
            if self.table.revision != known:
                names, self.seats = self.names, tuple(self.table.seats.all())
                if (
                    self.names != names or not self.length
                ):  # before the first entry bots may change too
                    self._replay(self.length)
            missed = writing.missed(self)
            if not self._fits:
                self._fit(missed)
            else:
                for body in missed:
                    self._apply_stored(body)
        if missed:
            live.moved(self.table.id)

    def _fit(self, found: list[Body]) -> None:
        """Replay the whole log; raises `BrokenLog` if the current rules play it differently."""
        stamp = stamp_of(self.game.edition)
        if self.table.misfit == stamp:
            raise BrokenLog(_(OTHER_RULES))
        if self.table.rules == stamp and not self.table.misfit:
            self.expect(found)
            for body in found:
                self._apply_stored(body)
        else:
            try:
                proven = fitting.compare(self, found)
            except Exception as error:  # different rules may fail in any way
                fitting.set_aside(self.table, stamp, error)
                raise BrokenLog(_(OTHER_RULES)) from error
            fitting.settle(self, stamp, found, proven)
        self._fits = True

    def _apply_stored(self, body: Body) -> None:
        try:
            self.play_stored(body)
        except BrassError as error:
            raise BrokenLog(_(OTHER_RULES)) from error

    def expect(self, log: Sequence[Body]) -> None:
        """Prepare for playing a stored log from its start: keep the states it returns to."""
        self._rewind_states = RewindStates(log)
        self._rewind_states.keep(0, self._state)

    def _state(self) -> State:
        return {name: vars(self)[name] for name in self._decided_by_log}

    def play_stored(self, body: Body) -> None:
        """Check and apply a stored entry."""
        known = archive.read(self.game.edition, body)
        entries.check(self, known)
        self.apply(known)

    def apply(self, body: Body) -> None:
        """Apply an entry that has been checked."""
        self.log.append(body)
        self._carry_out(self.length, body)
        self._rewind_states.keep(self.length, self._state)

    def _replay(self, length: int) -> None:
        """Replay the first entries of the log from the start, publishing nothing."""
        published = self.published
        self._begin()
        for number in path_of(self.log, length):
            body = self.log[number - 1]
            if "rewind" in body:
                self._show_rewind(body)
            else:
                self._carry_out(number, body)
        self.published = published

    def _carry_out(self, number: int, body: Body) -> None:
        turns = self.turns
        match body:
            case {"choose": ids}:
                self._do_choose(tuple(ids))
            case {"back": moves}:
                self._do_undo(moves)
            case {"seat": seat, "bot": bot}:
                self._do_replace(seat, bot, body.get("why", ""))
            case {"rewind": length}:
                self._do_rewind(number, length)
            case {"void": True}:
                self._do_void()
            case {"agree": _seats}:
                self._do_agree(number)
            case _:
                self._do_end(number)
        if "banks" in body:
            self.banks = body["banks"]
        elif "end" in body or "seat" in body:
            self.banks = None
        if self.turns > turns and "rewind" not in body:
            self.turn_starts.append(self._turn_start(number))

    def _do_choose(self, ids: tuple[int, ...]) -> None:
        seat = self.to_move
        assert seat is not None
        self._play.choose(ids)
        self._keep_position()
        if self.bots[seat] and not self.game.engine.in_progress:
            self._play.publish()
            if absence := self.absences[seat]:
                self.absences[seat] = absence._replace(bot_played=True)
        self.published += not self.undoable

    def _do_undo(self, moves: int) -> None:
        self._play.undo(moves)
        self._keep_position()

    def _do_end(self, number: int) -> None:
        seat = self.to_move
        assert seat is not None
        # A player whose turn was played by a bot has not seen it yet.
        followed = self._play.end_turn(seen=not self.bots[seat])
        parts = len(self.history) - bool(followed)
        self.turn_ends.append(TurnEnd(number, seat, bool(self.bots[seat]), parts))
        self.published += 1
        self.turns += 1
        self.actions_before_turn = len(self.game.actions)
        self._keep_position()

    def _do_replace(self, seat: int, bot: str, why: str) -> None:
        if seat == self.to_move:
            self._do_undo(self.undoable)
        self._note_absence(seat, bot)
        self.bots[seat] = self.seats[seat].bot = bot
        self.fault = ""
        if why == Entry.CONCEDED:
            self.conceded.append(seat)
        self.history.append(SeatChange(seat, len(self.game.actions), (), bot=bot, why=why))
        self.cast += 1
        self.published += 1

    def _note_absence(self, seat: int, bot: str) -> None:
        if not bot:
            self.absences[seat] = None
        elif not self.absences[seat]:
            waiting = self.waiting if self.to_move == seat else None
            self.absences[seat] = Absence(waiting)

    def _do_rewind(self, number: int, length: int) -> None:
        if state := self._rewind_states.find(length, number):
            vars(self).update(state)
        else:
            self._replay(length)
        for body in self.log[length:number]:
            if "rewind" in body:
                self._show_rewind(body)
        for seat, bot in zip(self.seats, self.bots, strict=True):
            seat.bot = bot
        self.forfeits.clear()
        self.fault = ""
        self.cast += 1
        self.published += 1

    def _show_rewind(self, body: Body) -> None:
        by: int | None = body.get("by")
        part = Rewind if by is None else TakenBack
        self.history.append(part(by, self.actions, ()))

    def _do_void(self) -> None:
        self._do_undo(self.undoable)
        self.is_void = True
        self.published += 1

    def _do_agree(self, number: int) -> None:
        """What was not published never happened; a turn whose actions are done ends first."""
        self._do_undo(self.undoable)
        if self.game.question == "turn over":
            self._do_end(number)
        self.is_agreed = not self.game.over
        self.history.append(AgreedEnd(None, len(self.game.actions), ()))
        self.published += 1

    def _keep_position(self) -> None:
        """Keep the position after the last action."""
        if not self.game.engine.in_progress:
            number = len(self.game.actions)
            self._after[number:] = [self.game.engine.snapshot()]
