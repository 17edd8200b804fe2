"""What programs ask first: what there is to ask for."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from brassmill.web.server.openapi import description


@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """All addresses, what they take and what they bring."""
    return JsonResponse(description())
