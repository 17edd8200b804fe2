"""The first turn of a game: its time runs from now on, and it may be a bot's."""

from __future__ import annotations

from brassmill.web.table import bots, clock, sessions


def start(table_id: str) -> None:
    """Begin a game whose seats are all taken; another process may have done so."""
    session = sessions.get(table_id)
    if clock.begin(session) and session.table.clock:
        sessions.changed(table_id)  # a page may have come before the time ran
    bots.wake(session)
