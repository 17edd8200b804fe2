"""Rated or casual: the host chooses, and everyone sees it before they take a seat."""

from __future__ import annotations

from collections.abc import Collection

from brassmill.language import gettext as _
from brassmill.web.models import Account, Seat, Table
from brassmill.web.setup.people import has_guests


def rated_words(table: Table, seats: Collection[Seat]) -> str:
    """Whether a game is rated, in words; empty for a game alone that is not."""
    if table.rated:
        return _("rated")
    return _("casual") if has_guests(seats) else ""


def is_account(key: str) -> bool:
    """Does a visitor play with an account?"""
    return bool(key) and Account.objects.filter(key=key).exists()


def has_unfinished(key: str) -> bool:
    """Is a visitor in the middle of a rated game alone against bots?

    One at a time: otherwise nobody would finish those they are losing.
    """
    tables = Table.objects.filter(host=key, rated=True, over=False, gathering=False)
    return any(
        not table.summary.get("conceded") and not has_guests(table.seats.all())
        for table in tables.prefetch_related("seats")
    )


def must_end(table: Table) -> bool:
    """Is it a rated game that cannot be deleted, because its result will count?"""
    return table.rated and not table.gathering and not table.over
