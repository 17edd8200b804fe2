"""Lessons: games that teach, step by step, as files that anyone can write.

A file sets up a position, says something, lights what a step is about, and plays the rivals' moves.
The format is explained in `docs/formats/lessons.md`.
"""

from __future__ import annotations

from brassmill.lessons.check import problems_of
from brassmill.lessons.lesson import FOLDER, Lesson, Step, lessons, read
from brassmill.lessons.run import CONTINUE, END_TURN, Run

__all__ = [
    "CONTINUE",
    "END_TURN",
    "FOLDER",
    "Lesson",
    "Run",
    "Step",
    "lessons",
    "problems_of",
    "read",
]
