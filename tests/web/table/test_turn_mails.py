"""E-mails about turns, and vacations: sent once, in the reader's language, and no clock runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.conf import settings
from django.core.cache import cache

from brassmill.language import speaking
from brassmill.web.mail import texts
from brassmill.web.models import Contact, Seat, Table
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.table import due as due_times
from brassmill.web.table import live, sessions, vacation
from support.days import HOST, Time, give_address, mails_to, mover, row
from support.friends import Guest, at_table
from support.web import no_bots, play_turn
from web.table.test_clock import DAY, HOUR, bank

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
def guests() -> list[Guest]:
    return [Guest("Ada"), Guest("Ben")]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)


def test_a_turn_is_mailed_once_and_with_a_delay(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests)  # after ten minutes
    for guest in guests:
        give_address(guest)
    session = sessions.get(table.id)
    late = mover(session, guests)
    time.passes(minutes=9)
    assert not mails_to(late)
    session.choose(session.number, [session.game.legal_choices().ids[0]])
    time.passes(minutes=2)
    (told,) = mails_to(late, "turn")
    assert told.subject == "Your turn: Brass: Birmingham"
    assert f"your turn, {late.name}" in told.text
    session.undo(session.number)
    time.passes(days=2)
    assert len(mails_to(late)) == 1, "once"
    play_turn(session)
    time.passes(minutes=5)
    play_turn(session)
    assert not mails_to(guests[1 - guests.index(late)]), "a player who plays quickly gets none"


def test_a_round_mails_some_players_the_longest_waiting_first(
    time: Time, guests: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clocks are checked after the e-mails, so thousands of them must not take one round."""
    monkeypatch.setattr(due_times, "AT_A_TIME", 2)
    Table.objects.update(tell_at=None)
    tables = [at_table(*guests, notice="at once") for _ in range(5)]
    for number, table in enumerate(tables):
        Table.objects.filter(pk=table.pk).update(tell_at=time.now - timedelta(minutes=number))
    waiting = []
    for _round in range(3):
        due_times.do_what_is_due()
        waiting.append([table for table in tables if row(table).tell_at])
    assert waiting == [tables[:3], tables[:1], []]


def test_a_player_with_the_page_open_gets_no_mail(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, notice="at once")
    for guest in guests:
        give_address(guest)
    here = mover(sessions.get(table.id), guests)
    listener = mock.Mock(key=here.key)
    live.hub.add(table.id, listener)
    time.passes(minutes=1)
    time.passes(minutes=3)
    assert not mails_to(here)
    live.hub.remove(table.id, listener)
    time.passes(minutes=3)
    assert len(mails_to(here, "turn")) == 1, "he has gone, and it is still his turn"


def test_other_processes_know_who_has_the_page_open(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, notice="at once")
    here = mover(sessions.get(table.id), guests)
    give_address(here)
    Seat.objects.filter(table=table, holder=here.key).update(
        seen=time.now + timedelta(seconds=50)  # by the process that has their stream
    )
    time.passes(minutes=1)
    assert not mails_to(here) and row(table).tell_at is not None


@pytest.mark.parametrize(("kind", "action"), [("turn", due_times.tell), ("time", due_times.warn)])
def test_of_two_processes_one_sends_the_mail(
    kind: str, action: Callable[[datetime], None], time: Time, guests: list[Guest]
) -> None:
    """The other one runs after this one has found the table."""
    table = at_table(*guests, notice="at once", clock="turn-1d")
    late = mover(sessions.get(table.id), guests)
    give_address(late)
    time.now += 23 * HOUR
    find = due_times._awaited

    def find_later(found: Table) -> Seat | None:
        with mock.patch.object(due_times, "_awaited", find):
            action(time.now)
        return find(found)

    with mock.patch.object(due_times, "_awaited", find_later):
        action(time.now)
    assert len(mails_to(late, kind)) == 1


@pytest.mark.parametrize("action", [due_times.tell, due_times.warn])
def test_a_table_deleted_meanwhile_blocks_nobody(
    action: Callable[[datetime], None], time: Time, guests: list[Guest]
) -> None:
    tables = [at_table(*guests, notice="at once", clock="turn-1d") for _ in range(3)]
    time.now += 23 * HOUR
    told: list[str] = []

    def delete_the_next(table: Table, _seat: Seat, _now: datetime) -> None:
        told.append(table.pk)
        Table.objects.filter(pk=tables[1].pk).delete()

    names = (
        "brassmill.web.mail.notifications.your_turn",
        "brassmill.web.mail.notifications.running_out",
    )
    with mock.patch(names[0], delete_the_next), mock.patch(names[1], delete_the_next):
        action(time.now)
    assert [pk for pk in told if pk in {table.pk for table in tables}] == [
        tables[0].pk,
        tables[2].pk,
    ]


def test_a_table_that_cannot_continue_blocks_nobody(time: Time, guests: list[Guest]) -> None:
    tables = [at_table(*guests, clock="turn-1h") for _ in range(2)]
    broken = tables[0].entries.create(number=1, body={"choose": [999_999]})
    sessions.forget(tables[0].id)
    with no_bots():
        time.passes(hours=2)
    assert any(sessions.get(tables[1].id).bots)
    assert list(tables[0].entries.all()) == [broken]


