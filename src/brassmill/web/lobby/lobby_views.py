"""The lobby page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.web.identity.visitor import visitor
from brassmill.web.lobby.lobby import lobby_tables


@require_safe
def lobby(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """Show tables with free seats, and games to watch."""
    waiting, running = lobby_tables(visitor(request))
    if as_json:
        data = {"waiting": waiting, "running": running}
        return JsonResponse({kind: [each.as_dict() for each in data[kind]] for kind in data})
    return render(request, "lobby/lobby.html", {"waiting": waiting, "running": running})
