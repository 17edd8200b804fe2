"""Fair play: who may ask the coach during a game.

Between people hints are off, unless the host allows them for everyone before the game starts. One
person against bots, and players who share a screen, can always ask.
"""

from __future__ import annotations

from collections.abc import Iterable

from brassmill.language import gettext as _
from brassmill.web.models import Seat, Table


def is_between_people(seats: Iterable[Seat]) -> bool:
    """Is a seat for someone with a screen of their own?

    A seat that its player moves to another device is not: it may still be the same person.
    """
    return any(seat.is_for_guest for seat in seats)


def are_hints_allowed(table: Table, seats: Iterable[Seat]) -> bool:
    """May the players of a game ask the coach?"""
    return table.hints or not is_between_people(seats)


def hints_words(table: Table, seats: Iterable[Seat]) -> str:
    """Whether the coach may be asked in a game between people; empty for any other game."""
    if not is_between_people(seats):
        return ""
    return _("hints allowed") if table.hints else _("no hints")
