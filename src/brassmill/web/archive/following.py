"""What visitors follow and bookmark: players, games, and moments of games.

An account can be followed once it has played a public game under its name: nothing else of it is
shown. Everything belongs to a visitor's key, with an account or without one.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Model

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.archive.public import is_followable
from brassmill.web.identity.names import login_of
from brassmill.web.models import (
    Account,
    ArchivedSeat,
    Bookmark,
    FollowedGame,
    FollowedPlayer,
    Table,
)
from brassmill.web.models.archive import LONGEST_NOTE
from brassmill.web.server import database

MOST = 200  # of each kind, per visitor
MOST_OF_SITE = 100_000  # of each kind, of visitors without an account
KEPT = timedelta(days=400)  # without an account: as long as browsers keep a cookie

KINDS: tuple[type[Model], ...] = (FollowedPlayer, FollowedGame, Bookmark)


def account_named(name: str) -> Account | None:
    """The account that plays public games under a name."""
    account = Account.objects.filter(user__username=login_of(name)).first()
    if account is None or not ArchivedSeat.objects.filter(account=account).exists():
        return None
    return account


def follows(visitor: str, account: Account) -> bool:
    """Does a visitor follow an account?"""
    return FollowedPlayer.objects.filter(visitor=visitor, account=account).exists()


def follow_player(visitor: str, name: str) -> None:
    """Follow the account of a name; an error says why not."""
    account = account_named(name)
    if account is None:
        raise BrassError(_("No account of this name has played a public game."))
    _check_room(FollowedPlayer, visitor)
    FollowedPlayer.objects.get_or_create(visitor=visitor, account=account)


def unfollow_player(visitor: str, name: str) -> None:
    FollowedPlayer.objects.filter(visitor=visitor, account__user__username=login_of(name)).delete()


def follow_game(visitor: str, table: Table) -> None:
    """Follow a public game; an error says why not."""
    if not is_followable(table):
        raise BrassError(_("Only public games can be followed."))
    _check_room(FollowedGame, visitor)
    FollowedGame.objects.get_or_create(visitor=visitor, table=table)


def unfollow_game(visitor: str, table_id: str) -> None:
    FollowedGame.objects.filter(visitor=visitor, table=table_id).delete()


def bookmark(visitor: str, table: Table, action: int, note: str) -> None:
    """Bookmark a moment of a finished game, or change its note."""
    if not table.over:
        raise BrassError(_("Only finished games can have bookmarks."))
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE:
        raise BrassError(
            _("This note is too long: use at most {most} characters.").format(most=LONGEST_NOTE)
        )
    known = Bookmark.objects.filter(visitor=visitor, table=table, action=action)
    if not known.exists():
        _check_room(Bookmark, visitor)
    Bookmark.objects.update_or_create(
        visitor=visitor, table=table, action=action, defaults={"note": note}
    )


def remove_bookmark(visitor: str, number: int) -> None:
    Bookmark.objects.filter(visitor=visitor, pk=number).delete()


def _check_room(kind: type[Model], visitor: str) -> None:
    if kind._default_manager.filter(visitor=visitor).count() >= MOST:
        raise BrassError(_("Your list is full: remove something first."))


# --- accounts ------------------------------------------------------------------------------------


def move(old: str, new: str) -> int:
    """Give what one key follows and has bookmarked to another; return how many rows there were."""
    moved = 0
    with transaction.atomic():
        for kind, known in (
            (FollowedPlayer, ("account",)),
            (FollowedGame, ("table",)),
            (Bookmark, ("table", "action")),
        ):
            rows: Any = kind._default_manager
            mine = set(rows.filter(visitor=new).values_list(*known))
            for row in rows.filter(visitor=old):
                moved += 1
                if tuple(getattr(row, _column(row, name)) for name in known) in mine:
                    row.delete()
                else:
                    row.visitor = new
                    row.save(update_fields=["visitor"])
    return moved


def _column(row: Model, name: str) -> str:
    return str(row._meta.get_field(name).attname)  # type: ignore[union-attr]


def erase(visitor: str) -> None:
    """Delete what a visitor follows and has bookmarked."""
    for kind in KINDS:
        kind._default_manager.filter(visitor=visitor).delete()


def forget_old() -> None:
    """Delete what visitors without an account have listed and is old or too much."""
    for kind in KINDS:
        rows = kind._default_manager.exclude(visitor__in=Account.objects.values("key"))
        rows.filter(at__lt=database.now() - KEPT).delete()
        for last in rows.order_by("-pk").values_list("pk", flat=True)[MOST_OF_SITE:][:1]:
            rows.filter(pk__lte=last).delete()


def export(visitor: str) -> dict[str, Any]:
    """Everything that a visitor follows and has bookmarked, as plain data."""
    games = FollowedGame.objects.filter(visitor=visitor).order_by("at")
    bookmarks = Bookmark.objects.filter(visitor=visitor).order_by("at")
    return {
        "players": [
            {"name": one.account.name, "at": one.at.isoformat(timespec="seconds")}
            for one in FollowedPlayer.objects.filter(visitor=visitor)
            .select_related("account")
            .order_by("at")
        ],
        "games": [
            {"game": one.table_id, "at": one.at.isoformat(timespec="seconds")} for one in games
        ],
        "bookmarks": [
            {"game": one.table_id, "action": one.action, "note": one.note}
            | {"at": one.at.isoformat(timespec="seconds")}
            for one in bookmarks
        ],
    }
