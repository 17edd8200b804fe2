"""How the server is: for whoever runs it, and the programs that watch it."""

from __future__ import annotations

import logging
import os
from hmac import compare_digest
from ipaddress import ip_address

from django.db import DatabaseError, InterfaceError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from brassmill.web.server import metrics, startup

log = logging.getLogger("brassmill.web")

TOKEN = "BRASSMILL_METRICS_TOKEN"


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 if games can be played; else 503, and why not."""
    faults = {"database": _database(), "rules": _rules()}
    answer = {name: fault or "ready" for name, fault in faults.items()}
    return JsonResponse(answer, status=503 if any(faults.values()) else 200)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as error:
        log.warning("the database does not answer: %s", error)  # it may name what strangers guess
        return "it does not answer"
    return ""


def _rules() -> str:
    progress = startup.progress()
    return "" if progress.done else progress.fault or progress.words


@require_safe
def counts(request: HttpRequest) -> HttpResponse:
    """What was counted; nobody else learns that there is such a page."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(metrics.told(), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Who has the token; without a proxy between, who is on this machine or in its network too.

    What comes through a proxy looks as if it came from the proxy's machine.
    """
    token = os.environ.get(TOKEN, "")
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and compare_digest(given.encode(), token.encode()):
        return True
    if "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(request.META["REMOTE_ADDR"]).is_private
    except ValueError:  # a proxy may have said anything
        return False
