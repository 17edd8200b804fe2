"""The end of an era as a scene over the table, fetched by each browser when it gets there."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.language import gettext as _
from brassmill.web.identity.visitor import visitor
from brassmill.web.page.game_list import free_seat
from brassmill.web.page.pictures import SHAPES
from brassmill.web.page.scene import (
    CANAL,
    END,
    SCENES,
    EraEnd,
    agreed_ending,
    scene_map,
    scene_name,
    scene_of,
)
from brassmill.web.setup import rematch
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import held_by


@require_safe
@with_session
def scene(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """The end of the canal era, or of the game; by default the latest. Nothing before it."""
    wanted = request.GET.get("of", "")
    if wanted and wanted not in SCENES:
        raise Http404
    with session.lock:
        ending = ending_of(session, wanted)
        outcome = session.outcome if ending and ending.name == END else None
    if ending is None:
        return JsonResponse({}) if as_json else HttpResponse(status=204)
    edition = session.game.edition
    names = tuple(seat.name or free_seat() for seat in session.seats)
    found = scene_of(edition, names, ending, outcome)
    if as_json:
        return JsonResponse(found.as_dict())
    shape = request.GET.get("shape", "")
    held = held_by(session, visitor(request))
    is_winner = outcome is not None and len(held) == 1 and outcome.winners == held
    context = {
        "scene": found,
        "picture": scene_map(edition, names, ending, shape if shape in SHAPES else SHAPES[0]),
        "headline": _("You win") if is_winner else found.headline,
        "table": session.table,
        "held": held,
        "waits": rematch.who_waits(session.table, session.seats, visitor(request)),
    }
    return render(request, "table/scene.html", context)


def ending_of(session: TableSession, name: str = "") -> EraEnd | None:
    """The end of an era by the name of its scene, or the latest; None if there is none yet."""
    if session.is_void and name == END:
        return None
    if session.is_agreed and name in (END, ""):
        latest = _ended_by_rules(session, CANAL)
        return agreed_ending(session.game.engine, session.actions, latest)
    return _ended_by_rules(session, name)


def _ended_by_rules(session: TableSession, name: str) -> EraEnd | None:
    for part in reversed(session.history):
        found = scene_name(part.events)
        if found and name in (found, ""):
            return EraEnd(
                name=found,
                number=part.number,
                events=part.events,
                before=session.position_after(part.number - 1),
                choices=session.game.actions[part.number - 1].ids,
                after=session.position_after(part.number),
            )
    return None
