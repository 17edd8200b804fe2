"""In a game played over days: leaving, coming back, and replacing an absent player."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.table import leaving
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import held_by
from brassmill.web.table.views import answered, numbers, without_rule


@require_POST
@with_session
def leave(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Hand the visitor's seat to a bot. Only those who left can come back, so this limits both."""

    def leave(seat: int) -> None:
        if not rate_limit.is_allowed(request, rate_limit.ABSENCES):
            raise BrassError(_("You are leaving too often. Wait a moment, then try again."))
        leaving.leave(session, seat)

    return _done(request, session, leave, _held(request, session))


@require_POST
@with_session
def come_back(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Take the visitor's seat back from the bot."""
    return _done(
        request, session, lambda seat: leaving.come_back(session, seat), _held(request, session)
    )


@require_POST
@with_session
def dismiss(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Hand the seat of an absent player to a bot."""
    held = _held(request, session)
    return _done(
        request,
        session,
        lambda seat: leaving.dismiss(session, held, seat),
        tuple(range(len(session.seats))) if held else (),
    )


def _held(request: HttpRequest, session: TableSession) -> tuple[int, ...]:
    return held_by(session, visitor(request))


def _done(
    request: HttpRequest,
    session: TableSession,
    change: Callable[[int], None],
    seats: tuple[int, ...],
) -> HttpResponse:
    """Change one of these seats, and answer with the updated table."""
    note = ""
    try:
        seat = next(iter(numbers(request.POST.get("seat", ""))), -1)
        if seat not in seats:
            raise BrassError(_("This is not your seat."))
        change(seat)
    except BrassError as refused:
        note = without_rule(refused)
    return answered(request, session, note)
