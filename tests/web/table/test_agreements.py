"""Conceding, ending the game now, and taking back a turn: what people decide together."""

from __future__ import annotations

import random
from typing import Any
from unittest import mock

import pytest

from brassmill import record as records
from brassmill.errors import BrassError
from brassmill.notation import matching
from brassmill.play.host import Host
from brassmill.web.accounts.stats import results_of
from brassmill.web.models import Archive, Table
from brassmill.web.table import agreements, leaving, sessions
from brassmill.web.table.agreements import END, TAKE_BACK
from brassmill.web.table.session import TableSession
from brassmill.web.table.verify import verified
from support.friends import Guest, at_table
from support.paths import RECORDS
from support.web import log_of, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

EDITIONS = [
    "birmingham",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("lancashire", "classic")),
]


def friends(number: int = 2, **sent: str) -> tuple[list[Guest], TableSession]:
    """Return a running game of people on their own screens."""
    guests = [Guest(name) for name in ("Ada", "Ben", "Cleo", "Dan")[:number]]
    return guests, sessions.get(at_table(*guests, **sent).id)


def of(guests: list[Guest], session: TableSession, seat: int | None) -> Guest:
    """The guest who holds a seat."""
    assert seat is not None
    return next(guest for guest in guests if guest.key == session.seats[seat].holder)


def play_to_the_end(session: TableSession) -> None:
    rng = random.Random(5)
    while not session.over:
        if session.game.question == "turn over":
            session.end_turn(session.number)
        else:
            session.choose(session.number, [rng.choice(session.game.legal_choices().ids)])


def turn_done_by_a_bot(session: TableSession) -> int:
    """Let a bot do the actions of a turn that is done but not ended; return its seat."""
    seat, actions = session.to_move, session.game.actions[session.actions_before_turn :]
    assert seat is not None
    if not session.bots[seat]:
        session.replace(seat, "beginner")
        for action in actions:
            session.choose(session.number, action.ids)
    assert session.game.question == "turn over" and not session.undoable
    return seat


def problems(session: TableSession) -> list[str]:
    """What `brass admin verify` finds, and what `brass verify` finds in the record."""
    found = [one.problem for one in verified([session.table.id]) if one.problem]
    text = visitor().get(f"/t/{session.table.id}/record/").content.decode()
    return found + records.loads(text).verify()


def again(session: TableSession) -> TableSession:
    """The same table, replayed from its log."""
    sessions.forget(session.table.id)
    return sessions.get(session.table.id)


# --- conceding -----------------------------------------------------------------------------------


def test_a_game_that_was_conceded_is_watched_and_not_resumed() -> None:
    with no_bots():
        session = sessions.get(make_table("you,beginner", seed=4, key="conceding").id)
        client, table = visitor("conceding"), f"/t/{session.table.id}/"
        assert "Resume: " in client.get("/").content.decode()
        assert 'id="new-game"' not in client.get(table).content.decode()
        leaving.concede(session, 0)
        home, page = client.get("/").content.decode(), client.get(table).content.decode()
    assert "Resume: " not in home and 'class="start-verb">Resume' not in home
    assert table in home and "Watch" in home
    assert 'id="new-game"' in page and "You have conceded" in page


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_player_who_concedes_is_ranked_last_and_the_later_one_ranks_better(edition: str) -> None:
    with no_bots():
        session = sessions.get(make_table(people_only(4), edition).id)
        play_turn(session)
        leaving.concede(session, 2)
        play_turn(session)
        leaving.concede(session, 0)
        play_to_the_end(session)
    outcome = session.outcome
    assert outcome is not None and outcome.conceded == (2, 0)
    assert outcome.results[2].rank == 4 and outcome.results[0].rank == 3
    assert set(outcome.winners) <= {1, 3}
    played = session.game.outcome()  # whatever they scored
    assert played is not None
    assert [r.total for r in outcome.results] == [r.total for r in played.results]
    assert problems(session) == []
    assert again(session).outcome == outcome
    data = visitor().get(f"/t/{session.table.id}/result.json").json()
    assert data["conceded"] == [2, 0] and data["results"][-1]["seat"] == 2
    assert "conceded" in visitor().get(f"/t/{session.table.id}/result/").content.decode()
    scene = visitor().get(f"/t/{session.table.id}/scene.json?of=end").json()
    assert scene["headline"].startswith(data["headline"].removesuffix(".")), scene["headline"]
    ranks = {tally["seat"]: (tally["rank"], tally["has_conceded"]) for tally in scene["players"]}
    assert ranks[2] == (4, True) and ranks[0] == (3, True) and not ranks[1][1]
    for page in ("scene/?of=end", "replay/?at=9999"):
        shown = visitor().get(f"/t/{session.table.id}/{page}").content.decode()
        assert shown.count('class="podium-conceded"') == 2 and scene["headline"] in shown
    listed = session.table.summary["result"]
    assert [seat for seat, _rank, _points in listed][2:] == [0, 2]


