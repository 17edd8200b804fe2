"""Why a bot has played an action."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from brassmill.core.action import Action
from brassmill.language import gettext as _
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.server.errors import error
from brassmill.web.table import reasons as asking
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import viewer_of
from brassmill.web.table.views import numbers


@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def reasons(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Ask why a bot has played an action, or fetch the answer."""
    asked = request.POST if request.method == "POST" else request.GET
    number = (numbers(asked.get("action", "")) or [0])[0]
    with session.lock:
        viewer = viewer_of(request, session)
        if viewer.seat is None or not asking.may_ask(session, viewer):
            words = _(
                "You can ask for reasons only in games where everyone else is a bot, and not in "
                "the deal of the day."
            )
            return error(request, 403, _("No reasons"), words)
        action = asking.action_of(session, viewer, number)
        if action is None:
            raise Http404
        answer = session.bot_reasons.get(number)
        player, words = session.names[action.seat], what(session, action)
    if request.method == "POST":
        answer = asking.ask(
            session,
            viewer.seat,
            action,
            visitor(request),
            lambda: rate_limit.is_allowed(request, rate_limit.HINTS),
        )
    said = {
        "action": number,
        "player": player,
        "words": words,
        "reasons": answer.words() if answer else (),
        "thinking": answer is not None and answer.reasons is None,
        "asked": answer is not None,
        "refused": answer is not None and answer.is_refused,
    }
    if as_json:
        return JsonResponse(said)
    return render(request, "table/reasons.html", {"table": session.table, "why": said})


def what(session: TableSession, action: Action) -> str:
    """An action in words, as the log has it."""
    found = (action.seat, action.number)
    part = next(part for part in session.history if (part.seat, part.number) == found)
    return part.lines(session.game.seats)[0].text
