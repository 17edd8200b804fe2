"""The puzzle that a visitor is solving: its clicks are in their signed cookie."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sessions.backends.base import SessionBase

from brassmill.puzzles.run import Click

PUZZLES = "puzzles"  # key in the cookie: clicks by puzzle, the latest at the end
MOST = 3  # puzzles in progress that the cookie remembers: a browser keeps no more than 4 kB
LONGEST = 60  # clicks: more than any turn has


def clicks_of(cookie: SessionBase, puzzle: str) -> list[Click]:
    """The clicks at a puzzle so far."""
    return [tuple(click) for click in cookie.get(PUZZLES, {}).get(puzzle, [])]


def keep(cookie: SessionBase, puzzle: str, clicks: Sequence[Click]) -> None:
    """Remember the clicks at a puzzle."""
    known = dict(cookie.get(PUZZLES, {}))
    known.pop(puzzle, None)
    if clicks:
        known[puzzle] = [list(click) for click in clicks[:LONGEST]]
    cookie[PUZZLES] = dict(list(known.items())[-MOST:])
