"""At a table over days: leaving, coming back, and not waiting any longer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity.visitor import visitor
from brassmill.web.table import leaving
from brassmill.web.table.guards import at_desk
from brassmill.web.table.session import Desk
from brassmill.web.table.viewer import held_by
from brassmill.web.table.views import answered, numbers, without_rule


@require_POST
@at_desk
def leave(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A bot plays for this visitor from now on."""
    return _done(request, desk, lambda seat: leaving.leave(desk, seat), _held(request, desk))


@require_POST
@at_desk
def come_back(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The visitor plays himself again."""
    return _done(request, desk, lambda seat: leaving.come_back(desk, seat), _held(request, desk))


@require_POST
@at_desk
def dismiss(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A bot plays for somebody who does not come."""
    held = _held(request, desk)
    return _done(
        request,
        desk,
        lambda seat: leaving.dismiss(desk, held, seat),
        tuple(range(len(desk.seats))) if held else (),
    )


def _held(request: HttpRequest, desk: Desk) -> tuple[int, ...]:
    return held_by(desk, visitor(request))


def _done(
    request: HttpRequest, desk: Desk, deed: Callable[[int], None], seats: tuple[int, ...]
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
    return answered(request, desk, note)
