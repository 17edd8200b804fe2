"""The pages of the position editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from brassmill import position
from brassmill.editions import EDITIONS
from brassmill.errors import BrassError, InvalidPosition
from brassmill.language import gettext as _
from brassmill.position import PositionDraft
from brassmill.record import Record
from brassmill.reports.html import game_title
from brassmill.web.analysis.board import begin
from brassmill.web.analysis.continuing import play_from_position, startable
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.visitor import NAME, visitor
from brassmill.web.lobby.new_game import usual
from brassmill.web.models import Upload
from brassmill.web.page.game_list import EDITION_ORDER
from brassmill.web.replay import uploads
from brassmill.web.replay.exports import as_picture
from brassmill.web.replay.pictures import shape_kept
from brassmill.web.replay.replay_views import (
    number,
    timeline_of,
    timeline_of_upload,
    with_upload,
)
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import startup
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.setup.chairs import LEVELS, USUAL_LEVEL, levels
from brassmill.web.study.editing import edited, news
from brassmill.web.study.page import as_data, context_of, view_for
from brassmill.web.table.guards import is_part, with_record
from brassmill.web.table.session import TableSession
from brassmill.web.table.views import numbers

LONGEST = 5000  # characters of a position, which becomes an address


@require_safe
def study(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """The editor with a position; without one, the ways to begin."""
    if not request.GET.get("p", "").strip() and not request.GET.get("edition"):
        return _beginnings(request, as_json)
    startup.settle()
    if not rate_limit.is_allowed(request, rate_limit.POSITIONS):
        return too_often(request)
    try:
        draft = draft_in(request.GET)
    except BrassError as refused:
        return _beginnings(request, as_json, refused)
    if draft is None:
        return _beginnings(request, as_json)
    if as_json:
        return JsonResponse(as_data(draft))
    if "edition" in request.GET:
        return redirect(address_of(draft))
    return render(request, "study/editor.html", _context(request, draft, request.GET))


def _beginnings(
    request: HttpRequest, as_json: bool, refused: BrassError | None = None
) -> HttpResponse:
    problems = refused.problems if isinstance(refused, InvalidPosition) else [str(refused)]
    status = 422 if refused else 200
    if as_json:
        found = {"position": None, "problems": problems if refused else []}
        return JsonResponse(found, status=status)
    context = {
        "games": [usual(EDITIONS[name]) for name in EDITION_ORDER],
        "text": request.GET.get("p", "")[:LONGEST],
        "problems": problems if refused else [],
    }
    return render(request, "study/study.html", context, status=status)


@require_POST
def edit(request: HttpRequest) -> HttpResponse:
    """Change a position; a change that is impossible leaves it as it was."""
    startup.settle()
    if not rate_limit.is_allowed(request, rate_limit.POSITIONS):
        return too_often(request)
    form = {key: str(value) for key, value in request.POST.items()}
    try:
        draft = draft_in(form)
    except BrassError as refused:
        return _beginnings(request, False, refused)
    if draft is None:
        return redirect("study")
    note = ""
    try:
        after = edited(draft, form)
        address_of(after)
    except BrassError as refused:
        note, after = str(refused), draft
    if after.text == draft.text:
        note, after = note or " ".join(news(draft, after)), draft
    if not is_part(request):
        return redirect(address_of(after))
    answer = render(
        request, "study/content.html", _context(request, after, form, note, whole=False)
    )
    if after.text != draft.text:
        answer["HX-Push-Url"] = address_of(after)
    return answer


def _context(
    request: HttpRequest,
    draft: PositionDraft,
    form: Mapping[str, Any],
    note: str = "",
    whole: bool = True,
) -> dict[str, Any]:
    tools = {key: str(value) for key, value in form.items()}
    return {
        **context_of(draft, tools, shape_kept(request.COOKIES), whole),
        "note": note,
        "query": urlencode({"p": draft.text}),
        "levels": levels(),
        "usual_level": USUAL_LEVEL,
    }


def draft_in(form: Mapping[str, Any]) -> PositionDraft | None:
    """The position that an address or a form brings: as text, or the beginning of a game."""
    text = str(form.get("p", "")).strip()
    if len(text) > LONGEST:
        raise BrassError(
            _("This text is too long: a position has at most {most} characters.").format(
                most=LONGEST
            )
        )
    if text:
        return position.draft_of(position.from_text(text))
    name = form.get("edition")
    if not name:
        return None
    options = {
        option.name: str(form[option.name])
        for option in (EDITIONS[name].options if name in EDITIONS else ())
        if option.name in form
    }
    mapping = {"edition": name, "players": str(form.get("players", 4)), "options": options}
    return position.draft_of(mapping)


def address_of(draft: PositionDraft) -> str:
    """The address of a position; an error if it is too long for one."""
    if len(draft.text) > LONGEST:
        raise BrassError(_("This position is too long for an address."))
    return f"{reverse('study')}?{urlencode({'p': draft.text})}"


# --- from a game ---------------------------------------------------------------------------------


@require_safe
@with_record
def study_table(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The position at a moment of a finished game."""
    with session.lock:
        if not session.is_revealed:
            words = _("Positions are taken from finished games: this one is still being played.")
            return error(request, 409, _("Not before the end"), words)
        timeline = timeline_of(session, None)
    return _from(request, timeline)