def test_a_bot_plays_on_after_a_concession_and_the_player_cannot_come_back() -> None:
    (ada, ben), session = friends()
    with no_bots():
        seat = next(seat.number for seat in session.seats if seat.holder == ada.key)
        page = ada.post(session.table, "concede", seat=seat)
        assert page.status_code == 302 and session.bots[seat] == session.table.standby
        shown = ada.data(session.table)
        assert shown["attendance"]["can_return"] == [] and shown["together"]["can_concede"] == []
        assert "You have conceded" in ada.page(f"/t/{session.table.id}/")
        ada.post(session.table, "return", seat=seat)
        assert session.bots[seat]
        assert "conceded" in shown["players"][seat]["role"]
        for guest, other in ((ben, seat), (Guest("Eve"), 1 - seat)):  # not their seat
            guest.post(session.table, "concede", seat=other)
        assert session.conceded == [seat]
        with pytest.raises(BrassError, match="has conceded"):
            leaving.concede(session, seat)
    assert any("concedes" in line["text"] for line in ben.data(session.table)["log"])


def test_a_player_who_left_can_still_concede() -> None:
    (ada, _ben), session = friends()
    with no_bots():
        seat = next(seat.number for seat in session.seats if seat.holder == ada.key)
        ada.post(session.table, "leave", seat=seat)
        ada.post(session.table, "concede", seat=seat)
    assert session.conceded == [seat] and again(session).conceded == [seat]


def test_a_rewind_undoes_a_concession() -> None:
    with no_bots():
        session = sessions.get(make_table(people_only(2)).id)
        play_turn(session)
        length = session.length
        leaving.concede(session, 0)
        session.rewind(length)
    assert session.conceded == [] and not session.bots[0]


# --- ending now ----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_ends_as_if_the_era_ended_now_once_all_agree(edition: str) -> None:
    guests, session = friends(3, edition=edition)
    ada, ben, cleo = guests
    for _turn in range(8):
        play_turn(session)
    game = session.game
    scores = [
        seat.vp + sum(more.values())
        for seat, more in zip(game.view().seats, game.score_now(), strict=True)
    ]
    session.choose(session.number, [game.legal_choices().ids[0]])  # never published
    own = ada.data(session.table)["together"]["can_end"]
    ada.post(session.table, "ask", kind=END, seat=own)
    ben.post(session.table, "agree", kind=END, seat=own)
    assert not session.over
    cleo.post(session.table, "agree", kind=END, seat=own)
    assert session.over and session.is_agreed and session.to_move is None
    outcome = session.outcome
    assert outcome is not None and outcome.by_agreement
    assert [result.total for result in outcome.results] == scores
    assert problems(session) == []
    assert again(session).outcome == outcome and sessions.get(session.table.id).over
    assert Table.objects.get(pk=session.table.id).over
    kept = Archive.objects.get(pk=session.table.id)
    assert kept.outcome["by_agreement"] and "ended by agreement" in kept.record
    for guest in (*guests, Guest("Eve")):
        shown = guest.data(session.table)
        assert shown["over"] and shown["offers"] == [] and shown["asked"] == "game over"
        assert [player["vp"] for player in shown["players"]] == scores
        scene = guest.client.get(f"/t/{session.table.id}/scene.json?of=end").json()
        assert {tally["seat"]: tally["total"] for tally in scene["players"]} == dict(
            enumerate(scores)
        )
        assert scene == guest.client.get(f"/t/{session.table.id}/scene.json").json(), "the latest"
        assert [tally["rank"] for tally in scene["players"]].count(1) == len(outcome.winners)
        for page in ("scene/?of=end", "replay/?at=9999"):
            shown = guest.page(f"/t/{session.table.id}/{page}")
            assert "podium-1" in shown and scene["title"] in shown
        for page in ("", "result/", "replay/", "record/", "part/"):
            assert guest.client.get(f"/t/{session.table.id}/{page}").status_code == 200
        assert guest.client.get(f"/t/{session.table.id}/result.json").json()["by_agreement"]
        assert guest.client.get(f"/t/{session.table.id}/replay.json?as=open").status_code == 200
    with pytest.raises(BrassError, match="over"):
        session.choose(session.number, [0])


