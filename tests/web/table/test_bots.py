"""Bots at a table: they play at a pace, after a restart, and whatever else changes meanwhile."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from django.db.models import F

from brassmill.play.host import Host
from brassmill.web.models import Seat, Table
from brassmill.web.table import bots, live, sessions
from brassmill.web.table.pool import Urgency
from support.days import let_bots_play
from support.sessions import again, play, same, wait_for
from support.web import KEY, log_of, make_table, no_bots, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")


def test_bots_play_until_a_person_is_to_move() -> None:
    session = sessions.get(make_table("you,beginner,apprentice").id)
    for _ in range(2):
        bots.wake(session)
        wait_for(lambda: session.to_move == 0)
        assert not session.mover_is_bot
        play_turn(session)
    assert {part.seat for part in session.history} >= {0, 1, 2}


def test_bots_are_shown_action_by_action() -> None:
    with no_bots():
        session = sessions.get(make_table("beginner,you").id)
        play(session, lambda: session.view(None).round > 1 and session.mover_is_bot)
        before = session.actions, session.stamp([1])
        play(session, lambda: session.actions > before[0])
    assert session.mover_is_bot, "its turn is not over"
    assert session.actions == before[0] + 1 and session.stamp([1]) != before[1]
    assert same(session, again(session))


def test_bots_continue_after_a_restart_and_play_the_same() -> None:
    played = []
    for interrupted in (False, True):
        session = sessions.get(make_table("you,journeyman,beginner", seed=5).id)
        with no_bots():
            play(session, lambda: session.to_move == 0 and session.turns >= 3)  # noqa: B023
        if interrupted:
            with no_bots():
                play_turn(session)
            body = {"choose": list(bots.host_of(session, session.bots).ask(session.game.copy()))}
            session.append(body)
            session = again(session)
        else:
            play_turn(session)
        bots.resume_interrupted()
        wait_for(lambda: sessions.get(session.table.id).to_move == 0)  # noqa: B023
        played.append(log_of(session))
    assert played[0] == played[1]


def test_a_player_who_returns_while_the_bots_are_made_breaks_nothing() -> None:
    """The bots are those of the position they are asked about."""
    session = sessions.get(make_table("Ada,Ben").id)
    seat = session.to_move
    assert seat is not None
    with no_bots():
        session.replace(seat, "beginner", "left")
    made = bots.host_of

    def late(*given: Any) -> Host:
        session.replace(seat, "")  # meanwhile
        return made(*given)

    with mock.patch.object(bots, "host_of", late):
        let_bots_play(session)
    assert not session.bots[seat] and session.game.actions == []


def test_bots_think_first_where_a_player_waits() -> None:
    session = sessions.get(make_table("Ada,beginner").id)
    table = session.table.id
    work = bots.BotWork(table)
    assert work.urgency() is Urgency.UNWATCHED
    for key, urgency in (("a stranger", Urgency.WATCHED), (KEY, Urgency.LIVE)):
        listener = mock.Mock(key=key, address="")
        live.hub.add(table, listener)
        assert work.urgency() is urgency
        with no_bots():
            session.replace(0, "beginner", "left")
            assert work.urgency() is Urgency.WATCHED, "the player has left and only watches"
            session.replace(0, "")
        live.hub.remove(table, listener)


def test_bots_keep_a_pace_that_can_be_skipped() -> None:
    session = sessions.get(make_table("beginner,beginner,you", pace=30_000).id)
    with no_bots():
        play(session, lambda: session.to_move != 2)
    length = session.length
    bots.wake(session)
    bots.skip(session)
    wait_for(lambda: session.to_move == 2)
    assert session.length > length
    wait_for(lambda: session.table.id not in bots.pool.underway())


def test_bots_of_a_deleted_table_stop() -> None:
    session = sessions.get(make_table("beginner,beginner,you", pace=200).id)
    with no_bots():
        play(session, lambda: session.to_move != 2)
    bots.wake(session)
    assert session.table.id in bots.pool.underway()
    session.table.__class__.objects.filter(pk=session.table.id).delete()
    wait_for(lambda: session.table.id not in bots.pool.underway())


def test_a_missing_bot_is_reported_once_and_blocks_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = make_table("beginner,you")
    table.seats.filter(number=0).update(bot="bot-of-2031", first_bot="bot-of-2031")
    session = sessions.get(table.id)
    with no_bots():
        play(session, lambda: session.to_move == 0)
    bots.wake(session)
    wait_for(lambda: table.id not in bots.pool.underway())
    page = visitor().get(f"/t/{table.id}/").content.decode()
    assert "This bot cannot play" in page and "bot-of-2031" in page
    bots.wake(session)
    assert table.id not in bots.pool.underway() and len(caplog.records) == 1
    again = visitor().post(f"/t/{table.id}/again/")
    assert again.status_code == 409 and "bot-of-2031" in again.content.decode()


def test_a_move_is_played_though_a_seat_was_renamed_while_the_bot_thought() -> None:
    with no_bots():
        session = sessions.get(make_table("beginner,you").id)
        play(session, lambda: session.mover_is_bot)
        work, length = bots.BotWork(session.table.id, float("inf")), session.length
        assert work._step() is not None and session.length == length, "it has decided"
        Seat.objects.filter(table=session.table, number=1).update(name="Zoe")
        Table.objects.filter(pk=session.table.pk).update(revision=F("revision") + 1)
        assert work._step() is not None
        work.close()
    assert session.length == length + 1 and session.names[1] == "Zoe"


def test_a_move_is_dropped_if_the_log_has_changed_while_the_bot_thought(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "brassmill.web")
    with no_bots():
        session = sessions.get(make_table("beginner,you").id)
        play(session, lambda: session.mover_is_bot)
        work = bots.BotWork(session.table.id, float("inf"))
        assert work._step() is not None
        sessions.forget(session.table.id)
        play_turn(sessions.get(session.table.id))  # as another process plays it
        played = log_of(session)
        assert work._step() is not None
        work.close()
    assert log_of(session) == played and "has changed meanwhile" in caplog.text
