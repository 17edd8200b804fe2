"""Leases: which process plays the bots of a table.

A lease is two columns of the table, taken by one conditional update and timed by the database
clock. The holder renews it while a bot thinks. If the holder dies, the lease expires and another
process takes it. The entry that makes it a person's turn also releases the lease.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.functions import Now

from brassmill.web.models import Seat, Table

HOLDER = f"{os.getpid()} {secrets.token_hex(4)}"  # this process, unique across machines
TERM = timedelta(seconds=8)
RECENT = timedelta(days=7)  # in older games bots wait until someone opens the table


def take(table_id: str, is_watched: bool = False) -> bool:
    """Take or keep the lease of a table; False if another process has it, or its bots wait."""
    rows = Table.objects.filter(free(), pk=table_id)
    return bool((rows if is_watched else rows.filter(_plays_on())).update(**mine()))


def renew(table_ids: Iterable[str]) -> None:
    """Renew the leases of this process."""
    Table.objects.filter(pk__in=table_ids, leased_by=HOLDER, bot_to_move=True).update(**mine())


def give_back(table_id: str) -> None:
    """Release the lease of a table."""
    Table.objects.filter(pk=table_id, leased_by=HOLDER).update(leased_until=None)


def give_all_back() -> None:
    """Release all leases of this process, which is stopping."""
    Table.objects.filter(leased_by=HOLDER, bot_to_move=True).update(leased_until=None)


def after_entry(bot_to_move: bool) -> dict[str, object]:
    """The columns an entry changes: the lease is released when a person is to move."""
    free: dict[str, object] = {} if bot_to_move else {"leased_until": None}
    return {"bot_to_move": bot_to_move, **free}


def forsaken(watched: Iterable[str] = ()) -> list[str]:
    """Tables where a bot is to move and no other process holds the lease."""
    waiting = Table.objects.filter(free(), bot_to_move=True, touched__gt=Now() - RECENT)
    wanted = waiting.filter(_plays_on() | Q(pk__in=watched))
    return list(wanted.values_list("pk", flat=True))


def free() -> Q:
    """No other process holds it; one that ends too late is from before the clock was set back."""
    expired = Q(leased_until__lt=Now()) | Q(leased_until__gt=Now() + 2 * TERM)
    return Q(leased_until=None) | expired | Q(leased_by=HOLDER)


def _plays_on() -> Q:
    """Tables where bots play though nobody watches.

    Someone plays there, or it was begun by several people, or it is rated: then the game is played
    to its end for those who have left.
    """
    seats = Seat.objects.filter(table=OuterRef("pk")).order_by()
    people = seats.filter(first_bot="").values("table").annotate(number=Count("pk"))
    begun = Q(Exists(people.filter(number__gt=1)))
    return Q(Exists(seats.filter(bot=""))) | begun | Q(rated=True)


def mine() -> dict[str, object]:
    """The columns of a lease that this process takes or keeps."""
    return {"leased_by": HOLDER, "leased_until": Now() + TERM}