def test_nobody_can_end_a_game_alone_and_a_request_can_be_declined_or_withdrawn() -> None:
    (ada, ben, cleo), session = friends(3)
    eve = Guest("Eve")
    own = ada.data(session.table)["together"]["can_end"]
    eve.post(session.table, "ask", kind=END, seat=0)
    assert not session.table.requests
    ada.post(session.table, "ask", kind=END, seat=own)
    for guest in (ada, eve):
        guest.post(session.table, "agree", kind=END, seat=own)
    ben.post(session.table, "agree", kind=END, seat=own)
    ben.post(session.table, "agree", kind=END, seat=own)
    eve.post(session.table, "decline", kind=END, seat=own)
    assert not session.over and session.table.requests
    cleo.post(session.table, "decline", kind=END, seat=own)
    assert not again(session).table.requests
    ada.post(session.table, "ask", kind=END, seat=own)
    ada.post(session.table, "decline", kind=END, seat=own)
    cleo.post(session.table, "agree", kind=END, seat=own)
    session = sessions.get(session.table.id)
    assert not session.over and not session.table.requests


def test_a_request_lapses_when_a_person_ends_a_turn_instead() -> None:
    (ada, _ben), session = friends()
    own = ada.data(session.table)["together"]["can_end"]
    agreements.ask(session, END, own)
    assert session.table.requests
    play_turn(session)
    assert not session.table.requests and not again(session).table.requests


def test_the_last_person_can_end_the_game_after_the_others_conceded() -> None:
    (ada, ben), session = friends()
    with no_bots():
        seat = next(seat.number for seat in session.seats if seat.holder == ada.key)
        ada.post(session.table, "concede", seat=seat)
        ben.post(session.table, "ask", kind=END, seat=1 - seat)
    assert session.over and session.outcome is not None
    assert session.outcome.winners == (1 - seat,)
    assert problems(session) == []


def test_a_game_against_bots_is_played_out() -> None:
    session = sessions.get(make_table("you,beginner").id)
    assert visitor().get(f"/t/{session.table.id}.json").json()["together"]["can_end"] is None
    with pytest.raises(BrassError):
        agreements.ask(session, END, 0)
    with pytest.raises(BrassError):
        agreements.ask(session, TAKE_BACK, 0)


def test_a_game_ended_early_is_in_nobodys_statistics_and_can_be_resumed_by_a_rewind() -> None:
    (ada, ben), session = friends()
    play_turn(session)
    length, own = session.length, ada.data(session.table)["together"]["can_end"]
    ada.post(session.table, "ask", kind=END, seat=own)
    ben.post(session.table, "agree", kind=END, seat=own)
    assert session.over and Table.objects.get(pk=session.table.pk).summary["agreed"]
    assert results_of(ada.key) == []
    session.rewind(length)
    kept = Archive.objects.get(pk=session.table.pk)
    assert not session.over and not session.is_revealed and not kept.record and not kept.outcome
    play_turn(session)
    assert [one.problem for one in verified([session.table.id])] == [""]


def test_a_player_who_left_must_agree_too_and_can_do_so_without_coming_back() -> None:
    (ada, ben, cleo), session = friends(3)
    with no_bots():
        away = next(seat.number for seat in session.seats if seat.holder == cleo.key)
        cleo.post(session.table, "leave", seat=away)
        own = ada.data(session.table)["together"]["can_end"]
        ada.post(session.table, "ask", kind=END, seat=own)
        ben.post(session.table, "agree", kind=END, seat=own)
        assert not session.over
        assert ada.data(session.table)["together"]["requests"][0]["waits_for"] == ["Cleo"]
        assert cleo.data(session.table)["together"]["requests"][0]["can_agree"]
        cleo.post(session.table, "agree", kind=END, seat=own)
    assert session.over and log_of(session)[-1]["agree"] == [0, 1, 2]


