"""One number of an observation, in words, and between which bounds it lies."""

from __future__ import annotations

from typing import NamedTuple

from brassmill.editions.edition import Edition

POUNDS = 9_999  # no game brings as much
POINTS = 999


class Index(NamedTuple):
    """What one number tells: of `subject`, its `detail`."""

    subject: str
    detail: str
    high: int = 1
    low: int = 0


def seat_names(edition: Edition) -> tuple[str, ...]:
    """The seats as the one that looks counts them: itself, then the others round the table."""
    return ("you", *(f"rival {number}" for number in range(1, edition.players)))
