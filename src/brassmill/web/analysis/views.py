"""The pages of an analysis: asking for one, its progress, the review, and each moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe
from markupsafe import Markup

from brassmill.coach.analysis import Verdict
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.reports.html import game_title
from brassmill.web.analysis import continuing, jobs
from brassmill.web.analysis.games import NotOver, TooOften, game_at, game_in, timeline_of
from brassmill.web.analysis.page import (
    MARK_SIGNS,
    MARK_WORDS,
    MARKS_SHOWN,
    WIDTHS,
    analysis_of,
    board_after,
    compared,
    judged,
    mark_of,
    review_of,
)
from brassmill.web.analysis.stored import verdict_of
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.visitor import NAME, visitor
from brassmill.web.models import GameAnalysis, Upload
from brassmill.web.replay.pictures import SHAPES
from brassmill.web.replay.replay_views import game_wanted
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import startup
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.setup.chairs import LEVELS, USUAL_LEVEL, levels
from brassmill.web.setup.membership import may_see
from brassmill.web.table.guards import is_part, with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.views import numbers

PLAYED, BETTER = "played", "better"  # what the map of a moment shows

Page = Callable[..., HttpResponse]


# --- asking --------------------------------------------------------------------------------------


@require_POST
@with_session
def analyse(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Ask for the analysis of a finished game."""
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        found = jobs.ask(request, game_at(session.table), session.table, None, 1)
    except BrassError as refused:
        return _refused(request, refused)
    return redirect("analysis", found.id)


