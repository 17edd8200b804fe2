"""Conceding, and what the people of a game decide together."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.table import agreements, leaving, sessions
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import held_by
from brassmill.web.table.views import answered, numbers, without_rule


@require_POST
@with_session
def concede(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Hand the visitor's seat to a bot for the rest of the game; it is ranked last."""
    return _done(request, session, lambda held: leaving.concede(session, _own_seat(request, held)))


@require_POST
@with_session
def ask(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Ask the others to end the game, or to let the visitor take back a turn."""
    kind = request.POST.get("kind", "")

    def ask(held: tuple[int, ...]) -> None:
        if not rate_limit.is_allowed(request, rate_limit.REQUESTS):
            raise BrassError(_("You are asking too often. Wait a moment, then try again."))
        agreements.ask(session, kind, _own_seat(request, held))

    return _done(request, session, ask)


@require_POST
@with_session
def agree(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Agree to a request."""
    kind, seat = request.POST.get("kind", ""), _number(request)
    return _done(request, session, lambda held: agreements.agree(session, kind, seat, held))


@require_POST
@with_session
def decline(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Decline a request, or withdraw one's own."""
    kind, seat = request.POST.get("kind", ""), _number(request)
    return _done(request, session, lambda held: agreements.drop(session, kind, seat, held))


def _number(request: HttpRequest) -> int:
    return next(iter(numbers(request.POST.get("seat", ""))), -1)


def _own_seat(request: HttpRequest, held: tuple[int, ...]) -> int:
    seat = _number(request)
    if seat not in held:
        raise BrassError(_("This is not your seat."))
    return seat


def _done(
    request: HttpRequest, session: TableSession, change: Callable[[tuple[int, ...]], None]
) -> HttpResponse:
    """Do something with the visitor's seats, and answer with the updated table."""
    note = ""
    try:
        change(held_by(session, visitor(request)))
    except BrassError as refused:
        note = without_rule(refused)
    if session.is_lost:  # its log has been replaced
        session = sessions.get(session.table.id)
    return answered(request, session, note)
