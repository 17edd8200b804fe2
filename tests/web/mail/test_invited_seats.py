"""An invitation e-mail belongs to its seat, also one sent before e-mails knew their seats."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from brassmill.web.models import Mail, Table
from support.days import mails_to
from support.friends import Guest, set_up

pytestmark = pytest.mark.usefixtures("site")

upgrade = import_module("brassmill.web.migrations.0011_invited_seats")


@pytest.fixture
def invited() -> tuple[Guest, Table, Mail]:
    """A host, the table, and an invitation to its second seat."""
    ada, ben = Guest("Ada"), Guest("Ben")
    table = set_up(ada, "you", "friend")
    ada.post(table, "invite", seat=1, address=f"{ben.key}@example.org".lower(), words="")
    (mail,) = mails_to(ben)
    return ada, table, mail


def test_an_invitation_belongs_to_its_seat(invited: tuple[Guest, Table, Mail]) -> None:
    _host, table, mail = invited
    assert mail.seat == table.seats.get(number=1)


def test_an_upgrade_finds_the_seats_of_earlier_invitations(
    invited: tuple[Guest, Table, Mail],
) -> None:
    _host, table, mail = invited
    Mail.objects.filter(pk=mail.pk).update(seat=None)
    upgrade.find_seats(apps, None)
    mail.refresh_from_db()
    assert mail.seat == table.seats.get(number=1)


@pytest.mark.parametrize("text", ["no link", "https://brass.example/join/forged.link/"])
def test_an_upgrade_leaves_what_it_cannot_read(
    invited: tuple[Guest, Table, Mail], text: str
) -> None:
    _host, _table, mail = invited
    Mail.objects.filter(pk=mail.pk).update(seat=None, text=text)
    upgrade.find_seats(apps, None)
    mail.refresh_from_db()
    assert mail.seat is None


def test_a_new_link_forgets_where_the_old_one_went(invited: tuple[Guest, Table, Mail]) -> None:
    ada, table, mail = invited
    ada.post(table, "gather", renew=1)
    mail.refresh_from_db()
    assert mail.seat is None
