"""The decorator of every page about a game: does the table exist, and can it be played?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from brassmill.web.models import Table
from brassmill.web.server import startup
from brassmill.web.table import bots, sessions, unplayable_views
from brassmill.web.table.session import BrokenLog, TableSession

Page = Callable[..., HttpResponse]


def with_session(page: Page) -> Page:
    """Pass the table's session to a page, and wake its bots."""
    return _with(sessions.get, page)


def for_move(page: Page) -> Page:
    """The same for a move, with a session that may be outdated."""
    return _with(sessions.perhaps_outdated, page)


def _with(find: Callable[[str], TableSession], page: Page) -> Page:
    @wraps(page)
    def answer(request: HttpRequest, table_id: str, **options: Any) -> HttpResponse:
        startup.settle()
        try:
            session = find(table_id)
            response = page(request, session, **options)
            bots.wake(session)
            return response
        except Table.DoesNotExist:
            raise Http404 from None
        except BrokenLog:
            as_json = bool(options.get("as_json"))
            return unplayable_views.answer(request, table_id, page.__name__, as_json)

    return answer


def is_part(request: HttpRequest) -> bool:
    """Does a loaded page request only a part of itself?"""
    return "HX-Request" in request.headers
