"""Mark an account as a program's. It stays one: a program moves no ladder of people."""

from __future__ import annotations

from django.db import transaction

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.models import Account, Seat, Table, TournamentPlayer
from brassmill.web.table import sessions


def mark(account: Account) -> None:
    """Mark an account as a program's, and the seats that it holds in running games."""
    with transaction.atomic():
        seats = Seat.objects.filter(holder=account.key, table__over=False)
        if seats.filter(table__rated=True).exists():
            raise BrassError(_("First finish your rated games, or concede them."))
        entered = TournamentPlayer.objects.filter(account=account, is_out=False)
        if entered.filter(tournament__ended=None).exists():
            raise BrassError(_("First leave your tournaments."))
        running = sorted(set(seats.values_list("table", flat=True)))
        list(Table.objects.select_for_update().filter(pk__in=running).order_by("pk"))
        seats.update(program=True)
        Account.objects.filter(pk=account.pk).update(program=True)
        sessions.changed(*running)
    account.program = True
