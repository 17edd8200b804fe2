"""The coach speaks up at a big mistake, in games of one person against beginners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.test import Client

from brassmill.coach import advise
from brassmill.core.choice import NUMBER
from brassmill.web.table import coach, mistakes, sessions
from brassmill.web.table.session import TableSession
from support.sessions import play
from support.web import KEY, make_table, no_bots, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """Let the coach answer before the next request."""
    cache.clear()
    with mock.patch.object(coach.queue, "put", lambda _key, asked, _wanted: asked.think()):
        yield


def table(seats: str = "you,beginner,beginner", **options: Any) -> TableSession:
    """A table where you are to move, with two actions."""
    session = sessions.get(make_table(seats, seed=5, intro=True, **options).id)
    with no_bots():
        play(session, lambda: session.to_move == 0 and session.game.round > 1)
    return session


def act(session: TableSession, *ids: int) -> None:
    with no_bots():
        for choice in ids:
            session.choose(session.number, [choice])


def do_nothing(session: TableSession) -> None:
    """Pass, one click after the other."""
    act(session, NUMBER["PASS", 0])
    act(session, session.game.legal_choices().ids[0])


def said(session: TableSession, client: Client | None = None) -> str:
    answer = (client or visitor(KEY)).get(f"/t/{session.table.id}/mistake/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_says_what_a_mistake_costs_and_what_is_better() -> None:
    session = table()
    with mock.patch.object(mistakes, "LEAST", 0.5):
        do_nothing(session)
        page = said(session)
    assert "The coach would undo this" in page and "Better:" in page
    assert session.last_action is not None and session.last_action.better is not None
    assert session.last_action.better.action.ids != session.game.actions[-1].ids
    assert f'name="moves" value="{session.last_action.moves}"' in page


def test_its_button_undoes_the_whole_action_and_no_more() -> None:
    session = table()
    with mock.patch.object(mistakes, "LEAST", 0.5):
        do_nothing(session)
        before = session.game.state.tobytes()
        do_nothing(session)
        said(session)
    assert session.last_action is not None
    form = {"number": session.number, "moves": session.last_action.moves}
    assert visitor(KEY).post(f"/t/{session.table.id}/back/", form).status_code == 302
    assert session.game.state.tobytes() == before and session.game.question == "action"


def test_it_is_silent_about_good_actions_and_between_them() -> None:
    session = table()
    assert said(session) == ""
    act(session, NUMBER["PASS", 0])
    assert said(session) == ""  # in the middle of an action
    act(session, session.game.legal_choices().ids[0])
    with mock.patch.object(mistakes, "LEAST", 1000.0):
        assert said(session) == ""
    assert session.last_action is not None and session.last_action.loss > 0


def test_it_is_asked_once_about_an_action() -> None:
    session = table()
    do_nothing(session)
    with mock.patch("brassmill.web.table.mistakes.advise", wraps=advise) as asked:
        for _time in range(3):
            said(session)
    assert asked.call_count == 1


def test_only_the_player_hears_it() -> None:
    session = table()
    with mock.patch.object(mistakes, "LEAST", 0.5):
        do_nothing(session)
        assert said(session, visitor("stranger")) == ""
        assert said(session) != ""


@pytest.mark.parametrize("seats", ["you,beginner,expert", "you,Ben,beginner"])
def test_in_other_games_it_waits_to_be_asked(seats: str) -> None:
    session = table(seats)
    with mock.patch.object(mistakes, "LEAST", 0.5):
        do_nothing(session)
        assert said(session) == ""
    page = visitor(KEY).get(f"/t/{session.table.id}/").content.decode()
    assert "/mistake/" not in page


def test_the_page_asks_after_every_action() -> None:
    session = table()
    address = f"/t/{session.table.id}/mistake/"
    assert address not in visitor(KEY).get(f"/t/{session.table.id}/").content.decode()
    do_nothing(session)
    assert address in visitor(KEY).get(f"/t/{session.table.id}/").content.decode()


def test_who_asks_too_often_hears_nothing() -> None:
    session = table()
    do_nothing(session)
    with mock.patch("brassmill.web.identity.rate_limit.is_allowed", return_value=False):
        assert said(session) == ""
