"""The installable app.

Its service worker shows push messages. It keeps the offline page and what that page needs, and
nothing else: a table always comes from the server.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static as plain
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from brassmill.language import LANGUAGES, speaking
from brassmill.language import gettext as _
from brassmill.language import language as language_now
from brassmill.svg.app_icon import app_icon, badge
from brassmill.svg.theme import PALETTES
from brassmill.web.page.templating import static
from brassmill.web.server.style import chosen_theme

MANIFEST = "application/manifest+json"
SCRIPT = "text/javascript; charset=utf-8"
DAY = 24 * 3600
ICONS = {"180": 180, "192": 192, "512": 512}
MASKABLE = {"maskable-192": 192, "maskable-512": 512}
BADGES = {"badge-96": 96}
STYLES = ("web/base.css", "web/home.css")
PICTURES = ("web/favicon.svg", "web/fonts/besley-700-normal.woff2")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The description of the app, in the visitor's language."""
    home, paper = reverse("home"), PALETTES["light"]["paper"]
    found = {
        "id": home,
        "name": "Brassmill",
        "short_name": "Brassmill",
        "description": _("Brass on your own table: against friends, bots or the coach."),
        "lang": language_now(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": paper,
        "theme_color": paper,
        "categories": ["games"],
        "icons": [
            *(_icon(name, width, "any") for name, width in ICONS.items()),
            *(_icon(name, width, "maskable") for name, width in MASKABLE.items()),
        ],
        "shortcuts": [
            {"name": words, "url": reverse(name)}
            for name, words in (
                ("lobby", _("Lobby")),
                ("daily", _("Deal of the day")),
                ("puzzles", _("Puzzles")),
            )
        ],
    }
    return HttpResponse(json.dumps(found, ensure_ascii=False), content_type=MANIFEST)


def _icon(name: str, width: int, purpose: str) -> dict[str, str]:
    return {
        "src": reverse("app_icon", args=[name]),
        "sizes": f"{width}x{width}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_safe
def icon(request: HttpRequest, name: str) -> HttpResponse:
    """An icon of the app."""
    if name not in ICONS | MASKABLE | BADGES:
        raise Http404
    response = HttpResponse(_drawn(name), content_type="image/png")
    response["Cache-Control"] = f"public, max-age={DAY}"
    return response


@cache
def _drawn(name: str) -> bytes:
    if name in BADGES:
        return badge(BADGES[name])
    if name in MASKABLE:
        return app_icon(MASKABLE[name], is_maskable=True)
    return app_icon(ICONS[name])


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker for a language and a theme: another one is another script."""
    code, theme = _language(request), chosen_theme(request.GET.get("theme"))
    setup = _setup(code, theme)
    response = render(request, "app/worker.js", {"setup": setup}, content_type=SCRIPT)
    response["Cache-Control"] = "no-cache"  # browsers look for a new one every day
    return response


@cache
def _setup(code: str, theme: str) -> dict[str, object]:
    """What the worker keeps, under a name that changes with it."""
    files = [static(name) for name in (*STYLES, *PICTURES)]
    kept = [reverse("brass_css"), plain("web/offline.js"), *files]
    page = f"{reverse('offline')}?{urlencode({'language': code, 'theme': theme})}"
    version = sha256(json.dumps([page, *kept]).encode()).hexdigest()[:12]
    return {
        "page": page,
        "kept": kept,
        "name": f"offline-{version}",
        "icon": reverse("app_icon", args=["192"]),
        "badge": reverse("app_icon", args=["badge-96"]),
    }


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker shows when the server cannot be reached."""
    theme = chosen_theme(request.GET.get("theme")) or "auto"
    with speaking(_language(request)):
        return render(request, "app/offline.html", {"theme": theme})


def _language(request: HttpRequest) -> str:
    code = request.GET.get("language", "")
    return code if code in LANGUAGES else language_now()
