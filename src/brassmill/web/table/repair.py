"""Repairs: what an operator can do for a game that is stuck.

Changes to the game itself are log entries (`TableSession.rewind`, `replace`, `void`); changes of
seats are here. A seat can be offered again in the middle of a game: the player who takes it by
the link holds it, with everything played there. Until then nobody sees its hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from brassmill.bots import parse
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity.blocks import is_called
from brassmill.web.models import Entry, Seat, Table, token
from brassmill.web.server import notify
from brassmill.web.setup import programs, rematch
from brassmill.web.setup.chairs import PERSON, Chair
from brassmill.web.setup.membership import is_member
from brassmill.web.table import live, rated, sessions, unplayable
from brassmill.web.table.seats import seats_of
from brassmill.web.table.session import BrokenLog, TableSession, TurnStart

# What may change of a seat.
CHANGING = ("name", "holder", "invite", "handover", "former", "offered", "program")


def find_seat(session: TableSession, name: str) -> int:
    """A seat by its number from 1 or its player's name."""
    for seat in session.seats:
        if is_called(seat, name):
            return seat.number
    words = _("table {table} has no seat {seat}; its seats are {seats}")
    seats = ", ".join(f"{seat.number + 1} ({seat.name})" for seat in session.seats)
    raise BrassError(words.format(table=session.table.id, seat=name, seats=seats))


def turn_in_words(session: TableSession, start: TurnStart) -> list[str]:
    """A turn as everyone saw it."""
    later = [each.parts for each in session.turn_starts if each.turn > start.turn]
    parts = session.history[start.parts : later[0] if later else None]
    seats = session.game.seats
    return [
        line.text if line.seat is None else f"{seats[line.seat]} {line.text}"
        for part in parts
        for line in part.lines(seats)
    ]


# --- repairs -------------------------------------------------------------------------------------


def rewind(session: TableSession, length: int) -> bool:
    """Rewind to a point; a bot plays any seat whose player has gone since.

    Returns whether the log knows everyone's remaining time at that point.
    """
    session.rewind(length)
    knows_banks = session.banks is not None
    for seat in session.seats:
        is_empty = not (seat.holder or seat.offered or session.bots[seat.number])
        if is_empty and not session.over:
            session.replace(seat.number, session.table.standby)
    return knows_banks


def void(table_id: str) -> None:
    """End a game without a result, even one that no longer fits the rules."""
    try:
        session = sessions.get(table_id)
    except BrokenLog:
        unplayable.void(table_id)
    else:
        session.void()


def give_to_bot(session: TableSession, number: int, spec: str) -> None:
    """Hand a seat to a bot for good; its player loses it."""
    bot = parse(spec).text  # an error lists the valid ones
    _let_go(session, number, is_offered=False)
    if session.bots[number] != bot:
        session.replace(number, bot)


def offer(session: TableSession, number: int) -> Seat:
    """Offer a seat to another person by a link; the game waits until someone takes it."""
    if session.bots[number]:
        session.replace(number, "", Entry.OFFERED)
    _let_go(session, number, is_offered=True)
    return session.seats[number]


def rename(session: TableSession, number: int, name: str) -> None:
    """Rename a player throughout the game."""
    with _in_the_game(session.table.id) as seats:
        seats[number].name = _free_name(seats, number, name)
    session.catch_up()


def take_over(seat: Seat, key: str, name: str) -> None:
    """Take a seat that was offered; an error says why not."""
    with _in_the_game(seat.table_id) as seats:
        place = seats[seat.number]
        if not place.offered or place.invite != seat.invite:
            raise BrassError(_("Someone else has just taken this seat."))
        if any(other.holder == key for other in seats):
            raise BrassError(_("You already have a seat at this table."))
        if seat.table.club_id and not is_member(seat.table.club_id, key):
            raise BrassError(_("Only members of the club can take this seat."))
        place.name = _free_name(seats, place.number, name)
        place.holder, place.offered, place.program = key, False, programs.is_program(key)
        Table.objects.filter(pk=seat.table_id, host="").update(host=key)  # the host has left


def delete(table_id: str) -> None:
    """Delete a table with its game and its chat."""
    prequels = rematch.prequels_of(table_id)
    with transaction.atomic():  # lock the table first, as every change of seats does
        Table.objects.select_for_update().get(pk=table_id).delete()
    sessions.forget(table_id)
    notify.send(notify.MOVED, table_id)
    live.moved(table_id)
    sessions.changed(*prequels)


def _let_go(session: TableSession, number: int, is_offered: bool) -> None:
    """Take a seat from its player. If that was the host's last seat, another player is host."""
    with _in_the_game(session.table.id) as seats:
        rated.unrate(session.table.id)
        place = seats[number]
        gone = place.holder
        place.holder = place.handover = place.former = ""
        place.offered, place.invite = is_offered, token() if is_offered else place.invite
        if gone and gone not in {seat.holder for seat in seats}:
            heir = next((seat.holder for seat in seats if seat.holder), "")
            Table.objects.filter(pk=session.table.pk, host=gone).update(host=heir)
    session.catch_up()


def _free_name(seats: list[Seat], number: int, name: str) -> str:
    """A valid name for a seat that no other seat has."""
    if not name.strip():
        raise BrassError(_("Enter your name."))
    wanted = Chair(number, PERSON, name).seat().name
    others = {seat.name.casefold() for seat in seats if seat.number != number}
    if wanted.casefold() in others:
        raise BrassError(_("The name {name} is taken.").format(name=wanted))
    return wanted


@contextmanager
def _in_the_game(table_id: str) -> Iterator[list[Seat]]:
    """The seats of a game that has started, for changes."""
    with seats_of(table_id, CHANGING) as (table, places):
        if table.gathering:
            raise BrassError(
                _("This table is still waiting for players. Only its host can change the seats.")
            )
        yield places
