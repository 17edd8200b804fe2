"""The clock of a game over days: how long somebody may take, kept by the database.

A table knows whom it waits for (`awaited`), since when (`asked`) and when his time is over (`due`).
All of it is written with the entry that passes the turn on, so it is true in every process. Nothing
counts while the table gathers, while a bot is to move, and while the person is on vacation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection
from django.utils import timezone

from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.web.models import Contact, Seat, Table
from brassmill.web.table import sessions

if TYPE_CHECKING:
    from brassmill.web.table.session import Desk

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

# How long a turn lasts until its player gets a mail. "At once" is a moment later, in which every
# process says who has the page open.
NOTICES = {Table.AT_ONCE: timedelta(seconds=30), Table.LATER: 10 * MINUTE}
PATIENCE = 7 * DAY  # without a clock: after that the others may let a bot play
RETURNING = 10  # who comes back has at least a tenth of his time


class Waiting(NamedTuple):
    """Whom a table waits for, and for what."""

    seat: int
    turn: int
    in_debt: bool  # he is asked in the turn of somebody else, or between turns


@dataclass(frozen=True)
class Clock:
    """How much time there is."""

    name: str
    time: timedelta
    is_bank: bool = False  # for the whole game
    increment: timedelta = timedelta()  # that a turn adds to the bank

    @property
    def is_long(self) -> bool:
        """Is it for a game over days, in which one may be away?"""
        return self.time >= DAY

    @property
    def words(self) -> str:
        if not self.is_bank:
            return _("{time} per turn").format(time=duration(self.time))
        words = _("{time} per game plus {more} per turn")
        return words.format(time=duration(self.time), more=duration(self.increment))


CLOCKS = {
    clock.name: clock
    for clock in (
        Clock("turn-5m", 5 * MINUTE),
        Clock("turn-1h", HOUR),
        Clock("turn-12h", 12 * HOUR),
        Clock("turn-1d", DAY),
        Clock("turn-3d", 3 * DAY),
        Clock("turn-7d", 7 * DAY),
        Clock("bank-30m", 30 * MINUTE, is_bank=True, increment=MINUTE),
        Clock("bank-2h", 2 * HOUR, is_bank=True, increment=2 * MINUTE),
        Clock("bank-7d", 7 * DAY, is_bank=True, increment=6 * HOUR),
        Clock("bank-30d", 30 * DAY, is_bank=True, increment=12 * HOUR),
    )
}
LONG = [clock.name for clock in CLOCKS.values() if clock.is_long]


def words_of(name: str) -> str:
    """The clock of a table in words."""
    return CLOCKS[name].words if name in CLOCKS else _("no clock")


def now() -> datetime:
    """The moment, by the clock of the database: all its processes have the same."""
    if connection.vendor != "postgresql":
        return timezone.now()  # a file has no other clock than this machine's
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def duration(time: timedelta) -> str:
    """How long something is, rounded: in days where they are whole or many."""
    minutes = max(0, round(time.total_seconds() / 60))
    hours = round(minutes / 60)
    if minutes < 60:
        return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    if hours % 24 and hours < 72:
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    days = round(hours / 24)
    return ngettext("{n} day", "{n} days", days).format(n=days)


def has_bank(table: Table) -> bool:
    """Has everybody so much time for the whole game?"""
    return table.clock in CLOCKS and CLOCKS[table.clock].is_bank


# --- with an entry -------------------------------------------------------------------------------


def begin(desk: Desk) -> None:
    """Let the time of the first turn run, if nobody has done so."""
    with desk.lock:
        waiting = desk.waiting
        if waiting is None or desk.table.asked is not None:
            return
        changes = {**_asked(desk, waiting.seat, now()), "summary": desk.summary}
        has_begun = bool(Table.objects.filter(pk=desk.table.pk, asked=None).update(**changes))
        if has_begun:
            vars(desk.table).update(changes)
    if has_begun and desk.table.clock:
        sessions.changed(desk.table.id)  # a page may have come before the time ran


def after_entry(desk: Desk, before: Waiting | None, body: dict[str, Any]) -> dict[str, Any]:
    """What an entry changes: the time of who was waited for stops, that of the next one runs.

    A turn that was rewound begins anew, and nobody is charged for it: everybody has the time again
    that he had then.
    """
    waiting = desk.waiting
    if body.get("bot") == "":
        _welcome(desk, body["seat"])
    if waiting == before and "rewind" not in body:
        if "end" in body or "seat" in body:
            _note_banks(desk, body)
        return {}
    moment = now()
    if "rewind" in body:
        _put_back(desk)
    else:
        if before:
            _charge(desk, before.seat, moment, ended="seat" not in body)
        _note_banks(desk, body)
    if waiting is None:
        return dict.fromkeys(("awaited", "asked", "due", "tell_at", "warn_at"))
    return _asked(desk, waiting.seat, moment)


def _asked(desk: Desk, seat: int, moment: datetime) -> dict[str, Any]:
    """Somebody is waited for from now on."""
    table, clock = desk.table, CLOCKS.get(desk.table.clock)
    changes: dict[str, Any] = {"awaited": seat, "asked": moment, "due": None, "warn_at": None}
    holders = {each.holder for each in desk.seats if each.holder}
    delay = NOTICES.get(table.notice) if len(holders) > 1 else None
    changes["tell_at"] = moment + delay if delay else None
    if clock:
        time = _bank(desk, seat, clock) if clock.is_bank else clock.time
        begins = away_until(desk.seats[seat].holder, clock, moment) or moment
        changes["due"] = begins + time
        if time >= HOUR:
            changes["warn_at"] = begins + time - min(time / 4, DAY)
    return changes


def _charge(desk: Desk, seat: int, moment: datetime, ended: bool) -> None:
    """Take the time that somebody needed from his bank."""
    table, clock = desk.table, CLOCKS.get(desk.table.clock)
    if not clock or not clock.is_bank or table.due is None:
        return
    began = away_until(desk.seats[seat].holder, clock, moment) or moment
    left = max(timedelta(), table.due - began)
    _keep(desk, seat, left + (clock.increment if ended else timedelta()))


def _note_banks(desk: Desk, body: dict[str, Any]) -> None:
    """Write into an entry what everybody has left after it: one may go back to there."""
    if has_bank(desk.table):
        banks = Seat.objects.filter(table=desk.table).values_list("bank", flat=True)
        desk.banks = body["banks"] = [
            None if bank is None else bank.total_seconds() for bank in banks.order_by("number")
        ]


def _put_back(desk: Desk) -> None:
    """Give everybody what he had left at the point where the game is again, if the log tells it."""
    if not has_bank(desk.table) or desk.banks is None:
        return
    for seat, left in enumerate(desk.banks):
        bank = None if left is None else timedelta(seconds=left)
        Seat.objects.filter(table=desk.table, number=seat).update(bank=bank)


def _welcome(desk: Desk, seat: int) -> None:
    """Who comes back has time to play."""
    clock = CLOCKS.get(desk.table.clock)
    if clock and clock.is_bank:
        _keep(desk, seat, max(_bank(desk, seat, clock), clock.time / RETURNING))


def _bank(desk: Desk, seat: int, clock: Clock) -> timedelta:
    """The time that a seat has left; another process may have written it."""
    kept = Seat.objects.values_list("bank", flat=True).get(table=desk.table, number=seat)
    return clock.time if kept is None else kept


def _keep(desk: Desk, seat: int, left: timedelta) -> None:
    Seat.objects.filter(table=desk.table, number=seat).update(bank=left)


def away_until(holder: str, clock: Clock, moment: datetime) -> datetime | None:
    """When somebody is back from vacation, if he is away and this clock knows it."""
    if not clock.is_long or not holder:
        return None
    away = Contact.objects.filter(visitor=holder, away_until__gt=moment)
    return away.values_list("away_until", flat=True).first()


# --- on the page ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dial:
    """The time of a seat, as everybody sees it."""

    runs: bool
    seconds: int  # that are left
    words: str
    due: str  # the moment when it is over; nothing: it stands
    is_short: bool  # it runs out


def dials_of(table: Table, seats: Sequence[Seat]) -> tuple[Dial | None, ...]:
    """The time of each seat; None: there is none to tell."""
    clock = CLOCKS.get(table.clock)
    if not clock or table.over or table.gathering:
        return (None,) * len(seats)
    banks = dict(Seat.objects.filter(table=table).values_list("number", "bank"))
    moment = now()

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
