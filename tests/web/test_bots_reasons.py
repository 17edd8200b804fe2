"""Why a bot acted: the answer says nothing about its hand, whatever it holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest import mock

import pytest
from django.core.cache import cache

from brassmill.web.table import coach, reasons, sessions
from brassmill.web.table.session import TableSession
from support.web import make_table, no_bots, visitor
from web.test_crawl import key_of, other_deal, played, session_on

pytestmark = pytest.mark.usefixtures("site")


def reasons_told(session: TableSession) -> dict[int, str]:
    """Return what the only person in a game is shown about every action of the bots."""
    client, table = visitor(key_of(0)), f"/t/{session.table.id}"
    told = {}
    cache.clear()
    with mock.patch.object(coach.queue, "put", lambda _key, question, _wanted: question.think()):
        for action in session.game.actions:
            if action.seat != 0:
                asked = client.post(f"{table}/reasons.json", {"action": action.number})
                page = client.get(f"{table}/reasons/?action={action.number}")
                told[action.number or 0] = asked.content.decode() + page.content.decode()
    return told


def bots_have_played(session: TableSession, turns: int) -> Iterator[str]:
    """Play a table of one person against bots for some turns."""
    session.seats[0].holder = key_of(0)
    moments = played(session)
    while session.turns < turns:
        next(moments)
    return moments


@pytest.mark.parametrize("edition", ["classic", "lancashire", "birmingham"])
def test_why_a_bot_acted_is_the_same_whatever_its_hand(edition: str) -> None:
    rng = random.Random(edition)
    session = sessions.get(make_table("you,beginner,beginner", edition, key=key_of(0)).id)
    limit = mock.patch("brassmill.web.identity.rate_limit.is_allowed", return_value=True)
    with no_bots(), limit:
        moments = bots_have_played(session, turns=12)
        told = reasons_told(session)
        assert len(told) > 10 and len(set(told.values())) > 10
        for _deal in range(3):
            sessions._sessions[session.table.id] = session_on(session, other_deal(session, 0, rng))
            try:
                assert reasons_told(sessions.get(session.table.id)) == told
            finally:
                sessions._sessions[session.table.id] = session
        for text in told.values():
            said = text.lower().replace("takes two wild cards", "")  # which everyone saw
            assert "card" not in said and "hand" not in said
    moments.close()  # type: ignore[attr-defined]


def test_that_test_detects_a_coach_who_looks_at_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    session = sessions.get(make_table("you,beginner,beginner", key=key_of(0)).id)
    monkeypatch.setattr("brassmill.coach.played.KEPT_BACK", ())
    looks = reasons.BotReasons.__init__
    monkeypatch.setattr(
        reasons.BotReasons, "__init__", lambda made, action, _seat: looks(made, action, action.seat)
    )
    limit = mock.patch("brassmill.web.identity.rate_limit.is_allowed", return_value=True)
    with no_bots(), limit:
        moments = bots_have_played(session, turns=12)
        told = reasons_told(session)
        sessions._sessions[session.table.id] = session_on(session, other_deal(session, 0, rng))
        try:
            assert reasons_told(sessions.get(session.table.id)) != told
        finally:
            sessions._sessions[session.table.id] = session
    moments.close()  # type: ignore[attr-defined]
