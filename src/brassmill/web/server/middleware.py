"""Middleware for every page: language, cookies, compression, caching, database failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from brassmill.language import LANGUAGES, speaking
from brassmill.web.server.database import TROUBLE
from brassmill.web.server.errors import unavailable, unstorable

COOKIE = "language"

View = Callable[[HttpRequest], HttpResponseBase]


def language(get_response: View) -> View:
    """Answer a request in the visitor's language."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        code = language_of(request)
        with speaking(code):
            response = get_response(request)
        response.headers.setdefault("Content-Language", code)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return answer


def language_of(request: HttpRequest) -> str:
    """The language chosen on a page, or else the browser's."""
    chosen = request.COOKIES.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    wishes = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    return next((code[:2] for code, _weight in wishes if code[:2] in LANGUAGES), "en")


def private(get_response: View) -> View:
    """Keep pages out of every cache: the next person at this browser may be someone else."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer


class Patient:
    """Answer 503 when the database is not responding: nothing was changed."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, TROUBLE):
            return None
        return unavailable(request)


class Storable:
    """Refuse the character with the number 0: PostgreSQL stores it nowhere, and nobody types it."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        return unstorable(request) if _has_zero(request.GET) or _has_zero(request.POST) else None


def _has_zero(sent: QueryDict) -> bool:
    return any("\0" in name or any("\0" in word for word in sent.getlist(name)) for name in sent)


class Compressed(GZipMiddleware):
    """Compress everything but event streams, which it would hold back."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.headers.get("Content-Type") == "text/event-stream":
            return response
        return super().process_response(request, response)
