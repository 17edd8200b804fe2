"""Repairing a log: another player for a seat, rewinding, and ending without a result."""

from __future__ import annotations

from unittest import mock

import pytest

from brassmill.errors import BrassError, IllegalAction
from brassmill.web.models import Seat, Table
from brassmill.web.table import repair, sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.writing import Stale
from support.days import let_bots_play
from support.sessions import again, first, same
from support.web import make_table, no_bots, people_only, play_turn

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """Return a table of three people in its second round, when turns have two actions."""
    session = sessions.get(make_table(people_only(3)).id)
    while session.game.round < 2:
        play_turn(session)
    return session


def bots_in_rows(session: TableSession) -> list[str]:
    return list(Seat.objects.filter(table=session.table).values_list("bot", flat=True))


def seen_by_all(session: TableSession) -> list[object]:
    return [session.view(seat) for seat in (None, *range(session.table.players))]


# --- another player ------------------------------------------------------------------------------


def test_a_bot_takes_a_seat_in_mid_turn_without_the_draft(
    session: TableSession,
) -> None:
    seat, before = session.to_move, seen_by_all(session)
    assert seat is not None
    session.choose(session.number, first(session))
    stamps = [session.stamp([each]) for each in range(3)]
    with no_bots():
        session.replace(seat, "beginner")
    assert seen_by_all(session) == before and session.undoable == 0
    assert session.mover_is_bot and bots_in_rows(session)[seat] == "beginner"
    assert all(session.stamp([each]) != stamp for each, stamp in enumerate(stamps))
    assert same(session, again(session))


def test_the_bot_plays_on_and_its_actions_are_shown_one_by_one(session: TableSession) -> None:
    seat = session.to_move
    assert seat is not None
    session.replace(seat, "beginner")
    assert Table.objects.get(pk=session.table.pk).bot_to_move
    let_bots_play(session)
    assert session.to_move != seat and session.bots[seat] == "beginner"
    own = [part for part in session.history if part.seat == seat]
    assert session.published > len(own) > 1
    assert same(session, again(session))


def test_a_person_can_come_back(session: TableSession) -> None:
    seat = session.to_move
    assert seat is not None
    with no_bots():
        session.replace(seat, "beginner")
        session.replace(seat, "")
    assert not session.mover_is_bot and bots_in_rows(session) == ["", "", ""]
    session.choose(session.number, first(session))
    assert session.undoable == 1 and same(session, again(session))


def test_a_returning_player_sees_what_the_bot_did(session: TableSession) -> None:
    seat = session.to_move
    assert seat is not None
    session.replace(seat, "beginner")
    let_bots_play(session)
    with no_bots():
        session.replace(seat, "")
    history, seen = session.history_for(seat)
    assert any(part.seat == seat and part.events for part in history[seen:])


def test_an_unknown_or_unchanged_seat_is_refused(session: TableSession) -> None:
    for seat, bot in ((3, "beginner"), (-1, "beginner"), (0, "")):
        with pytest.raises(BrassError, match="cannot change"):
            session.replace(seat, bot)


def test_everyone_is_notified_that_a_seat_is_offered(session: TableSession) -> None:
    with no_bots():
        session.replace(1, "beginner")
        repair.offer(session, 1)
    (line,) = session.history[-1].lines(session.game.seats)
    assert line.seat == 1 and "offered to someone else" in line.text
    assert same(session, again(session))


# --- rewind --------------------------------------------------------------------------------------


def test_a_game_can_be_rewound_and_continued_from_there(session: TableSession) -> None:
    point, before = session.length, seen_by_all(session)
    stamps = [session.stamp([each]) for each in range(3)]
    for _turn in range(4):
        play_turn(session)
    with no_bots():
        session.replace(1, "beginner")
        session.rewind(point)
    assert seen_by_all(session) == before and session.length > point
    (line,) = session.history[-1].lines(session.game.seats)
    assert line.seat is None and "rewound the game" in line.text
    assert bots_in_rows(session) == ["", "", ""] and session.bots == ["", "", ""]
    assert all(session.stamp([each]) != stamp for each, stamp in enumerate(stamps))
    play_turn(session)
    session.rewind(point + 1)
    assert same(session, again(session))


def test_an_unknown_point_is_refused(session: TableSession) -> None:
    for point in (-1, session.length, session.length + 7):
        with pytest.raises(BrassError, match=f"the log has {session.length} entries"):
            session.rewind(point)


def test_rewinding_leaves_no_seat_without_a_holder(session: TableSession) -> None:
    """The earlier holder may not hold it any more."""
    with no_bots():
        repair.give_to_bot(session, 1, "beginner")
        repair.rewind(session, 1)
        assert session.bots == ["", session.table.standby, ""] and same(session, again(session))
        session = sessions.get(session.table.id)
        repair.offer(session, 1)
        repair.rewind(session, 1)
    assert session.bots == ["", "", ""], "somebody is to come"


# --- without a result ----------------------------------------------------------------------------


def test_a_void_game_has_no_result_until_it_is_rewound(session: TableSession) -> None:
    session.choose(session.number, first(session))
    point = session.length
    session.void()
    row = Table.objects.get(pk=session.table.pk)
    assert session.over and session.to_move is None and row.over
    assert row.summary["void"] and "result" not in row.summary
    with pytest.raises(IllegalAction, match="over"):
        session.choose(session.number, first(session))
    assert same(session, again(session))
    session = sessions.get(session.table.id)
    session.rewind(point)
    assert not session.over and not Table.objects.get(pk=session.table.pk).over
    assert session.undoable == 1


# --- the log never has a gap ---------------------------------------------------------------------


def test_a_log_that_became_shorter_is_accepted(session: TableSession) -> None:
    """As when a backup is restored under a running server."""
    play_turn(session)
    session.table.entries.filter(number__gt=session.length - 2).delete()
    with pytest.raises(Stale):
        session.choose(session.number, first(session))
    fresh = sessions.get(session.table.id)
    assert fresh is not session and fresh.length == session.length - 2
    play_turn(fresh)
    assert same(fresh, again(fresh))


def test_an_error_while_writing_leaves_no_trace(session: TableSession) -> None:
    length = session.length
    with mock.patch("brassmill.web.mail.notifications.after_entry", side_effect=ZeroDivisionError):
        with pytest.raises(ZeroDivisionError):
            session.choose(session.number, first(session))
    assert session.is_lost
    fresh = sessions.get(session.table.id)
    assert fresh.length == length
    fresh.choose(fresh.number, first(fresh))
    numbers = list(fresh.table.entries.values_list("number", flat=True))
    assert numbers == list(range(1, length + 2))


def test_rewound_entries_are_not_replayed(session: TableSession) -> None:
    """Otherwise each repair of a repair would double the work."""
    point = session.length - 1
    with mock.patch.object(
        TableSession, "_carry_out", autospec=True, side_effect=TableSession._carry_out
    ) as work:
        for _repair in range(12):
            session.rewind(session.length - 1)
    assert work.call_count <= 13 * (point + 2)
    assert same(session, again(session))


def test_the_clicks_of_a_draft_cannot_be_counted(session: TableSession) -> None:
    before = Table.objects.get(pk=session.table.pk).touched
    session.choose(session.number, first(session))
    assert Table.objects.get(pk=session.table.pk).touched == before
    while session.game.question != "turn over":
        session.choose(session.number, first(session))
    session.end_turn(session.number)
    assert Table.objects.get(pk=session.table.pk).touched > before
