"""The waiting room: friends take their seats, and the game starts when all are taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.mail import notifications
from brassmill.web.mail.texts import LINK
from brassmill.web.models import Seat, Table, token
from brassmill.web.page.game_list import free_seat, level_of
from brassmill.web.setup import programs, rematch
from brassmill.web.setup.chairs import PERSON, Chair, names_beside
from brassmill.web.setup.host import host_name
from brassmill.web.setup.membership import is_member
from brassmill.web.setup.rated import is_account
from brassmill.web.setup.seat_links import invitation
from brassmill.web.table import sessions
from brassmill.web.table.seats import seats_of
from brassmill.web.table.start import start

# What may change of a seat.
CHANGING = ("name", "bot", "first_bot", "holder", "invite", "handover", "former", "program")
LONGEST = 300  # characters in the host's message to a friend


@dataclass(frozen=True)
class WaitingSeat:
    """A seat in the waiting room."""

    number: int
    name: str
    level: str  # of a bot, in words; or that a program plays here
    is_open: bool
    is_yours: bool
    token: str  # of its invitation, if the visitor may know it
    mailed: tuple[str, ...]  # the addresses it was e-mailed to, in words; only for the host
    can_free: bool


@dataclass(frozen=True)
class WaitingRoom:
    """The waiting room, as one visitor sees it."""

    places: tuple[WaitingSeat, ...]
    host: str  # their name; empty if they have left
    is_host: bool
    is_seated: bool
    is_listed: bool
    standby: str  # the level of the bot for absent players, in words
    hints: bool  # allowed for everyone
    rated: bool

    @property
    def missing(self) -> int:
        return sum(place.is_open for place in self.places)

    @property
    def door(self) -> str:
        """The invitation that a visitor of a listed table may use."""
        return next((place.token for place in self.places if place.token), "")

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self) | {"missing": self.missing}


def waiting_room_of(table: Table, seats: tuple[Seat, ...], key: str) -> WaitingRoom:
    """The waiting room. The host sees the invitations; at a listed table every visitor does."""
    is_host = table.host == key
    is_seated = any(seat.holder == key for seat in seats)
    knows = is_host or (bool(table.listed or table.club_id) and not is_seated)
    return WaitingRoom(
        places=tuple(
            WaitingSeat(
                number=seat.number,
                name=seat.name or free_seat(),
                level=_level(seat),
                is_open=seat.is_open,
                is_yours=seat.holder == key,
                token=invitation(seat) if knows and seat.is_open else "",
                mailed=notifications.invited(seat) if is_host and seat.is_open else (),
                can_free=is_host and seat.is_for_guest and not seat.is_open,
            )
            for seat in seats
        ),
        host=host_name(table, seats),
        is_host=is_host,
        is_seated=is_seated,
        is_listed=table.listed,
        standby=level_of(table.standby),
        hints=table.hints,
        rated=table.rated,
    )


def _level(seat: Seat) -> str:
    if seat.program:
        return programs.program_words()
    return level_of(seat.bot) if seat.is_bot else ""


# --- changes -------------------------------------------------------------------------------------


def take(seat: Seat, key: str, name: str) -> None:
    """Take an open seat; an error says why not."""
    if not name.strip():
        raise BrassError(_("Enter your name."))
    if seat.table.rated and not is_account(key):
        raise BrassError(_("Sign in to play a rated game."))
    is_program = programs.is_program(key)
    if is_program and not seat.table.programs:
        raise BrassError(_("The host has not opened this table to programs."))
    if seat.table.club_id and not is_member(seat.table.club_id, key):
        raise BrassError(_("Only members of the club can take this seat."))
    participant = Chair(seat.number, PERSON, name).seat()
    with _before_the_game(seat.table_id) as seats:
        place = _guest_seat(seats, seat.number)
        if not place.is_open or place.invite != seat.invite:
            raise BrassError(_("Someone else has just taken this seat."))
        if any(other.holder == key for other in seats):
            raise BrassError(_("You already have a seat at this table."))
        if any(other.name.casefold() == participant.name.casefold() for other in seats):
            raise BrassError(_("The name {name} is taken.").format(name=participant.name))
        place.name, place.holder, place.program = participant.name, key, is_program


def come_back(table_id: str, key: str, names: Mapping[int, str]) -> bool:
    """Take all the seats a player had in the last game; False if any of them is taken."""
    with suppress(BrassError), _before_the_game(table_id) as seats:
        others = {seat.name.casefold() for seat in seats}
        places = [seat for seat in seats if seat.number in names and seat.is_open]
        is_free = len(places) == len(names) and others.isdisjoint(map(str.casefold, names.values()))
        for place in places if is_free else ():
            place.name, place.holder = names[place.number], key
            place.program = programs.is_program(key)
        return is_free
    return False  # it has started meanwhile


def free(table: Table, number: int) -> None:
    """Free a guest's seat and invalidate its link.

    The last game no longer leads here either: from now on only the host invites players.
    """
    prequels = rematch.prequels_of(table.id)
    with _before_the_game(table.id) as seats:
        _vacate(_guest_seat(seats, number))
        Table.objects.filter(sequel=table.id).update(sequel=None)
    sessions.changed(*prequels)


def leave(table: Table, key: str) -> None:
    """Free all seats of a visitor who leaves for good, even the host."""
    with _before_the_game(table.id) as seats:
        for seat in seats:
            if seat.holder == key:
                _vacate(seat)


def renew(table: Table, number: int) -> None:
    """Replace the link to an open seat; the old one stops working."""
    with _before_the_game(table.id) as seats:
        place = _guest_seat(seats, number)
        if place.is_open:
            place.invite = token()


def fill(table: Table) -> None:
    """Give all open seats to bots, which starts the game."""
    with _before_the_game(table.id) as seats:
        missing = [seat for seat in seats if seat.is_open]
        taken = {seat.name.casefold() for seat in seats}
        for seat, name in zip(missing, names_beside(taken, len(missing)), strict=True):
            seat.name, seat.bot, seat.invite = name, table.standby, ""
            seat.first_bot = seat.bot


def allow_hints(table: Table, is_allowed: bool) -> None:
    """Allow the coach's hints to everyone, or to nobody; in a rated game nobody has them."""
    with _before_the_game(table.id):
        Table.objects.filter(pk=table.id, rated=False).update(hints=is_allowed)


