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
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.lessons.lesson import LEARNER, Lesson, lessons
from brassmill.lessons.run import CONTINUE, END_TURN, Click, Run
from brassmill.web.identity.visitor import NAME
from brassmill.web.lessons import progress
from brassmill.web.lessons.page import (
    FIRST,
    marked_up,
    model_of,
    next_lesson,
    panel_of,
    rows_of,
    run_of,
)
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.page.log import LogPart
from brassmill.web.server import startup
from brassmill.web.table import practice
from brassmill.web.table.guards import is_part

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
    return practice.shown(
        request,
        "lesson",
        run.lesson.id,
        run.game.view(LEARNER),
        model_of(run),
        page="lessons/page.html",
        panel=panel_of(run),
        is_wrong=is_wrong,
        marked_up=marked_up,
        is_first=run.lesson.id == f"{run.lesson.edition.name}-{FIRST}",
        following=next_lesson(run.lesson) if run.is_over else None,
    )


@require_safe
@with_lesson
def part(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """The content of a drawer."""
    return practice.part(request, run.game.view(LEARNER))


@require_safe
@with_lesson
def why(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """Why an element of the page cannot be chosen now: by the rules, or by the lesson."""
    found = practice.explanations(request, run.game.view(LEARNER), run.lesson.edition)
    if not found:
        return HttpResponse(status=204)
    return render(request, "lessons/why.html", {"explanations": found})


@require_safe
@with_lesson
def preview(request: HttpRequest, run: Run[LogPart]) -> HttpResponse:
    """What a choice would cost and yield."""
    view, game = run.game.view(LEARNER), run.game
    return practice.preview(request, view, game.draft, run.lesson.edition)


# --- clicks --------------------------------------------------------------------------------------


def done(request: HttpRequest, run: Run[LogPart], click: Callable[[], Click]) -> HttpResponse:
    """Make a click, unless the page that it comes from is out of date."""
    is_wrong = False
    if practice.is_current(request, len(run.clicks)):
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
    return done(request, run, lambda: practice.clicked(request, run.game))


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
    is_new = request.POST.get("all") == "1"
    clicks = [] if is_new else run.clicks[:-1]
    if is_new or practice.is_current(request, len(run.clicks)):
        run = run_of(run.lesson, clicks, request.session.get(NAME, ""))
        progress.keep(request.session, run.lesson.id, run.clicks, is_over=False)
    return answered(request, run)
