"""One number of an observation, in words, and its bounds."""

from __future__ import annotations

from typing import NamedTuple

from brassmill.editions.edition import Edition

POUNDS = 9_999  # more than any game reaches
POINTS = 999


class Index(NamedTuple):
    """What one number means: the `detail` of a `subject`."""

    subject: str
    detail: str
    high: int = 1
    low: int = 0


def seat_names(edition: Edition) -> tuple[str, ...]:
    """The seats as the one that looks counts them: itself, then the others round the table."""
    return ("you", *(f"rival {number}" for number in range(1, edition.players)))