@with_upload
def study_record(request: HttpRequest, upload: Upload, game: int, as_json: bool) -> HttpResponse:
    """The position at a moment of an uploaded record."""
    try:
        return _from(request, timeline_of_upload(upload, game))
    except BrassError as refused:
        return error(request, 422, _("This record cannot be replayed"), str(refused))


def _from(request: HttpRequest, timeline: Timeline) -> HttpResponse:
    if timeline.record.viewer is not None:
        words = _("This record shows only one seat's cards, so its positions are not known.")
        return error(request, 409, _("No position here"), words)
    at = min(number(request, "at", 0), timeline.last)
    engine = timeline.engine(at)
    text = position.to_text(timeline.edition, engine.state, timeline.seats, one_line=True)
    return redirect(address_of(position.draft_of(position.from_text(text))))


# --- to a board, or to a table -------------------------------------------------------------------


@require_POST
def study_board(request: HttpRequest) -> HttpResponse:
    """Open a position on the analysis board: it becomes a record of the visitor."""
    startup.settle()
    if not rate_limit.is_allowed(request, rate_limit.UPLOADS):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        game = startable(_sent(request))
        text = str(Record.of(game))
        name = game_title(game.edition.title, game.players)
        kept = Upload.objects.filter(visitor=visitor(request), text=text).first()
        upload = kept or uploads.keep(request, name, text)
    except BrassError as refused:
        return error(request, 422, _("Not a position to play from"), str(refused))
    row = begin(visitor(request), 0, timeline_of_upload(upload, 1), upload=upload, game=1)
    return redirect("board", row.pk)


@require_POST
def study_play(request: HttpRequest) -> HttpResponse:
    """Start a table at a position, against bots."""
    startup.settle()
    seat = next(iter(numbers(request.POST.get("seat", ""))), -1)
    level = request.POST.get("level", "")
    if level not in LEVELS:
        raise Http404
    if blocks.is_blocked(request):
        return blocked(request)
    if not rate_limit.is_allowed(request, rate_limit.TABLES):
        return too_often(request)
    name = request.session.get(NAME, "")
    try:
        table = play_from_position(request, _sent(request), seat, level, name)
    except BrassError as refused:
        return error(request, 422, _("Not a position to play from"), str(refused))
    return redirect("table", table.id)


def _sent(request: HttpRequest) -> str:
    text = str(request.POST.get("p", ""))
    if len(text) > LONGEST:
        raise BrassError(_("This position is too long for an address."))
    return text


# --- downloads -----------------------------------------------------------------------------------


@require_safe
def position_text(request: HttpRequest) -> HttpResponse:
    """A position as a file, a fact a line."""
    if not rate_limit.is_allowed(request, rate_limit.POSITIONS):
        return too_often(request)
    try:
        draft = draft_in(request.GET)
    except BrassError as refused:
        return error(request, 422, _("This is not a position"), str(refused))
    if draft is None:
        return redirect("study")
    lines = draft.text.replace(position.BETWEEN, "\n") + "\n"
    answer = HttpResponse(lines, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="position.txt"'
    return answer


@require_safe
def position_picture(request: HttpRequest, kind: str) -> HttpResponse:
    """A position as a picture: the map, or everything on the table."""
    startup.settle()
    if not rate_limit.is_allowed(request, rate_limit.PICTURES):
        return too_often(request)
    try:
        draft = draft_in(request.GET)
    except BrassError as refused:
        return error(request, 422, _("This is not a position"), str(refused))
    if draft is None:
        return redirect("study")
    seat = request.GET.get("owner", "0")
    number = int(seat) if seat in map(str, range(len(draft.seats))) else 0
    return as_picture(request, view_for(draft, number), kind, "position")
