"""Health and metrics, for the operator and monitoring."""

from __future__ import annotations

import logging
import os
from datetime import timedelta
from hmac import compare_digest
from ipaddress import ip_address

from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from brassmill.web.models import Pulse
from brassmill.web.server import database, metrics, site_url, startup

log = logging.getLogger("brassmill.web")

TOKEN = "BRASSMILL_METRICS_TOKEN"
SILENT = timedelta(minutes=1)  # a running server writes a heartbeat more often


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 if games can be played; otherwise 503 and why not."""
    fault = _database()
    answer = {"database": fault or "ready", "rules": _rules()}
    return JsonResponse(answer, status=503 if fault else 200)


def _database() -> str:
    try:
        last = Pulse.objects.order_by("pk").values_list("at", flat=True).first()
        is_silent = last is not None and database.now() - last > SILENT
    except (DatabaseError, InterfaceError) as error:
        log.warning("database not responding: %s", error)  # the reason may contain internals
        return "it does not answer"
    # Such as a full disk: pages can be read, but no move is stored.
    return "nothing can be written" if is_silent else ""


def _rules() -> str:
    progress = startup.progress()
    if progress.fault:
        return f"not compiled: {progress.fault}"
    return "ready" if progress.done else "compiling"


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
    if site_url.came_by_proxy(request):
        return False
    try:
        return ip_address(request.META["REMOTE_ADDR"]).is_private
    except ValueError:  # not an address
        return False
