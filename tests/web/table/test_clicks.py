"""Posts by programs: answered with the table as data, or with the reason for a refusal."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from brassmill.web.identity import rate_limit
from brassmill.web.table import click_limit, sessions
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


def test_a_held_card_is_discarded_without_being_asked_for(session: TableSession) -> None:
    client, table = visitor(), f"/t/{session.table.id}"
    data = client.get(f"{table}.json").json()
    seen = {choice for card in data["hand"] for choice in card["uses"]}
    assert seen == {offer["id"] for offer in data["offers"]}
    card = max(data["hand"], key=lambda each: len(each["uses"]))
    loan = next(offer["id"] for offer in data["offers"] if offer["kind"] == "loan")
    form = {"number": data["number"], "choice": loan, "card": card["element"]}
    data = client.post(f"{table}/choose.json", form).json()
    assert data["asked"] == "turn over"
    assert card["name"] in str(session.game.actions[-1])
    assert set(log_of(session)[-1]) == {"choose"}  # holding is nobody else's business
    undone = client.post(f"{table}/back.json", {"number": data["number"]}).json()
    assert undone["asked"] == "action" and card in undone["hand"]


def test_a_held_card_that_does_not_fit_is_refused(session: TableSession) -> None:
    client, table = visitor(), f"/t/{session.table.id}"
    data = client.get(f"{table}.json").json()
    build, card = next(
        (offer, card)
        for offer in data["offers"]
        for card in data["hand"]
        if offer["kind"] == "build" and offer["id"] not in card["uses"]
    )
    form = {"number": data["number"], "choice": build["id"], "card": card["element"]}
    answer = client.post(f"{table}/choose.json", form)
    assert answer.status_code == 409 and answer.json()["words"]
    assert not log_of(session)
    asked = f"on={build['elements'][0]}&card={card['element']}"
    [*said] = client.get(f"{table}/why.json?{asked}").json()["explanations"]
    refused = [one for one in said if build["id"] in one["choices"]]
    assert refused and not any(one["is_open"] for one in refused)
    shown = client.get(f"{table}/preview.json?choice={build['id']}&card={card['element']}")
    assert shown.json() == {}


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


# --- too many clicks -----------------------------------------------------------------------------


@pytest.mark.usefixtures("patience")
def test_the_clicks_of_a_turn_are_limited_but_it_can_be_played_to_its_end(
    session: TableSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a log entry, undone or not; how many another player makes stays secret."""
    monkeypatch.setattr(click_limit, "FREE", 4)
    monkeypatch.setattr(rate_limit, "CLICKS", rate_limit.CLICKS._replace(most=1))
    client, table = visitor(), f"/t/{session.table.id}"

    def post(move: str, by: Client = client, as_part: bool = False) -> Any:
        data = client.get(f"{table}.json").json()
        loan = next((offer["id"] for offer in data["offers"] if offer["kind"] == "loan"), 0)
        form = {"number": data["number"], "choice": loan, "card": data["hand"][0]["element"]}
        return by.post(f"{table}/{move}", form, headers={"HX-Request": "true"} if as_part else {})

    moves = ["choose.json", "back.json"] * 3
    assert [post(move).status_code for move in moves] == [200] * 6
    length = session.length
    refused = post("choose.json")
    assert refused.status_code == 429 and b"You can still undo" in refused.content
    assert post("choose/").status_code == 429
    page = post("choose/", as_part=True)  # the loaded page shows why
    assert page.status_code == 200 and b"You can still undo" in page.content
    eve = visitor("Eve")
    assert [post("choose.json", eve).status_code for _each in range(2)] == [409] * 2
    assert session.length == length
    cache.clear()  # time passes
    assert [post(move).status_code for move in ("choose.json", "end.json")] == [200] * 2
    assert [post(move).status_code for move in moves[:4]] == [200] * 4  # the next player's
