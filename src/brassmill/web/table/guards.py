"""The decorator of every page about a game: does it exist, may it be seen, can it be played?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from brassmill.language import gettext as _
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Seat, Table
from brassmill.web.server import startup
from brassmill.web.server.errors import error
from brassmill.web.setup.membership import may_enter
from brassmill.web.setup.secrecy import may_see
from brassmill.web.table import bots, sessions, unplayable_views
from brassmill.web.table.session import BrokenLog, TableSession

Page = Callable[..., HttpResponse]


def with_session(page: Page) -> Page:
    """Pass the table's session to a page, and wake its bots."""
    return _with(sessions.get, page)


def with_record(page: Page) -> Page:
    """The same for what hands out the game: its replay, its record, its position.

    Not even its own players get that while other tables may still play its deal.
    """

    @wraps(page)
    def answer(request: HttpRequest, session: TableSession, **options: Any) -> HttpResponse:
        if session.table.held:
            return still_secret(request, session.table)
        return page(request, session, **options)

    return with_session(answer)


def for_move(page: Page) -> Page:
    """The same for a move, with a session that may be outdated."""
    return _with(sessions.perhaps_outdated, page)


def _with(find: Callable[[str], TableSession], page: Page) -> Page:
    @wraps(page)
    def answer(request: HttpRequest, table_id: str, **options: Any) -> HttpResponse:
        startup.settle()
        try:
            session = find(table_id)
            if refused := _refused(request, session.table, session.seats):
                return refused
            response = page(request, session, **options)
            bots.wake(session)
            return response
        except Table.DoesNotExist:
            raise Http404 from None
        except BrokenLog:
            table = Table.objects.get(pk=table_id)
            if refused := _refused(request, table, list(table.seats.all())):
                return refused
            if table.held:
                return still_secret(request, table)
            as_json = bool(options.get("as_json"))
            return unplayable_views.answer(request, table_id, page.__name__, as_json)

    return answer


def _refused(request: HttpRequest, table: Table, seats: Sequence[Seat]) -> HttpResponse | None:
    """The answer to someone who may not see a table; that of a club does not exist for them."""
    if not may_enter(table, seats, visitor(request)):
        raise Http404
    return None if may_see(table, seats, visitor(request)) else still_secret(request, table)


def still_secret(request: HttpRequest, table: Table) -> HttpResponse:
    """Refuse to show a table while others may still play its deal."""
    if table.held:
        words = _(
            "All tables of this round play the same deal. The game can be seen when the last of "
            "them is over."
        )
        return error(request, 403, _("Not until the round is over"), words)
    words = _(
        "This game has the deal of the day. Play it yourself first, or come back when the day is "
        "over, at 00:00 UTC."
    )
    way_on = reverse("daily"), _("Today's deal")
    return error(request, 403, _("Not until you have played"), words, way_on)


def is_part(request: HttpRequest) -> bool:
    """Does a loaded page request only a part of itself?"""
    return "HX-Request" in request.headers
