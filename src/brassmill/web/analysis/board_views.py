"""The pages of the analysis board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from brassmill.coach.advice import margins
from brassmill.coach.chances import chance_text
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.reports.analysis import signed
from brassmill.rules.layout import GAME_OVER
from brassmill.web.analysis.board import BoardGame, begin
from brassmill.web.analysis.evaluation import evaluation_of
from brassmill.web.analysis.ground import Ground, with_board
from brassmill.web.analysis.views import with_analysis
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import GameAnalysis, Upload
from brassmill.web.openings.page import openings_for
from brassmill.web.replay.exports import FILM, as_film, as_picture
from brassmill.web.replay.move_list import entry_of, film_to
from brassmill.web.replay.notes import LONGEST_COMMENT, with_notes
from brassmill.web.replay.replay_views import game_wanted, timeline_of_upload
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import startup
from brassmill.web.server.errors import error, too_often
from brassmill.web.table import practice
from brassmill.web.table.coach import idea_of
from brassmill.web.table.guards import is_part
from brassmill.web.table.views import numbers, without_rule

Click = Callable[[BoardGame], None]


@dataclass(frozen=True)
class BoardPanel:
    """What the templates of lessons and puzzles ask about a panel."""

    title: str
    game: str
    awaits: str = "choose"
    show: tuple[str, ...] = ()  # no part of the page is pointed at


@require_POST
@with_analysis
def board_start(request: HttpRequest, analysis: GameAnalysis, timeline: Timeline) -> HttpResponse:
    """Set up the board at a moment of an analysed game."""
    if not analysis.is_done:
        raise Http404
    return _started(request, timeline, analysis=analysis)


@require_POST
def record_board(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 (the address)
    """Set up the board at a moment of an uploaded record."""
    startup.settle()
    upload = get_object_or_404(Upload, id=id)
    game = game_wanted(request, upload)
    if not rate_limit.is_allowed(request, rate_limit.REPLAYS):
        return too_often(request)
    try:
        timeline = timeline_of_upload(upload, game)
    except BrassError as refused:
        return error(request, 422, _("This record cannot be replayed"), str(refused))
    return _started(request, timeline, upload=upload, game=game)


def _started(request: HttpRequest, timeline: Timeline, **of: Any) -> HttpResponse:
    at = next(iter(numbers(request.POST.get("at", ""))), -1)
    if not 0 <= at <= timeline.last or timeline.engine(at).state.phase == GAME_OVER:
        raise Http404
    if not rate_limit.is_allowed(request, rate_limit.BOARDS):
        return too_often(request)
    try:
        row = begin(visitor(request), at, timeline, **of)
    except BrassError as refused:
        return error(request, 422, _("No analysis board"), str(refused))
    return redirect("board", row.pk)


@require_safe
@with_board
def board(
    request: HttpRequest, ground: Ground, found: BoardGame, as_json: bool = False
) -> HttpResponse:
    """The board: the table of a game, for all its seats."""
    if as_json:
        data = {
            **vars(found.model()),
            "start": found.row.start,
            "stamp": found.stamp,
            "move": found.move.address,
            "variations": found.notes.variations,
            "comments": found.notes.comments,
        }
        return HttpResponse(orjson.dumps(data, default=list), content_type="application/json")
    return shown(request, ground, found)


def shown(request: HttpRequest, ground: Ground, found: BoardGame, note: str = "") -> HttpResponse:
    """The board as a page, or the part of it that a loaded page replaces."""
    model, notes, move = found.model(), found.notes, found.move
    before, after = notes.before(move), notes.next(move)
    ways = [*([after] if after and after.parent is None else []), *move.others]
    start = found.timeline.engine(found.row.start).state
    edition = found.timeline.edition
    return practice.shown(
        request,
        "board",
        str(found.row.pk),
        found.view,
        model,
        page="analysis/board.html",
        content="analysis/board_content.html",
        panel=BoardPanel(_("Analysis board"), ground.title),
        move=entry_of(found.timeline, move, move),
        seats=found.timeline.seats,
        before=before and before.address,
        after=after and after.address,
        ways=[entry_of(found.timeline, way, move) for way in ways],
        longest=LONGEST_COMMENT,
        is_over=found.is_over,
        can_evaluate=not found.is_over and model.asked != "turn over",
        note=note,
        ground=ground,
        openings=openings_for(edition, int(start.era), int(start.round_number)),
    )


@require_safe
@with_board
def evaluation(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """What the coach expects of the position: the best ways to go on."""
    if found.game.seat is None or found.game.question == "turn over":
        return HttpResponse(status=204)
    is_allowed = partial(rate_limit.is_allowed, request, rate_limit.HINTS)
    known = evaluation_of(found.timeline.edition, found.view, visitor(request), is_allowed)
    advice = known.advice or []
    context = {
        "board": found.row.pk,
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
def board_part(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """The content of a drawer."""
    return practice.part(request, found.view)


@require_safe
@with_board
def board_why(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
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
def board_preview(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """What a choice on the board would cost and yield."""
    return practice.preview(request, found.view, found.game.draft, found.timeline.edition)


@require_safe
@with_board
def board_record(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """The record of the game with the visitor's variations."""
    if not rate_limit.is_allowed(request, rate_limit.PICTURES):
        return too_often(request)
    record = with_notes(ground.read(), found.timeline, found.notes)
    answer = HttpResponse(str(record), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{ground.name}.brass"'
    return answer


@require_safe
@with_board
def board_position(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """The position on the board as text, a fact a line."""
    text = found.game.position_text()
    answer = HttpResponse(text.rstrip("\n") + "\n", content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{ground.name}.txt"'
    return answer


@require_safe
@with_board
def board_file(request: HttpRequest, ground: Ground, found: BoardGame, kind: str) -> HttpResponse:
    """The position on the board as a picture, or the last moves up to there as a film."""
    timeline = found.timeline
    if kind == FILM:
        moments = film_to(timeline, found.move)
        return as_film(request, timeline.edition, timeline.seats, moments, ground.name)
    if not rate_limit.is_allowed(request, rate_limit.PICTURES):
        return too_often(request)
    return as_picture(request, found.view, kind, ground.name)


# --- clicks --------------------------------------------------------------------------------------


def _clicked(request: HttpRequest, ground: Ground, found: BoardGame, click: Click) -> HttpResponse:
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
        return shown(request, ground, BoardGame(found.timeline, found.row), note)
    return redirect("board", found.row.pk)


@require_POST
@with_board
def board_choose(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """Make a choice on the board."""
    ids = practice.clicked(request, found.game)
    return _clicked(request, ground, found, lambda board: board.choose(ids))


@require_POST
@with_board
def board_end(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """End a turn on the board."""
    return _clicked(request, ground, found, BoardGame.end_turn)


@require_POST
@with_board
def board_back(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """Take back the last click on the board, or return to its start."""
    everything = request.POST.get("all") == "1"
    return _clicked(request, ground, found, lambda board: board.undo(everything))
