"""Time banks: rewinding restores the time left, as far as the log tells."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache

from brassmill.web.models import Entry, Seat, Table
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.table import repair, sessions
from support.days import Time, row
from support.friends import Guest, at_table
from support.web import play_turn

pytestmark = pytest.mark.usefixtures("site")

ALL = CLOCKS["bank-7d"].time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
def table(time: Time) -> Table:
    """Return a table of two people, each with seven days for the game."""
    cache.clear()
    return at_table(Guest("Ada"), Guest("Ben"), clock="bank-7d")


def banks(table: Table) -> list[timedelta | None]:
    """Return the time left of each seat; None for all of it."""
    return list(table.seats.order_by("number").values_list("bank", flat=True))


def test_rewinding_restores_the_time_left_at_that_point(time: Time, table: Table) -> None:
    session, then = sessions.get(table.id), []
    for day in range(4):
        then.append(banks(table))
        time.passes(days=day, seconds=0.5)
        play_turn(session)
    last, length = banks(table), session.length
    for mark in reversed(session.turn_starts[:-1]):
        sessions.forget(table.id)  # only the log tells
        session = sessions.get(table.id)
        session.rewind(mark.entry)
        known = then[mark.turn - 1]
        assert banks(table) == known and session.banks is not None
        assert row(table).due == time.now + (known[mark.seat or 0] or ALL)
    session.rewind(length)  # to before the rewind
    assert banks(table) == last


def test_a_log_without_times_leaves_the_clocks_alone(time: Time, table: Table) -> None:
    session = sessions.get(table.id)
    for _turn in range(2):
        time.passes(days=1)
        play_turn(session)
    for entry in table.entries.all():  # in the old format
        entry.body.pop("banks", None)
        entry.save()
    sessions.forget(table.id)
    session, now = sessions.get(table.id), banks(table)
    session.rewind(session.turn_starts[1].entry)
    assert session.banks is None and banks(table) == now
    play_turn(session)
    session.rewind(session.length - 1)
    assert session.banks is None, "that was not the end of the turn"
    session.rewind(0)
    assert banks(table) == [None, None], "nobody had played"


def test_an_old_log_with_a_changed_seat_does_not_tell_the_time_either(
    time: Time, table: Table
) -> None:
    session = sessions.get(table.id)
    session.replace(1, "beginner", Entry.ASKED)
    play_turn(session)
    for entry in table.entries.all():
        entry.body.pop("banks", None)
        entry.save()
    Seat.objects.filter(table=table, number=1).update(holder="")
    sessions.changed(table.id)
    sessions.forget(table.id)
    session = sessions.get(table.id)
    assert not repair.rewind(session, 1)
    assert session.bots[1]
