"""Decorators for every page about a game: are the rules loaded, and does the table exist?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from brassmill.editions import EDITIONS
from brassmill.web.models import Table
from brassmill.web.page.guide import guide_context
from brassmill.web.server import startup
from brassmill.web.table import bots, sessions, unplayable_views
from brassmill.web.table.session import BrokenLog

Page = Callable[..., HttpResponse]


def when_ready(page: Page) -> Page:
    """Guard a page that needs the rules: until they are compiled, show the progress instead."""

    @wraps(page)
    def answer(request: HttpRequest, **options: Any) -> HttpResponse:
        if startup.is_ready():
            return page(request, **options)
        return waiting(request, **options)

    return answer


def with_session(page: Page) -> Page:
    """Pass the table's session to a page, and wake its bots."""

    @when_ready
    @wraps(page)
    def answer(request: HttpRequest, table_id: str, **options: Any) -> HttpResponse:
        try:
            session = sessions.get(table_id)
            response = page(request, session, **options)
            bots.wake(session)
            return response
        except Table.DoesNotExist:
            raise Http404 from None
        except BrokenLog:
            as_json = bool(options.get("as_json"))
            return unplayable_views.answer(request, table_id, page.__name__, as_json)

    return answer


def waiting(
    request: HttpRequest, table_id: str = "", as_json: bool = False, **_options: Any
) -> HttpResponse:
    """The page shown until the rules are loaded; it reloads itself."""
    progress = startup.progress()
    if as_json:
        return JsonResponse({"progress": progress._asdict()}, status=503)
    if is_part(request):  # of a page loaded before the server restarted
        return HttpResponse(headers={"HX-Refresh": "true"})
    table = get_object_or_404(Table, pk=table_id) if table_id else None
    context = {"progress": progress, "sections": []}
    if table and table.edition in EDITIONS:
        context |= guide_context(table.edition)
    # A post was not carried out: a redirect to the table would suggest that it was.
    sent = request.method == "POST"
    response = render(request, "table/rules_loading.html", context, status=503 if sent else 200)
    address = request.get_full_path()
    if sent:
        address = reverse("table", args=[table_id]) if table_id else reverse("home")
    response["Refresh"] = f"2; url={address}"
    return response


def is_part(request: HttpRequest) -> bool:
    """Does a loaded page request only a part of itself?"""
    return "HX-Request" in request.headers
