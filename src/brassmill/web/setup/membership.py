"""Tables of clubs: only members see them, and who has a seat there."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from brassmill.web.models import Club, Member, Seat, Table
from brassmill.web.setup import secrecy


def clubs_of(key: str) -> QuerySet[Club]:
    """The clubs of a visitor's account."""
    return Club.objects.filter(members__account__key=key, closed=None).order_by("name", "pk")


def is_member(club_id: str, key: str) -> bool:
    """Is a visitor a member of a club?"""
    return bool(key) and Member.objects.filter(club=club_id, account__key=key).exists()


def may_enter(table: Table, seats: Iterable[Seat], key: str) -> bool:
    """May a visitor know of this table? One of a club is only for members and its own players."""
    if not table.club_id or (key and any(seat.holder == key for seat in seats)):
        return True
    return is_member(table.club_id, key)


def may_see(table: Table, seats: Iterable[Seat], key: str) -> bool:
    """May a visitor see a table: as one of its club, and of those who may know its deal?"""
    rows = list(seats)
    return may_enter(table, rows, key) and secrecy.may_see(table, rows, key)
