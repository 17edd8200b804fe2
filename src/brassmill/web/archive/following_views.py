"""Following players and games, and bookmarks."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.archive import following as followed
from brassmill.web.archive.page import ArchivedRow, rows_of, tables_in
from brassmill.web.archive.public import is_followable
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import ArchivedSeat, Bookmark, FollowedGame, FollowedPlayer, Table
from brassmill.web.page.game_list import ListedGame, listed, title_of
from brassmill.web.server import database
from brassmill.web.server.errors import error, too_often
from brassmill.web.setup.membership import may_see

LATEST = 3  # games of each player
LONGEST_NUMBER = 9  # digits
MOST_ACTIONS = 999  # more than any game has


@dataclass(frozen=True)
class Followed:
    """A player who is followed, with their latest games."""

    name: str
    latest: tuple[ArchivedRow, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "latest": [row.as_dict() for row in self.latest]}


@dataclass(frozen=True)
class ShownBookmark:
    """A bookmark of the visitor."""

    number: int
    table: str
    title: str
    names: str
    action: int
    note: str
    is_over: bool  # otherwise the game goes on, and there is no replay to show it in


@require_safe
def following(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """The players and games that a visitor follows, and their bookmarks."""
    if not rate_limit.is_allowed(request, rate_limit.LONG_PAGES):
        return too_often(request)
    key = visitor(request)
    players = _players(key)
    running, ended = _games(key)
    bookmarks = _bookmarks(key)
    if as_json:
        return JsonResponse(
            {
                "players": [one.as_dict() for one in players],
                "running": [game.as_dict() for game in running],
                "finished": [row.as_dict() for row in ended],
                "bookmarks": [asdict(one) for one in bookmarks],
            }
        )
    context = {"players": players, "running": running, "ended": ended, "bookmarks": bookmarks}
    return render(request, "archive/following.html", context)


def _players(key: str) -> list[Followed]:
    rows = FollowedPlayer.objects.filter(visitor=key).select_related("account")
    latest: dict[str, list[int]] = {}
    for row in sorted(rows, key=lambda row: row.account.name.casefold()):
        seats = ArchivedSeat.objects.filter(account=row.account).order_by("-finished", "-game")
        latest[row.account.name] = list(seats.values_list("game", flat=True)[:LATEST])
    wanted = {number for numbers in latest.values() for number in numbers}
    games = {row.number: row for row in rows_of(sorted(wanted))}
    return [
        Followed(name, tuple(games[number] for number in numbers if number in games))
        for name, numbers in latest.items()
    ]


def _games(key: str) -> tuple[list[ListedGame], list[ArchivedRow]]:
    """Running and finished ones; those that are no longer public are left out."""
    rows = FollowedGame.objects.filter(visitor=key).order_by("-at")
    tables = Table.objects.filter(pk__in=rows.values("table")).prefetch_related(
        "seats", "sequel__seats"
    )
    shown = {table.pk: table for table in tables if is_followable(table)}
    order = [number for number in rows.values_list("table", flat=True) if number in shown]
    ended = tables_in(shown[number] for number in order)
    now = database.now()
    running = [listed(shown[number], key, now) for number in order if not shown[number].over]
    return running, [ended[number] for number in order if number in ended]


def _bookmarks(key: str) -> list[ShownBookmark]:
    rows = Bookmark.objects.filter(visitor=key).select_related("table").order_by("-at")
    return [
        ShownBookmark(
            number=row.pk,
            table=row.table_id,
            title=title_of(row.table.edition),
            names=", ".join(seat.name for seat in row.table.seats.all()),
            action=row.action,
            note=row.note,
            is_over=row.table.over,
        )
        for row in rows.prefetch_related("table__seats")
    ]


# --- changes -------------------------------------------------------------------------------------


@require_POST
def follow_player(request: HttpRequest) -> HttpResponse:
    """Follow a player, or no longer."""
    if not rate_limit.is_allowed(request, rate_limit.FOLLOWING):
        return too_often(request)
    name = request.POST.get("name", "")
    if request.POST.get("stop"):
        followed.unfollow_player(visitor(request), name)
        return redirect("following")
    try:
        followed.follow_player(visitor(request), name)
    except BrassError as fault:
        return _refused(request, fault)
    return redirect("following")


@require_POST
def follow_game(request: HttpRequest, table_id: str) -> HttpResponse:
    """Follow a public game, or no longer."""
    if not rate_limit.is_allowed(request, rate_limit.FOLLOWING):
        return too_often(request)
    if request.POST.get("stop"):
        followed.unfollow_game(visitor(request), table_id)
        return redirect("following")
    try:
        followed.follow_game(visitor(request), _table(request, table_id))
    except BrassError as fault:
        return _refused(request, fault)
    return redirect("following")


@require_POST
def bookmark(request: HttpRequest, table_id: str) -> HttpResponse:
    """Bookmark a moment of a finished game."""
    if not rate_limit.is_allowed(request, rate_limit.FOLLOWING):
        return too_often(request)
    table = _table(request, table_id)
    action = _number(request.POST.get("at", ""))
    if action > MOST_ACTIONS:
        raise Http404
    try:
        followed.bookmark(visitor(request), table, action, request.POST.get("note", ""))
    except BrassError as fault:
        return _refused(request, fault)
    return redirect(f"{reverse('following')}#bookmarks")


@require_POST
def remove_bookmark(request: HttpRequest) -> HttpResponse:
    """Remove a bookmark."""
    followed.remove_bookmark(visitor(request), _number(request.POST.get("number", "")))
    return redirect(f"{reverse('following')}#bookmarks")


def _table(request: HttpRequest, table_id: str) -> Table:
    """A table that the visitor may see."""
    table = Table.objects.filter(pk=table_id).prefetch_related("seats").first()
    if table is None or not may_see(table, table.seats.all(), visitor(request)):
        raise Http404
    return table


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise Http404
    return int(text)


def _refused(request: HttpRequest, fault: BrassError) -> HttpResponse:
    way_on = reverse("following"), _("What you follow")
    return error(request, 409, _("That is not possible"), str(fault), way_on)
