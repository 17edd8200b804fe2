"""The pages of the rules, and the player aids to print."""

from __future__ import annotations

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from brassmill.core.events import ERAS
from brassmill.editions import EDITIONS
from brassmill.editions import edition as edition_of
from brassmill.language import language
from brassmill.rulebook.aid import aid, aid_pdf
from brassmill.svg.detail import ground_picture
from brassmill.web.rulebook.pages import game_context, game_data, index_context
from brassmill.web.server.style import THEME, chosen_theme

DAY = 24 * 3600
MEDIA_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf"}


def known(edition: str) -> str:
    """An edition that exists."""
    if edition not in EDITIONS:
        raise Http404
    return edition


@require_safe
def rulebook(request: HttpRequest) -> HttpResponse:
    """Show the three games side by side."""
    return render(request, "rulebook/index.html", index_context())


@require_safe
def rules_of(request: HttpRequest, edition: str, as_json: bool = False) -> HttpResponse:
    """Show the rules of a game."""
    if as_json:
        return JsonResponse(game_data(known(edition)))
    theme = chosen_theme(request.COOKIES.get(THEME))
    return render(request, "rulebook/game.html", game_context(known(edition), theme))


@require_safe
def ground(request: HttpRequest, edition: str, era: str) -> HttpResponse:
    """Return the background of the maps in the examples; the browser may cache it."""
    if era not in ERAS:
        raise Http404
    theme = chosen_theme(request.GET.get("theme")) or "auto"
    drawn = ground_picture(edition_of(known(edition)), era, theme)
    response = HttpResponse(drawn, content_type=MEDIA_TYPES["svg"])
    patch_cache_control(response, private=True, max_age=DAY)
    return response


@require_safe
def guide(request: HttpRequest, edition: str, as_json: bool = False) -> HttpResponse:
    """Lead to the rules from where the short guide used to be."""
    page = "rules_of_json" if as_json else "rules_of"
    return HttpResponseRedirect(reverse(page, args=[known(edition)]))


@require_safe
def player_aid(request: HttpRequest, edition: str, kind: str) -> HttpResponse:
    """Return the player aid of a game in the language of the page, to look at or to print."""
    box = known(edition)
    made = aid(box, language()).encode() if kind == "svg" else aid_pdf(box, language())
    response = HttpResponse(made, content_type=MEDIA_TYPES[kind])
    name = f"brassmill-{edition}-{language()}.{kind}"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    patch_cache_control(response, private=True, max_age=DAY)
    return response
