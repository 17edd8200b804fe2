"""People on one screen: hands are covered between turns, and strangers see none."""

from __future__ import annotations

import json

import pytest

from brassmill.notation import stored
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.sessions import data, first, play
from support.web import KEY, log_of, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """Return a table of two people."""
    return sessions.get(make_table(people_only()).id)


def test_hands_are_covered_between_turns(session: TableSession) -> None:
    client, address = visitor(), f"/t/{session.table.id}"
    mover = session.to_move
    assert mover is not None
    seen = client.get(f"{address}.json").json()
    assert (seen["cover"], seen["you"], seen["hand"], seen["offers"]) == (mover, None, [], [])
    choice = {"number": session.number, "choice": first(session)[0]}
    client.post(f"{address}/choose/", choice)
    assert session.length == 0, "nobody plays with a covered hand"
    client.post(f"{address}/cover/", {"show": 1 - mover})
    assert client.get(f"{address}.json").json()["you"] is None
    client.post(f"{address}/cover/", {"show": mover})
    seen = client.get(f"{address}.json").json()
    assert (seen["cover"], seen["you"]) == (None, mover) and seen["hand"]
    client.post(f"{address}/choose/", choice)
    assert session.length == 1
    client.post(f"{address}/cover/", {"hide": 1})
    assert client.get(f"{address}.json").json()["hand"] == []
    play_turn(session)
    assert client.get(f"{address}.json").json()["cover"] == 1 - mover


def test_a_solo_player_is_never_asked_to_uncover() -> None:
    session = sessions.get(make_table("you,beginner", seed=4).id)
    with no_bots():
        for _ in range(3):
            seen = json.loads(data(KEY, session))
            assert (seen["cover"], seen["you"]) == (None, 0) and seen["hand"]
            play(session, lambda turns=session.turns: session.turns > turns)  # type: ignore[misc]


def test_open_hands_are_open_to_players_alone() -> None:
    with no_bots():
        session = sessions.get(make_table("you,beginner", hands="open").id)
        assert all(player["hand"] for player in json.loads(data(KEY, session))["players"][1:])
        assert not any(player["hand"] for player in json.loads(data("x", session))["players"])


def test_a_stranger_sees_no_hand_and_plays_nothing(session: TableSession) -> None:
    seen = json.loads(data("stranger", session))
    assert (seen["you"], seen["hand"], seen["number"], seen["held"]) == (None, [], 0, [])
    client = visitor("stranger")
    choice = {"number": session.number, "choice": first(session)[0]}
    answer = client.post(f"/t/{session.table.id}/choose/", choice)
    assert answer.status_code == 200 and "not your turn" in answer.content.decode()
    client.post(f"/t/{session.table.id}/cover/", {"show": session.to_move})
    client.post(f"/t/{session.table.id}/pace/", {"pace": "slow"})
    assert session.length == 0 and session.table.pace == 0


def test_an_up_to_date_page_is_not_sent_again() -> None:
    with no_bots():
        session = sessions.get(make_table("you,beginner", seed=4).id)
        play(session, lambda: session.to_move == 0)
        client, part = visitor(**{"HX-Request": "true"}), f"/t/{session.table.id}/part/"
        stamp = client.get(f"/t/{session.table.id}.json").json()["stamp"]
        assert client.get(part, {"stamp": stamp}).status_code == 204
        choice = {"number": session.number, "choice": first(session)[0]}
        fresh = client.post(f"/t/{session.table.id}/choose/", choice).content.decode()
        assert fresh.lstrip().startswith("<main") and session.stamp([0]) in fresh
        assert client.get(part, {"stamp": stamp}).status_code == 200
        again = client.post(f"/t/{session.table.id}/choose/", choice)  # a double click
        assert again.status_code == 200 and "has changed" in again.content.decode()
        assert log_of(session)[-1] == {
            "choose": stored.write(session.game.edition, [choice["choice"]])
        }
        assert log_of(session).count(log_of(session)[-1]) == 1
