"""Puzzles: find the best turn.

They are mined from games that networks play against themselves. *Exact* puzzles are last turns that
are solved by trying every turn; *judged* ones are turns that a deep search prefers by a clear
margin. The format is explained in `docs/formats/puzzles.md`.
"""

from __future__ import annotations

from brassmill.puzzles.puzzle import (
    EXACT,
    JUDGED,
    Compared,
    ExactAnswer,
    JudgedAnswer,
    Puzzle,
    of_the_day,
    puzzles,
)
from brassmill.puzzles.run import CONTINUE, END_TURN, GIVE_UP, PuzzleRun

__all__ = [
    "CONTINUE",
    "END_TURN",
    "EXACT",
    "GIVE_UP",
    "JUDGED",
    "Compared",
    "ExactAnswer",
    "JudgedAnswer",
    "Puzzle",
    "PuzzleRun",
    "of_the_day",
    "puzzles",
]
