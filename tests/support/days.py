"""Days in a test: a clock that can be set, e-mails to read, and people far away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from unittest import mock

from django.utils import timezone

from support.friends import Guest

if TYPE_CHECKING:
    import pytest

    from brassmill.web.models import Contact, Mail, Table
    from brassmill.web.table.session import TableSession

HOST = "https://brass.example"


class Time:
    """A database clock that the test sets.

    It is years ahead, so that nothing here is due for a server on the same database.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from brassmill.web.models import Table

        # A round writes a limited number of e-mails. Tables of other tests would use it up.
        Table.objects.filter(over=False).update(tell_at=None, warn_at=None)
        self.now: datetime = timezone.now() + timedelta(days=3650)
        monkeypatch.setattr("brassmill.web.server.database.now", lambda: self.now)

    def passes(self, **time: float) -> None:
        """Advance the time and do what is due, as if servers had been running meanwhile."""
        from brassmill.web.table import due

        self.now += timedelta(**time)
        # A heartbeat in that time would tell a server on the same database that its clock is wrong.
        with mock.patch.object(due, "beat"):
            due.do_what_is_due()


def give_address(guest: Guest, language: str = "en") -> Contact:
    """Give a visitor a confirmed address."""
    from brassmill.language import speaking
    from brassmill.web.mail import addresses

    with speaking(language):
        return addresses.keep(guest.key, f"{guest.key}@example.org".lower(), confirmed=True)


def mails_to(guest: Guest, kind: str = "") -> Sequence[Mail]:
    """Return the e-mails to a person, oldest first."""
    from brassmill.web.models import Mail

    found = Mail.objects.filter(address__startswith=guest.key.lower()).order_by("pk")
    return list(found.filter(kind=kind) if kind else found)


def path_in(text: str, part: str = "") -> str:
    """Return the path of the first link of an e-mail, or of the one that contains this part."""
    found: list[str] = [link for link in re.findall(rf"^{HOST}(/\S+)$", text, re.M) if part in link]
    assert found, text
    return found[0]


def mover(session: TableSession, guests: Sequence[Guest]) -> Guest:
    """Return whose turn it is."""
    assert session.to_move is not None
    return guests[session.to_move]


def let_bots_play(session: TableSession) -> None:
    """Play the bots of a table, in this thread, until a person is to move."""
    from brassmill.web.table.bots import BotWork

    work = BotWork(session.table.id)
    while work._step() is not None:  # an error is the test's
        pass
    work.close()


def row(table: Table) -> Any:
    """Return the stored table."""
    table.refresh_from_db()
    return table
