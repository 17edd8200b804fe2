"""A table where a visitor plays alone, replayed from their clicks: a lesson, a puzzle, a board.

It has no row of its own. The page is made like that of any other table, from the view of one seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from brassmill.core.action import Action
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.errors import IllegalAction
from brassmill.game import Game
from brassmill.play.held import with_card
from brassmill.svg.panel import edition_of
from brassmill.web.page import why as asking
from brassmill.web.page.dom_ids import card_of
from brassmill.web.page.key import key_context
from brassmill.web.page.model import PageModel
from brassmill.web.page.parts import update, whole_table
from brassmill.web.page.pictures import drawings_of, pictures_of
from brassmill.web.table.agreements import Together
from brassmill.web.table.guards import is_part
from brassmill.web.table.leaving import Attendance
from brassmill.web.table.views import DRAWERS, numbers

Page = Callable[..., HttpResponse]
Click = tuple[int, ...]  # choices made at once


@dataclass(frozen=True)
class OnlyPlayer:
    """The visitor as the templates of the table know one."""

    held: tuple[int, ...]
    pace: str = ""
    can_cover: bool = False


def shown(
    request: HttpRequest,
    kind: str,
    name: str,
    view: View,
    model: PageModel,
    *,
    page: str,
    content: str = "practice/content.html",
    **words: Any,
) -> HttpResponse:
    """The current table: a whole page, or the part that a loaded page replaces.

    The `kind` is the first word of the names of its addresses, `page` and `content` are templates.
    """
    is_whole = not is_part(request)
    context = {
        "kind": kind,
        "name": name,
        "model": model,
        "pictures": pictures_of(
            view, model, shape=request.COOKIES.get("shape", "wide"), whole=is_whole
        ),
        **alone(view),
        **words,
    }
    markup = render_to_string(page if is_whole else content, context, request)
    return HttpResponse(whole_table(request, markup) if is_whole else update(request, markup))


def alone(view: View) -> dict[str, Any]:
    """What the templates of the table ask about the visitor and the others."""
    assert view.seat is not None
    return {
        "viewer": OnlyPlayer((view.seat,)),
        "table": edition_of(view),
        "attendance": Attendance(
            *("", (None,) * view.players, "", ("",) * view.players, False),
            *((), (), None, ""),
        ),
        "together": Together(can_concede=(view.seat,)),
        "room": None,
        "plan": None,
        "can_plan": False,
        "planning": False,
        "may_ask_why": False,
        "has_chat": False,
        "hints": "",
        "note": "",
        "waits": "",
        "watching": 0,
        "mails_to": "",
        "is_new": False,
    }


def part(request: HttpRequest, view: View) -> HttpResponse:
    """The content of a drawer."""
    drawer = request.GET.get("drawer", "")
    if drawer not in DRAWERS:
        raise Http404
    if drawer == "symbols":
        return render(request, "shared/key.html", key_context(edition_of(view)))
    drawings = drawings_of(view, drawer)
    return render(request, "table/drawer_content.html", {"drawings": drawings})


def explanations(request: HttpRequest, view: View, edition: Edition) -> list[asking.Explanation]:
    """Why an element of the page cannot be chosen now; nothing if there is nothing to say of it."""
    card = card_of(edition, request.GET.get("card", ""))
    found = asking.why_not(view, request.GET.get("on", ""), card)
    return [] if all(explanation.is_general for explanation in found) else list(found)


def preview(
    request: HttpRequest, view: View, draft: Action | None, edition: Edition
) -> HttpResponse:
    """What a choice would cost and yield."""
    ids = numbers(request.GET.get("choice", ""))
    card = card_of(edition, request.GET.get("card", ""))
    try:
        found = asking.preview(view, ids[0], draft, card)
    except (IndexError, IllegalAction):  # no choice, or not an open one
        return HttpResponse(status=204)
    return render(request, "table/preview.html", {"preview": found, "table": edition})


def clicked(request: HttpRequest, game: Game) -> Click:
    """The choices that a click stands for; a card may have been taken first."""
    ids = tuple(numbers(request.POST.get("choice", "")))
    card = card_of(game.edition, request.POST.get("card", ""))
    return with_card(game.engine, ids[0], card) if ids and card is not None else ids


def is_current(request: HttpRequest, clicks: int) -> bool:
    """Does a click come from the page as it is after this many?"""
    return numbers(request.POST.get("number", "")) == [clicks]