@require_POST
def analyse_upload(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 (the address says so)
    """Ask for the analysis of a game in an uploaded record."""
    startup.settle()
    upload = get_object_or_404(Upload, id=id)
    if blocks.is_blocked(request):
        return blocked(request)
    game = game_wanted(request, upload)
    try:
        found = jobs.ask(request, game_in(upload, game), None, upload, game)
    except BrassError as refused:
        return _refused(request, refused)
    return redirect("analysis", found.id)


def _refused(request: HttpRequest, refused: BrassError) -> HttpResponse:
    status = 429 if isinstance(refused, jobs.Busy) else 409
    return error(request, status, _("No analysis now"), str(refused))


# --- showing -------------------------------------------------------------------------------------


def with_analysis(page: Page) -> Page:
    """Pass an analysis and the moments of its game to a page."""

    @wraps(page)
    def answer(
        request: HttpRequest,
        id: str,  # noqa: A002 (the address says so)
        **options: Any,
    ) -> HttpResponse:
        startup.settle()
        analysis = get_object_or_404(GameAnalysis.objects.select_related("table", "upload"), id=id)
        table = analysis.table
        if table and not may_see(table, table.seats.all(), visitor(request)):
            raise Http404  # the deal of the day, which this visitor may still play
        try:
            timeline = timeline_of(
                analysis, lambda: rate_limit.is_allowed(request, rate_limit.REPLAYS)
            )
        except TooOften:
            return too_often(request)
        except NotOver as refused:
            return error(request, 409, _("No analysis now"), str(refused))
        except BrassError as refused:  # the rules have changed
            return error(request, 422, _("This record cannot be replayed"), str(refused))
        return page(request, analysis, timeline, **options)

    return answer


@require_safe
@with_analysis
def analysis(
    request: HttpRequest, analysis: GameAnalysis, timeline: Timeline, as_json: bool = False
) -> HttpResponse:
    """The review of a game; until it is done, how far it is."""
    if not analysis.is_done:
        return _progress(request, analysis, timeline, as_json)
    if is_part(request):  # the page that waited for it
        return HttpResponse(headers={"HX-Refresh": "true"})
    verdicts = verdicts_of(analysis, timeline)
    review = review_of(timeline, analysis_of(timeline, verdicts))
    if as_json:
        return JsonResponse(
            {
                **state_of(analysis),
                "seats": list(timeline.seats),
                "summary": list(review.summary),
                "turning_points": [point.line.number for point in review.points],
                "themes": [
                    {
                        "theme": theme.name,
                        "losses": theme.losses,
                        "worst": theme.worst and theme.worst.number,
                    }
                    for theme in review.themes
                ],
                "actions": [data_of(verdict) for verdict in verdicts],
            }
        )
    context = {
        **common(analysis, timeline),
        "review": review,
        "charts": {
            figure.name: {screen: Markup(svg) for screen, svg in figure.drawn(WIDTHS).items()}
            for figure in review.figures
        },
        "mark_names": [(mark, MARK_SIGNS[mark], _(MARK_WORDS[mark])) for mark in MARKS_SHOWN],
    }
    return render(request, "analysis/review.html", context)


def _progress(
    request: HttpRequest, analysis: GameAnalysis, timeline: Timeline, as_json: bool
) -> HttpResponse:
    if as_json:
        return JsonResponse(state_of(analysis))
    context = {
        **common(analysis, timeline),
        "before": jobs.place_of(analysis) if analysis.waits else 0,
        "again": ask_address(analysis),
    }
    template = "analysis/progress_part.html" if is_part(request) else "analysis/progress.html"
    return render(request, template, context)


@require_safe
@with_analysis
def moment(
    request: HttpRequest,
    analysis: GameAnalysis,
    timeline: Timeline,
    action: int,
    as_json: bool = False,
) -> HttpResponse:
    """An action with its verdict, and the better one on the map."""
    verdicts = verdicts_of(analysis, timeline)
    numbers = [verdict.number for verdict in verdicts]
    if not analysis.is_done or action not in numbers:
        raise Http404
    place = numbers.index(action)
    verdict = verdicts[place]
    if as_json:
        return JsonResponse(data_of(verdict))
    review = review_of(timeline, analysis_of(timeline, verdicts))
    points = [point.line.number for point in review.points]
    other = verdict.other if mark_of(verdict) == "brilliant" else verdict.best
    is_best = verdict.best is verdict.played
    show = request.GET.get("show", PLAYED if is_best else BETTER)
    show = show if show in (PLAYED, BETTER) and other is not verdict.played else PLAYED
    advice = verdict.played if show == PLAYED or other is None else other
    context = {
        **common(analysis, timeline),
        "line": judged(timeline, verdict),
        "number": action,
        "last": numbers[-1],
        "show": show,
        "played": compared(timeline, verdict, verdict.played),
        "other": None
        if other is None or other is verdict.played
        else compared(timeline, verdict, other),
        "is_best": is_best,
        "before": numbers[place - 1] if place else None,
        "after": numbers[place + 1] if place + 1 < len(numbers) else None,
        "point_before": max((at for at in points if at < action), default=None),
        "point_after": min((at for at in points if at > action), default=None),
        "can_play": continuing.can_continue(timeline.record),
        "levels": levels(),
        "usual_level": USUAL_LEVEL,
        "maps": {shape: board_after(timeline, verdict, advice, shape) for shape in SHAPES},
        "entry": timeline.entry(timeline.frames[action]),
    }
    return render(request, "analysis/moment.html", context)


@require_POST
@with_analysis
def play_from(request: HttpRequest, analysis: GameAnalysis, timeline: Timeline) -> HttpResponse:
    """Start a table at a moment of the game, against bots."""
    at, seat = (next(iter(numbers(request.POST.get(field, ""))), -1) for field in ("at", "seat"))
    level = request.POST.get("level", "")
    if not (analysis.is_done and 0 <= at < timeline.last and level in LEVELS):
        raise Http404
    if blocks.is_blocked(request):
        return blocked(request)
    if not rate_limit.is_allowed(request, rate_limit.TABLES):
        return too_often(request)
    name = request.session.get(NAME, "")
    try:
        table = continuing.play_on(request, timeline.record, at, seat, level, name)
    except BrassError as refused:
        return error(request, 409, _("The game cannot go on from here"), str(refused))
    return redirect("table", table.id)


# --- data ----------------------------------------------------------------------------------------


def verdicts_of(analysis: GameAnalysis, timeline: Timeline) -> list[Verdict]:
    """The stored verdicts, in the order of the game."""
    rows = analysis.judgements.values_list("number", "body")
    return [verdict_of(timeline, number, body) for number, body in rows]


def state_of(analysis: GameAnalysis) -> dict[str, Any]:
    """How far an analysis is, for JSON."""
    return {
        "id": analysis.id,
        "table": analysis.table_id,
        "record": analysis.upload_id,
        "game": analysis.game,
        "done": analysis.done,
        "all": analysis.actions,
        "waits": analysis.waits,
        "failed": analysis.has_failed,
    }


def data_of(verdict: Verdict) -> dict[str, Any]:
    """A verdict, for JSON."""
    return {
        "number": verdict.number,
        "seat": verdict.seat,
        "era": verdict.era,
        "round": verdict.round,
        "action": verdict.action.text,
        "loss": round(verdict.loss, 2),
        "mark": mark_of(verdict),
        "margins": [round(margin, 2) for margin in verdict.margins],
        "played": verdict.played.as_dict(),
        "best": verdict.best.as_dict(),
    }


def common(analysis: GameAnalysis, timeline: Timeline) -> dict[str, Any]:
    """What all pages of an analysis show."""
    query = f"?{urlencode({'game': analysis.game})}"
    if analysis.upload_id:
        replay = reverse("upload_replay", args=[analysis.upload_id]) + query
        result = reverse("upload_result", args=[analysis.upload_id]) + query
    else:
        replay = reverse("replay", args=[analysis.table_id])
        result = reverse("result", args=[analysis.table_id])
    return {
        "analysis": analysis,
        "timeline": timeline,
        "title": game_title(timeline.edition.title, timeline.edition.players),
        "date": timeline.record.headers.get("Date", ""),
        "replay": replay,
        "result": result,
    }


def ask_address(analysis: GameAnalysis) -> str:
    """Where to ask for it again."""
    if analysis.upload_id:
        query = urlencode({"game": analysis.game})
        return f"{reverse('analyse_upload', args=[analysis.upload_id])}?{query}"
    return reverse("analyse", args=[analysis.table_id])
