"""The states that rewinds of a log return to, kept while the log is loaded.

Without them every rewind would replay the game from its start, and a game with many turns taken
back would take minutes to load.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from brassmill.web.table.archive import Body

State = dict[str, Any]  # attributes by name


class RewindStates:
    """The states to return to, by the length of the log. Each is forgotten after its last use."""

    def __init__(self, log: Sequence[Body] = ()) -> None:
        """Look for the rewinds of a log that is about to be played from its start."""
        rewinds = [(number, body) for number, body in enumerate(log, 1) if "rewind" in body]
        self._last = {body["rewind"]: number for number, body in rewinds}  # use, by target
        self._kept: dict[int, State] = {}

    def keep(self, length: int, state: Callable[[], State]) -> None:
        """Keep the state at this length of the log, if a later entry returns to it."""
        if length in self._last:
            self._kept[length] = copies(state())

    def find(self, length: int, number: int) -> State | None:
        """The state to return to with this entry; None if it was not kept."""
        if length not in self._kept:
            return None
        if number >= self._last[length]:
            return self._kept.pop(length)
        return copies(self._kept[length])


def copies(state: State) -> State:
    """A copy of every attribute."""
    return {name: copy(value) for name, value in state.items()}
