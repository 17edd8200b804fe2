"""Games that were ended without a result or rewound: every page shows their true state."""

from __future__ import annotations

import pytest

from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.web import hidden_words, make_table, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

PAGES = ("", "result/", "replay/", "record/", "part/", "why/?on=loan", "part/?drawer=mats")
TWINS = (".json", "/result.json", "/replay.json", "/past/1.json", "/why.json?on=loan", "/hint.json")


@pytest.fixture
def session() -> TableSession:
    """Return a table of two people with covered hands, in its second round."""
    session = sessions.get(make_table(people_only(), seed=None).id)
    while session.game.round < 2:
        play_turn(session)
    return session


def addresses(session: TableSession) -> list[str]:
    table = f"/t/{session.table.id}"
    return [
        *(f"{table}/{page}" for page in PAGES),
        *(f"{table}{twin}" for twin in TWINS),
        *("/", "/index.json", "/lobby/", "/lobby.json"),
    ]


@pytest.mark.parametrize("key", ["visitor-of-the-tests", "somebody-else"])
def test_every_page_of_a_void_or_rewound_game_works(session: TableSession, key: str) -> None:
    client = visitor(key)
    for repair in (
        session.void,
        lambda: session.rewind(session.turn_starts[1].entry),
        lambda: session.rewind(0),
    ):
        repair()
        for address in addresses(session):
            if session.actions or "past/1" not in address:
                assert client.get(address).status_code in (200, 204, 302), address


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "without a result"), ("de", "ohne Ergebnis"), ("fr", "sans résultat")],
)
def test_a_void_game_says_so_everywhere_in_three_languages(
    session: TableSession, language: str, words: str
) -> None:
    session.void()
    client = visitor(accept_language=language)
    for page in (f"/t/{session.table.id}/", f"/t/{session.table.id}/result/", "/"):
        assert words in client.get(page).content.decode().replace("Ohne", "ohne"), page
    data = client.get(f"/t/{session.table.id}.json").json()
    assert words in data["outcome"] and data["over"] and data["offers"] == []
    assert client.get(f"/t/{session.table.id}/result.json").json()["void"]
    listed = client.get("/index.json").json()["finished"]
    game = next(game for game in listed if game["id"] == session.table.id)
    assert words.casefold() in game["turn"].casefold()


def test_a_void_game_reveals_nothing_because_it_may_be_resumed(session: TableSession) -> None:
    session.void()
    client, table = visitor(), f"/t/{session.table.id}"
    assert client.get(f"{table}.json").json()["you"] is None
    assert client.get(f"{table}/replay.json").json()["angles"] == ["spectator"]
    hidden = hidden_words(session.table)
    for address in addresses(session):
        text = client.get(address).content.decode()
        assert not [word for word in hidden if word in text], address


def test_clicks_in_a_void_game_are_refused(session: TableSession) -> None:
    session.void()
    length, choice = session.length, session.game.legal_choices().ids[0]
    form = {"number": session.number, "choice": choice}
    for action in ("choose", "end", "back"):
        assert visitor().post(f"/t/{session.table.id}/{action}/", form).status_code == 200
    assert sessions.get(session.table.id).length == length


def test_the_marks_of_a_session_are_the_turns_so_far(session: TableSession) -> None:
    play_turn(session)
    point = session.turn_starts[2]
    session.rewind(point.entry)
    assert session.turn_starts[-1] == point and session.to_move == point.seat
    play_turn(session)
    marks = session.turn_starts
    assert [mark.turn for mark in marks] == list(range(1, session.turns + 2))
    assert [mark.entry for mark in marks] == sorted({mark.entry for mark in marks})
    sessions.forget(session.table.id)
    assert sessions.get(session.table.id).turn_starts == marks
