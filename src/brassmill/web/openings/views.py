"""The page of the opening explorer."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.web.identity import rate_limit
from brassmill.web.openings.page import context_of, data_of, query_of
from brassmill.web.server import startup
from brassmill.web.server.errors import too_often
from brassmill.web.server.style import THEME, chosen_theme


@require_safe
def openings(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """The moves after a line, and how the games went on."""
    if not rate_limit.is_allowed(request, rate_limit.LONG_PAGES):
        return too_often(request)
    startup.settle()
    query = query_of(request.GET.dict())
    if as_json:
        return JsonResponse(data_of(query))
    theme = chosen_theme(request.COOKIES.get(THEME))
    return render(request, "openings/openings.html", context_of(query, theme))
