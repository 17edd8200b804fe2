"""At a table over days: leaving, coming back, and not waiting any longer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity.visitor import visitor
from brassmill.web.table import leaving
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import held_by
from brassmill.web.table.views import answered, numbers, without_rule


@require_POST
@with_session
def leave(request: HttpRequest, session: TableSession) -> HttpResponse:
    """A bot plays for this visitor from now on."""
    return _done(
        request, session, lambda seat: leaving.leave(session, seat), _held(request, session)
    )


@require_POST
@with_session
def come_back(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The visitor plays himself again."""
    return _done(
        request, session, lambda seat: leaving.come_back(session, seat), _held(request, session)
    )


@require_POST
@with_session
def dismiss(request: HttpRequest, session: TableSession) -> HttpResponse:
    """A bot plays for somebody who does not come."""
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
    request: HttpRequest, session: TableSession, deed: Callable[[int], None], seats: tuple[int, ...]
) -> HttpResponse:
    """Do something with one of these seats, and answer with the fresh table."""
    note = ""
    try:
        seat = next(iter(numbers(request.POST.get("seat", ""))), -1)
        if seat not in seats:
            raise BrassError(_("This is not your seat."))
        deed(seat)
    except BrassError as refused:
        note = without_rule(refused)
    return answered(request, session, note)