@pytest.mark.parametrize("kind", [END, TAKE_BACK])
def test_a_request_withdrawn_at_the_last_moment_is_not_carried_out(kind: str) -> None:
    """Another process has removed it after this one looked."""
    guests, session = friends()
    first = session.to_move
    assert first is not None
    play_turn(session)
    of(guests, session, first).post(session.table, "ask", kind=kind, seat=first)
    length, checked = session.length, agreements.check

    def withdrawn_meanwhile(*asked: Any) -> None:
        checked(*asked)
        Table.objects.filter(pk=session.table.pk).update(requests=[])

    with (
        mock.patch.object(agreements, "check", withdrawn_meanwhile),
        pytest.raises(BrassError, match="no longer open"),
    ):
        agreements.agree(session, kind, first, [1 - first])
    assert not session.over and session.length == length and not session.is_lost
    play_turn(session)


def test_the_game_does_not_end_while_a_debt_is_open() -> None:
    session = sessions.get(make_table(people_only(2), "birmingham", seed=3025).id)
    node = records.load(RECORDS / "birmingham-2-debt.brass").root
    while session.game.question != "give up":
        if session.game.question == "turn over":
            before = session.length
            session.end_turn(session.number)
        else:
            node = node.children[0]
            session.choose(session.number, matching.resolve(session.game.engine, node.text))
    debtor = session.to_move
    assert debtor is not None
    for seat in (debtor, 1 - debtor):
        with pytest.raises(BrassError, match="until the debt is paid"):
            agreements.ask(session, END, seat)
    session.rewind(before)  # before the end of the turn that leads to the debt
    with no_bots():
        asking = 1 - turn_done_by_a_bot(session)
        with pytest.raises(BrassError, match="until the debt is paid"):
            agreements.ask(session, END, asking)
        session.end_turn(session.number)
    while session.game.question == "give up":
        session.choose(session.number, [session.game.legal_choices().ids[0]])
    agreements.ask(session, END, asking)
    assert session.is_agreed


def test_an_era_that_ends_with_the_last_turn_is_scored_once() -> None:
    """A bot has played the last action of the canal era, but has not ended its turn."""
    with no_bots():
        table = make_table(people_only(2) + ",beginner", "lancashire")
        session = sessions.get(table.id)
        host = Host.of(["apprentice"] * 3, session.game.edition, seed=2)
        while True:
            if session.game.question != "turn over":
                session.choose(session.number, host.ask(session.game.copy()))
                continue
            after = session.game.copy()
            after.end_turn()
            if after.era == "rail":
                break
            session.end_turn(session.number)
        host.close()
        scores = [seat.vp for seat in after.view().seats]
        agreements.ask(session, END, int(turn_done_by_a_bot(session) == 0))
    assert session.is_agreed and session.outcome is not None
    assert [result.total for result in session.outcome.results] == scores
    assert any(scores) and problems(session) == []
    scene = visitor().get(f"/t/{session.table.id}/scene.json?of=end").json()
    assert {tally["seat"]: tally["total"] for tally in scene["players"]} == dict(enumerate(scores))
    assert scene["items"] and scene["era"] == "canal", "the scoring of that era is shown"
    replay = visitor().get(f"/t/{session.table.id}/replay/?at=9999").content.decode()
    assert "podium-1" in replay and scene["title"] in replay


def test_a_turn_that_is_done_ends_before_the_game_does() -> None:
    """A bot has played its actions but not yet ended the turn."""
    with no_bots():
        session = sessions.get(make_table(people_only(2) + ",beginner", "lancashire").id)
        while session.to_move != 2:
            play_turn(session)
        while session.game.question != "turn over":
            session.choose(session.number, [session.game.legal_choices().ids[0]])
        seat = next(n for n in (0, 1) if not session.bots[n])
        agreements.ask(session, END, seat)  # both seats are of one visitor
    assert session.is_agreed and problems(session) == []
    assert "agree" in log_of(session)[-1]
