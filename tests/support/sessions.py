"""Sessions in tests: played, restarted and compared."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

from brassmill.play.host import Host
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.web import visitor


def again(session: TableSession) -> TableSession:
    """Return the same table after a restart."""
    sessions.forget(session.table.id)
    rebuilt = sessions.get(session.table.id)
    assert rebuilt is not session
    return rebuilt


def same(one: TableSession, two: TableSession) -> bool:
    """Is it the same table for everyone?"""
    seats = (None, *range(one.table.players))
    return (
        [one.view(seat) for seat in seats] == [two.view(seat) for seat in seats]
        and (one.number, one.undoable, one.turns) == (two.number, two.undoable, two.turns)
        and [part.events for part in one.history] == [part.events for part in two.history]
        and [one.stamp([seat]) for seat in range(one.table.players)]
        == [two.stamp([seat]) for seat in range(two.table.players)]
    )


def play(session: TableSession, until: Callable[[], bool]) -> None:
    """Play every seat as bots would."""
    host = Host.of(["journeyman"] * session.table.players, session.game.edition, seed=1)
    try:
        while not session.over and not until():
            if session.game.question == "turn over":
                session.end_turn(session.number)
            else:
                session.choose(session.number, host.ask(session.game.copy()))
    finally:
        host.close()


def wait_for(true: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something is true."""
    until = monotonic() + seconds
    while not true():
        assert monotonic() < until, "it has not come"
        sleep(0.02)


def first(session: TableSession) -> list[int]:
    """Return an open choice."""
    return [session.game.legal_choices().ids[0]]


def data(key: str, session: TableSession) -> str:
    """Return the JSON version of the table, as a visitor gets it."""
    return visitor(key).get(f"/t/{session.table.id}.json").content.decode()
