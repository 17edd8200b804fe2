"""Why a bot acted: for the only person in a game, bounded, and never about more than they see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache

from brassmill.language import LANGUAGES
from brassmill.web.identity import rate_limit
from brassmill.web.models import Seat
from brassmill.web.table import coach, reasons, sessions
from brassmill.web.table.session import TableSession
from support.friends import Guest, set_up, tokens_of
from support.sessions import play
from support.web import make_table, no_bots, visitor

pytestmark = pytest.mark.usefixtures("site")

ASKER = "someone"


def at_once(_key: str, question: coach.CoachRequest, _is_wanted: Callable[[], bool]) -> None:
    question.think()


@pytest.fixture
def session() -> TableSession:
    """Return a table of one person, after a few turns of bots."""
    cache.clear()
    return after_a_few_turns(make_table("you,beginner,beginner", seed=4, key=ASKER).id)


def after_a_few_turns(table_id: str) -> TableSession:
    session = sessions.get(table_id)
    with no_bots():
        play(session, lambda: session.turns > 8 and session.to_move == 0)
    return session


def action_by(session: TableSession, *, bot: bool) -> int:
    """Return the number of the latest action by a bot, or by the person."""
    found = [a.number for a in session.game.actions if (a.seat != 0) == bot and a.number]
    return found[-1]


def ask(session: TableSession, key: str, number: int, **headers: str) -> Any:
    with no_bots(), mock.patch.object(coach.queue, "put", at_once):
        return visitor(key, **headers).post(
            f"/t/{session.table.id}/reasons.json", {"action": number}
        )


def test_reasons_are_given_for_the_action_alone(session: TableSession) -> None:
    number = action_by(session, bot=True)
    said = ask(session, ASKER, number).json()
    action = session.game.actions[number - 1]
    assert said["player"] == session.names[action.seat] and said["action"] == number
    assert said["asked"] and not said["thinking"] and not said["refused"]
    assert 0 < len(said["reasons"]) <= 4
    assert said.keys() == {"action", "player", "words", "reasons", "thinking", "asked", "refused"}
    page = visitor(ASKER).get(f"/t/{session.table.id}/reasons/?action={number}").content.decode()
    assert page.count("<li>") == len(said["reasons"]) and said["words"] in page


def test_the_page_offers_them_beside_actions_of_bots_only(session: TableSession) -> None:
    page = visitor(ASKER).get(f"/t/{session.table.id}/").content.decode()
    lines = [line for line in page.split('<li id="line-of-log-')[1:] if "<b class=" in line]
    assert len(lines) > 8
    for line in lines:
        assert ("ask-why" in line) == ('class="of-0"' not in line)
    assert "ask-why" not in visitor("a spectator").get(f"/t/{session.table.id}/").content.decode()


def test_nobody_else_may_ask(session: TableSession) -> None:
    number = action_by(session, bot=True)
    assert ask(session, "a spectator", number).status_code == 403
    assert ask(session, ASKER, action_by(session, bot=False)).status_code == 404
    assert ask(session, ASKER, 0).status_code == ask(session, ASKER, 9999).status_code == 404
    assert not session.bot_reasons


def test_never_in_a_game_with_other_people() -> None:
    host, guest = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend", "beginner")
    guest.sit(tokens_of(table)[0])
    session = after_a_few_turns(table.id)
    number = next(a.number for a in session.game.actions if a.seat == 2) or 0
    for who in (host, guest):
        assert ask(session, who.key, number).status_code == 403
    with no_bots():
        session.replace(1, "beginner", "left")  # a bot plays for someone who was there
    assert ask(session, host.key, number).status_code == 403
    Seat.objects.filter(table=table, number=1).update(holder="")
    sessions.forget(table.id)
    session = sessions.get(table.id)
    assert ask(session, host.key, number).status_code == 403
    assert "ask-why" not in host.client.get(f"/t/{table.id}/").content.decode()


def test_never_for_several_people_on_one_screen() -> None:
    session = after_a_few_turns(make_table("Ada,Ben,beginner", seed=4, key=ASKER, hands="open").id)
    number = next(a.number for a in session.game.actions if a.seat == 2) or 0
    assert ask(session, ASKER, number).status_code == 403


def test_questions_are_limited_like_hints_and_answers_are_kept(session: TableSession) -> None:
    numbers = [a.number or 0 for a in session.game.actions if a.seat != 0]
    with mock.patch.object(rate_limit, "is_allowed", return_value=False) as allowed:
        assert ask(session, ASKER, numbers[0]).json()["refused"]
        assert allowed.call_args.args[1] == rate_limit.HINTS
    assert ask(session, ASKER, numbers[0]).json()["reasons"], "asking again is possible"
    with mock.patch.object(rate_limit, "is_allowed", return_value=False):
        assert ask(session, ASKER, numbers[0]).json()["reasons"], "it is known"
    with mock.patch.object(reasons, "KEPT", 2), mock.patch.object(rate_limit, "is_allowed"):
        for number in numbers[:4]:
            ask(session, ASKER, number)
        assert list(session.bot_reasons) == numbers[2:4]


def test_a_question_waits_in_the_queue_of_the_coach(session: TableSession) -> None:
    number = action_by(session, bot=True)
    client, address = visitor(ASKER), f"/t/{session.table.id}/reasons"
    with no_bots(), mock.patch.object(coach.queue, "put") as put:
        page = client.post(f"{address}/", {"action": number}).content.decode()
        assert "The coach is thinking" in page and "hx-get" in page
        (_key, question, is_wanted), _named = put.call_args
        assert is_wanted()
        question.refuse()
        assert "The coach is busy" in client.get(f"{address}/?action={number}").content.decode()
        session.bot_reasons.clear()
        assert not is_wanted()


def test_the_question_holds_only_what_its_seat_sees(session: TableSession) -> None:
    action = session.game.actions[action_by(session, bot=True) - 1]
    question = reasons.BotReasons(action, 0)
    assert question.before.seat == question.after.seat == 0
    assert not any(isinstance(held, bytes) for held in vars(question).values())
    assert action not in vars(question).values()


@pytest.mark.parametrize("code", LANGUAGES)
def test_reasons_are_in_the_readers_language(session: TableSession, code: str) -> None:
    words = ask(session, ASKER, action_by(session, bot=True), **{"Accept-Language": code}).json()
    english = ask(session, ASKER, action_by(session, bot=True)).json()
    assert (words["reasons"] == english["reasons"]) == (code == "en")
