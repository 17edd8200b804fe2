"""Clicks of programs: posts that are answered by the table as data, or by why not."""

from __future__ import annotations

import pytest

from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.web import log_of, make_table, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """A table with open hands, where one visitor plays for everybody."""
    return sessions.get(make_table(people_only(), hands="open").id)


def test_a_whole_turn_is_played_by_data(session: TableSession) -> None:
    client, table = visitor(), f"/t/{session.table.id}"
    data = client.get(f"{table}.json").json()
    mover = data["you"]
    while data["offers"]:
        form = {"number": data["number"], "choice": data["offers"][0]["id"]}
        answer = client.post(f"{table}/choose.json", form)
        assert answer.status_code == 200 and answer.json() == client.get(f"{table}.json").json()
        data = answer.json()
    data = client.post(f"{table}/back.json", {"number": data["number"]}).json()
    assert data["offers"]
    form = {"number": data["number"], "choice": data["offers"][0]["id"]}
    data = client.post(f"{table}/choose.json", form).json()
    data = client.post(f"{table}/end.json", {"number": data["number"]}).json()
    assert data["you"] != mover and log_of(session)[-1] == {"end": True}


@pytest.mark.parametrize(
    ("deed", "form", "status"),
    [
        ("choose", {"number": 1, "choice": 202}, 409),  # another moment
        ("end", {}, 409),
        ("back", {}, 409),
        ("choose", {"choice": ""}, 400),
    ],
)
def test_what_is_not_played_says_why(
    session: TableSession, deed: str, form: dict[str, int | str], status: int
) -> None:
    answer = visitor().post(f"/t/{session.table.id}/{deed}.json", form)
    assert answer.status_code == status
    assert answer.json()["error"] == "Move not played" and answer.json()["words"]
    assert not log_of(session)


def test_a_stranger_plays_nothing(session: TableSession) -> None:
    form = {"number": session.number, "choice": session.game.legal_choices().ids[0]}
    answer = visitor("a stranger").post(f"/t/{session.table.id}/choose.json", form)
    assert answer.status_code == 409 and not log_of(session)
