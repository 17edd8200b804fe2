"""The pages of the analysis board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brassmill.coach.advice import margins
from brassmill.coach.chances import chance_text
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.reports.analysis import signed
from brassmill.web.analysis.board import BoardGame, begin, board_of, with_variations
from brassmill.web.analysis.evaluation import evaluation_of
from brassmill.web.analysis.games import game_of
from brassmill.web.analysis.views import common, with_analysis
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import GameAnalysis
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server.errors import too_often
from brassmill.web.table import practice
from brassmill.web.table.coach import idea_of
from brassmill.web.table.guards import is_part
from brassmill.web.table.views import numbers, without_rule

Page = Callable[..., HttpResponse]
Click = Callable[[BoardGame], None]


@dataclass(frozen=True)
class BoardPanel:
    """What the templates of lessons and puzzles ask about a panel."""

    title: str
    game: str
    awaits: str = "choose"
    show: tuple[str, ...] = ()  # no part of the page is pointed at


def with_board(page: Page) -> Page:
    """Pass the visitor's board to a page; without one, lead to the analysis."""

    @with_analysis
    @wraps(page)
    def answer(
        request: HttpRequest, analysis: GameAnalysis, timeline: Timeline, **options: Any
    ) -> HttpResponse:
        row = board_of(analysis, visitor(request))
        if row is None:
            return redirect("analysis", analysis.id)
        return page(request, analysis, BoardGame(timeline, row), **options)

    return answer


@require_POST
@with_analysis
def board_start(request: HttpRequest, analysis: GameAnalysis, timeline: Timeline) -> HttpResponse:
    """Set up the board at a moment of the game."""
    at = next(iter(numbers(request.POST.get("at", ""))), -1)
    if not (analysis.is_done and 0 <= at < timeline.last):
        raise Http404
    if not rate_limit.is_allowed(request, rate_limit.BOARDS):
        return too_often(request)
    begin(analysis, visitor(request), at)
    return redirect("board", analysis.id)


@require_safe
@with_board
def board(
    request: HttpRequest, analysis: GameAnalysis, found: BoardGame, as_json: bool = False
) -> HttpResponse:
    """The board: the table of a game, for all its seats."""
    if as_json:
        data = {
            **vars(found.model()),
            "start": found.row.start,
            "variations": found.variations,
        }
        return HttpResponse(orjson.dumps(data, default=list), content_type="application/json")
    return _shown(request, analysis, found)


def _shown(
    request: HttpRequest, analysis: GameAnalysis, found: BoardGame, note: str = ""
) -> HttpResponse:
    model, words = found.model(), common(analysis, found.timeline)
    return practice.shown(
        request,
        "board",
        analysis.id,
        found.view,
        model,
        page="analysis/board.html",
        content="analysis/board_content.html",
        panel=BoardPanel(_("Analysis board"), words["title"]),
        start=found.row.start,
        variations=found.variations,
        is_over=found.game.over,
        can_evaluate=model.asked not in ("turn over", "game over"),
        note=note,
        **words,
    )


@require_safe
@with_board
def evaluation(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """What the coach expects of the position: the best ways to go on."""
    if found.game.seat is None or found.game.question == "turn over":
        return HttpResponse(status=204)
    known = evaluation_of(found.timeline.edition, found.view, visitor(request))
    advice = known.advice or []
    context = {
        "analysis": analysis,
        "number": len(found.clicks),
        "is_thinking": known.advice is None or known.is_refused,
        "ideas": [idea_of(found.view, each) for each in advice],
        "seats": [
            (name, signed(margin), chance_text(chance))
            for name, margin, chance in zip(
                found.timeline.seats,
                margins(np.array(advice[0].points)).tolist(),
                advice[0].wins,
                strict=True,
            )
        ]
        if advice
        else [],
    }
    return render(request, "analysis/evaluation.html", context)


@require_safe
@with_board
def board_part(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """The content of a drawer."""
    return practice.part(request, found.view)


@require_safe
@with_board
def board_why(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """Why something cannot be chosen on the board."""
    edition = found.timeline.edition
    explanations = practice.explanations(request, found.view, edition)
    if not explanations:
        return HttpResponse(status=204)
    return render(
        request,
        "table/why.html",
        {"explanations": explanations, "table": {"edition": edition.name}},
    )


@require_safe
@with_board
def board_preview(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """What a choice on the board would cost and yield."""
    return practice.preview(request, found.view, found.game.draft, found.timeline.edition)


@require_safe
@with_analysis
def analysis_record(
    request: HttpRequest, analysis: GameAnalysis, timeline: Timeline
) -> HttpResponse:
    """The record of the game with the visitor's variations."""
    row = board_of(analysis, visitor(request))
    record = with_variations(game_of(analysis).record, row.variations if row else [])
    answer = HttpResponse(str(record), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="analysis-{analysis.id}.brass"'
    return answer


# --- clicks --------------------------------------------------------------------------------------


def _clicked(
    request: HttpRequest, analysis: GameAnalysis, found: BoardGame, click: Click
) -> HttpResponse:
    """Make a click, unless the page that it comes from is out of date."""
    note = ""
    if not rate_limit.is_allowed(request, rate_limit.BOARDS):
        return too_often(request)
    if practice.is_current(request, len(found.clicks)):
        try:
            click(found)
        except BrassError as refused:
            note = without_rule(refused)
    if is_part(request):
        return _shown(request, analysis, BoardGame(found.timeline, found.row), note)
    return redirect("board", analysis.id)


@require_POST
@with_board
def board_choose(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """Make a choice on the board."""
    ids = practice.clicked(request, found.game)
    return _clicked(request, analysis, found, lambda board: board.choose(ids))


@require_POST
@with_board
def board_end(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """End a turn on the board."""
    return _clicked(request, analysis, found, BoardGame.end_turn)


@require_POST
@with_board
def board_back(request: HttpRequest, analysis: GameAnalysis, found: BoardGame) -> HttpResponse:
    """Take back the last click on the board, or return to its start."""
    everything = request.POST.get("all") == "1"
    return _clicked(request, analysis, found, lambda board: board.undo(everything))
