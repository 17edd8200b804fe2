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

from django.db.models import Q
from django.db.models.functions import Now

from brassmill.web.models import Table

HOLDER = f"{os.getpid()} {secrets.token_hex(4)}"  # this process, unique across machines
TERM = timedelta(seconds=8)
RECENT = timedelta(days=7)  # in older games bots wait until someone opens the table


def take(table_id: str) -> bool:
    """Take or keep the lease of a table; False if another process has it."""
    return bool(Table.objects.filter(_free(), pk=table_id).update(**_mine()))


def renew(table_ids: Iterable[str]) -> None:
    """Renew the leases of this process."""
    Table.objects.filter(pk__in=table_ids, leased_by=HOLDER, bot_to_move=True).update(**_mine())


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


def forsaken() -> list[str]:
    """Tables where a bot is to move and no other process holds the lease."""
    waiting = Table.objects.filter(_free(), bot_to_move=True, touched__gt=Now() - RECENT)
    return list(waiting.values_list("pk", flat=True))


def _free() -> Q:
    return Q(leased_until=None) | Q(leased_until__lt=Now()) | Q(leased_by=HOLDER)


def _mine() -> dict[str, object]:
    return {"leased_by": HOLDER, "leased_until": Now() + TERM}
