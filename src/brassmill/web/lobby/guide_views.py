"""How to play: a page to read before the first turn, or while the rules compile."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.editions import EDITIONS
from brassmill.editions import edition as edition_of
from brassmill.web.page.game_list import title_of
from brassmill.web.page.guide import guide as sections_of
from brassmill.web.page.guide import guide_context
from brassmill.web.page.key import key_context


@require_safe
def guide(request: HttpRequest, edition: str, as_json: bool = False) -> HttpResponse:
    """Show how an edition is played."""
    if edition not in EDITIONS:
        raise Http404
    if as_json:
        told = [section._asdict() for section in sections_of(edition)]
        return JsonResponse({"edition": edition, "title": title_of(edition), "sections": told})
    context = guide_context(edition) | key_context(edition_of(edition))
    return render(request, "lobby/guide.html", context)
