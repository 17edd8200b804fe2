"""Health and metrics, for the operator and monitoring."""

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
    """200 if games can be played; otherwise 503 and why not."""
    faults = {"database": _database(), "rules": _rules()}
    answer = {name: fault or "ready" for name, fault in faults.items()}
    return JsonResponse(answer, status=503 if any(faults.values()) else 200)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as error:
        log.warning("database not responding: %s", error)  # the reason may contain internals
        return "it does not answer"
    return ""


def _rules() -> str:
    progress = startup.progress()
    return "" if progress.done else progress.fault or progress.words


@require_safe
def counts(request: HttpRequest) -> HttpResponse:
    """The metrics; without access the page looks as if it did not exist."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(metrics.exposed(), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """With the token, or without a proxy from this machine or its network.

    Requests through a proxy all seem to come from the proxy's machine.
    """
    token = os.environ.get(TOKEN, "")
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and compare_digest(given.encode(), token.encode()):
        return True
    if "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(request.META["REMOTE_ADDR"]).is_private
    except ValueError:  # not an address
        return False
