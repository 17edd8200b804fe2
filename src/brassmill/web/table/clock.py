"""The clock of a timed game: how long a player may take, kept in the database.

A table stores whom it is waiting for (`awaited`), since when (`asked`) and when their time is up
(`due`). All three are written with the entry that ends the turn, so every process agrees. The clock
stands still in the waiting room, while a bot is to move, and while the player is on vacation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from brassmill.web.models import Contact, Seat, Table
from brassmill.web.page.time_words import duration
from brassmill.web.server import database
from brassmill.web.setup.clocks import CLOCKS, DAY, HOUR, MINUTE, GameClock, has_bank
from brassmill.web.table.seat_time import SeatTime
from brassmill.web.table.take_back import TurnEnd

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

# How long after a turn begins its player is e-mailed. "At once" leaves every process a moment to
# report who has the page open.
NOTICES = {Table.AT_ONCE: timedelta(seconds=30), Table.LATER: 10 * MINUTE}
PATIENCE = 7 * DAY  # without a clock: the others may then hand the seat to a bot


class Waiting(NamedTuple):
    """The seat a table is waiting for, and why."""

    seat: int
    turn: int
    in_debt: bool  # must pay a debt, perhaps in another player's turn or between turns


class Absence(NamedTuple):
    """A bot plays for the player of a seat."""

    waiting: Waiting | None  # what the table was waiting for, if it was this player
    bot_played: bool = False  # at least one whole action


# --- changes made with an entry ------------------------------------------------------------------


def begin(session: TableSession) -> bool:
    """Start the clock of the first turn; False if there is none or it is already running."""
    with session.lock:
        waiting = session.waiting
        if waiting is None or session.table.asked is not None:
            return False
        changes = {**_ask(session, waiting.seat, database.now()), "summary": session.summary}
        has_begun = bool(Table.objects.filter(pk=session.table.pk, asked=None).update(**changes))
        if has_begun:
            vars(session.table).update(changes)
    return has_begun


def after_entry(
    session: TableSession,
    before: Waiting | None,
    absences: Sequence[Absence | None],
    turn_ends: Sequence[TurnEnd],
    body: dict[str, Any],
) -> dict[str, Any]:
    """The columns an entry changes: one player's clock stops, the next one's starts.

    `before`, `absences` and `turn_ends` are the session's before the entry. After a rewind the
    turn starts over, and everyone gets back the time they had then. A turn that is taken back goes
    on, and the time spent stays spent.
    """
    waiting = session.waiting
    absence = absences[body["seat"]] if body.get("bot") == "" else None
    if absence and absence.bot_played:
        _store(session, body["seat"], lambda time: time.after_absence())
    if waiting == before and "rewind" not in body:
        if "end" in body or "seat" in body:
            _note_banks(session, body)
        return {}
    moment, is_taken_back = database.now(), "by" in body
    if "rewind" in body and not is_taken_back:
        _put_back(session)
    else:
        if before:
            away = _away_until(session, before.seat, moment)
            if "seat" in body or is_taken_back:
                _store(session, before.seat, lambda time: time.stop(moment, away))
            else:
                if "end" in body:
                    _note_left(session, before.seat, body, moment, away)
                _store(session, before.seat, lambda time: time.end_turn(moment, away))
        if is_taken_back:
            _resume_turn(session, turn_ends[len(session.turn_ends) :])
        _note_banks(session, body)
    if waiting is None:
        return dict.fromkeys(("awaited", "asked", "due", "tell_at", "warn_at"))
    is_back = is_taken_back or (absence is not None and absence.waiting == waiting)
    return _ask(session, waiting.seat, moment, is_back)


def ask_again(session: TableSession) -> dict[str, Any]:
    """Restart the clock of the player to move: the table stood still."""
    waiting = session.waiting
    return {} if waiting is None else _ask(session, waiting.seat, database.now())


def _ask(
    session: TableSession, seat: int, moment: datetime, is_back: bool = False
) -> dict[str, Any]:
    """The columns to set when the table starts waiting for a seat, perhaps back in its turn."""
    table, clock = session.table, CLOCKS.get(session.table.clock)
    changes: dict[str, Any] = {"awaited": seat, "asked": moment, "due": None, "warn_at": None}
    holders = {each.holder for each in session.seats if each.holder}
    delay = NOTICES.get(table.notice) if len(holders) > 1 else None
    changes["tell_at"] = moment + delay if delay else None
    if clock:
        away = _away_until(session, seat, moment)
        time = _stored(session, seat, clock)
        time = time.resume(moment, away) if is_back else time.begin_turn(moment, away)
        left = time.left(moment, away)
        changes["due"] = time.due
        if time.due and left >= HOUR:
            changes["warn_at"] = time.due - min(left / 4, DAY)
    return changes


def _note_banks(session: TableSession, body: dict[str, Any]) -> None:
    """Write the remaining times into an entry, for a later rewind to it."""
    if has_bank(session.table):
        banks = Seat.objects.filter(table=session.table).values_list("bank", flat=True)
        session.banks = body["banks"] = [
            None if bank is None else bank.total_seconds() for bank in banks.order_by("number")
        ]


def _note_left(
    session: TableSession, seat: int, body: dict[str, Any], moment: datetime, away: datetime | None
) -> None:
    """Write what was left of the time for a turn into the entry that ends it."""
    clock = CLOCKS.get(session.table.clock)
    if clock and not clock.is_bank:
        left = SeatTime(clock, due=session.table.due).left(moment, away)
        body["left"] = left.total_seconds()


def left_at(session: TableSession, turn: TurnEnd) -> timedelta | None:
    """What its player had left when a turn was ended; None without a clock."""
    clock, body = CLOCKS.get(session.table.clock), session.log[turn.entry - 1]
    if not clock:
        return None
    if not clock.is_bank:
        return timedelta(seconds=body.get("left", 0))
    banks = body.get("banks")
    left = clock.time if not banks else timedelta(seconds=banks[turn.seat])
    return max(timedelta(), left - clock.increment)


def _put_back(session: TableSession) -> None:
    """Restore the times that everyone had at the point rewound to, if the log has them."""
    if not has_bank(session.table):
        Seat.objects.filter(table=session.table).update(bank=None)
        return
    if session.banks is None:
        return
    for seat, left in enumerate(session.banks):
        bank = None if left is None else timedelta(seconds=left)
        Seat.objects.filter(table=session.table, number=seat).update(bank=bank)


def _resume_turn(session: TableSession, undone: Sequence[TurnEnd]) -> None:
    """The first of these turns is taken back: the time spent stays spent.

    With time for the whole game, the increments of the turns that no longer ended are gone.
    """
    clock = CLOCKS.get(session.table.clock)
    for turn in undone if clock and clock.is_bank else undone[:1]:
        left = None if turn.by_bot else left_at(session, turn)
        if left is not None:
            _store(session, turn.seat, functools.partial(SeatTime.take_back, left=left))


def _stored(session: TableSession, seat: int, clock: GameClock) -> SeatTime:
    """A seat's time while its clock stands still; another process may have written it."""
    left = Seat.objects.values_list("bank", flat=True).get(table=session.table, number=seat)
    return SeatTime(clock, left)


