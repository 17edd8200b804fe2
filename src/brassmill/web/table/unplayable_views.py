"""The page of a game played with different rules, and what works without replaying it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from brassmill.editions import EDITIONS
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.reports.html import game_title
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Table
from brassmill.web.server.errors import error
from brassmill.web.table import unplayable

TITLE = N_("A game under earlier rules")
WORDS = N_(
    "The rules on this server have changed since this game was played, and replaying it would "
    "no longer lead to the same positions. So it is shown as a record, and nobody can continue "
    "it."
)


def answer(request: HttpRequest, table_id: str, page: str, as_json: bool) -> HttpResponse:
    """The response to any request for such a table."""
    if page == "record":
        game = unplayable.unplayable_of(table_id)
        return as_file(game.table, game.record)
    if as_json:
        return error(request, 409, _(TITLE), _(WORDS))
    if "HX-Request" in request.headers:  # from a page loaded earlier
        return HttpResponse(headers={"HX-Refresh": "true"})
    note = ""
    if page == "leave" and request.method == "POST":
        try:
            unplayable.leave(table_id, _own_seat(request, table_id))
            return redirect("table", table_id)
        except BrassError as refused:
            note = str(refused)
    return _shown(request, table_id, note)


def _own_seat(request: HttpRequest, table_id: str) -> int:
    """The seat that the visitor wants to leave."""
    wanted, key = request.POST.get("seat", ""), visitor(request)
    for seat in Table.objects.get(pk=table_id).seats.all():
        if str(seat.number) == wanted and seat.holder == key:
            return seat.number
    raise BrassError(_("This is not your seat."))


def _shown(request: HttpRequest, table_id: str, note: str) -> HttpResponse:
    game = unplayable.unplayable_of(table_id)
    table, key = game.table, visitor(request)
    info = EDITIONS.get(table.edition)
    context = {
        "headline": _(TITLE),
        "words": _(WORDS),
        "title": game_title(info.title, table.players) if info else table.edition,
        "date": f"{table.began:%Y-%m-%d}",
        "table": table,
        "game": game,
        "can_leave": [
            seat for seat in game.seats if seat.holder == key and not seat.is_bot and not table.over
        ],
        "note": note,
    }
    return render(
        request,
        "table/unplayable.html",
        context,
        status=200 if request.method in ("GET", "HEAD") else 409,
    )


def as_file(table: Table, text: str) -> HttpResponse:
    """The record of a table as a download."""
    return file_named(f"{table.edition}-{table.began:%Y-%m-%d}.brass", text)


def file_named(name: str, text: str) -> HttpResponse:
    """A record as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
