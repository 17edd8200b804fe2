"""Tables while the rules are plain Python: who thinks elsewhere, who waits, who is replaced."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from brassmill.bots import elsewhere
from brassmill.bots.elsewhere import Processes
from brassmill.web.server import startup
from brassmill.web.setup import meanwhile
from brassmill.web.table import coach, sessions
from brassmill.web.table.bots import BotWork
from support.web import make_table, no_bots, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the site believe that its rules are plain Python."""
    processes = Processes()
    monkeypatch.setattr(elsewhere, "processes", processes)
    monkeypatch.setattr(startup, "is_compiled", lambda: False)
    yield
    processes.end()


def think(table_id: str) -> list[int] | None:
    """Let the bot to move think: the choices it has decided on, or None if it waits."""
    work = BotWork(table_id, float("inf"))
    work.step()
    work.close()
    return work._decided[2]["choose"] if work._decided else None


@pytest.mark.usefixtures("plain")
def test_a_bot_that_is_not_ready_waits_or_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with no_bots():
        table = make_table("master,you")
        assert think(table.id) is None
        text = visitor().get(f"/t/{table.id}/").content.decode()
        assert "will be ready in less than a minute" in text
        meanwhile.replace_bots(table.id)
        text = visitor().get(f"/t/{table.id}/").content.decode()
        assert "(master) is thinking" in text
        decided = think(table.id)
        other = make_table("expert,you")
        assert decided and decided == think(other.id)
        monkeypatch.setattr(startup, "is_compiled", lambda: True)
        assert think(other.id) == decided
        assert think(table.id)


@pytest.mark.usefixtures("plain")
def test_without_compiled_rules_the_coach_does_not_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "wait", lambda: None)
    with no_bots():
        session = sessions.get(make_table("you,beginner").id)
    answer = coach.CoachAnswer(session.game.edition, session.view(0), session.number)
    answer.think()
    assert answer.is_refused
