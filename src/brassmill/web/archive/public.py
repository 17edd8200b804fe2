"""Which games are public: the only place that decides it.

A game is public once it was in the lobby, where everybody could see it (`Table.listed`), has been
played from its deal to its end and has a result. Never public are

- games by link only, and those a visitor plays alone: only who knows the address can see them;
- running games, and games that an operator ended without a result;
- games that continue another one or a position: they show less than a whole game;
- games with the deal of a day that is not over yet;
- games of a tournament round whose tables share a deal, until the last of them is over.

Whatever else may hold a game back belongs here, in both functions.
"""

from __future__ import annotations

from django.db.models import Q

from brassmill.web.models import Table
from brassmill.web.setup import deal_of_the_day


def finished() -> Q:
    """Tables that may be public: a condition for queries, which `is_public` decides."""
    of_the_past = Q(day__isnull=True) | Q(day__lt=deal_of_the_day.today())
    return Q(over=True, listed=True, begun_at=0, held=False) & of_the_past


def is_public(table: Table) -> bool:
    """May everybody find this finished game?"""
    if not (table.over and table.listed) or table.begun_at or table.held:
        return False
    if table.day is not None and not deal_of_the_day.is_over(table.day):
        return False
    return bool(table.summary.get("result")) and not table.summary.get("void")


def is_followable(table: Table) -> bool:
    """May everybody follow this game? Running games in the lobby, and public finished ones."""
    if table.over:
        return is_public(table)
    return table.listed and not (table.gathering or table.held) and table.day is None
