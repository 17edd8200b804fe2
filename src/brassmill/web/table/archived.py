"""What the archive knows of a table, kept up to date with it (`web/archive`).

A game that goes on after its end, or is ended without a result, leaves the archive at once. The
thread that fills it looks at it again (`archive/filling.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from brassmill.web.identity.names import login_of
from brassmill.web.models import Account, ArchivedGame, ArchivedSeat, Seat
from brassmill.web.models.archive import LONGEST_PLAYER

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

AT_A_TIME = 500  # tables


def after_entry(session: TableSession, was_over: bool) -> dict[str, Any]:
    """What changes in the row of a table with an entry."""
    if not (was_over or session.over):
        return {}
    remove(session.table.id)
    return {"archived": False}


def remove(table_id: str) -> None:
    """Take a game out of the archive."""
    ArchivedGame.objects.filter(table=table_id).delete()


# --- seats ---------------------------------------------------------------------------------------


def seat_rows(game: ArchivedGame, seats: Sequence[Seat]) -> list[ArchivedSeat]:
    """The rows for the seats of a game."""
    accounts = accounts_of(seats)
    return [
        ArchivedSeat(
            game=game,
            number=seat.number,
            finished=game.finished,
            player=player_of(seat),
            account=account_of(seat, accounts),
        )
        for seat in seats
    ]


def reread_seats(table_ids: Sequence[str]) -> None:
    """Take over names and accounts after the seats of these tables have changed."""
    rows = ArchivedSeat.objects.filter(game__table__in=table_ids).select_related("game")
    archived = {(row.game.table_id, row.number): row for row in rows}
    if not archived:
        return
    seats = list(Seat.objects.filter(table__in=table_ids))
    accounts = accounts_of(seats)
    changed = []
    for seat in seats:
        row = archived.get((seat.table_id, seat.number))
        account = account_of(seat, accounts)
        if row and (row.player, row.account_id) != (player_of(seat), account and account.pk):
            row.player, row.account = player_of(seat), account
            changed.append(row)
    ArchivedSeat.objects.bulk_update(changed, ["player", "account"])


def reread_seats_of(account: Account) -> None:
    """The same after an account has got another name."""
    tables = ArchivedGame.objects.filter(table__seats__holder=account.key)
    table_ids = sorted(tables.values_list("table", flat=True).distinct())
    for start in range(0, len(table_ids), AT_A_TIME):
        reread_seats(table_ids[start : start + AT_A_TIME])


def player_of(seat: Seat) -> str | None:
    """The player of a seat as searches know them; nobody for a bot."""
    return None if seat.first_bot else login_of(seat.name)[:LONGEST_PLAYER] or None


def accounts_of(seats: Sequence[Seat]) -> Mapping[str, Account]:
    """The accounts that hold some seats, by key."""
    keys = {seat.holder for seat in seats if seat.holder}
    return {each.key: each for each in Account.objects.filter(key__in=keys).select_related("user")}


def account_of(seat: Seat, accounts: Mapping[str, Account]) -> Account | None:
    """The account that sits there under its own name; another name says that they hide it."""
    account = accounts.get(seat.holder)
    return account if account and account.user.username == login_of(seat.name) else None
