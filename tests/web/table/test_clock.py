"""Clocks: kept by the database, charged to the seat that must act, and never unfair."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from brassmill import record
from brassmill.notation import matching
from brassmill.web.mail import queue
from brassmill.web.models import Archive, Mail, Pulse, Table
from brassmill.web.server import periodic
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.table import bots, clock, sessions
from brassmill.web.table import due as due_times
from brassmill.web.table.seat_time import RETURNING
from brassmill.web.table.session import TableSession
from brassmill.web.table.start import start
from support.days import HOST, Time, give_address, let_bots_play, mails_to, mover, path_in, row
from support.friends import Guest, at_table, set_up, tokens_of
from support.paths import RECORDS
from support.sessions import again
from support.web import make_table, no_bots, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
def guests() -> list[Guest]:
    return [Guest("Ada"), Guest("Ben")]


def bank(table: Table, seat: int) -> Any:
    return table.seats.get(number=seat).bank


def test_looking_for_what_is_due_reads_no_logs() -> None:
    """It happens every two seconds, however many games are stored."""
    with CaptureQueriesContext(connection) as asked:
        due_times.do_what_is_due()
    about_logs = [query["sql"] for query in asked if "web_entry" in query["sql"]]
    assert about_logs and not [words for words in about_logs if "JOIN" in words]


# --- running clocks ------------------------------------------------------------------------------


def test_no_clock_runs_while_friends_are_missing(time: Time) -> None:
    ada, ben = Guest("Ada"), Guest("Ben")
    table = set_up(ada, "you", "friend", clock="turn-1d")
    ada.data(table)
    assert row(table).asked is None and table.due is None
    time.passes(days=3)
    ben.sit(tokens_of(table)[0])
    assert row(table).asked == time.now and table.due == time.now + DAY
    assert table.awaited == sessions.get(table.id).to_move


def test_a_page_loaded_just_before_the_clock_starts_is_updated() -> None:
    ada, ben = Guest("Ada"), Guest("Ben")
    table = set_up(ada, "you", "friend", clock="turn-1d")
    with mock.patch("brassmill.web.table.waiting_room.start"):
        ben.sit(tokens_of(table)[0])
    seen = ada.data(table)["stamp"]
    start(table.id)
    assert row(table).due and ada.data(table)["stamp"] != seen


def test_a_turn_has_its_time_and_a_click_adds_none(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="turn-1d")
    session = sessions.get(table.id)
    began, first = time.now, session.to_move
    time.passes(hours=5)
    session.choose(session.number, [session.game.legal_choices().ids[0]])
    session.undo(session.number)
    assert row(table).due == began + DAY and table.asked == began
    play_turn(session)
    assert row(table).due == time.now + DAY and table.awaited == session.to_move != first


def test_without_a_clock_nothing_is_due(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests)
    play_turn(sessions.get(table.id))
    assert row(table).due is None and table.asked == time.now
    time.passes(days=100)
    assert not any(sessions.get(table.id).bots)


def test_a_bank_is_charged_and_grows_with_each_turn(time: Time, guests: list[Guest]) -> None:
    table, chosen = at_table(*guests, clock="bank-7d"), CLOCKS["bank-7d"]
    session = sessions.get(table.id)
    seat = session.to_move
    assert seat is not None and row(table).due == time.now + chosen.time
    time.passes(days=2)
    play_turn(session)
    assert bank(table, seat) == chosen.time - 2 * DAY + chosen.increment
    assert bank(table, 1 - seat) is None and row(table).due == time.now + chosen.time
    while session.to_move != seat:
        play_turn(session)
    assert row(table).due == time.now + bank(table, seat)
    data = guests[0].data(table)["attendance"]["dials"]
    assert data[seat]["runs"] and not data[1 - seat]["runs"]
    assert data[seat]["seconds"] == bank(table, seat).total_seconds()


def test_a_clock_must_be_one_of_the_choices() -> None:
    ada = Guest("Ada")
    form = {"players": "2", "who-0": "you", "who-1": "friend", "clock": "turn-1s", "notice": "x"}
    answer = ada.client.post("/new/birmingham/", form)
    assert answer.status_code == 422 and answer.content.decode().count("Choose one of these.") == 2
    offered = ada.client.get("/new/birmingham.json").json()["clocks"]
    assert list(offered) == list(CLOCKS) and offered["turn-1d"] == "1 day per turn"
    alone = set_up(ada, "you", "beginner", clock="turn-5m")
    assert alone.clock == "", "nobody waits for anybody"


# --- time out ------------------------------------------------------------------------------------


def test_a_player_out_of_time_is_replaced_by_the_standby_bot(
    time: Time, guests: list[Guest]
) -> None:
    table = at_table(*guests, clock="turn-1d", standby="beginner", notice="at once")
    for guest in guests:
        give_address(guest)
    session = sessions.get(table.id)
    late = mover(session, guests)
    seat = guests.index(late)
    session.choose(session.number, [session.game.legal_choices().ids[0]])
    with no_bots():
        time.passes(hours=20)
        assert len(mails_to(late, "time")) == 1 and not mails_to(guests[1 - seat])
        time.passes(hours=3)
        assert len(mails_to(late, "time")) == 1 and not any(sessions.get(table.id).bots)
        time.passes(hours=2)
        session = sessions.get(table.id)
        assert session.bots[seat] == "beginner" and session.log[-1]["why"] == "time"
        assert row(table).due is None and table.awaited is None
        (told,) = mails_to(late, "bot")
        assert "take your seat back" in told.text and path_in(told.text, "/seat/")
        for guest in guests:
            log = guest.data(table)["log"]
            assert log[-1]["text"] == "ran out of time" and "beginner" in log[-1]["details"]
            player = guest.data(table)["players"][seat]
            assert player["name"] == late.name and player["role"] == "beginner playing"
    assert again(session).bots == session.bots


def test_a_move_at_the_last_moment_counts(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="turn-1h")
    session = sessions.get(table.id)
    time.now += 2 * HOUR
    found = list(due_times.overdue(time.now))
    assert table.id in found
    play_turn(session)
    for table_id in found:
        due_times.stand_in(table_id)
    assert not any(sessions.get(table.id).bots)


def test_of_two_processes_one_lets_the_bot_play(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="turn-1h")
    time.now += 2 * HOUR
    mine = sessions.get(table.id)
    other = TableSession(Table.objects.get(pk=table.pk), table.seats.all())
    other.catch_up()
    with no_bots():
        for session in (mine, other):
            with mock.patch("brassmill.web.table.sessions.get", return_value=session):
                due_times.stand_in(table.id)
    assert [body["why"] for body in table.entries.values_list("body", flat=True)] == ["time"]


def test_an_absent_debtor_is_on_the_clock_too(time: Time) -> None:
    """A debtor who must remove tiles is asked between turns."""
    guests = [Guest("Ada"), Guest("Ben")]
    table = set_up(guests[0], "you", "friend", clock="turn-1d", standby="beginner")
    # Dealt by the record's seed, as a game from before deals were stored.
    Table.objects.filter(pk=table.pk).update(seed="3025")
    Archive.objects.filter(table=table).update(deal=None, first_check="")
    sessions.forget(table.id)
    guests[1].sit(tokens_of(table)[0])
    session = sessions.get(table.id)
    node = record.load(RECORDS / "birmingham-2-debt.brass").root
    while session.game.question != "give up":
        if session.game.question == "turn over":
            session.end_turn(session.number)
        else:
            node = node.children[0]
            session.choose(session.number, matching.resolve(session.game.engine, node.text))
    debtor = session.to_move
    assert debtor is not None and session.waiting and session.waiting.in_debt
    assert row(table).awaited == debtor and table.due == time.now + DAY
    with no_bots():
        time.passes(days=2)
        assert session.bots[debtor] == "beginner" and session.game.question == "give up"
        let_bots_play(session)
    assert session.game.question != "give up"


def test_a_server_that_was_down_takes_nobodys_seat(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="turn-1h")
    due = row(table).due
    Pulse.objects.update_or_create(pk=1, defaults={"at": time.now})
    time.now += 10 * HOUR
    due_times.do_what_is_due()
    assert row(table).due == due + 10 * HOUR and not any(sessions.get(table.id).bots)
    due_times.do_what_is_due()
    assert row(table).due == due + 10 * HOUR, "once"
    with no_bots():
        time.passes(hours=1.1)
    assert any(sessions.get(table.id).bots)


def test_without_a_clock_a_server_that_was_down_extends_no_wait(
    time: Time, guests: list[Guest]
) -> None:
    table = at_table(*guests)
    asked = row(table).asked
    other = guests[1 - (sessions.get(table.id).to_move or 0)]
    Pulse.objects.update_or_create(pk=1, defaults={"at": time.now})
    time.now += clock.PATIENCE
    due_times.do_what_is_due()
    assert row(table).asked == asked + clock.PATIENCE
    assert other.data(table)["attendance"]["can_dismiss"] is None, "nobody could have come"


def test_a_clock_that_is_set_takes_and_gives_no_time(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="turn-1h", notice=Table.LATER)
    queue.send("ada@example.org", "later", "text", "en")
    Pulse.objects.update_or_create(pk=1, defaults={"at": time.now})
    for jump in (10 * HOUR, -10 * HOUR, -DAY, DAY):
        left, told = row(table).due - time.now, row(table).tell_at - time.now
        time.now += jump
        due_times.beat(time.now)
        assert row(table).due - time.now == left, jump
        assert Pulse.objects.get().at == time.now, jump
        if jump < timedelta():  # otherwise it may have been an outage: e-mails are late
            assert row(table).tell_at - time.now == told
            assert Mail.objects.filter(subject="later", next_at__lte=time.now).exists()
    assert not any(sessions.get(table.id).bots)


def test_of_two_processes_starting_one_extends_the_clocks(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, clock="turn-1h")
    due = row(table).due
    Pulse.objects.update_or_create(pk=1, defaults={"at": time.now})
    last = Pulse.objects.get()
    time.now += HOUR
    due_times.beat(time.now)
    with mock.patch.object(Pulse.objects, "order_by") as read:  # as it was before the other's
        read.return_value.first.return_value = last
        due_times.beat(time.now)
    assert row(table).due == due + HOUR


def test_a_rewound_turn_gets_its_full_time(time: Time, guests: list[Guest]) -> None:
    table, chosen = at_table(*guests, clock="bank-7d"), CLOCKS["bank-7d"]
    session = sessions.get(table.id)
    play_turn(session)
    seat, point = session.to_move, session.length
    assert seat is not None
    time.passes(hours=5)
    session.choose(session.number, [session.game.legal_choices().ids[0]])
    session.rewind(point)
    assert row(table).due == time.now + chosen.time and table.awaited == seat
    assert bank(table, seat) is None, "nobody is charged for what was rewound"
    session.void()
    assert row(table).due is None and table.awaited is None and table.tell_at is None


# --- leaving and coming back ---------------------------------------------------------------------


def test_a_player_can_leave_and_come_back(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, standby="beginner")
    give_address(guests[0])
    give_address(guests[1])
    session = sessions.get(table.id)
    leaver = mover(session, guests)
    seat = guests.index(leaver)
    other = guests[1 - seat]
    with no_bots():
        assert leaver.data(table)["attendance"]["can_leave"] == [seat]
        leaver.post(table, "leave", seat=seat)
        data = leaver.data(table)
        assert data["attendance"]["can_return"] == [seat] and not data["your_turn"]
        assert not data["offers"] and data["is_bot_turn"]
        assert not mails_to(leaver, "bot"), "he knows"
        assert other.data(table)["log"][-1]["text"] == "left the game"
        assert other.data(table)["attendance"]["can_return"] == []
        choice = session.game.legal_choices().ids[0]
        leaver.post(table, "choose", number=session.number, choice=choice)
        assert sessions.get(table.id).length == 1, "the bot plays, not he"
        leaver.post(table, "leave", seat=seat)
        other.post(table, "return", seat=seat)
        assert sessions.get(table.id).length == 1, "not twice, and not by another"
        leaver.post(table, "return", seat=seat)
    data = leaver.data(table)
    assert data["your_turn"] and data["offers"] and data["log"][-1]["text"] == "is back"
    assert not data["log"][-1]["own"], "it is no part of the turn"
    assert row(table).awaited == seat


def test_nobody_leaves_and_returns_again_and_again(time: Time, guests: list[Guest]) -> None:
    table = at_table(*guests, standby="beginner")
    with no_bots():
        for _time in range(10):
            guests[0].post(table, "leave", seat=0)
            guests[0].post(table, "return", seat=0)
        entries = table.entries.count()
        assert entries == 20
        assert "too often" in guests[0].post(table, "leave", seat=0).content.decode()
        assert table.entries.count() == entries
        time.passes(seconds=30)
        guests[0].post(table, "leave", seat=0)
    assert guests[0].data(table)["attendance"]["can_return"] == [0]


@pytest.mark.parametrize("action", ["leave", "return", "dismiss"])
def test_nobody_can_leave_or_return_for_another(
    action: str, time: Time, guests: list[Guest]
) -> None:
    table = at_table(*guests)
    for guest in (guests[0], Guest("Eve")):
        for seat in ("1", "7", "x", ""):
            answer = guest.post(table, action, seat=seat)
            assert answer.status_code == 200 and 'class="note"' in answer.content.decode()
    assert not table.entries.exists()
    waiting = set_up(guests[0])
    guests[0].post(waiting, action, seat=0)
    assert not waiting.entries.exists()
    sessions.get(table.id).void()
    assert "over" in guests[1].post(table, "leave", seat=1).content.decode()
    assert table.entries.count() == 1


def test_a_returning_player_gets_some_time(time: Time, guests: list[Guest]) -> None:
    table, chosen = at_table(*guests, clock="bank-7d"), CLOCKS["bank-7d"]
    session = sessions.get(table.id)
    late = mover(session, guests)
    seat = guests.index(late)
    with no_bots():
        time.passes(days=8)
        assert bank(table, seat) == timedelta() and sessions.get(table.id).bots[seat]
        refused = late.post(table, "return", seat=seat).content.decode()
        assert "after the bot has played" in refused and session.bots[seat]
        let_bots_play(session)
        late.post(table, "return", seat=seat)
    assert bank(table, seat) == chosen.time / RETURNING
    while session.to_move != seat:
        play_turn(session)
    assert row(table).due == time.now + chosen.time / RETURNING


@pytest.mark.parametrize("name", ["turn-5m", "bank-30m", "bank-7d"])
def test_leaving_and_returning_in_one_turn_gives_no_time(
    name: str, time: Time, guests: list[Guest]
) -> None:
    table, chosen = at_table(*guests, clock=name), CLOCKS[name]
    session = sessions.get(table.id)
    player = mover(session, guests)
    seat = guests.index(player)
    time.passes(seconds=0.97 * chosen.time.total_seconds())
    due = row(table).due
    assert due - time.now == 0.03 * chosen.time
    with no_bots():
        for _time in range(3):
            player.post(table, "leave", seat=seat)
            time.passes(seconds=10)  # the clock stands still
            sessions.forget(table.id)  # only the log and the database tell
            due += timedelta(seconds=10)
            player.post(table, "return", seat=seat)
            assert row(table).due == due
    session = sessions.get(table.id)
    play_turn(session)
    while session.to_move != seat:
        play_turn(session)
    left = 0.03 * chosen.time + chosen.increment if chosen.is_bank else chosen.time
    assert row(table).due == time.now + left


def test_the_time_for_a_turn_does_not_start_afresh_after_the_bots_first_action(
    time: Time, guests: list[Guest]
) -> None:
    table = at_table(*guests, clock="turn-1d")
    session = sessions.get(table.id)
    while session.game.actions_left < 2:
        play_turn(session)
    player = mover(session, guests)
    seat = guests.index(player)
    time.passes(hours=23)
    with no_bots():
        player.post(table, "leave", seat=seat)
        host = bots.host_of(session, session.bots)
        session.append({"choose": list(host.ask(session.game.copy()))})
        host.close()
        assert session.to_move == seat and session.absences[seat].bot_played  # type: ignore[union-attr]
        player.post(table, "return", seat=seat)
    assert row(table).due == time.now + HOUR


def test_a_grant_is_given_once_for_each_absence(time: Time, guests: list[Guest]) -> None:
    table, chosen = at_table(*guests, clock="bank-30m"), CLOCKS["bank-30m"]
    session = sessions.get(table.id)
    player = mover(session, guests)
    seat = guests.index(player)
    time.passes(seconds=chosen.time.total_seconds() - 10)
    with no_bots():
        player.post(table, "leave", seat=seat)
        let_bots_play(session)
        player.post(table, "return", seat=seat)
        assert bank(table, seat) == chosen.time / RETURNING
        while session.to_move != seat:
            play_turn(session)
        time.passes(seconds=100)
        for _time in range(2):  # the bot has not played again
            player.post(table, "leave", seat=seat)
            player.post(table, "return", seat=seat)
    assert row(table).due - time.now == chosen.time / RETURNING - timedelta(seconds=100)


def test_without_a_clock_the_others_need_not_wait_for_ever(time: Time) -> None:
    guests = [Guest("Ada"), Guest("Ben"), Guest("Cleo")]
    table = at_table(*guests)
    session = sessions.get(table.id)
    absent = session.to_move
    assert absent is not None
    others = [guest for n, guest in enumerate(guests) if n != absent]
    time.passes(days=6.9)
    others[0].post(table, "dismiss", seat=absent)
    assert not any(session.bots) and others[0].data(table)["attendance"]["can_dismiss"] is None
    time.passes(days=0.2)
    watching = Guest("Eve")
    for guest in (watching, guests[absent]):
        assert guest.data(table)["attendance"]["can_dismiss"] is None
        guest.post(table, "dismiss", seat=absent)
    assert not any(session.bots)
    assert others[1].data(table)["attendance"]["can_dismiss"] == absent
    page = others[1].page(f"/t/{table.id}/")
    assert f"Let a bot take over for {guests[absent].name}" in page
    with no_bots():
        others[1].post(table, "dismiss", seat=absent)
    assert session.bots[absent] == "apprentice" and session.log[-1]["why"] == "asked"


def test_a_solo_player_has_nobody_to_leave() -> None:
    """Otherwise one visitor could let many games of bots play on alone."""
    table = make_table("you,master,master,master")
    assert visitor().get(f"/t/{table.id}.json").json()["attendance"]["can_leave"] == []
    answer = visitor().post(f"/t/{table.id}/leave/", {"seat": "0"})
    assert "Nobody else plays here" in answer.content.decode()
    assert not sessions.get(table.id).bots[0]


def test_on_one_screen_nobody_is_asked_to_uncover_a_bots_hand() -> None:
    session = sessions.get(make_table("Ada,Ben").id)
    seat = session.to_move
    assert seat is not None
    assert visitor().get(f"/t/{session.table.id}.json").json()["cover"] == seat
    with no_bots():
        session.replace(seat, "beginner", "left")
        data = visitor().get(f"/t/{session.table.id}.json").json()
    assert data["cover"] is None and data["you"] is None and data["is_bot_turn"]


# --- home page -----------------------------------------------------------------------------------


def test_games_where_it_is_your_turn_come_first(time: Time, guests: list[Guest]) -> None:
    ada = guests[0]
    tables = [at_table(*guests, clock=name) for name in ("turn-7d", "turn-1d", "", "turn-1d")]
    for table in tables[:3]:
        while sessions.get(table.id).to_move != 0:
            play_turn(sessions.get(table.id))
    while sessions.get(tables[3].id).to_move != 1:
        play_turn(sessions.get(tables[3].id))
    games = ada.client.get("/index.json").json()["unfinished"]
    wanted = [tables[1].id, tables[0].id, tables[2].id, tables[3].id]
    assert [game["id"] for game in games] == wanted
    assert [game["your_turn"] for game in games] == [True, True, True, False]
    assert games[1]["left"] == "7 days"
    assert " left</time>" in ada.client.get("/").content.decode()
    with no_bots():
        ada.post(tables[1], "leave", seat=0)
    games = ada.client.get("/index.json").json()["unfinished"]
    assert not next(game for game in games if game["id"] == tables[1].id)["your_turn"]


def test_a_player_who_returns_on_another_turn_gets_some_time_too(time: Time) -> None:
    guests = [Guest("Ada"), Guest("Ben")]
    table = at_table(*guests, clock="bank-7d")
    session = sessions.get(table.id)
    absent = 1 - (session.to_move or 0)
    table.seats.filter(number=absent).update(bank=timedelta())
    with no_bots():
        session.replace(absent, "beginner")
        while session.to_move != absent:
            play_turn(session)
        let_bots_play(session)
        session.replace(absent, "")
    assert table.seats.get(number=absent).bank == 7 * DAY / 10


def test_nobody_is_replaced_for_another_players_time(time: Time) -> None:
    """They played in another process, after this one looked for players out of time."""
    guests = [Guest("Ada"), Guest("Ben")]
    table = at_table(*guests, clock="turn-1h")
    session = sessions.get(table.id)
    time.now += HOUR - timedelta(seconds=1)
    play_turn(session)
    session.table.due = time.now - HOUR  # as it was before
    with mock.patch.object(session, "catch_up"), no_bots():
        due_times.stand_in(table.id)
    assert session.bots == ["", ""]


def test_a_game_starts_even_if_its_process_was_killed_at_the_start(time: Time) -> None:
    guests = [Guest("Ada"), Guest("Ben")]
    table = at_table(*guests, clock="turn-1h")
    gone = dict.fromkeys(("awaited", "asked", "due", "tell_at", "warn_at"))
    Table.objects.filter(pk=table.pk).update(**gone, touched=time.now)
    sessions.forget(table.id)
    with no_bots():
        due_times.do_what_is_due()
    assert row(table).due == time.now + HOUR


def test_an_error_does_not_stop_periodic_work() -> None:
    rounds = mock.Mock(side_effect=[ZeroDivisionError, OperationalError, None, KeyboardInterrupt])
    with mock.patch("brassmill.web.server.periodic.sleep"), pytest.raises(KeyboardInterrupt):
        periodic.repeat(rounds, 1)
    assert rounds.call_count == 4


def test_with_friends_nobody_chooses_the_deal() -> None:
    form = {"players": "2", "who-0": "you", "who-1": "friend", "name-0": "Ada", "seed": "7"}
    answer = Guest("Ada").client.post("/new/birmingham/", form)
    assert answer.status_code == 422 and "always random" in answer.content.decode()
