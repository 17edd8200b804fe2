"""The pages of puzzles: the list, and the table where one is solved.

A puzzle is replayed from the clicks in the visitor's cookie. Rows are written for first attempts
only: their results and the ratings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

import orjson
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.puzzles import CONTINUE, END_TURN, GIVE_UP, PuzzleRun, puzzles
from brassmill.puzzles.run import Click
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import NAME, visitor
from brassmill.web.page.log import LogPart
from brassmill.web.puzzles import catalogue, progress, ratings
from brassmill.web.puzzles.page import (
    model_of,
    panel_of,
    result_words,
    run_of,
    streak_words,
    view_of,
)
from brassmill.web.server import startup
from brassmill.web.server.errors import too_often
from brassmill.web.table import practice
from brassmill.web.table.guards import is_part

Page = Callable[..., HttpResponse]


def with_puzzle(page: Page) -> Page:
    """Pass the puzzle, as far as the visitor has come, to a page."""

    @wraps(page)
    def answer(request: HttpRequest, puzzle: str, **options: Any) -> HttpResponse:
        startup.settle()
        found = puzzles().get(puzzle)
        if found is None:
            raise Http404
        clicks = progress.clicks_of(request.session, puzzle)
        run = run_of(found, clicks, request.session.get(NAME, ""))
        return page(request, run, **options)

    return answer


# --- the list ------------------------------------------------------------------------------------


@require_safe
def index(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """The puzzles that pass the filters, the puzzle of the day, and how the visitor is doing."""
    key = visitor(request)
    tried, wanted = ratings.attempts(key), catalogue.wanted_in(request.GET.dict())
    found = catalogue.found(wanted, tried)
    if as_json:
        return JsonResponse(
            {
                "day": catalogue.todays().id,
                "standing": ratings.standing(key)._asdict(),
                "puzzles": [vars(row) for row in catalogue.rows_of(found, tried)],
            }
        )
    pages = Paginator(found, catalogue.ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    standing = ratings.standing(key)
    context = {
        "day": catalogue.rows_of([catalogue.todays()], tried)[0],
        "standing": standing,
        "streak": streak_words(standing.streak),
        "filters": catalogue.filters(wanted),
        "is_filtered": bool(wanted),
        "query": urlencode(wanted),
        "count": len(found),
        "page": page,
        "rows": catalogue.rows_of(page.object_list, tried),
    }
    return render(request, "puzzles/index.html", context)


@require_safe
def day(request: HttpRequest) -> HttpResponse:
    """Lead to the puzzle of the day."""
    return redirect("puzzle", catalogue.todays().id)


@require_safe
def following(request: HttpRequest) -> HttpResponse:
    """Lead to a puzzle that the visitor has not tried, about as hard as they are strong."""
    wanted = catalogue.wanted_in(request.GET.dict())
    found = catalogue.next_for(visitor(request), wanted, request.GET.get("not", ""))
    return redirect("puzzle", found.id) if found else redirect("puzzles")


# --- a puzzle ------------------------------------------------------------------------------------


@require_safe
@with_puzzle
def puzzle(request: HttpRequest, run: PuzzleRun[LogPart], as_json: bool = False) -> HttpResponse:
    """The table of a puzzle."""
    if as_json:
        data = {**vars(model_of(run)), "panel": panel_of(run)}
        return HttpResponse(orjson.dumps(data, default=list), content_type="application/json")
    return shown(request, run)


def shown(
    request: HttpRequest, run: PuzzleRun[LogPart], result: ratings.AttemptResult | None = None
) -> HttpResponse:
    """The current table: a whole page, or the part that a loaded page replaces."""
    return practice.shown(
        request,
        "puzzle",
        run.puzzle.id,
        view_of(run),
        model_of(run),
        page="puzzles/page.html",
        panel=panel_of(run),
        result=result_words(result) if result else "",
        streak=streak_words(result.standing.streak)
        if result and result.standing.streak > 1
        else "",
    )


@require_safe
@with_puzzle
def part(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """The content of a drawer."""
    return practice.part(request, view_of(run))


@require_safe
@with_puzzle
def why(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """Why an element of the page cannot be chosen now."""
    found = practice.explanations(request, view_of(run), run.puzzle.table)
    if not found or run.is_over:
        return HttpResponse(status=204)
    context = {"explanations": found, "table": {"edition": run.puzzle.edition}}
    return render(request, "table/why.html", context)


@require_safe
@with_puzzle
def preview(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """What a choice would cost and yield."""
    if run.is_over:
        return HttpResponse(status=204)
    return practice.preview(request, view_of(run), run.game.draft, run.puzzle.table)


# --- clicks --------------------------------------------------------------------------------------


def done(request: HttpRequest, run: PuzzleRun[LogPart], click: Click) -> HttpResponse:
    """Make a click, unless the page that it comes from is out of date."""
    result = None
    if practice.is_current(request, len(run.clicks)):
        try:
            after = run.after(click)
        except BrassError:
            return answered(request, run)
        if after.is_over and not run.is_over:
            if not rate_limit.is_allowed(request, rate_limit.ATTEMPTS):
                return too_often(request)
            assert after.verdict is not None
            result = ratings.record(visitor(request), run.puzzle, after.verdict.is_best)
        run = after
        progress.keep(request.session, run.puzzle.id, run.clicks)
    return answered(request, run, result)


def answered(
    request: HttpRequest, run: PuzzleRun[LogPart], result: ratings.AttemptResult | None = None
) -> HttpResponse:
    """The updated table; a browser without JavaScript is redirected to it."""
    if is_part(request):
        return shown(request, run, result)
    return redirect("puzzle", run.puzzle.id)


@require_POST
@with_puzzle
def choose(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """Make a choice."""
    return done(request, run, () if run.is_over else practice.clicked(request, run.game))


@require_POST
@with_puzzle
def end(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """End the turn, or give up: then the best one is shown."""
    return done(request, run, GIVE_UP if request.POST.get("give_up") == "1" else END_TURN)


@require_POST
@with_puzzle
def go_on(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """Show the next action of the best turn."""
    return done(request, run, CONTINUE)


@require_POST
@with_puzzle
def back(request: HttpRequest, run: PuzzleRun[LogPart]) -> HttpResponse:
    """Take back the last click, or start the puzzle again."""
    is_new = request.POST.get("all") == "1"
    if is_new or practice.is_current(request, len(run.clicks)):
        clicks = [] if is_new else run.before().clicks
        run = run_of(run.puzzle, clicks, request.session.get(NAME, ""))
        progress.keep(request.session, run.puzzle.id, run.clicks)
    return answered(request, run)
