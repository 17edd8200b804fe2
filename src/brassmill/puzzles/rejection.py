"""Why a position does not become a puzzle."""

from __future__ import annotations

from enum import StrEnum

from brassmill.errors import BrassError


class Rejection(StrEnum):
    """The reasons; the value is the name in files."""

    DISTANT_MARKET = "distant market"  # a turn may reveal a distant market tile
    DEBT = "debt"  # somebody may have to remove tiles
    TOO_MANY_TURNS = "too many turns"
    FEW_TURNS = "few turns"
    MANY_WAYS = "many ways"  # too many turns are best
    FOUND_BY_ALL = "found by all"  # everyone who tried it found it, every time
    TWO_CARDS = "two cards"  # the likeliest action is a build with two cards: one instead of two
    CLOSE = "close"  # no turn is clearly best
    UNCERTAIN = "uncertain"  # other worlds do not confirm that it is
    BETTER_FOUND = "better found"  # somebody who tried it found a turn that is as good
    DUPLICATE = "duplicate"


class Unfit(BrassError):  # noqa: N818 (nobody did anything wrong)
    """A position that does not become a puzzle."""

    def __init__(self, reason: Rejection) -> None:
        super().__init__(reason.value)
        self.reason = reason
