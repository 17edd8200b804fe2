"""The desk: its log is the game, a click plays once, and nobody sees what is not his."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from threading import Event, Thread
from time import monotonic, sleep
from unittest import mock

import pytest
from django.db import DatabaseError, OperationalError, connection

from brassmill.errors import IllegalAction
from brassmill.notation import stored
from brassmill.play.host import Host
from brassmill.position.digest import digest_of
from brassmill.web.models import Entry, Table
from brassmill.web.page.log import Chapter
from brassmill.web.server import notify
from brassmill.web.table import bots, coach, sessions
from brassmill.web.table.event_stream import stream
from brassmill.web.table.live import hub
from brassmill.web.table.session import BrokenLog, Desk, Stale
from support.web import KEY, log_of, make_table, no_robots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def desk() -> Desk:
    """A table of two people."""
    return sessions.desk(make_table(people_only()).id)


@pytest.fixture
def second_round(desk: Desk) -> Desk:
    """The same when each turn has two actions."""
    play(desk, lambda: desk.game.round == 2)
    return desk


def again(desk: Desk) -> Desk:
    """The same table after a restart."""
    sessions.forget(desk.table.id)
    rebuilt = sessions.desk(desk.table.id)
    assert rebuilt is not desk
    return rebuilt


def first(desk: Desk) -> list[int]:
    """A choice that is open."""
    return [desk.game.legal_choices().ids[0]]


def same(one: Desk, two: Desk) -> bool:
    """Is it the same table to everybody?"""
    seats = (None, *range(one.table.players))
    return (
        [one.view(seat) for seat in seats] == [two.view(seat) for seat in seats]
        and (one.number, one.undoable, one.turns) == (two.number, two.undoable, two.turns)
        and [chapter.events for chapter in one.story] == [chapter.events for chapter in two.story]
        and [one.stamp([seat]) for seat in range(one.table.players)]
        == [two.stamp([seat]) for seat in range(two.table.players)]
    )


def play(desk: Desk, until: Callable[[], bool]) -> None:
    """Play as bots would, whoever sits there."""
    host = Host.of(["journeyman"] * desk.table.players, desk.game.edition, seed=1)
    try:
        while not desk.over and not until():
            if desk.game.question == "turn over":
                desk.end(desk.number)
            else:
                desk.choose(desk.number, host.ask(desk.game.copy()))
    finally:
        host.close()


def kinds(story: list[Chapter]) -> set[str]:
    return {event.kind for chapter in story for event in chapter.events}


def wait_for(true: Callable[[], bool], seconds: float = 60.0) -> None:
    until = monotonic() + seconds
    while not true():
        assert monotonic() < until, "it has not come"
        sleep(0.02)


# --- the log -------------------------------------------------------------------------------------


def test_every_call_is_an_entry(desk: Desk) -> None:
    choice = first(desk)
    desk.choose(desk.number, choice)
    desk.back(desk.number)
    play_turn(desk)
    log = log_of(desk)
    assert log[:2] == [{"choose": stored.write(desk.game.edition, choice)}, {"back": 1}]
    end = log[-1]
    assert end["end"] is True and end["check"] == digest_of(
        desk.game.edition, desk.game.engine.snapshot()
    )
    done = [[action.seat, action.text] for action in desk.game.actions]
    assert end["done"] == done and len(done) == 1
    assert list(desk.table.entries.values_list("number", flat=True)) == list(
        range(1, desk.length + 1)
    )


def test_nobody_waits_for_the_table_of_another(desk: Desk) -> None:
    """The database may be slow to tell of one: the others are there all the same."""
    slow, other, find = again(desk).table.id, make_table(people_only()).id, Table.objects.get
    sessions.forget(slow)
    asked, answered = Event(), Event()

    def find_slowly(pk: str) -> Table:
        if pk == slow:
            asked.set()
            answered.wait(60)
        return find(pk=pk)

    def fetch(table_id: str) -> Thread:
        def work() -> None:
            sessions.desk(table_id)
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


def test_what_was_read_before_all_were_forgotten_is_read_again(desk: Desk) -> None:
    """As when another copy is restored while somebody comes to the table."""
    table_id, find = desk.table.id, Table.objects.get
    sessions.forget(table_id)
    with mock.patch.object(Table.objects, "get") as get:

        def restore(pk: str) -> Table:
            read = find(pk=pk)
            get.side_effect = find
            Table.objects.filter(pk=pk).update(seed="8")
            sessions.forget_all()
            return read

        get.side_effect = restore
        fresh = sessions.desk(table_id)
    assert same(fresh, again(fresh)) and fresh.game.deal != desk.game.deal


def test_a_stale_click_plays_nothing(desk: Desk) -> None:
    number, choice = desk.number, first(desk)
    desk.choose(number, choice)
    before = desk.length
    with pytest.raises(Stale):
        desk.choose(number, choice)
    with pytest.raises(Stale):
        desk.back(number)
    assert desk.length == before == desk.table.entries.count()


def test_of_two_clicks_at_once_one_plays(desk: Desk) -> None:
    number, choice = desk.number, first(desk)
    played: list[bool] = []

    def click() -> None:
        try:
            desk.choose(number, choice)
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
    assert played.count(True) == 1 == desk.table.entries.count()


def test_of_two_processes_one_plays(second_round: Desk) -> None:
    desk = second_round
    other = again(desk)  # as another process has it
    number, choice = desk.number, first(desk)
    other.choose(number, choice)
    with pytest.raises(Stale):
        desk.choose(number, choice)
    assert same(desk, other)
    body = {"choose": first(desk)}
    Entry.objects.create(table=desk.table, number=desk.length + 1, body=body)
    with pytest.raises(Stale):  # it had looked before, and the other was faster
        desk.append(body)
    other.catch_up()
    assert same(desk, other)


def test_the_log_and_what_lists_say_are_written_together(desk: Desk) -> None:
    """A power cut between the two would leave a finished game among those that go on."""
    with mock.patch.object(Desk, "summary", mock.PropertyMock(side_effect=DatabaseError)):
        with pytest.raises(DatabaseError):
            desk.choose(desk.number, first(desk))
    assert desk.table.entries.count() == 0
    fresh = sessions.desk(desk.table.id)
    assert fresh is not desk and fresh.length == 0  # the one that went ahead is forgotten


def test_a_desk_that_may_be_ahead_of_its_log_writes_nothing_more(desk: Desk) -> None:
    """Nobody knows whether it was written when the line breaks at the end of a transaction."""
    with mock.patch.object(notify, "send", side_effect=OperationalError):
        with pytest.raises(OperationalError):
            desk.choose(desk.number, first(desk))
    with pytest.raises(Stale):
        desk.back(desk.number)
    assert desk.table.entries.count() == 0
    fresh = sessions.desk(desk.table.id)
    fresh.choose(fresh.number, first(fresh))
    assert fresh.length == 1 == desk.table.entries.count()


def test_a_database_that_does_not_answer_is_told(desk: Desk) -> None:
    address = f"/t/{desk.table.id}"
    with mock.patch.object(Desk, "catch_up", side_effect=OperationalError):
        page, data = visitor().get(f"{address}/"), visitor().get(f"{address}.json")
    assert page.status_code == 503 == data.status_code and page["Retry-After"]
    assert "cannot be reached right now" in page.content.decode()
    assert sessions.at_hand(desk.table.id) is desk, "it knows what it knew"
    assert visitor().get(f"{address}/").status_code == 200


def test_what_the_rules_refuse_is_not_written(desk: Desk) -> None:
    with pytest.raises(IllegalAction):
        desk.choose(desk.number, [0 if 0 not in desk.game.legal_choices().ids else 1])
    with pytest.raises(IllegalAction):
        desk.choose(desk.number, [10**9])
    with pytest.raises(IllegalAction):
        desk.end(desk.number)
    with pytest.raises(IllegalAction):
        desk.back(desk.number)
    assert desk.length == 0 == desk.table.entries.count()


def test_a_log_that_the_rules_do_not_allow_is_not_played(desk: Desk) -> None:
    Entry.objects.create(table=desk.table, number=1, body={"end": True})
    sessions.forget(desk.table.id)
    with pytest.raises(BrokenLog):
        sessions.desk(desk.table.id)
    for page in ("", "result/", "replay/"):
        answer = visitor().get(f"/t/{desk.table.id}/{page}")
        assert answer.status_code == 200 and "earlier rules" in answer.content.decode()
    answer = visitor().get(f"/t/{desk.table.id}.json")
    assert answer.status_code == 409 and "earlier rules" in answer.content.decode()


# --- taking back ---------------------------------------------------------------------------------


def test_clicks_are_taken_back_one_by_one_or_all_together(second_round: Desk) -> None:
    desk = second_round
    start, seat = desk.view(desk.to_move), desk.to_move
    steps = [start]
    while desk.game.question != "turn over":
        desk.choose(desk.number, first(desk))
        steps.append(desk.view(seat))
    for step in reversed(steps[1:-1]):
        desk.back(desk.number)
        assert desk.view(seat).position == step.position
    desk.choose(desk.number, first(desk))
    desk.back(desk.number, None)
    assert (desk.view(seat).position, desk.undoable) == (start.position, 0)
    assert same(desk, again(desk))


def test_the_end_of_a_turn_ends_taking_back(desk: Desk) -> None:
    play_turn(desk)
    assert desk.undoable == 0
    with pytest.raises(IllegalAction):
        desk.back(desk.number)


def test_what_was_revealed_ends_taking_back() -> None:
    """A sale to the distant market turns a tile: everybody sees it, and it stays."""
    desk = sessions.desk(make_table(people_only(), "lancashire", seed=1).id)
    play(desk, lambda: kinds(desk.story) & {"distant_tile"} != set())
    assert desk.undoable == 0
    turned = desk.view(None).distant
    assert turned is not None and len(turned.revealed) == 1
    if desk.game.question != "turn over":  # what comes after it can be taken back again
        desk.choose(desk.number, first(desk))
        assert desk.undoable == 1
        desk.back(desk.number)
        assert desk.view(None).distant == turned
    with pytest.raises(IllegalAction):
        desk.back(desk.number)
    assert same(desk, again(desk))


# --- what others see -----------------------------------------------------------------------------


def test_a_draft_is_seen_by_its_seat_alone(second_round: Desk) -> None:
    desk = second_round
    mover = desk.to_move
    assert mover is not None
    rival = 1 - mover
    seen, heard, stamp = desk.view(rival), desk.told(rival), desk.stamp([rival])
    own, others = desk.stamp([mover]), desk.view(None)
    for _ in range(2):
        desk.choose(desk.number, first(desk))
        assert desk.view(rival) == seen and desk.view(None) == others
        assert desk.told(rival) == heard
        assert desk.stamp([rival]) == stamp == desk.stamp([])
        assert desk.stamp([mover]) != own
    play_turn(desk)
    assert desk.view(rival) != seen and desk.stamp([rival]) != stamp


def test_nobody_can_count_the_clicks_of_another(desk: Desk) -> None:
    """However a turn was clicked together, others are sent the same."""
    mover = desk.to_move
    assert mover is not None
    choices = []
    while desk.game.question != "turn over":
        choices.append(first(desk))
        desk.choose(desk.number, choices[-1])
    desk.end(desk.number)
    sent, stamp = data("nobody", desk), desk.stamp([])
    Entry.objects.filter(table=desk.table).delete()
    doubtful = again(desk)
    for choice in choices:
        doubtful.choose(doubtful.number, choice)
        doubtful.back(doubtful.number)
        doubtful.choose(doubtful.number, choice)
    doubtful.end(doubtful.number)
    assert doubtful.length > desk.length
    assert (data("nobody", doubtful), doubtful.stamp([])) == (sent, stamp)
    assert str(doubtful.length) != str(doubtful.number)


def test_a_stream_tells_each_browser_what_moved_for_it(second_round: Desk) -> None:
    desk = second_round

    def do(call: Callable[[], None]) -> None:
        call()
        connection.close()

    async def listen() -> None:
        own, other = stream(desk.table.id, KEY), stream(desk.table.id, "stranger")
        assert await anext(own) == f"event: moved\ndata: {desk.stamp([0, 1])}\n\n"
        assert await anext(other) == f"event: moved\ndata: {desk.stamp([])}\n\n"
        waiting = asyncio.ensure_future(anext(other))
        await asyncio.to_thread(do, lambda: desk.choose(desk.number, first(desk)))
        assert await anext(own) == f"event: moved\ndata: {desk.stamp([0, 1])}\n\n"
        await asyncio.to_thread(do, lambda: play_turn(desk))
        # A draft is nothing to others: the first they hear of is the turn.
        assert await waiting == f"event: moved\ndata: {desk.stamp([])}\n\n"
        await own.aclose()
        await other.aclose()

    asyncio.run(listen())
    assert desk.table.id not in hub._listeners


def test_who_follows_sees_a_seats_past_and_no_draft(desk: Desk) -> None:
    mover = desk.to_move
    assert mover is not None
    for _ in range(3):
        play_turn(desk)
    assert desk.actions == 3 + 1 * (desk.view(None).round > 1)
    desk.choose(desk.number, first(desk))
    while desk.game.engine.in_progress:
        desk.choose(desk.number, first(desk))
    with pytest.raises(ValueError, match="no action"):
        desk.past(None, desk.actions + 1)
    assert desk.past(0, 0).hand == Desk(desk.table, desk.seats).view(0).hand
    for number in range(desk.actions + 1):
        assert desk.past(None, number).hand is None
        assert desk.past(0, number).number == number
    assert desk.past(None, desk.actions).position == desk.view(None).position
    stranger, address = visitor("stranger"), f"/t/{desk.table.id}/past"
    assert stranger.get(f"{address}/1.json").json()["hand"] is None
    assert stranger.get(f"{address}/{desk.actions + 1}.json").status_code == 404


# --- restarts and bots ---------------------------------------------------------------------------


def test_a_restart_in_the_middle_of_a_turn_loses_nothing(desk: Desk) -> None:
    play_turn(desk)
    play_turn(desk)
    desk.choose(desk.number, first(desk))
    rebuilt = again(desk)
    assert same(desk, rebuilt)
    rebuilt.back(rebuilt.number)
    assert rebuilt.undoable == 0


def test_a_restart_after_a_whole_game_brings_the_same_result() -> None:
    desk = sessions.desk(make_table(people_only(), "lancashire", intro=True).id)
    play(desk, lambda: False)
    assert desk.over and desk.to_move is None
    rebuilt = again(desk)
    assert same(desk, rebuilt) and rebuilt.game.outcome() == desk.game.outcome()
    desk.table.refresh_from_db()
    outcome = desk.game.outcome()
    assert outcome is not None and desk.table.over
    assert desk.table.summary["result"] == [[r.seat, r.rank, r.total] for r in outcome.ranking]
    with pytest.raises(IllegalAction):
        desk.end(desk.number)


def test_bots_play_until_a_person_is_to_move() -> None:
    desk = sessions.desk(make_table("you,beginner,apprentice").id)
    for _ in range(2):
        bots.wake(desk)
        wait_for(lambda: desk.to_move == 0)
        assert not desk.mover_is_bot
        play_turn(desk)
    assert {chapter.seat for chapter in desk.story} >= {0, 1, 2}


def test_bots_are_seen_action_by_action() -> None:
    with no_robots():
        desk = sessions.desk(make_table("beginner,you").id)
        play(desk, lambda: desk.view(None).round > 1 and desk.mover_is_bot)
        before = desk.actions, desk.stamp([1])
        play(desk, lambda: desk.actions > before[0])
    assert desk.mover_is_bot, "its turn is not over"
    assert desk.actions == before[0] + 1 and desk.stamp([1]) != before[1]
    assert same(desk, again(desk))


def test_bots_go_on_after_a_restart_and_play_the_same() -> None:
    played = []
    for interrupted in (False, True):
        desk = sessions.desk(make_table("you,journeyman,beginner", seed=5).id)
        with no_robots():
            play(desk, lambda: desk.to_move == 0 and desk.turns >= 3)  # noqa: B023
        if interrupted:
            with no_robots():
                play_turn(desk)
            body = {"choose": list(bots.host_of(desk).ask(desk.game.copy()))}
            desk.append(body)
            desk = again(desk)
        else:
            play_turn(desk)
        bots.look_round()
        wait_for(lambda: sessions.desk(desk.table.id).to_move == 0)  # noqa: B023
        played.append(log_of(desk))
    assert played[0] == played[1]


def test_bots_keep_a_pace_that_can_be_skipped() -> None:
    desk = sessions.desk(make_table("beginner,beginner,you", pace=30_000).id)
    with no_robots():
        play(desk, lambda: desk.to_move != 2)
    length = desk.length
    bots.wake(desk)
    bots.skip(desk)
    wait_for(lambda: desk.to_move == 2)
    assert desk.length > length
    wait_for(lambda: desk.table.id not in bots._working)


def test_bots_of_a_table_that_is_gone_stop() -> None:
    desk = sessions.desk(make_table("beginner,beginner,you", pace=200).id)
    with no_robots():
        play(desk, lambda: desk.to_move != 2)
    bots.wake(desk)
    assert desk.table.id in bots._working
    desk.table.__class__.objects.filter(pk=desk.table.id).delete()
    wait_for(lambda: desk.table.id not in bots._working)


def test_a_table_that_was_changed_is_read_anew(desk: Desk) -> None:
    other, stamp = again(desk), desk.stamp([])
    desk.table.seats.filter(number=0).update(name="Zoe")
    sessions.changed(desk.table.id)
    for each in (desk, other):
        each.catch_up()
        assert each.seats[0].name == "Zoe" and each.stamp([]) != stamp


def test_a_bot_that_is_not_there_is_told_once_and_holds_nobody_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = make_table("beginner,you")
    table.seats.filter(number=0).update(bot="bot-of-2031", first_bot="bot-of-2031")
    desk = sessions.desk(table.id)
    with no_robots():
        play(desk, lambda: desk.to_move == 0)
    bots.wake(desk)
    wait_for(lambda: table.id not in bots._working)
    page = visitor().get(f"/t/{table.id}/").content.decode()
    assert "This opponent cannot play" in page and "bot-of-2031" in page
    bots.wake(desk)
    assert table.id not in bots._working and len(caplog.records) == 1
    again = visitor().post(f"/t/{table.id}/again/")
    assert again.status_code == 409 and "bot-of-2031" in again.content.decode()


# --- people at one screen ------------------------------------------------------------------------


def data(key: str, desk: Desk) -> str:
    """The JSON twin of the table, as a visitor gets it."""
    return visitor(key).get(f"/t/{desk.table.id}.json").content.decode()


def test_hands_are_covered_between_turns(desk: Desk) -> None:
    client, address = visitor(), f"/t/{desk.table.id}"
    mover = desk.to_move
    assert mover is not None
    seen = client.get(f"{address}.json").json()
    assert (seen["cover"], seen["you"], seen["hand"], seen["offers"]) == (mover, None, [], [])
    choice = {"number": desk.number, "choice": first(desk)[0]}
    client.post(f"{address}/choose/", choice)
    assert desk.length == 0, "nobody plays with a covered hand"
    client.post(f"{address}/cover/", {"show": 1 - mover})
    assert client.get(f"{address}.json").json()["you"] is None
    client.post(f"{address}/cover/", {"show": mover})
    seen = client.get(f"{address}.json").json()
    assert (seen["cover"], seen["you"]) == (None, mover) and seen["hand"]
    client.post(f"{address}/choose/", choice)
    assert desk.length == 1
    client.post(f"{address}/cover/", {"hide": 1})
    assert client.get(f"{address}.json").json()["hand"] == []
    play_turn(desk)
    assert client.get(f"{address}.json").json()["cover"] == 1 - mover


def test_one_person_is_never_asked_to_uncover() -> None:
    desk = sessions.desk(make_table("you,beginner", seed=4).id)
    with no_robots():
        for _ in range(3):
            seen = json.loads(data(KEY, desk))
            assert (seen["cover"], seen["you"]) == (None, 0) and seen["hand"]
            play(desk, lambda turns=desk.turns: desk.turns > turns)  # type: ignore[misc]


def test_open_hands_are_open_to_the_players_alone() -> None:
    with no_robots():
        desk = sessions.desk(make_table("you,beginner", hands="open").id)
        assert all(player["hand"] for player in json.loads(data(KEY, desk))["players"][1:])
        assert not any(player["hand"] for player in json.loads(data("x", desk))["players"])


def test_a_stranger_sees_no_hand_and_plays_nothing(desk: Desk) -> None:
    seen = json.loads(data("stranger", desk))
    assert (seen["you"], seen["hand"], seen["number"], seen["held"]) == (None, [], 0, [])
    client = visitor("stranger")
    choice = {"number": desk.number, "choice": first(desk)[0]}
    answer = client.post(f"/t/{desk.table.id}/choose/", choice)
    assert answer.status_code == 200 and "not your turn" in answer.content.decode()
    client.post(f"/t/{desk.table.id}/cover/", {"show": desk.to_move})
    client.post(f"/t/{desk.table.id}/pace/", {"pace": "slow"})
    assert desk.length == 0 and desk.table.pace == 0


def test_a_page_that_has_it_all_is_not_sent_again() -> None:
    with no_robots():
        desk = sessions.desk(make_table("you,beginner", seed=4).id)
        play(desk, lambda: desk.to_move == 0)
        client, part = visitor(**{"HX-Request": "true"}), f"/t/{desk.table.id}/part/"
        stamp = client.get(f"/t/{desk.table.id}.json").json()["stamp"]
        assert client.get(part, {"stamp": stamp}).status_code == 204
        choice = {"number": desk.number, "choice": first(desk)[0]}
        fresh = client.post(f"/t/{desk.table.id}/choose/", choice).content.decode()
        assert fresh.lstrip().startswith("<main") and desk.stamp([0]) in fresh
        assert client.get(part, {"stamp": stamp}).status_code == 200
        again = client.post(f"/t/{desk.table.id}/choose/", choice)  # a double click
        assert again.status_code == 200 and "has changed" in again.content.decode()
        assert log_of(desk)[-1] == {"choose": stored.write(desk.game.edition, [choice["choice"]])}
        assert log_of(desk).count(log_of(desk)[-1]) == 1


# --- asking --------------------------------------------------------------------------------------


def test_the_coach_is_asked_once_and_only_by_who_must_choose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coach, "SECONDS", 0.1)
    with no_robots():
        desk = sessions.desk(make_table("you,beginner", seed=4).id)
        play(desk, lambda: desk.to_move == 0)
        client, hint = visitor(**{"HX-Request": "true"}), f"/t/{desk.table.id}/hint/"
        visitor("stranger").post(hint)
        assert desk.advisers == {}
        assert client.post(hint).status_code == 200
        adviser = desk.advisers[0]
        wait_for(lambda: adviser.advice is not None)
        client.post(hint)
        assert desk.advisers[0] is adviser
        ideas = adviser.ideas()
        assert ideas and all(idea.words and idea.elements for idea in ideas)
        assert ideas[0].choices in client.get(hint).content.decode()
        assert ideas[0].choices not in visitor("stranger").get(hint).content.decode()
        ids = [int(choice) for choice in ideas[0].choices.split()]
        desk.choose(desk.number, ids)
        assert coach.asked(desk, 0) is None, "it was about another position"


def test_refusals_and_prices_are_told_in_words() -> None:
    with no_robots():
        desk = sessions.desk(make_table("you,beginner", seed=4).id)
        play(desk, lambda: desk.to_move == 0)
        client, table = visitor(**{"HX-Request": "true"}), f"/t/{desk.table.id}"
        assert client.get(f"{table}/why/", {"on": "do-end"}).content.strip()
        assert client.get(f"{table}/preview/", {"choice": first(desk)[0]}).content.strip()
        assert client.get(f"{table}/preview/", {"choice": "1000000"}).status_code == 204
        assert client.post(f"{table}/choose/", {"choice": "coal"}).status_code == 400
        refused = next(n for n in range(500) if n not in desk.game.legal_choices().ids)
        answer = client.post(f"{table}/choose/", {"number": desk.number, "choice": refused})
        words = desk.game.why_not(refused)
        assert words is not None and answer.status_code == 200
        assert log_of(desk)[-1:] != [{"choose": [refused]}]
