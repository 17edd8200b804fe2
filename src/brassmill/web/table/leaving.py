"""Leaving a game and coming back. Meanwhile a bot plays, at the level the host chose."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.models import Contact, Entry
from brassmill.web.page.game_list import level_of
from brassmill.web.page.time_words import clock_words, day, duration
from brassmill.web.server import database
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.setup.people import is_on_several_screens
from brassmill.web.table import bots, clock
from brassmill.web.table.clock import Dial, dials_of

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession


@dataclass(frozen=True)
class Attendance:
    """Clocks and absences, as one visitor sees them."""

    clock: str  # in words; empty: there is none
    dials: tuple[Dial | None, ...]  # by seat
    standby: str  # the level of the bot for absent players, in words
    away: tuple[str, ...]  # when the player is back, by seat
    several_screens: bool  # other players have screens of their own
    can_leave: tuple[int, ...]  # own seats
    can_return: tuple[int, ...]  # own seats played by a bot
    can_dismiss: int | None  # a seat whose player has been absent for too long
    waited: str  # for how long, in words

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


def attendance_of(session: TableSession, held: tuple[int, ...]) -> Attendance:
    """Everyone's time, who is away, and what this visitor can do about it."""
    table, seats = session.table, session.seats
    runs = not table.gathering and not session.over
    return Attendance(
        clock=clock_words(table.clock) if table.clock else "",
        dials=dials_of(table, seats),
        standby=level_of(table.standby),
        away=_away(session),
        several_screens=(several := is_on_several_screens(session.seats)),
        can_leave=tuple(n for n in held if runs and several and not session.bots[n]),
        can_return=tuple(n for n in held if runs and session.bots[n] and n not in session.conceded),
        can_dismiss=(absent := dismissible(session, held)),
        waited="" if absent is None else duration(waited(session)),
    )


def waited(session: TableSession) -> timedelta:
    """How long the table has been waiting for the player to move."""
    return database.now() - session.table.asked if session.table.asked else timedelta()


def dismissible(session: TableSession, held: tuple[int, ...]) -> int | None:
    """The seat that the holders of these seats need not wait for any longer."""
    table, waiting = session.table, session.waiting
    if table.clock or waiting is None or waiting.seat in held:
        return None
    if all(session.bots[number] for number in held):
        return None  # a spectator, or played by a bot too
    return waiting.seat if waited(session) >= clock.PATIENCE else None


def leave(session: TableSession, seat: int) -> None:
    """Hand one's own seat to a bot, which makes sense only if others play on."""
    if not is_on_several_screens(session.seats):
        raise BrassError(_("Nobody else plays here: close the page, and the game waits for you."))
    _replace(session, seat, session.table.standby, Entry.LEFT)


def concede(session: TableSession, seat: int) -> None:
    """Give the game up: a bot plays on, and the seat is ranked behind all others."""
    with session.lock:
        session.catch_up()
        if session.table.gathering:
            raise BrassError(_("The game has not started yet."))
        session.concede(seat)
    bots.wake(session)


def come_back(session: TableSession, seat: int) -> None:
    """Take one's seat back at once; the bot's unpublished moves are undone."""
    if clock.is_out_of_time(session, seat):
        raise BrassError(_("Your time is up: you can return after the bot has played."))
    _replace(session, seat, "", "")


def dismiss(session: TableSession, held: tuple[int, ...], seat: int) -> None:
    """Hand the seat of an absent player to a bot."""
    with session.lock:
        session.catch_up()
        if dismissible(session, held) != seat:
            raise BrassError(_("It is too early to let a bot take over: wait a little longer."))
        _replace(session, seat, session.table.standby, Entry.ASKED)


def _replace(session: TableSession, seat: int, bot: str, why: str) -> None:
    with session.lock:
        session.catch_up()
        if session.over:
            raise BrassError(_("The game is over."))
        if bool(session.bots[seat]) != bool(bot):  # otherwise a double click
            session.replace(seat, bot, why)
    bots.wake(session)


def _away(session: TableSession) -> tuple[str, ...]:
    chosen = CLOCKS.get(session.table.clock)
    if not chosen or not chosen.is_long or session.over:
        return ("",) * len(session.seats)
    holders = [seat.holder for seat in session.seats if seat.holder]
    found = Contact.objects.filter(visitor__in=holders, away_until__gt=database.now())
    until: dict[str, datetime | None] = dict(found.values_list("visitor", "away_until"))
    return tuple(
        _("away until {day}").format(day=day(moment)) if (moment := until.get(seat.holder)) else ""
        for seat in session.seats
    )
