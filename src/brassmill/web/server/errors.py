"""Error pages, as JSON for JSON addresses."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from brassmill.language import N_
from brassmill.language import gettext as _

BLOCKED = (
    N_("You are blocked"),
    N_(
        "The operator of this server has blocked you from starting or joining games and from "
        "chatting. Your running games continue."
    ),
)
ERRORS = {
    400: (
        N_("This cannot be read"),
        N_("Something in it cannot be stored. Nothing was changed."),
    ),
    403: (
        N_("This request did not come from one of our pages"),
        N_(
            "The page may be old, or cookies are turned off. Go back, reload the page and try "
            "again."
        ),
    ),
    404: (
        N_("Page not found"),
        N_("The address may be mistyped, or the host has deleted the game."),
    ),
    429: (
        N_("Too many requests"),
        N_("Nothing was changed. Wait a moment, then try again."),
    ),
    500: (
        N_("Something went wrong"),
        N_("This is our fault. Your game is safe: every click was saved. Reload the page."),
    ),
    503: (
        N_("The games cannot be reached right now"),
        N_("Nothing is lost. Reload the page in a moment to see where the game stands."),
    ),
}


def error(
    request: HttpRequest, status: int, heading: str, words: str, way_on: tuple[str, str] = ("", "")
) -> HttpResponse:
    """An error page; the way on is the address of a page that helps, and its name."""
    if request.path.endswith(".json"):
        return JsonResponse({"error": heading, "words": words}, status=status)
    context = {"status": status, "heading": heading, "words": words, "way_on": way_on}
    response = render(request, "server/error.html", context, status=status)
    response["HX-Reswap"] = "none ignoreTitle:true"  # never put it into another page
    return response


def unstorable(request: HttpRequest) -> HttpResponse:
    """400: something that cannot be stored."""
    return _usual(request, 400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form did not come from one of our pages."""
    return _usual(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: no such page."""
    return _usual(request, 404)


def too_often(request: HttpRequest) -> HttpResponse:
    """429: too many requests."""
    return _usual(request, 429)


def blocked(request: HttpRequest) -> HttpResponse:
    """403: the visitor is blocked."""
    heading, words = BLOCKED
    return error(request, 403, _(heading), _(words))


def server_error(request: HttpRequest) -> HttpResponse:
    """500: a fault of ours."""
    return _usual(request, 500)


def unavailable(request: HttpRequest) -> HttpResponse:
    """503: the database is not responding."""
    response = _usual(request, 503)
    response["Retry-After"] = "5"
    return response


def _usual(request: HttpRequest, status: int) -> HttpResponse:
    heading, words = ERRORS[status]
    return error(request, status, _(heading), _(words))
