"""The game that an analysis board stands on: an analysed one, or one of an uploaded record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import Record
from brassmill.reports.html import game_title
from brassmill.web.analysis.board import BoardGame
from brassmill.web.analysis.games import game_of
from brassmill.web.analysis.views import with_analysis
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import AnalysisBoard, GameAnalysis
from brassmill.web.replay import record_views
from brassmill.web.replay.replay_views import timeline_of_upload, timelines
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import startup
from brassmill.web.server.errors import error, too_often

Page = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Ground:
    """Where a board comes from, and the ways back."""

    read: Callable[[], Record]  # a record of the game, to be changed
    title: str
    name: str  # of files
    whole: tuple[str, str]  # the address of the page about the whole game, and its name
    moment: tuple[str, str]  # the same for the moment where the board begins


def with_board(page: Page) -> Page:
    """Pass one of the visitor's boards to a page, and what it stands on."""

    @wraps(page)
    def answer(request: HttpRequest, number: int, **options: Any) -> HttpResponse:
        startup.settle()
        boards = AnalysisBoard.objects.select_related("upload")
        row = get_object_or_404(boards, pk=number, visitor=visitor(request))
        if row.analysis_id:
            return _on_analysis(request, id=row.analysis_id, row=row, page=page, options=options)
        return _on_record(request, row, page, options)

    return answer


@with_analysis
def _on_analysis(
    request: HttpRequest,
    analysis: GameAnalysis,
    timeline: Timeline,
    row: AnalysisBoard,
    page: Page,
    options: dict[str, Any],
) -> HttpResponse:
    moment = reverse("moment", args=[analysis.id, row.start + 1])
    ground = Ground(
        read=lambda: game_of(analysis).record,
        title=game_title(timeline.edition.title, timeline.edition.players),
        name=f"analysis-{analysis.id}",
        whole=(reverse("analysis", args=[analysis.id]), _("Whole analysis")),
        moment=(moment, _("To the analysis")),
    )
    return page(request, ground, BoardGame(timeline, row), **options)


def _on_record(
    request: HttpRequest, row: AnalysisBoard, page: Page, options: dict[str, Any]
) -> HttpResponse:
    upload, game = row.upload, row.game
    assert upload is not None
    is_read = timelines.get((upload.id, game)) is not None
    if not is_read and not rate_limit.is_allowed(request, rate_limit.REPLAYS):
        return too_often(request)
    try:
        timeline = timeline_of_upload(upload, game)
    except BrassError as refused:  # the rules have changed
        return error(request, 422, _("This record cannot be replayed"), str(refused))
    replay = reverse("upload_replay", args=[upload.id])
    query = urlencode({"at": row.start, "game": game})
    ground = Ground(
        read=lambda: record_views.game_of(upload.text, game),
        title=game_title(timeline.edition.title, timeline.edition.players),
        name=f"record-{upload.id}",
        whole=(f"{replay}?{urlencode({'game': game})}", _("Replay")),
        moment=(f"{replay}?{query}", _("To the replay")),
    )
    return page(request, ground, BoardGame(timeline, row), **options)
