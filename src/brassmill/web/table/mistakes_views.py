"""What the coach says of a big mistake."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.svg.chart.scale import written
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.table.coach import idea_of
from brassmill.web.table.guards import with_session
from brassmill.web.table.mistakes import judged
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import viewer_of


@require_safe
@with_session
def mistake(request: HttpRequest, session: TableSession) -> HttpResponse:
    """What the coach says of the player's last action: nothing, unless it was a big mistake."""
    with session.lock:
        viewer, number = viewer_of(request, session), session.number
    found = judged(
        session,
        viewer,
        visitor(request),
        lambda: rate_limit.is_allowed(request, rate_limit.MISTAKES),
    )
    if found is None or not (found.is_thinking or found.better):
        return HttpResponse()
    context = {
        "table": session.table,
        "number": number,
        "is_thinking": found.is_thinking,
        "moves": found.moves,
        "loss": written(found.loss, 0),
        "better": found.better and idea_of(found.view, found.better),
    }
    return render(request, "table/mistake.html", context)