@pytest.mark.parametrize("why", ["never", "unconfirmed", "nobody"])
def test_a_player_who_does_not_want_mails_gets_none(
    why: str, time: Time, guests: list[Guest]
) -> None:
    table = at_table(*guests, notice="never" if why == "never" else "at once")
    for guest in guests:
        if why != "nobody":
            give_address(guest)
    if why == "unconfirmed":
        Contact.objects.filter(visitor__in=[each.key for each in guests]).update(confirmed=False)
    time.passes(days=1)
    sessions.get(table.id).void()
    assert not mails_to(guests[0]) and not mails_to(guests[1])


def test_mails_use_the_readers_language(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, notice="at once")
    for guest in guests:
        give_address(guest, "de")
    late = mover(sessions.get(table.id), guests)
    time.passes(minutes=1)
    (told,) = mails_to(late)
    seat = table.seats.get(holder=late.key)
    with speaking("de"):
        german = texts.your_turn(table, seat, "", None)
    assert told.language == "de" and told.subject == german.subject
    assert told.subject != texts.your_turn(table, seat, "", None).subject


# --- vacation ------------------------------------------------------------------------------------


def test_no_long_clock_runs_during_a_vacation(time: Time, guests: list[Guest]) -> None:
    long = at_table(*guests, clock="turn-1d")
    short = at_table(*guests, clock="turn-12h")
    away = guests[0]
    for table in (long, short):
        if sessions.get(table.id).to_move != 0:
            play_turn(sessions.get(table.id))
    dues = row(long).due, row(short).due
    time.passes(hours=6)
    assert away.client.post("/mails/away/", {"days": "5"}).status_code == 302
    assert row(long).due == dues[0] + 5 * DAY and row(short).due == dues[1]
    data = guests[1].data(long)
    assert data["attendance"]["away"][0].startswith("away until")
    assert data["attendance"]["dials"][0]["seconds"] == 18 * 3600
    assert not data["attendance"]["dials"][0]["runs"]
    assert guests[1].data(short)["attendance"]["away"] == ["", ""]
    with no_bots():
        time.passes(days=4)
    assert not any(sessions.get(long.id).bots) and sessions.get(short.id).bots[0]
    away.client.post("/mails/away/", {"back": "1"})
    assert row(long).due == time.now + 18 * HOUR, "as much as he had when he left"
    assert away.client.get("/mails.json").json()["days_left"] == vacation.MOST - 4
    with no_bots():
        time.passes(days=1)
    assert sessions.get(long.id).bots[0]


def test_a_turn_that_comes_during_a_vacation_waits(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="bank-7d")
    session = sessions.get(table.id)
    while session.to_move != 1:
        play_turn(session)
    vacation.leave(guests[0].key, 10)
    sessions.get(table.id)  # as every request does
    while session.to_move != 0:
        play_turn(session)
    assert row(table).due == time.now + 10 * DAY + (bank(table, 0) or CLOCKS["bank-7d"].time)
    time.passes(days=2)
    before = bank(table, 0) or CLOCKS["bank-7d"].time
    play_turn(session)
    assert bank(table, 0) == before + CLOCKS["bank-7d"].increment, (
        "of the player who plays all the same"
    )


def test_a_vacation_started_just_as_the_turn_comes_keeps_the_seat(
    time: Time, guests: list[Guest]
) -> None:
    """As if another process had ended the turn at the same moment, unaware of it."""
    table = at_table(*guests, clock="turn-1d")
    away = mover(sessions.get(table.id), guests)
    until = time.now + 5 * DAY
    Contact.objects.create(visitor=away.key, away_until=until, away_year=until.year, away_days=5)
    with no_bots():
        time.passes(days=2)
        assert not any(sessions.get(table.id).bots)
        time.passes(days=4)
    assert any(sessions.get(table.id).bots)


@pytest.mark.parametrize("days", ["0", "-1", "22", "x", "", "9" * 20])
def test_a_vacation_has_limits(days: str, time: Time) -> None:
    ada = Guest("Ada")
    answer = ada.client.post("/mails/away/", {"days": days})
    assert answer.status_code == 422 and "21 more days" in answer.content.decode()
    assert ada.client.get("/mails.json").json()["away_until"] is None


def test_vacations_of_a_year_add_up(time: Time) -> None:
    ada = Guest("Ada")
    time.now = time.now.replace(month=3, day=1)
    for days, status in ((15, 302), (3, 422)):
        answer = ada.client.post("/mails/away/", {"days": days})
        assert answer.status_code == status, "one at a time"
    time.now += 16 * DAY
    assert ada.client.post("/mails/away/", {"days": 7}).status_code == 422
    assert ada.client.post("/mails/away/", {"days": 6}).status_code == 302
    time.now += 365 * DAY
    assert ada.client.post("/mails/away/", {"days": 21}).status_code == 302
