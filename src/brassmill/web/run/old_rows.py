"""Deletes old rows of visitors without an account: a new cookie is a new visitor, without end."""

from __future__ import annotations

from brassmill.web.analysis import board
from brassmill.web.archive import following
from brassmill.web.daily import attempts
from brassmill.web.delivery import choices
from brassmill.web.puzzles import ratings
from brassmill.web.replay import uploads
from brassmill.web.server import periodic

ROUND = 3600.0  # seconds


def run() -> None:
    """Delete old rows, forever."""
    periodic.repeat(forget_old, ROUND)


def forget_old() -> None:
    """Delete what is old, and the oldest of what is too much."""
    uploads.forget_old()
    board.forget_old()
    ratings.forget_old()
    attempts.forget_old()
    following.forget_old()
    choices.forget_old()
