"""Starting a game: the clock of the first turn, and the bots."""

from __future__ import annotations

from brassmill.web.table import bots, clock, sessions


def start(table_id: str) -> None:
    """Start a game whose seats are all taken; does nothing if another process already has."""
    session = sessions.get(table_id)
    if clock.begin(session) and session.table.clock:
        sessions.changed(table_id)  # a page may have been loaded before the clock started
    bots.wake(session)
