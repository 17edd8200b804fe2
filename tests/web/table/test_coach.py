"""The coach's queue: bounded, one question for each visitor, none about an earlier position."""

from __future__ import annotations

from threading import Event
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache

from brassmill.web.identity import rate_limit
from brassmill.web.server import startup
from brassmill.web.table import coach, sessions
from brassmill.web.table.coach import CoachAnswer, Queue
from brassmill.web.table.session import TableSession
from support.sessions import first, play
from support.web import make_table, no_bots, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """Return a table where you are to move."""
    cache.clear()
    session = sessions.get(make_table("you,beginner", seed=4).id)
    with no_bots():
        play(session, lambda: session.to_move == 0)
    return session


class SlowCoach:
    """Thinks until the test lets it finish."""

    def __init__(self) -> None:
        self.thoughts = 0
        self.begun, self.ready = Event(), Event()

    def advise(self, *_given: Any, **_more: Any) -> list[Any]:
        self.thoughts += 1
        self.begun.set()
        assert self.ready.wait(60)
        return []


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowCoach:
    made = SlowCoach()
    monkeypatch.setattr(coach, "advise", made.advise)
    return made


def question(session: TableSession) -> CoachAnswer:
    return CoachAnswer(session.game.edition, session.view(0), session.number)


def finish(queue: Queue, slow: SlowCoach) -> None:
    slow.ready.set()
    queue.threads.shutdown(wait=True)


def test_a_newer_question_of_a_visitor_replaces_the_one_that_waits(
    session: TableSession, slow: SlowCoach
) -> None:
    queue = Queue(1)
    asked = [question(session) for _ in range(5)]
    queue.put("someone else", asked[0], lambda: True)
    assert slow.begun.wait(60)
    for each in asked[1:]:
        queue.put("Ada", each, lambda: True)
    assert [each.is_refused for each in asked] == [False, True, True, True, False]
    finish(queue, slow)
    assert slow.thoughts == 2 and all(each.advice is not None for each in asked)


def test_when_many_wait_the_coach_is_busy(session: TableSession, slow: SlowCoach) -> None:
    queue = Queue(1)
    asked = [question(session) for _ in range(coach.WAITING + 3)]
    queue.put("first", asked[0], lambda: True)
    assert slow.begun.wait(60)
    for number, each in enumerate(asked[1:]):
        queue.put(f"visitor {number}", each, lambda: True)
    assert [each.is_refused for each in asked] == [False] * (coach.WAITING + 1) + [True] * 2
    finish(queue, slow)


def test_a_question_about_an_earlier_position_is_dropped(
    session: TableSession, slow: SlowCoach
) -> None:
    queue = Queue(1)
    with mock.patch.object(coach, "queue", queue), no_bots():
        queue.put("someone else", question(session), lambda: True)
        answer = coach.ask(session, 0, "Ada")
        session.choose(session.number, first(session))
        finish(queue, slow)
    assert slow.thoughts == 1 and answer.is_refused


def test_hints_are_limited_and_the_page_says_so(session: TableSession) -> None:
    client, hint = visitor(**{"HX-Request": "true"}), f"/t/{session.table.id}/hint/"
    with mock.patch.object(coach, "advise", return_value=[]), no_bots():
        for _ask in range(rate_limit.HINTS.most):
            assert "busy" not in client.post(hint).content.decode()
        session.choose(session.number, first(session))
        session.undo(session.number)
        session.coach_answers.clear()
        page = client.post(hint).content.decode()
        assert "The coach is busy. Ask again in a moment." in page
        assert client.get(f"{hint[:-1]}.json").json()["refused"] is True
        cache.clear()
        assert "busy" not in client.post(hint).content.decode(), "asking again is possible"


def test_before_the_rules_are_compiled_the_page_shows_how_far_they_are(
    session: TableSession, slow: SlowCoach, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, hint = visitor(**{"HX-Request": "true"}), f"/t/{session.table.id}/hint/"
    queue = Queue(threads=1)
    monkeypatch.setattr(coach, "queue", queue)
    with no_bots():
        assert "<progress" not in client.post(hint).content.decode()
        monkeypatch.setattr(startup, "is_compiled", lambda: False)
        monkeypatch.setattr(startup, "progress", lambda: startup.Progress(0.4, "", False, ""))
        page = client.get(hint).content.decode()
        finish(queue, slow)
    assert "The coach is getting ready" in page and 'value="40"' in page
