"""How a game is played: a page to read before the first turn, or while the rules are prepared."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.editions import EDITIONS
from brassmill.svg.glyphs import MARKS, PATHS
from brassmill.web.lobby.guide import guide as sections_of
from brassmill.web.page.game_list import title_of


@require_safe
def guide(request: HttpRequest, edition: str, as_json: bool = False) -> HttpResponse:
    """How an edition is played."""
    if edition not in EDITIONS:
        raise Http404
    if as_json:
        told = [section._asdict() for section in sections_of(edition)]
        return JsonResponse({"edition": edition, "title": title_of(edition), "sections": told})
    return render(request, "guide.html", context_of(edition))


def context_of(edition: str) -> dict[str, Any]:
    """What the page says, and what the page says that waits for the rules."""
    return {
        "edition": edition,
        "title": title_of(edition),
        "sections": sections_of(edition),
        "signs": PATHS | MARKS,
        "others": [(name, title_of(name)) for name in EDITIONS if name != edition],
    }
