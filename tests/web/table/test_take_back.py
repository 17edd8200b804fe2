"""Taking back a turn: who must agree, what stays, and that the log decides everything."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from unittest import mock

import pytest

from brassmill.errors import BrassError
from brassmill.play.host import Host
from brassmill.play.session import GameSession
from brassmill.web.models import Seat, Table
from brassmill.web.table import agreements, archive, leaving, sessions
from brassmill.web.table.agreements import TAKE_BACK
from brassmill.web.table.session import TableSession
from brassmill.web.table.verify import verified
from support.friends import Guest, at_table
from support.web import log_of, make_table, no_bots, people_only, play_turn

pytestmark = pytest.mark.usefixtures("site")


def friends(number: int = 3, **sent: str) -> tuple[dict[int, Guest], TableSession]:
    """Return the people of a running game by seat, each on their own screen."""
    guests = [Guest(name) for name in ("Ada", "Ben", "Cleo", "Dan")[:number]]
    session = sessions.get(at_table(*guests, **sent).id)
    by_key = {guest.key: guest for guest in guests}
    return {seat.number: by_key[seat.holder] for seat in session.seats}, session


def ask(guest: Guest, session: TableSession, seat: int) -> str:
    """Ask to take back a turn; return what was refused."""
    answer = guest.client.post(
        f"/t/{session.table.id}/ask/",
        {"kind": TAKE_BACK, "seat": seat},
        headers={"HX-Request": "true"},
    )
    page = answer.content.decode()
    return page.split('role="alert">')[1].split("<")[0] if 'role="alert">' in page else ""


def mover(session: TableSession) -> int:
    assert session.to_move is not None
    return session.to_move


# --- who must agree ------------------------------------------------------------------------------


def test_everyone_who_has_acted_since_must_agree() -> None:
    guests, session = friends(3)
    first = mover(session)
    play_turn(session)
    second = mover(session)
    play_turn(session)
    third = mover(session)
    before = session.log[:]
    assert ask(guests[first], session, first) == ""
    asked = {seat: guest.data(session.table)["together"] for seat, guest in guests.items()}
    assert [request["own"] for request in asked[first]["requests"]] == [True]
    assert asked[second]["requests"][0]["can_agree"] and asked[third]["requests"][0]["can_agree"]
    guests[second].post(session.table, "agree", kind=TAKE_BACK, seat=first)
    assert len(session.log) == len(before)
    guests[third].post(session.table, "agree", kind=TAKE_BACK, seat=first)
    # The log only grows, and the player finds the turn as it was before it ended.
    assert session.log[:-1] == before and session.log[-1]["by"] == first
    assert session.to_move == first and session.game.question == "turn over"
    assert session.undoable and session.turns == 0 and not session.table.requests
    lines = guests[second].data(session.table)["log"]
    assert [line["text"] for line in lines] == ["takes back their turn"]
    session.undo(session.number, None)
    assert not session.game.actions
    assert [one.problem for one in verified([session.table.id])] == [""]


def test_asking_twice_forgets_nobodys_agreement() -> None:
    """A form may be sent twice, and the first one arrive after the others have answered."""
    guests, session = friends(3)
    first = mover(session)
    play_turn(session)
    second = mover(session)
    play_turn(session)
    third = mover(session)
    assert ask(guests[first], session, first) == ""
    guests[second].post(session.table, "agree", kind=TAKE_BACK, seat=first)
    assert ask(guests[first], session, first) == ""
    guests[third].post(session.table, "agree", kind=TAKE_BACK, seat=first)
    assert session.log[-1].get("by") == first


def test_bots_agree_but_not_alone() -> None:
    """Otherwise a player could look at the next cards as often as they like."""
    with no_bots():
        session = sessions.get(make_table("Ada,Ben,beginner").id)
        Seat.objects.filter(table=session.table, number=1).update(holder="another")
        sessions.changed(session.table.id)
        session.catch_up()
        while mover(session) != 2:
            play_turn(session)
        last = session.turn_ends[-1].seat
        agreements.ask(session, TAKE_BACK, last)
        assert session.to_move == 2, "the other person is asked, though only a bot is to move"
        agreements.agree(session, TAKE_BACK, last, [1 - last])
        assert session.to_move == last and session.undoable


def test_only_the_players_asked_are_shown_the_request() -> None:
    guests, session = friends(3)
    first = mover(session)
    play_turn(session)
    asked_of = mover(session)
    (uninvolved,) = set(guests) - {first, asked_of}
    eve = Guest("Eve")
    names = {uninvolved: guests[uninvolved], None: eve}
    pages = ("", ".json", "/part/", "/chat.json", "/record/", "/replay.json")

    def seen(guest: Guest) -> list[str]:
        found = [guest.page(f"/t/{session.table.id}{page or '/'}") for page in pages]
        held = [seat.number for seat in session.seats if seat.holder == guest.key]
        return [*map(without_tokens, found), session.stamp(held)]

    before = {seat: seen(guest) for seat, guest in names.items()}
    assert ask(guests[first], session, first) == ""
    for seat, guest in names.items():
        assert seen(guest) == before[seat]
    assert "take back" in guests[asked_of].page(f"/t/{session.table.id}/")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", ("möchte den letzten Zug zurücknehmen", "Zustimmen", "Ablehnen")),
        ("fr", ("a demandé à reprendre son dernier tour", "Accepter", "Refuser")),
    ],
)
def test_a_request_is_in_the_language_of_the_player_asked(
    code: str, words: tuple[str, ...]
) -> None:
    guests, session = friends(2)
    first = mover(session)
    play_turn(session)
    assert ask(guests[first], session, first) == ""
    guest = guests[1 - first]
    page = guest.client.get(f"/t/{session.table.id}/", headers={"Accept-Language": code})
    for word in words:
        assert word in page.content.decode()


def without_tokens(page: str) -> str:
    return re.sub(r"\b\w{64}\b", "", page)  # CSRF tokens: different each time


def test_a_request_lapses_when_someone_acts_instead_but_not_by_a_click() -> None:
    guests, session = friends(2)
    first = mover(session)
    play_turn(session)
    ask(guests[first], session, first)
    session.choose(session.number, [session.game.legal_choices().ids[0]])
    assert session.table.requests  # a click is nobody else's business
    play_turn(session)
    assert not session.table.requests
    guests[1 - first].post(session.table, "agree", kind=TAKE_BACK, seat=first)
    assert not any("rewind" in body for body in log_of(session))


# --- what stays ----------------------------------------------------------------------------------


def test_nothing_is_taken_back_before_the_first_turn_or_after_a_seat_changed_hands() -> None:
    guests, session = friends(3)
    first = mover(session)
    assert guests[first].data(session.table)["together"]["can_take_back"] is None
    assert "no turn" in ask(guests[first], session, first)
    play_turn(session)
    with no_bots():
        leaving.leave(session, next(seat for seat in guests if seat != first))
    assert "left or come back" in ask(guests[first], session, first)


@pytest.mark.parametrize(
    ("edition", "event", "words"),
    [
        ("lancashire", "distant_tile", "distant market tile"),
        ("birmingham", "era_ended", "era has ended"),
    ],
)
def test_what_everyone_has_seen_cannot_be_hidden_again(
    edition: str, event: str, words: str
) -> None:
    with no_bots():
        session = sessions.get(make_table(people_only(2), edition).id)
        host = Host.of(["apprentice"] * 2, session.game.edition, seed=2)

        def happened() -> bool:
            return any(each.kind == event for part in session.history for each in part.events)

        while not happened():
            if session.game.question == "turn over":
                session.end_turn(session.number)
            else:
                session.choose(session.number, host.ask(session.game.copy()))
        host.close()
        other = next(
            turn.seat
            for turn in reversed(session.turn_ends)
            if turn.seat != session.to_move or event == "era_ended"
        )
        with pytest.raises(BrassError, match=words):
            agreements.ask(session, TAKE_BACK, other)


def test_time_spent_stays_spent() -> None:
    guests, session = friends(2, clock="bank-30m")
    first = mover(session)
    entries = Table.objects.filter(pk=session.table.pk)

    def spend(minutes: int) -> None:
        due = entries.get().due
        assert due is not None
        entries.update(due=due - timedelta(minutes=minutes))

    def left(seat: int) -> int:
        bank = Seat.objects.get(table=session.table, number=seat).bank
        return 30 if bank is None else round(bank.total_seconds() / 60)

    spend(4)
    play_turn(session)
    assert left(first) == 27  # 4 spent, 1 added
    spend(3)
    ask(guests[first], session, first)
    guests[1 - first].post(session.table, "agree", kind=TAKE_BACK, seat=first)
    assert left(first) == 26 and left(1 - first) == 27
    assert session.banks == log_of(session)[-1]["banks"]
    table = entries.get()
    assert table.awaited == first and table.due is not None and table.asked is not None
    assert round((table.due - table.asked).total_seconds() / 60) == 26


def test_the_time_for_a_turn_goes_on_where_it_ended() -> None:
    guests, session = friends(2, clock="turn-1h")
    first = mover(session)

    def spend_and_end(minutes: int) -> None:
        row = Table.objects.get(pk=session.table.pk)
        assert row.due is not None
        Table.objects.filter(pk=row.pk).update(due=row.due - timedelta(minutes=minutes))
        if session.game.question == "turn over":
            session.end_turn(session.number)
        else:
            play_turn(session)

    def left_after_taking_back() -> int:
        assert ask(guests[first], session, first) == ""
        guests[1 - first].post(session.table, "agree", kind=TAKE_BACK, seat=first)
        row = Table.objects.get(pk=session.table.pk)
        assert row.awaited == first and row.due is not None and row.asked is not None
        return round((row.due - row.asked).total_seconds() / 60)

    spend_and_end(40)
    assert left_after_taking_back() == 20
    spend_and_end(0)
    assert left_after_taking_back() == 20
    spend_and_end(18)
    session = again(session)  # the log has it
    assert left_after_taking_back() == 2  # not a tenth of the time
    spend_and_end(3)
    assert ask(guests[first], session, first) == "Your time for that turn is used up."
    assert not session.table.requests


def test_nobody_asks_again_and_again() -> None:
    guests, session = friends(2)
    first = mover(session)
    play_turn(session)
    for _time in range(10):
        assert ask(guests[first], session, first) == ""
        guests[first].post(session.table, "decline", kind=TAKE_BACK, seat=first)
    assert "too often" in ask(guests[first], session, first)
    assert not session.table.requests


# --- the log decides everything ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "players", "seed"),
    [
        ("birmingham", 3, 1),
        pytest.param("lancashire", 2, 2, marks=pytest.mark.slow),
        pytest.param("classic", 4, 3, marks=pytest.mark.slow),
    ],
)
def test_a_game_with_turns_taken_back_is_the_game_without_them(
    edition: str, players: int, seed: int
) -> None:
    rng = random.Random(seed)
    session = sessions.get(make_table(people_only(players), edition).id)
    turns: list[list[int]] = []  # the choices of every turn that stands
    taken_back = 0
    stays: list[int] = []
    while session.turns < 34:
        choices, stays = [*stays, *play_at_random(session, rng)], []
        turns.append(choices)
        if rng.random() < 0.3:
            seat = session.turn_ends[-1].seat
            try:
                agreements.ask(session, TAKE_BACK, seat)  # one visitor holds all seats
            except BrassError:
                continue
            taken_back += 1
            turns.pop()
            if rng.random() < 0.5:  # the same again
                session.end_turn(session.number)
                turns.append(choices)
            else:  # tiles removed to pay a debt at the start of the turn stay removed
                stays = choices[: len(choices) - session.undoable]
                session.undo(session.number, session.undoable)
    assert taken_back > 3
    plain = sessions.get(make_table(people_only(players), edition).id)
    for choices in turns:
        for choice in choices:
            plain.choose(plain.number, [choice])
        plain.end_turn(plain.number)
    for one in (session, again(session)):
        assert one.game.engine.snapshot() == plain.game.engine.snapshot()
        assert str(one.game.record("spectator")) == str(plain.game.record("spectator"))
        assert one.game.deal == plain.game.deal and one.turns == plain.turns
        assert [turn.seat for turn in one.turn_ends] == [turn.seat for turn in plain.turn_ends]
    session.end_by_agreement([0])
    plain.end_by_agreement([0])
    plain.table.began = session.table.began
    assert archive.record_text(session) == archive.record_text(plain)
    assert [one.problem for one in verified([session.table.id, plain.table.id])] == ["", ""]


def lines_of(session: TableSession) -> list[str]:
    """Return the log as everyone sees it."""
    seats = session.game.seats
    lines = [line for part in session.history for line in part.lines(seats)]
    return [f"{'' if line.seat is None else seats[line.seat] + ' '}{line.text}" for line in lines]


def test_the_log_shows_every_turn_taken_back_where_it_happened() -> None:
    session = sessions.get(make_table(people_only(2)).id)

    def take_back(seat: int) -> None:
        agreements.ask(session, TAKE_BACK, seat)  # one visitor holds all seats

    first = mover(session)
    play_turn(session)
    begun = lines_of(session)
    take_back(first)
    session.end_turn(session.number)
    take_back(first)
    name = session.seats[first].name
    back = f"{name} takes back their turn"
    assert lines_of(session) == [back, back]
    session.end_turn(session.number)
    assert lines_of(session) == [back, back, *begun]
    play_turn(session)
    play_turn(session)
    take_back(1 - first if mover(session) == first else first)
    marks = [line for line in lines_of(session) if "takes back" in line]
    assert marks[:2] == [back, back] and len(marks) == 3
    assert lines_of(session)[2 : 2 + len(begun)] == begun, "the third is after them"
    session.rewind(0)
    rewound = "The operator has rewound the game to this point."
    assert lines_of(session) == [*marks, rewound]
    assert lines_of(again(session)) == lines_of(session)
    session = again(session)
    play_turn(session)
    assert lines_of(session)[:4] == [*marks, rewound]
    Seat.objects.filter(table=session.table, number=first).update(name="Zoe")
    before = [line.partition(" ")[2] for line in lines_of(session)]
    sessions.changed(session.table.id)
    session.catch_up()  # replays it, as the name is part of the position
    assert [line.partition(" ")[2] for line in lines_of(session)] == before
    assert any(line.startswith("Zoe") for line in lines_of(session))


def test_a_log_with_many_turns_taken_back_is_played_once() -> None:
    """However often players return to an earlier turn, loading costs what its entries cost."""
    session = sessions.get(make_table(people_only(2)).id)
    for _turn in range(3):
        play_turn(session)
    for _again in range(8):
        play_turn(session)
        agreements.ask(session, TAKE_BACK, session.turn_ends[-1].seat)
        session.undo(session.number, None)
    session.rewind(session.turn_starts[1].entry)
    play_turn(session)
    choices = sum("choose" in body for body in session.log)
    carry_out = GameSession.choose
    for load in (again, checked_anew, verified_anew):
        with mock.patch.object(GameSession, "choose", autospec=True, side_effect=carry_out) as made:
            fresh = load(session)
        assert made.call_count == choices, load
        assert fresh.game.engine.snapshot() == session.game.engine.snapshot()
        assert lines_of(fresh) == lines_of(session) and fresh.published == session.published
        assert fresh.stamp([]) == session.stamp([]) and fresh.turn_ends == session.turn_ends
        assert fresh.turn_starts == session.turn_starts


def checked_anew(session: TableSession) -> TableSession:
    """Return the same table, compared with its checks as after a change of the rules."""
    Table.objects.filter(pk=session.table.id).update(rules="")
    return again(session)


def verified_anew(session: TableSession) -> TableSession:
    """Return the same table after `brass admin verify`."""
    assert [one.problem for one in verified([session.table.id])] == [""]
    return session


def again(session: TableSession) -> TableSession:
    """Return the same table, replayed from its log."""
    sessions.forget(session.table.id)
    return sessions.get(session.table.id)


def play_at_random(session: TableSession, rng: random.Random) -> list[int]:
    """Play a turn; debts are paid by whoever has them. Return the choices."""
    made = []
    while session.game.question != "turn over":
        choice = rng.choice(session.game.legal_choices().ids)
        session.choose(session.number, [choice])
        made.append(choice)
    session.end_turn(session.number)
    return made
