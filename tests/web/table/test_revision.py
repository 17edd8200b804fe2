"""A change of seats and its announcement are stored together, or neither is."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest

from brassmill.web.accounts import accounts, deletion
from brassmill.web.lobby import move_seat
from brassmill.web.models import Account, Table
from brassmill.web.server import notify
from brassmill.web.table import repair, sessions
from support.friends import Guest
from support.people import make_account

pytestmark = pytest.mark.usefixtures("site", "patience")


class Died(Exception):  # noqa: N818
    """The process ends here."""


def move(table: Table, ben: Guest, _account: Account) -> None:
    move_seat.accept(move_seat.offer(table.seats.get(holder=ben.key)), "phone")


def rename(table: Table, _ben: Guest, _account: Account) -> None:
    repair.rename(sessions.get(table.id), 1, "Cleo")


def sign_in(_table: Table, ben: Guest, account: Account) -> None:
    accounts.adopt(account, ben.key)


def delete(table: Table, ben: Guest, _account: Account) -> None:
    deletion._go_unnamed(table, ben.key)


def seats_of(table: Table) -> list[tuple[str, str]]:
    return list(table.seats.order_by("number").values_list("name", "holder"))


@pytest.mark.parametrize("change", [move, rename, sign_in, delete])
def test_no_session_plays_on_with_old_seats(
    change: Callable[[Table, Guest, Account], None], ben: Guest, table: Table
) -> None:
    account, session, before = make_account(), sessions.get(table.id), seats_of(table)
    with mock.patch.object(notify, "send", side_effect=Died), pytest.raises(Died):
        change(table, ben, account)
    assert seats_of(table) == before
    change(table, ben, account)
    assert seats_of(table) != before
    assert [(seat.name, seat.holder) for seat in sessions.get(table.id).seats] == seats_of(table)
    assert sessions.get(table.id) is session
