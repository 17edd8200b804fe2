"""Planning the next turn: its page, the clicks made there, and playing it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError, IllegalAction
from brassmill.language import gettext as _
from brassmill.play.held import with_card
from brassmill.web.table import planning, sessions
from brassmill.web.table.guards import is_part, with_session
from brassmill.web.table.planning import PlannedTurn
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import planner_of, viewer_of
from brassmill.web.table.views import NOT_YOU, answered, held_card, numbers, shown, without_rule


@require_safe
@with_session
def plan(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The table as if it were the visitor's turn; when it is, back to the table."""
    return _page(request, session)


@require_safe
@with_session
def plan_part(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The same if anything has changed for this visitor."""
    with session.lock:
        stamp = viewer_of(request, session).stamp
    if request.GET.get("stamp") == stamp:
        return HttpResponse(status=204)
    return _page(request, session)


@require_POST
@with_session
def plan_choose(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Add a click to the plan."""
    ids, card = numbers(request.POST.get("choice", "")), held_card(session, request.POST)

    def change(plan: PlannedTurn, number: int) -> None:
        if not ids:
            raise BrassError(_("Nothing was chosen."))
        choices = ids if card is None else with_card(plan.game.engine, ids[0], card)
        plan.choose(number, choices)

    return _changed(request, session, change)


@require_POST
@with_session
def plan_back(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Remove the last click of the plan, or all of it."""
    everything = request.POST.get("all") == "1"
    return _changed(request, session, lambda plan, number: plan.undo(number, everything))


@require_POST
@with_session
def plan_play(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Play the plan: it is the visitor's turn, and every step is still legal."""
    note = ""
    with session.lock:
        viewer = viewer_of(request, session)
        try:
            if viewer.seat is None or not viewer.is_to_move:
                raise IllegalAction(_(NOT_YOU))
            planning.play(session, viewer.seat)
        except BrassError as refused:
            note = without_rule(refused)
    return _answered(request, session, note)


@require_POST
@with_session
def plan_discard(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Forget the plan."""
    viewer, note = viewer_of(request, session), ""
    try:
        if viewer.seat is not None:
            planning.discard(session, viewer.seat)
    except BrassError as refused:
        note = without_rule(refused)
    return _answered(request, session, note)


def _answered(request: HttpRequest, session: TableSession, note: str) -> HttpResponse:
    if session.is_lost:  # its log has been replaced
        session = sessions.get(session.table.id)
    return answered(request, session, note)


def _changed(
    request: HttpRequest, session: TableSession, change: Callable[[PlannedTurn, int], None]
) -> HttpResponse:
    number = next(iter(numbers(request.POST.get("number", ""))), 0)
    note = ""
    with session.lock:
        try:
            plan = planner_of(request, session).plan
            assert plan is not None
            change(plan, number)
        except BrassError as refused:
            note = without_rule(refused)
    if not is_part(request) and not note:
        return redirect("plan", session.table.id)
    return _page(request, session, note)


def _page(request: HttpRequest, session: TableSession, note: str = "") -> HttpResponse:
    try:
        return shown(request, session, note, planning=True)
    except BrassError:  # it is their turn, or there is nothing to plan: back to the table
        table = reverse("table", args=[session.table.id])
        return HttpResponse(headers={"HX-Redirect": table}) if is_part(request) else redirect(table)
