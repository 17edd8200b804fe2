"""Bots that think in another process decide the same, and survive its death."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from brassmill import Game
from brassmill.bots import elsewhere, make
from brassmill.bots.bot import BotError, Clock
from brassmill.bots.elsewhere import ElsewhereBot, Processes, Thinker

PATIENCE = 60


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    """The processes of one test."""
    made = Processes()
    monkeypatch.setattr(elsewhere, "processes", made)
    yield made
    made.end()


def test_a_bot_decides_the_same_though_its_process_is_killed(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("birmingham", 2, seed=4, intro=True)
    ask, asked = Thinker.ask, []

    def killed_once(thinker: Thinker, *question: object) -> object:
        asked.append(thinker.process.pid)
        if len(asked) == 1:
            os.kill(thinker.process.pid, signal.SIGKILL)
        return ask(thinker, *question)  # type: ignore[arg-type]

    monkeypatch.setattr(Thinker, "ask", killed_once)
    for spec in ("journeyman", "random"):
        view = game.view(game.seat)
        here, there = make(spec, game.edition, 9), ElsewhereBot(spec, game.edition, 9)
        answer = here.choose(view, Clock())
        assert there.choose(view, Clock()) == answer
        game.carry_out(answer if isinstance(answer, tuple) else (answer,))
    assert asked[1] == asked[2] != asked[0]  # the process is used again


def test_what_fails_there_is_an_error_here(processes: Processes) -> None:
    game = Game("birmingham", 2, seed=4)
    with pytest.raises(BotError, match="nobody"):
        ElsewhereBot("nobody", game.edition).choose(game.view(0), Clock())


def test_a_process_that_is_killed_every_time_is_an_error(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Thinker, "ask", lambda *_question: (_ for _ in ()).throw(EOFError))
    game = Game("birmingham", 2, seed=4)
    with pytest.raises(BotError, match="killed 3 times"):
        ElsewhereBot("random", game.edition).choose(game.view(0), Clock())


def test_a_process_ends_with_its_parent() -> None:
    thinker = Thinker()
    assert thinker.process.stdin is not None
    thinker.process.stdin.close()
    assert thinker.process.wait(PATIENCE) == 0
    thinker.end()


def test_processes_end_when_they_are_no_longer_needed() -> None:
    made = Processes()
    made.start()
    [free] = made._free
    busy = Thinker()
    made.end()
    assert free.process.returncode == -signal.SIGKILL
    made._put_back(busy)  # it has answered
    assert busy.process.returncode == -signal.SIGKILL
