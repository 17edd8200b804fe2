"""Tournaments for tests: players with accounts, and games that are over soon."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import cache
from random import Random
from secrets import token_hex
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError

from brassmill.web.mail import addresses
from brassmill.web.models import Account, Table, Tournament, TournamentTable
from brassmill.web.server import database
from brassmill.web.table import sessions
from brassmill.web.tournaments import entrants, formats, rounds
from support.friends import Guest
from support.people import make_account
from support.web import visitor


def an_organiser() -> Account:
    """Make an account that may organise."""
    account = make_account("Olga")
    addresses.keep(account.key, f"{account.name}@example.org", confirmed=True)
    return account


def clear() -> None:
    """Delete all tournaments and their tables."""
    for table in Table.objects.filter(in_tournament__isnull=False):
        for _attempt in range(20):
            with suppress(IntegrityError):  # a bot of a running server has just played there
                table.delete()
                break
        sessions.forget(table.pk)
    Tournament.objects.all().delete()


def players(number: int) -> list[Account]:
    """Make accounts as quickly as possible: nobody signs in with their passwords."""
    found = []
    for _n in range(number):
        name = f"p{token_hex(5)}"
        found.append(Account.objects.create(user=User.objects.create(username=name), name=name))
    return found


@cache
def _signed_in(key: str) -> Any:
    return visitor(key)


def guest_of(account: Account) -> Guest:
    """Return a browser that plays with the account's key."""
    guest = Guest(account.name)
    guest.client, guest.key = _signed_in(account.key), account.key
    return guest


def set_up(entered: list[Account], style: str = formats.SWISS, **more: Any) -> Tournament:
    """Make a tournament that these accounts have joined."""
    values = {
        "name": "Cup",
        "edition": "birmingham",
        "size": 4,
        "clock": "turn-1d",
        "most": 64,
        "rounds": 3,
        "division": 8,
        "movers": 2,
        "starts": database.now(),
        "key": "key-of-the-tests",
        "organiser": entered[0] if entered else None,
    }
    tournament = Tournament.objects.create(style=style, **{**values, **more})
    for account in entered:
        entrants.join(tournament, account)
    return tournament


def begin(tournament: Tournament) -> None:
    rounds.begin(tournament, database.now())
    tournament.refresh_from_db()


def go_on(tournament: Tournament, later: timedelta = timedelta()) -> None:
    """Let a process look at the tournament."""
    rounds.go_on(tournament, database.now() + later)
    tournament.refresh_from_db()


def tables(tournament: Tournament, number: int | None = None) -> list[Table]:
    """Return the games of a round, or of all that are not over."""
    found = TournamentTable.objects.filter(round__tournament=tournament, table__isnull=False)
    found = found.filter(round__number=number) if number else found.filter(table__over=False)
    return [row.table for row in found.select_related("table") if row.table]


def end(table: Table, random: Random | None = None) -> None:
    """End a game at once: some players click through a turn, and all agree to end it."""
    session = sessions.get(table.pk)
    random = random or Random(table.pk)
    for _turn in range(random.randint(0, 3) if random else 0):
        seat = session.to_move
        while session.to_move == seat and session.game.question != "turn over":
            session.choose(session.number, [random.choice(session.game.legal_choices().ids)])
        if session.to_move == seat:
            session.end_turn(session.number)
    session.end_by_agreement([seat.number for seat in session.seats])
