"""Who may see a game at all: the one place that decides it, for every page about a table.

Most tables can be watched by anyone who knows the address. Not so while others may still play the
same cards: with the deal of the day (`deal_of_the_day.py`), and at tables of a tournament round
that share a deal. Such a table is `held` until the last one of its round is over. Until then its
players see it while they play, and nobody once it is over: its cards, its record and its chat are
what the other tables must not know.
"""

from __future__ import annotations

from collections.abc import Iterable

from brassmill.web.models import Seat, Table
from brassmill.web.setup import deal_of_the_day


def may_see(table: Table, seats: Iterable[Seat], key: str) -> bool:
    """May a visitor see anything of a table?"""
    if table.held:
        return not table.over and any(key and seat.holder == key for seat in seats)
    return deal_of_the_day.may_see(table, seats, key)
