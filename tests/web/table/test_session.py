"""Sessions: the log is the game, a click plays once, and nobody sees what is hidden from them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from unittest import mock

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection

from brassmill.errors import IllegalAction
from brassmill.notation import stored
from brassmill.position.digest import digest_of
from brassmill.web.mail import notifications
from brassmill.web.models import Entry, Table
from brassmill.web.page.log import LogPart
from brassmill.web.server import database
from brassmill.web.table import coach, sessions
from brassmill.web.table.event_stream import stream
from brassmill.web.table.live import hub
from brassmill.web.table.session import BrokenLog, TableSession
from brassmill.web.table.writing import Stale
from support.sessions import again, data, first, play, same, wait_for
from support.web import KEY, log_of, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """Return a table of two people."""
    return sessions.get(make_table(people_only()).id)


@pytest.fixture
def second_round(session: TableSession) -> TableSession:
    """Return the same in a round where each turn has two actions."""
    play(session, lambda: session.game.round == 2)
    return session


def kinds(history: list[LogPart]) -> set[str]:
    return {event.kind for part in history for event in part.events}


# --- the log -------------------------------------------------------------------------------------


def test_every_click_is_a_log_entry(session: TableSession) -> None:
    choice = first(session)
    session.choose(session.number, choice)
    session.undo(session.number)
    play_turn(session)
    log = log_of(session)
    assert log[:2] == [{"choose": stored.write(session.game.edition, choice)}, {"back": 1}]
    end = log[-1]
    assert end["end"] is True and end["check"] == digest_of(
        session.game.edition, session.game.engine.snapshot()
    )
    done = [[action.seat, action.text] for action in session.game.actions]
    assert end["done"] == done and len(done) == 1
    assert list(session.table.entries.values_list("number", flat=True)) == list(
        range(1, session.length + 1)
    )


def test_nobody_waits_for_another_table(session: TableSession) -> None:
    """The database may be slow for one table: the others still load."""
    slow, other, find = again(session).table.id, make_table(people_only()).id, Table.objects.get
    sessions.forget(slow)
    asked, answered = Event(), Event()

    def find_slowly(pk: str) -> Table:
        if pk == slow:
            asked.set()
            answered.wait(60)
        return find(pk=pk)

    def fetch(table_id: str) -> Thread:
        def work() -> None:
            sessions.get(table_id)
            connection.close()

        thread = Thread(target=work)
        thread.start()
        return thread

    with mock.patch.object(Table.objects, "get", find_slowly):
        first = fetch(slow)
        assert asked.wait(60)
        fetch(other).join(20)
        is_there = sessions.at_hand(other) is not None
        answered.set()
        first.join()
    assert is_there and sessions.at_hand(slow) is not None


def test_a_session_read_before_a_reload_of_all_is_read_again(session: TableSession) -> None:
    """As when a backup is restored while a visitor opens the table."""
    table_id, find = session.table.id, Table.objects.get
    sessions.forget(table_id)
    with mock.patch.object(Table.objects, "get") as get:

        def restore(pk: str) -> Table:
            read = find(pk=pk)
            get.side_effect = find
            Table.objects.filter(pk=pk).update(seed="8")
            sessions.forget_all()
            return read

        get.side_effect = restore
        fresh = sessions.get(table_id)
    assert same(fresh, again(fresh)) and fresh.game.deal != session.game.deal


def test_a_stale_click_plays_nothing(session: TableSession) -> None:
    number, choice = session.number, first(session)
    session.choose(number, choice)
    before = session.length
    with pytest.raises(Stale):
        session.choose(number, choice)
    with pytest.raises(Stale):
        session.undo(number)
    assert session.length == before == session.table.entries.count()


def test_of_two_simultaneous_clicks_one_plays(session: TableSession) -> None:
    number, choice = session.number, first(session)
    played: list[bool] = []

    def click() -> None:
        try:
            session.choose(number, choice)
            played.append(True)
        except Stale:
            played.append(False)
        finally:
            connection.close()

    clicks = [Thread(target=click) for _ in range(8)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert played.count(True) == 1 == session.table.entries.count()


def test_of_two_processes_one_plays(second_round: TableSession) -> None:
    session = second_round
    other = again(session)  # as another process has it
    number, choice = session.number, first(session)
    other.choose(number, choice)
    with pytest.raises(Stale):
        session.choose(number, choice)
    assert same(session, other)
    body = {"choose": first(session)}
    Entry.objects.create(table=session.table, number=session.length + 1, body=body)
    with pytest.raises(Stale):  # it had loaded before, and the other was faster
        session.append(body)
    other.catch_up()
    assert same(session, other)


def test_a_database_that_refuses_an_entry_is_not_taken_for_another_player(
    session: TableSession,
) -> None:
    refused = IntegrityError("a column of a newer version must not be empty")
    with mock.patch.object(Entry.objects, "create", side_effect=refused):
        with pytest.raises(IntegrityError):
            session.choose(session.number, first(session))
    fresh = sessions.get(session.table.id)
    fresh.choose(fresh.number, first(fresh))
    assert len(log_of(fresh)) == 1


def test_the_log_and_the_summary_are_written_together(session: TableSession) -> None:
    """A power cut between the two would list a finished game as running."""
    with mock.patch.object(TableSession, "summary", mock.PropertyMock(side_effect=DatabaseError)):
        with pytest.raises(DatabaseError):
            session.choose(session.number, first(session))
    assert session.table.entries.count() == 0
    fresh = sessions.get(session.table.id)
    assert fresh is not session and fresh.length == 0  # the session that is ahead is dropped


def test_a_session_that_may_be_ahead_of_its_log_writes_nothing_more(session: TableSession) -> None:
    """If the connection breaks at the commit, nobody knows whether it was written."""
    with mock.patch.object(notifications, "after_entry", side_effect=OperationalError):
        with pytest.raises(OperationalError):
            session.choose(session.number, first(session))
    with pytest.raises(Stale):
        session.undo(session.number)
    assert session.table.entries.count() == 0
    fresh = sessions.get(session.table.id)
    fresh.choose(fresh.number, first(fresh))
    assert fresh.length == 1 == session.table.entries.count()


def test_a_database_that_does_not_answer_is_reported(session: TableSession) -> None:
    address = f"/t/{session.table.id}"
    with mock.patch.object(TableSession, "catch_up", side_effect=OperationalError):
        page, data = visitor().get(f"{address}/"), visitor().get(f"{address}.json")
    assert page.status_code == 503 == data.status_code and page["Retry-After"]
    assert "cannot be reached right now" in page.content.decode()
    assert sessions.at_hand(session.table.id) is session, "it knows what it knew"
    assert visitor().get(f"{address}/").status_code == 200


def test_a_refused_choice_is_not_logged(session: TableSession) -> None:
    with pytest.raises(IllegalAction):
        session.choose(session.number, [0 if 0 not in session.game.legal_choices().ids else 1])
    with pytest.raises(IllegalAction):
        session.choose(session.number, [10**9])
    with pytest.raises(IllegalAction):
        session.end_turn(session.number)
    with pytest.raises(IllegalAction):
        session.undo(session.number)
    assert session.length == 0 == session.table.entries.count()


def test_an_illegal_log_is_not_played(session: TableSession) -> None:
    Entry.objects.create(table=session.table, number=1, body={"end": True})
    sessions.forget(session.table.id)
    with pytest.raises(BrokenLog):
        sessions.get(session.table.id)
    for page in ("", "result/", "replay/"):
        answer = visitor().get(f"/t/{session.table.id}/{page}")
        assert answer.status_code == 200 and "earlier rules" in answer.content.decode()
    answer = visitor().get(f"/t/{session.table.id}.json")
    assert answer.status_code == 409 and "earlier rules" in answer.content.decode()


# --- undo ----------------------------------------------------------------------------------------


def test_clicks_can_be_undone_one_by_one_or_all_together(second_round: TableSession) -> None:
    session = second_round
    start, seat = session.view(session.to_move), session.to_move
    steps = [start]
    while session.game.question != "turn over":
        session.choose(session.number, first(session))
        steps.append(session.view(seat))
    for step in reversed(steps[1:-1]):
        session.undo(session.number)
        assert session.view(seat).position == step.position
    session.choose(session.number, first(session))
    session.undo(session.number, None)
    assert (session.view(seat).position, session.undoable) == (start.position, 0)
    assert same(session, again(session))


def test_ending_the_turn_ends_undo(session: TableSession) -> None:
    play_turn(session)
    assert session.undoable == 0
    with pytest.raises(IllegalAction):
        session.undo(session.number)


def test_a_reveal_ends_undo() -> None:
    """A sale to the distant market draws a tile: everyone sees it, and it cannot be undone."""
    session = sessions.get(make_table(people_only(), "lancashire", seed=1).id)
    play(session, lambda: kinds(session.history) & {"distant_tile"} != set())
    assert session.undoable == 0
    turned = session.view(None).distant
    assert turned is not None and len(turned.revealed) == 1
    if session.game.question != "turn over":  # what follows can be undone again
        session.choose(session.number, [session.game.legal_choices().ids[-1]])  # reveals nothing
        assert session.undoable == 1
        session.undo(session.number)
        assert session.view(None).distant == turned
    with pytest.raises(IllegalAction):
        session.undo(session.number)
    assert same(session, again(session))


# --- what others see -----------------------------------------------------------------------------


def test_a_draft_is_visible_to_its_own_seat_only(second_round: TableSession) -> None:
    session = second_round
    mover = session.to_move
    assert mover is not None
    rival = 1 - mover
    seen, known, stamp = session.view(rival), session.history_for(rival), session.stamp([rival])
    own, others = session.stamp([mover]), session.view(None)
    for _ in range(2):
        session.choose(session.number, first(session))
        assert session.view(rival) == seen and session.view(None) == others
        assert session.history_for(rival) == known
        assert session.stamp([rival]) == stamp == session.stamp([])
        assert session.stamp([mover]) != own
    play_turn(session)
    assert session.view(rival) != seen and session.stamp([rival]) != stamp


def test_nobody_can_count_another_players_clicks(session: TableSession) -> None:
    """However a turn was clicked together, others are sent the same."""
    mover = session.to_move
    assert mover is not None
    choices = []
    while session.game.question != "turn over":
        choices.append(first(session))
        session.choose(session.number, choices[-1])
    session.end_turn(session.number)
    sent, stamp = data("nobody", session), session.stamp([])
    Entry.objects.filter(table=session.table).delete()
    doubtful = again(session)
    for choice in choices:
        doubtful.choose(doubtful.number, choice)
        doubtful.undo(doubtful.number)
        doubtful.choose(doubtful.number, choice)
    doubtful.end_turn(doubtful.number)
    assert doubtful.length > session.length
    assert (data("nobody", doubtful), doubtful.stamp([])) == (sent, stamp)
    assert str(doubtful.length) != str(doubtful.number)


def test_a_stream_reports_to_each_browser_what_changed_for_it(second_round: TableSession) -> None:
    session = second_round

    def do(call: Callable[[], None]) -> None:
        call()
        connection.close()

    async def listen() -> None:
        own, other = stream(session.table.id, KEY), stream(session.table.id, "stranger")
        assert await anext(own) == f"event: moved\ndata: {session.stamp([0, 1])}\n\n"
        assert await anext(other) == f"event: moved\ndata: {session.stamp([])}\n\n"
        waiting = asyncio.ensure_future(anext(other))
        await asyncio.to_thread(do, lambda: session.choose(session.number, first(session)))
        assert await anext(own) == f"event: moved\ndata: {session.stamp([0, 1])}\n\n"
        await asyncio.to_thread(do, lambda: play_turn(session))
        # A draft is hidden from others: their first event is the turn.
        assert await waiting == f"event: moved\ndata: {session.stamp([])}\n\n"
        await own.aclose()
        await other.aclose()

    asyncio.run(listen())
    assert session.table.id not in hub._listeners


def test_a_follower_sees_a_seats_past_and_no_draft(session: TableSession) -> None:
    mover = session.to_move
    assert mover is not None
    for _ in range(3):
        play_turn(session)
    assert session.actions == 3 + 1 * (session.view(None).round > 1)
    session.choose(session.number, first(session))
    while session.game.engine.in_progress:
        session.choose(session.number, first(session))
    with pytest.raises(ValueError, match="no action"):
        session.past(None, session.actions + 1)
    assert session.past(0, 0).hand == TableSession(session.table, session.seats).view(0).hand
    for number in range(session.actions + 1):
        assert session.past(None, number).hand is None
        assert session.past(0, number).number == number
    assert session.past(None, session.actions).position == session.view(None).position
    stranger, address = visitor("stranger"), f"/t/{session.table.id}/past"
    assert stranger.get(f"{address}/1.json").json()["hand"] is None
    assert stranger.get(f"{address}/{session.actions + 1}.json").status_code == 404


def test_clicks_do_not_wait_long_for_the_database() -> None:
    options = database.settings_of("", Path())["OPTIONS"]
    assert 2 <= options["timeout"] <= 5, "seconds: longer, and a locked database stops the site"


# --- restarts and bots ---------------------------------------------------------------------------


def test_a_restart_in_mid_turn_loses_nothing(session: TableSession) -> None:
    play_turn(session)
    play_turn(session)
    session.choose(session.number, first(session))
    rebuilt = again(session)
    assert same(session, rebuilt)
    rebuilt.undo(rebuilt.number)
    assert rebuilt.undoable == 0


def test_a_restart_after_a_whole_game_gives_the_same_result() -> None:
    session = sessions.get(make_table(people_only(), "lancashire", intro=True).id)
    play(session, lambda: False)
    assert session.over and session.to_move is None
    rebuilt = again(session)
    assert same(session, rebuilt) and rebuilt.game.outcome() == session.game.outcome()
    session.table.refresh_from_db()
    outcome = session.game.outcome()
    assert outcome is not None and session.table.over
    assert session.table.summary["result"] == [[r.seat, r.rank, r.total] for r in outcome.ranking]
    with pytest.raises(IllegalAction):
        session.end_turn(session.number)


def test_a_changed_table_is_reloaded(session: TableSession) -> None:
    other, stamp = again(session), session.stamp([])
    session.table.seats.filter(number=0).update(name="Zoe")
    sessions.changed(session.table.id)
    for each in (session, other):
        each.catch_up()
        assert each.seats[0].name == "Zoe" and each.stamp([]) != stamp


# --- questions -----------------------------------------------------------------------------------


def test_the_coach_is_asked_once_and_only_by_the_seat_to_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coach, "SECONDS", 0.1)
    with no_bots():
        session = sessions.get(make_table("you,beginner", seed=4).id)
        play(session, lambda: session.to_move == 0)
        client, hint = visitor(**{"HX-Request": "true"}), f"/t/{session.table.id}/hint/"
        visitor("stranger").post(hint)
        assert session.coach_answers == {}
        assert client.post(hint).status_code == 200
        answer = session.coach_answers[0]
        wait_for(lambda: answer.advice is not None)
        client.post(hint)
        assert session.coach_answers[0] is answer
        ideas = answer.ideas()
        assert ideas and all(idea.words and idea.elements for idea in ideas)
        assert ideas[0].choices in client.get(hint).content.decode()
        assert ideas[0].choices not in visitor("stranger").get(hint).content.decode()
        ids = [int(choice) for choice in ideas[0].choices.split()]
        session.choose(session.number, ids)
        assert coach.asked(session, 0) is None, "it was about another position"


def test_refusals_and_prices_are_explained_in_words() -> None:
    with no_bots():
        session = sessions.get(make_table("you,beginner", seed=4).id)
        play(session, lambda: session.to_move == 0)
        client, table = visitor(**{"HX-Request": "true"}), f"/t/{session.table.id}"
        assert client.get(f"{table}/why/", {"on": "do-end"}).content.strip()
        assert client.get(f"{table}/preview/", {"choice": first(session)[0]}).content.strip()
        assert client.get(f"{table}/preview/", {"choice": "1000000"}).status_code == 204
        assert client.post(f"{table}/choose/", {"choice": "coal"}).status_code == 400
        refused = next(n for n in range(500) if n not in session.game.legal_choices().ids)
        answer = client.post(f"{table}/choose/", {"number": session.number, "choice": refused})
        words = session.game.why_not(refused)
        assert words is not None and answer.status_code == 200
        assert log_of(session)[-1:] != [{"choose": [refused]}]
