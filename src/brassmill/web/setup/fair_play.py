"""Fair play: who may ask the coach during a game.

Between people hints are off, unless the host allows them for everyone before the game starts. With
the deal of the day, which many play, and in rated games they are always off. Otherwise one person
against bots, and players who share a screen, can always ask.
"""

from __future__ import annotations

from collections.abc import Collection

from brassmill.language import gettext as _
from brassmill.web.models import Seat, Table
from brassmill.web.setup.people import has_guests


def are_hints_allowed(table: Table, seats: Collection[Seat]) -> bool:
    """May the players of a game ask the coach?"""
    return table.day is None and not table.rated and (table.hints or not has_guests(seats))


def hints_words(table: Table, seats: Collection[Seat]) -> str:
    """Whether the coach may be asked where that is not the rule; empty for any other game."""
    if table.day is None and not table.rated and not has_guests(seats):
        return ""
    return _("hints allowed") if are_hints_allowed(table, seats) else _("no hints")
