"""Leases: which process plays the bots of a table.

A lease is two columns of the table, taken by one conditional update and kept by the clock of the
database. Who holds it renews it while a bot thinks; when the holder is gone it runs out, and
another takes it. The entry that gives the turn to a person gives the lease back too.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from brassmill.web.models import Table

HOLDER = f"{os.getpid()} {secrets.token_hex(4)}"  # this process, and no other machine's
TERM = timedelta(seconds=8)
RECENT = timedelta(days=7)  # tables at which bots go on by themselves


def take(table_id: str) -> bool:
    """Take the lease of a table, or keep it; False if another process has it."""
    return bool(Table.objects.filter(_free(), pk=table_id).update(**_mine()))


def renew(table_ids: Iterable[str]) -> None:
    """Keep those that this process has."""
    Table.objects.filter(pk__in=table_ids, leased_by=HOLDER, bot_to_move=True).update(**_mine())


def give_back(table_id: str) -> None:
    """Let others take it."""
    Table.objects.filter(pk=table_id, leased_by=HOLDER).update(leased_until=None)


def give_all_back() -> None:
    """Let others take whatever this process has: it stops."""
    Table.objects.filter(leased_by=HOLDER, bot_to_move=True).update(leased_until=None)


def after_entry(bot_to_move: bool) -> dict[str, object]:
    """What an entry changes: when a person is to move, the lease is free."""
    free: dict[str, object] = {} if bot_to_move else {"leased_until": None}
    return {"bot_to_move": bot_to_move, **free}


def forsaken() -> list[str]:
    """Tables where a bot is to move and no other process has the lease."""
    waiting = Table.objects.filter(_free(), bot_to_move=True, touched__gt=Now() - RECENT)
    return list(waiting.values_list("pk", flat=True))


def _free() -> Q:
    return Q(leased_until=None) | Q(leased_until__lt=Now()) | Q(leased_by=HOLDER)


def _mine() -> dict[str, object]:
    return {"leased_by": HOLDER, "leased_until": Now() + TERM}