def make_casual(table: Table) -> None:
    """Make a rated game casual, so that friends without an account can join."""
    with _before_the_game(table.id):
        Table.objects.filter(pk=table.id).update(rated=False)


def open_seat(table: Table, number: str) -> Seat:
    """An open seat by its number as posted."""
    for seat in table.seats.all():
        if table.gathering and seat.is_open and str(seat.number) == number:
            return seat
    raise BrassError(_("This seat cannot be offered to a friend."))


def words_in(text: str) -> str:
    """The host's message to a friend, cleaned up and limited in length."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    words = "\n".join(filter(None, lines))
    words = "".join(letter for letter in words if letter == "\n" or letter.isprintable())
    if len(words) > LONGEST:
        fault = _("Your message is too long: at most {most} characters.")
        raise BrassError(fault.format(most=LONGEST))
    if LINK.search(words):
        raise BrassError(_("Your message cannot contain links or addresses of web pages."))
    return words


@contextmanager
def _before_the_game(table_id: str) -> Iterator[list[Seat]]:
    """The seats of a table before its game, for changes; the last seat taken starts the game."""
    with seats_of(table_id, CHANGING) as (table, places):
        if not table.gathering:
            raise BrassError(_("The game has already started."))
        links = {seat.pk: seat.invite for seat in places}
        yield places
        notifications.forget_links(seat for seat in places if seat.invite != links[seat.pk])
        table.gathering = any(seat.is_open for seat in places)
    sessions.changed(*rematch.prequels_of(table_id))  # their pages name who is waiting
    if not table.gathering:
        start(table_id)


def _vacate(seat: Seat) -> None:
    seat.name, seat.holder, seat.invite = "", "", token()
    seat.handover, seat.former, seat.program = "", "", False


def _guest_seat(seats: list[Seat], number: int) -> Seat:
    for seat in seats:
        if seat.number == number and seat.is_for_guest:
            return seat
    raise BrassError(_("This seat is not open to friends."))
