"""What a visitor has learned so far: it is in their signed cookie, and needs no account.

A lesson in progress is its clicks, from which everything else follows (`brassmill/lessons/run.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sessions.backends.base import SessionBase

from brassmill.lessons.run import Click

LESSONS = "lessons"  # key in the cookie: clicks by lesson, the lesson played last at the end
LEARNED = "learned"  # also in the cookie: the lessons that the visitor has finished
MOST = 4  # lessons in progress that the cookie remembers: a browser keeps no more than 4 kB


def clicks_of(cookie: SessionBase, lesson: str) -> list[Click]:
    """The clicks of a lesson so far."""
    return [tuple(click) for click in cookie.get(LESSONS, {}).get(lesson, [])]


def keep(cookie: SessionBase, lesson: str, clicks: Sequence[Click], is_over: bool) -> None:
    """Remember the clicks of a lesson, and that it is finished."""
    known = dict(cookie.get(LESSONS, {}))
    known.pop(lesson, None)
    if clicks:
        known[lesson] = [list(click) for click in clicks]
    cookie[LESSONS] = dict(list(known.items())[-MOST:])
    if is_over and lesson not in learned(cookie):
        cookie[LEARNED] = [*learned(cookie), lesson]


def begun(cookie: SessionBase) -> list[str]:
    """The lessons in progress, the latest last."""
    return [lesson for lesson in cookie.get(LESSONS, {}) if lesson not in learned(cookie)]


def learned(cookie: SessionBase) -> list[str]:
    """The lessons that the visitor has finished."""
    found: list[str] = cookie.get(LEARNED, [])
    return found