def _store(session: TableSession, seat: int, change: Callable[[SeatTime], SeatTime]) -> None:
    """Change a seat's time and store what is left."""
    clock, table = CLOCKS.get(session.table.clock), session.table
    if clock:
        time = _stored(session, seat, clock)
        if table.awaited == seat and table.due:
            time = replace(time, due=table.due)
        left = change(time).stored
        if left != time.stored:
            Seat.objects.filter(table=table, number=seat).update(bank=left)


def is_out_of_time(session: TableSession, seat: int) -> bool:
    """Has a player whom a bot replaces no time left to come back with?"""
    clock, absence = CLOCKS.get(session.table.clock), session.absences[seat]
    if not clock or not absence or _stored(session, seat, clock).stored != timedelta():
        return False
    return not absence.bot_played if clock.is_bank else absence.waiting == session.next_move


def _away_until(session: TableSession, seat: int, moment: datetime) -> datetime | None:
    clock = CLOCKS.get(session.table.clock)
    return away_until(session.seats[seat].holder, clock, moment) if clock else None


def away_until(holder: str, clock: GameClock, moment: datetime) -> datetime | None:
    """When a player is back from vacation, if they are away and this clock allows for it."""
    if not clock.is_long or not holder:
        return None
    away = Contact.objects.filter(visitor=holder, away_until__gt=moment)
    return away.values_list("away_until", flat=True).first()


# --- on the page ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dial:
    """A seat's remaining time, as everyone sees it."""

    runs: bool
    seconds: int  # left
    words: str
    due: str  # when the time is up; empty: the clock stands still
    is_short: bool  # about to run out


def dials_of(table: Table, seats: Sequence[Seat]) -> tuple[Dial | None, ...]:
    """Each seat's remaining time; None where there is none to show."""
    clock = CLOCKS.get(table.clock)
    if not clock or table.over or table.gathering:
        return (None,) * len(seats)
    banks = dict(Seat.objects.filter(table=table).values_list("number", "bank"))
    moment = database.now()

    def dial(seat: Seat) -> Dial | None:
        if seat.is_bot:
            return None
        if table.due and seat.number == table.awaited:
            away = away_until(seat.holder, clock, moment)
            left = max(timedelta(), table.due - (away or moment))
            is_warned = table.warn_at is None or table.warn_at <= moment
            is_short = left < MINUTE or (is_warned and clock.time >= HOUR)
            due = "" if away else table.due.isoformat(timespec="seconds")
            return Dial(not away, int(left.total_seconds()), duration(left), due, is_short)
        if not clock.is_bank:
            return None
        kept = banks[seat.number]
        left = clock.time if kept is None else kept
        return Dial(False, int(left.total_seconds()), duration(left), "", False)

    return tuple(map(dial, seats))
