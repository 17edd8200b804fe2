"""The chat of a table: read it and write to it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.chat import chat as chats
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.page.chat import chat_of
from brassmill.web.server.errors import BLOCKED, error
from brassmill.web.table.guards import is_part, with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import held_by, viewer_of
from brassmill.web.table.views import numbers

TOO_OFTEN = N_("Too fast. Wait a moment and send it again.")


@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def chat(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Show the chat; a POST adds a message."""
    if request.method != "POST":
        return said(request, session, as_json)
    if not rate_limit.is_allowed(request, rate_limit.WORDS):
        return said(request, session, as_json, _(TOO_OFTEN), 429)
    if blocks.is_blocked(request):
        return said(request, session, as_json, _(BLOCKED[1]), 403)
    held = held_by(session, visitor(request))
    try:
        if not held:
            raise BrassError(_("Only players can write here."))
        seat = viewer_of(request, session).seat
        chats.say(
            session.table,
            session.seats[held[0] if seat is None else seat],
            request.POST.get("text", ""),
        )
    except BrassError as refused:
        return said(request, session, as_json, str(refused), 422 if held else 403)
    return said(request, session, as_json)


@require_POST
@with_session
def report(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Report a message, which also hides it from the visitor."""
    if not rate_limit.is_allowed(request, rate_limit.WORDS):
        return said(request, session, note=_(TOO_OFTEN), status=429)
    key = visitor(request)
    note = _("The message is hidden from you. The operator of this server can read it.")
    seen = chat_of(session.table, session.seats, key)
    shown = {line.id for line in seen.lines} if seen else set()
    try:
        for number in numbers(request.POST.get("message", ""))[:1]:
            if number not in shown:
                raise BrassError(_("This message does not exist."))
            chats.report(session.table, key, number)
    except BrassError as refused:
        return said(request, session, note=str(refused), status=422)
    return said(request, session, note=note)


@require_POST
@with_session
def mute(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Close or reopen the chat; only the host can."""
    if session.table.host != visitor(request):
        return said(request, session, note=_("Only the host can do that."), status=403)
    chats.mute(session.table, request.POST.get("muted") == "1")
    return said(request, session)


def said(
    request: HttpRequest,
    session: TableSession,
    as_json: bool = False,
    note: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the chat as the visitor sees it now, with a note about what was done."""
    seen = chat_of(session.table, session.seats, visitor(request))
    if as_json:
        data = seen.as_dict() if seen else {"lines": [], "can_write": False}
        return JsonResponse({**data, "note": note}, status=status)
    if not is_part(request):  # the page has no JavaScript
        if status >= 400:
            return error(request, status, _("Message not sent"), note)
        return redirect("table", session.table.id)
    context = {"chat": seen, "table": session.table, "chat_note": note}
    return render(request, "chat/chat.html", context, status=status)
