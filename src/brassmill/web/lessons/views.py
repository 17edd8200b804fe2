"""The pages of lessons: the list, and the table where one is played.

No row is written: a lesson is replayed from the clicks in the visitor's cookie.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import orjson
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError, IllegalAction
from brassmill.lessons.lesson import LEARNER, Lesson, lessons
from brassmill.lessons.run import CONTINUE, END_TURN, Click, Run
from brassmill.play.held import with_card
from brassmill.svg.panel import edition_of
from brassmill.web.identity.visitor import NAME
from brassmill.web.lessons import progress
from brassmill.web.lessons.page import (
    FIRST,
    LearnersSeat,
    marked_up,
    model_of,
    next_lesson,
    panel_of,
    rows_of,
    run_of,
)
from brassmill.web.page import why as asking
from brassmill.web.page.dom_ids import card_of
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.page.key import key_context
from brassmill.web.page.log import LogPart
from brassmill.web.page.parts import update, whole_table
from brassmill.web.page.pictures import drawings_of, pictures_of
from brassmill.web.server import startup
from brassmill.web.table.agreements import Together
from brassmill.web.table.guards import is_part
from brassmill.web.table.leaving import Attendance
from brassmill.web.table.views import DRAWERS, numbers

Page = Callable[..., HttpResponse]


def with_lesson(page: Page) -> Page:
    """Pass the lesson, as far as the visitor has come, to a page."""

    @wraps(page)
    def answer(request: HttpRequest, lesson: str, **options: Any) -> HttpResponse:
        startup.settle()
        found = lessons().get(lesson)
        if found is None:
            raise Http404
        return page(request, begun(request, found), **options)

    return answer


def begun(request: HttpRequest, lesson: Lesson) -> Run[LogPart]:
    """The lesson as far as this visitor has come."""
    clicks = progress.clicks_of(request.session, lesson.id)
    return run_of(lesson, clicks, request.session.get(NAME, ""))


# --- the list ------------------------------------------------------------------------------------


@require_safe
def learn(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """All lessons by game, and what the visitor has finished."""
    learned, started = progress.learned(request.session), progress.begun(request.session)
    games = [(name, title_of(name), rows_of(name, learned, started)) for name in EDITION_ORDER]
    if as_json:
        return JsonResponse(
            {
                "games": [
                    {"edition": name, "title": title, "lessons": [vars(row) for row in rows]}
                    for name, title, rows in games
                ]
            }
        )
    return render(request, "lessons/learn.html", {"games": games})


# --- a lesson ------------------------------------------------------------------------------------


@require_safe
@with_lesson
def lesson(request: HttpRequest, run: Run[LogPart], as_json: bool = False) -> HttpResponse:
    """The table of a lesson."""
    if as_json:
        data = {**vars(model_of(run)), "panel": panel_of(run)}
        return HttpResponse(orjson.dumps(data, default=list), content_type="application/json")
    return shown(request, run)


def shown(request: HttpRequest, run: Run[LogPart], is_wrong: bool = False) -> HttpResponse:
    """The current table: a whole page, or the part that a loaded page replaces."""
    model, is_whole = model_of(run), not is_part(request)
    players = run.lesson.edition.players
    context = {
        "panel": panel_of(run),
        "is_wrong": is_wrong,
        "marked_up": marked_up,
        "is_first": run.lesson.id == f"{run.lesson.edition.name}-{FIRST}",
        "following": next_lesson(run.lesson) if run.is_over else None,
        "model": model,
        "pictures": pictures_of(
            run.game.view(LEARNER),
            model,
            shape=request.COOKIES.get("shape", "wide"),
            whole=is_whole,
        ),
        # What the templates of the table ask about the visitor and the others.
        "viewer": LearnersSeat(),
        "table": run.lesson,
        "attendance": Attendance(
            *("", (None,) * players, "", ("",) * players, False),
            *((), (), None, ""),
        ),
        "together": Together(can_concede=(LEARNER,)),
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
    template = "lessons/page.html" if is_whole else "lessons/content.html"
    markup = render_to_string(template, context, request)
    return HttpResponse(whole_table(request, markup) if is_whole else update(request, markup))


@require_safe
@with_lesson
def part(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """The content of a drawer."""
    view, drawer = run.game.view(LEARNER), request.GET.get("drawer", "")
    if drawer not in DRAWERS:
        raise Http404
    if drawer == "symbols":
        return render(request, "shared/key.html", key_context(edition_of(view)))
    drawings = drawings_of(view, drawer)
    return render(request, "table/drawer_content.html", {"drawings": drawings})


@require_safe
@with_lesson
def why(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """Why an element of the page cannot be chosen now: by the rules, or by the lesson."""
    card = card_of(run.lesson.edition, request.GET.get("card", ""))
    explanations = asking.why_not(run.game.view(LEARNER), request.GET.get("on", ""), card)
    if all(explanation.is_general for explanation in explanations):
        return HttpResponse(status=204)
    return render(request, "lessons/why.html", {"explanations": explanations})


@require_safe
@with_lesson
def preview(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """What a choice would cost and yield."""
    ids = numbers(request.GET.get("choice", ""))
    card = card_of(run.lesson.edition, request.GET.get("card", ""))
    try:
        found = asking.preview(run.game.view(LEARNER), ids[0], run.game.draft, card)
    except (IndexError, IllegalAction):  # no choice, or not an open one
        return HttpResponse(status=204)
    return render(request, "table/preview.html", {"preview": found, "table": run.lesson})


# --- clicks --------------------------------------------------------------------------------------


def done(request: HttpRequest, run: Run[LogPart], click: Callable[[], Click]) -> HttpResponse:
    """Make a click, unless the page that it comes from is out of date."""
    is_wrong = False
    if numbers(request.POST.get("number", "")) == [len(run.clicks)]:
        try:
            run = run.after(click())
        except BrassError:
            is_wrong = True
        else:
            progress.keep(request.session, run.lesson.id, run.clicks, run.is_over)
    return answered(request, run, is_wrong)


def answered(request: HttpRequest, run: Run[LogPart], is_wrong: bool = False) -> HttpResponse:
    """The updated table; a browser without JavaScript is redirected to it."""
    if is_part(request):
        return shown(request, run, is_wrong)
    return redirect("lesson", run.lesson.id)


@require_POST
@with_lesson
def choose(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """Make a choice that the step is about."""

    def click() -> Click:
        ids = tuple(numbers(request.POST.get("choice", "")))
        card = card_of(run.lesson.edition, request.POST.get("card", ""))
        return with_card(run.game.engine, ids[0], card) if ids and card is not None else ids

    return done(request, run, click)


@require_POST
@with_lesson
def go_on(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """The visitor has read the text."""
    return done(request, run, lambda: CONTINUE)


@require_POST
@with_lesson
def end(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """End the turn; the rivals play."""
    return done(request, run, lambda: END_TURN)


@require_POST
@with_lesson
def back(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """Take back the last click, or start the lesson again."""
    clicks = [] if request.POST.get("all") == "1" else run.clicks[:-1]
    if request.POST.get("all") == "1" or numbers(request.POST.get("number", "")) == [
        len(run.clicks)
    ]:
        run = run_of(run.lesson, clicks, request.session.get(NAME, ""))
        progress.keep(request.session, run.lesson.id, run.clicks, is_over=False)
    return answered(request, run)
