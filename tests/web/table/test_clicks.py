"""Posts by programs: answered with the table as data, or with the reason for a refusal."""

from __future__ import annotations

import pytest

from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.web import log_of, make_table, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """Return a table with open hands, where one visitor plays all seats."""
    return sessions.get(make_table(people_only(), hands="open").id)


def test_a_whole_turn_can_be_played_as_data(session: TableSession) -> None:
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
    assert data["you"] != mover and log_of(session)[-1].keys() == {"end", "check", "done"}


@pytest.mark.parametrize(
    ("action", "form", "status"),
    [
        ("choose", {"number": 1, "choice": 202}, 409),  # another moment
        ("end", {}, 409),
        ("back", {}, 409),
        ("choose", {"choice": ""}, 400),
    ],
)
def test_a_refused_post_says_why(
    session: TableSession, action: str, form: dict[str, int | str], status: int
) -> None:
    answer = visitor().post(f"/t/{session.table.id}/{action}.json", form)
    assert answer.status_code == status
    assert answer.json()["error"] == "Move not played" and answer.json()["words"]
    assert not log_of(session)


def test_a_stranger_can_play_nothing(session: TableSession) -> None:
    form = {"number": session.number, "choice": session.game.legal_choices().ids[0]}
    answer = visitor("a stranger").post(f"/t/{session.table.id}/choose.json", form)
    assert answer.status_code == 409 and not log_of(session)
