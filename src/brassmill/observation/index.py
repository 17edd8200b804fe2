"""The meaning of one number of an observation, and its bounds."""

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
    """The seats from the viewer's side: the viewer, then the others round the table."""
    return ("you", *(f"rival {number}" for number in range(1, edition.players)))
