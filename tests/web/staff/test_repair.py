"""A log can be repaired: another plays a seat, back to a point, an end without a result."""

from __future__ import annotations

from threading import Event
from unittest import mock

import pytest

from brassmill.errors import BrassError, IllegalAction
from brassmill.web.models import Seat, Table
from brassmill.web.table import bots, repair, sessions
from brassmill.web.table.session import Desk, Stale
from support.web import make_table, no_robots, people_only, play_turn
from web.table.test_session import again, first, same

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def desk() -> Desk:
    """A table of three people in its second round, when turns have two actions."""
    desk = sessions.desk(make_table(people_only(3)).id)
    while desk.game.round < 2:
        play_turn(desk)
    return desk


def bots_in_rows(desk: Desk) -> list[str]:
    return list(Seat.objects.filter(table=desk.table).values_list("bot", flat=True))


def seen_by_all(desk: Desk) -> list[object]:
    return [desk.view(seat) for seat in (None, *range(desk.table.players))]


# --- another plays -------------------------------------------------------------------------------


def test_a_bot_takes_a_seat_in_the_middle_of_a_turn_without_what_nobody_has_seen(
    desk: Desk,
) -> None:
    seat, before = desk.to_move, seen_by_all(desk)
    assert seat is not None
    desk.choose(desk.number, first(desk))
    stamps = [desk.stamp([each]) for each in range(3)]
    with no_robots():
        desk.replace(seat, "beginner")
    assert seen_by_all(desk) == before and desk.undoable == 0
    assert desk.mover_is_bot and bots_in_rows(desk)[seat] == "beginner"
    assert all(desk.stamp([each]) != stamp for each, stamp in enumerate(stamps))
    assert same(desk, again(desk))


def test_the_bot_plays_on_and_its_actions_are_seen_one_by_one(desk: Desk) -> None:
    seat = desk.to_move
    assert seat is not None
    desk.replace(seat, "beginner")
    assert Table.objects.get(pk=desk.table.pk).bot_to_move
    bots._play_on(desk.table.id, bots._working.setdefault(desk.table.id, Event()))
    assert desk.to_move != seat and desk.bots[seat] == "beginner"
    own = [chapter for chapter in desk.story if chapter.seat == seat]
    assert desk.published > len(own) > 1
    assert same(desk, again(desk))


def test_a_person_comes_back(desk: Desk) -> None:
    seat = desk.to_move
    assert seat is not None
    with no_robots():
        desk.replace(seat, "beginner")
        desk.replace(seat, "")
    assert not desk.mover_is_bot and bots_in_rows(desk) == ["", "", ""]
    desk.choose(desk.number, first(desk))
    assert desk.undoable == 1 and same(desk, again(desk))


def test_who_comes_back_is_told_what_the_bot_has_done(desk: Desk) -> None:
    seat = desk.to_move
    assert seat is not None
    desk.replace(seat, "beginner")
    bots._play_on(desk.table.id, bots._working.setdefault(desk.table.id, Event()))
    with no_robots():
        desk.replace(seat, "")
    story, heard = desk.told(seat)
    assert any(chapter.seat == seat and chapter.events for chapter in story[heard:])


def test_a_seat_that_is_not_there_or_does_not_change_is_refused(desk: Desk) -> None:
    for seat, bot in ((3, "beginner"), (-1, "beginner"), (0, "")):
        with pytest.raises(BrassError, match="cannot change"):
            desk.replace(seat, bot)


def test_everybody_is_told_that_a_seat_is_offered(desk: Desk) -> None:
    with no_robots():
        desk.replace(1, "beginner")
        repair.offer(desk, 1)
    (line,) = desk.story[-1].lines(desk.game.seats)
    assert line.seat == 1 and "offered to someone else" in line.deed
    assert same(desk, again(desk))


# --- back to a point -----------------------------------------------------------------------------


def test_a_game_goes_back_to_a_point_and_on_from_there(desk: Desk) -> None:
    point, before = desk.length, seen_by_all(desk)
    stamps = [desk.stamp([each]) for each in range(3)]
    for _turn in range(4):
        play_turn(desk)
    with no_robots():
        desk.replace(1, "beginner")
        desk.rewind(point)
    assert seen_by_all(desk) == before and desk.length > point
    (line,) = desk.story[-1].lines(desk.game.seats)
    assert line.seat is None and "rewound the game" in line.deed
    assert bots_in_rows(desk) == ["", "", ""] and desk.bots == ["", "", ""]
    assert all(desk.stamp([each]) != stamp for each, stamp in enumerate(stamps))
    play_turn(desk)
    desk.rewind(point + 1)
    assert same(desk, again(desk))


def test_a_point_that_is_not_there_is_refused(desk: Desk) -> None:
    for point in (-1, desk.length, desk.length + 7):
        with pytest.raises(BrassError, match=f"the log has {desk.length} entries"):
            desk.rewind(point)


# --- without a result ----------------------------------------------------------------------------


def test_a_void_game_is_over_without_a_result_until_it_goes_back(desk: Desk) -> None:
    desk.choose(desk.number, first(desk))
    point = desk.length
    desk.void()
    row = Table.objects.get(pk=desk.table.pk)
    assert desk.over and desk.to_move is None and row.over
    assert row.summary["void"] and "result" not in row.summary
    with pytest.raises(IllegalAction, match="over"):
        desk.choose(desk.number, first(desk))
    assert same(desk, again(desk))
    desk = sessions.desk(desk.table.id)
    desk.rewind(point)
    assert not desk.over and not Table.objects.get(pk=desk.table.pk).over
    assert desk.undoable == 1


# --- whatever happens, the log has no gap --------------------------------------------------------


def test_a_log_that_became_shorter_is_taken_up_as_it_is(desk: Desk) -> None:
    """As when a copy is restored under a running server."""
    play_turn(desk)
    desk.table.entries.filter(number__gt=desk.length - 2).delete()
    with pytest.raises(Stale):
        desk.choose(desk.number, first(desk))
    fresh = sessions.desk(desk.table.id)
    assert fresh is not desk and fresh.length == desk.length - 2
    play_turn(fresh)
    assert same(fresh, again(fresh))


def test_a_fault_while_something_is_written_leaves_no_trace(desk: Desk) -> None:
    length = desk.length
    with mock.patch("brassmill.web.mail.notifications.after_entry", side_effect=ZeroDivisionError):
        with pytest.raises(ZeroDivisionError):
            desk.choose(desk.number, first(desk))
    assert desk.is_lost
    fresh = sessions.desk(desk.table.id)
    assert fresh.length == length
    fresh.choose(fresh.number, first(fresh))
    numbers = list(fresh.table.entries.values_list("number", flat=True))
    assert numbers == list(range(1, length + 2))


def test_what_was_taken_back_again_and_again_is_not_played_again(desk: Desk) -> None:
    """Each repair of a repair would else double the work."""
    point = desk.length - 1
    with mock.patch.object(Desk, "_carry_out", autospec=True, side_effect=Desk._carry_out) as work:
        for _repair in range(12):
            desk.rewind(desk.length - 1)
    assert work.call_count <= 13 * (point + 2)
    assert same(desk, again(desk))


def test_nobody_can_count_the_clicks_of_a_draft(desk: Desk) -> None:
    before = Table.objects.get(pk=desk.table.pk).touched
    desk.choose(desk.number, first(desk))
    assert Table.objects.get(pk=desk.table.pk).touched == before
    while desk.game.question != "turn over":
        desk.choose(desk.number, first(desk))
    desk.end(desk.number)
    assert Table.objects.get(pk=desk.table.pk).touched > before
