"""Openings: what strong players do in the first two rounds, and how their games end.

>>> from brassmill.openings import move_text, openings
>>> found = openings("lancashire", 3)
>>> first = found.trees[0].rows()[0]  # the most frequent first move of the first seat
>>> move_text(found.table, first.move)
'develop port, port'

The counts come from games of the packaged networks against each other (`docs/play/openings.md`).
"""

from __future__ import annotations

from brassmill.openings.counts import OpeningRow, Tally, Tree
from brassmill.openings.moves import Line, Move, lines_of, move_text, move_words
from brassmill.openings.table import Openings, collect, kinds, openings, read, write

__all__ = [
    "Line",
    "Move",
    "OpeningRow",
    "Openings",
    "Tally",
    "Tree",
    "collect",
    "kinds",
    "lines_of",
    "move_text",
    "move_words",
    "openings",
    "read",
    "write",
]
