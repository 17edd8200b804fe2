"""The site for tests: its home folder, tables and visitors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from django.test import Client

    from brassmill.web.models import Table
    from brassmill.web.table.session import TableSession

KEY = "visitor-of-the-tests"


def make_database() -> None:
    """Create the database of the site, and load the rules."""
    from django.core.management import call_command

    from brassmill.web.server import startup

    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    startup.wait()


def make_table(
    seats: str = "you,beginner",
    edition: str = "birmingham",
    *,
    seed: int | None = 7,
    hands: str = "covered",
    pace: int = 0,
    key: str = KEY,
    named: str = "",
    **options: Any,
) -> Table:
    """Make a table as `brass play --seats` would; its people belong to one visitor."""
    from brassmill.play.seating import read_seats
    from brassmill.web.table.create import create_table

    participants = read_seats(seats)
    wishes: dict[str, Any] = {"id": named} if named else {}
    table = create_table(
        edition, len(participants), options, participants, hands, seed, key, **wishes
    )
    table.pace = pace
    table.save(update_fields=["pace"])
    return table


def visitor(key: str = KEY, **headers: str) -> Client:
    """Return a browser with a visitor's key in its cookie."""
    from django.conf import settings
    from django.contrib.sessions.backends.signed_cookies import SessionStore
    from django.test import Client

    session = SessionStore()
    session["visitor"] = key
    session.save()
    client = Client(headers=headers)
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client


def people_only(number: int = 2) -> str:
    """Seats without bots."""
    return ",".join(("Ada", "Ben", "Cleo", "Dan")[:number])


def play_turn(session: TableSession) -> None:
    """Take a turn of the seat to move: the first choice each time, then end it."""
    seat = session.to_move
    while session.to_move == seat and session.game.question != "turn over":
        session.choose(session.number, [session.game.legal_choices().ids[0]])
    if session.to_move == seat and session.game.question == "turn over":
        session.end_turn(session.number)


@contextmanager
def no_bots():  # type: ignore[no-untyped-def]
    """Keep bots from playing, here and in a server on the same database."""
    held = mock.patch("brassmill.web.table.leases.after_entry", return_value={"bot_to_move": False})
    with mock.patch("brassmill.web.table.bots.wake"), held:
        yield


def hidden_words(table: Table) -> list[str]:
    """Return the secrets of a running game: its deal, its bots' key, its checks."""
    from brassmill.web.models import Archive

    kept = Archive.objects.get(pk=table.pk)
    words = [table.seed, kept.bot_key, kept.first_check]
    words += [
        body["check"] for body in table.entries.values_list("body", flat=True) if "check" in body
    ]
    for deck in (kept.deal["deck"], kept.deal["rail deck"]) if kept.deal else ():
        words += [", ".join(deck[:6]), json.dumps(deck[:6])[1:-1]]
    return [word for word in words if word]


def log_of(session: TableSession) -> Sequence[dict[str, Any]]:
    """Return the bodies of a table's log entries."""
    return list(session.table.entries.values_list("body", flat=True))
