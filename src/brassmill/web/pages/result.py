"""The result of a game: who won and what decided, where the points came from, how it went."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from markupsafe import Markup

from brassmill import terms
from brassmill.bots import parse
from brassmill.language import gettext as _
from brassmill.page import game_title
from brassmill.seating import Seat as Sitter
from brassmill.view import income_level
from brassmill.web import access, desks
from brassmill.web.desk import Desk
from brassmill.web.ending import Ending, drawn, ending_of
from brassmill.web.models import Seat
from brassmill.web.pages.entrance import at_desk
from brassmill.web.pages.replay import reel_of
from brassmill.web.reel import Reel
from brassmill.web.stills import SHAPES, map_of


@require_safe
@at_desk
def result(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """How a game ended; one that runs has its table instead."""
    with desk.lock:
        if not desk.over:
            return redirect("table_json" if as_json else "table", desk.table.id)
        reel = reel_of(desk, None)
    ending = ending_of(reel)
    assert ending is not None
    held = access.viewer_of(request, desk).held
    if as_json:
        return JsonResponse(ending.as_dict() | {"table": desk.table.id, "you": list(held)})
    return render(request, "result.html", context_of(desk, reel, ending, held))


def context_of(desk: Desk, reel: Reel, ending: Ending, held: tuple[int, ...]) -> dict[str, Any]:
    """All that the page says."""
    end = reel.view(reel.last, reel.angles[-1])
    return {
        "table": desk.table,
        "title": game_title(reel.edition.title, reel.edition.players),
        "date": reel.record.headers["Date"],
        "seats": reel.seats,
        "who": [who(seat, seat.number in held, len(held)) for seat in desk.seats],
        "ending": ending,
        "charts": {
            figure.name: {screen: Markup(svg) for screen, svg in drawn(figure).items()}
            for figure in ending.figures
        },
        "maps": {shape: map_of(end, shape) for shape in SHAPES},
        "pounds": terms.pounds,
        "level": income_level,
        "plays": bool(held),
        "coach": Markup(_("With the record, {command} asks the coach about every action.")).format(
            command=Markup("<code>brass analyse</code>")
        ),
    }


def who(seat: Seat, is_own: bool, own: int) -> str:
    """Who sat there, beside the name: the level of a bot, or you."""
    if seat.is_bot:
        return parse(seat.bot).said
    return _("you") if is_own and own == 1 else ""


@require_POST
@at_desk
def again(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The same game with the same seats, dealt anew."""
    table = desk.table
    sitters = [
        Sitter(seat.bot or seat.name, seat.name, parse(seat.bot) if seat.is_bot else None)
        for seat in desk.seats
    ]
    fresh = desks.begin(
        table.edition,
        table.players,
        table.options,
        sitters,
        hands=table.hands,
        host=access.visitor(request),
    )
    return redirect("table", fresh.id)
