"""The replay: any moment of a game, from a seat's view or with all hands open.

A finished table, a running one (as far as the visitor may see it) and an upload are all replayed
from a record; `timeline.py` decides what is visible.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from threading import Lock
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import SPECTATOR
from brassmill.reports.html import game_title
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Upload
from brassmill.web.page.log import round_words
from brassmill.web.replay import exports, record_views
from brassmill.web.replay.notes import Notes
from brassmill.web.replay.pictures import SHAPES, replay_pictures, shape_kept
from brassmill.web.replay.record_error import problem_of
from brassmill.web.replay.timeline import OPEN, Timeline
from brassmill.web.replay.variations import (
    VariationTimeline,
    notes_for_table,
    notes_for_upload,
    walked_to,
    ways_of,
)
from brassmill.web.server import errors
from brassmill.web.table.guards import Page, with_record
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import Viewer, viewer_of

KEPT = 16  # timelines kept in memory


class Timelines:
    """A cache of the timelines viewed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Timeline] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Timeline | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Hashable, timeline: Timeline) -> Timeline:
        """Add a timeline, dropping the oldest if the cache is full."""
        with self._lock:
            self._kept[key] = timeline
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return timeline


timelines = Timelines()


class Angle(NamedTuple):
    """A point of view of a replay."""

    value: str  # in the URL
    words: str
    seat: int | None


@dataclass(frozen=True)
class Moment:
    """A moment of a replay; it builds the addresses of other moments."""

    address: str
    at: int
    angle: str
    game: int = 1  # in an upload with several games
    study: str = ""  # the address that leads to the position editor, if it may be opened
    board: str = ""  # the address that sets up an analysis board, if one may be
    line: str = ""  # of the variation that is shown

    @property
    def query(self) -> str:
        """Return the query that other pages about this moment take."""
        return urlencode({"at": self.at, "game": self.game})

    @property
    def files(self) -> str:
        """Return where its picture and its film are."""
        return self.address.removesuffix("replay/")

    def to(self, at: int, angle: str | None = None, line: str | None = None) -> str:
        """Return the address of another moment or point of view, or of one in another variation."""
        query: dict[str, Any] = {"at": at, "as": angle or self.angle}
        if self.game > 1:
            query["game"] = self.game
        if line := self.line if line is None else line:
            query["line"] = line
        return f"{self.address}?{urlencode(query)}"


# --- pages ---------------------------------------------------------------------------------------


@require_safe
@with_record
def replay(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Replay a table: all of it once it is over, and until then what the visitor may see."""
    with session.lock:
        over, is_revealed = session.over, session.is_revealed
        seats = seen_by(viewer_of(request, session))
        wanted = request.GET.get("as", "")
        if wanted not in (*map(str, seats), SPECTATOR):
            wanted = str(seats[0]) if seats else SPECTATOR
        try:
            timeline = timeline_of(session, None if wanted == SPECTATOR else int(wanted))
        except record_views.NoRecord as refused:
            return errors.error(request, 409, _("No replay yet"), str(refused))
    return show(
        request,
        timeline,
        as_json,
        angles=timeline.angles if is_revealed else [*map(str, seats), SPECTATOR],
        context={
            "table": session.table,
            "over": over,
            "games": 1,
            "result": reverse("result", args=[session.table.id]) if over else "",
        },
        address=reverse("replay", args=[session.table.id]),
        notes=partial(notes_for_table, session.table.id, visitor(request), timeline)
        if is_revealed
        else None,
        study=reverse("study_table", args=[session.table.id]) if is_revealed else "",
    )


def seen_by(viewer: Viewer) -> tuple[int, ...]:
    """Return the seats whose cards a visitor may see now, their own first."""
    return () if viewer.seat is None else (viewer.seat, *viewer.others)


def timeline_of(session: TableSession, seat: int | None) -> Timeline:
    """Return what a seat or a spectator may see of a table; everything once it is over."""
    with session.lock:
        known = (session.serial, session.published, session.table.revision)
        key = (*known, OPEN if session.is_revealed else seat)
        return timelines.get(key) or timelines.keep(
            key, Timeline(record_views.record_of(session, seat))
        )


def with_upload(page: Page) -> Page:
    """Pass an uploaded record, and which of its games is requested, to a page."""

    @require_safe
    @wraps(page)
    def answer(
        request: HttpRequest,
        id: str,  # noqa: A002 (the address says so)
        as_json: bool = False,
        **options: Any,
    ) -> HttpResponse:
        upload = get_object_or_404(Upload, id=id)
        game = game_wanted(request, upload)
        if not timelines.get((upload.id, game)) and not rate_limit.is_allowed(
            request, rate_limit.REPLAYS
        ):
            return errors.too_often(request)
        return page(request, upload, game, as_json, **options)

    return answer


@with_upload
def upload_replay(request: HttpRequest, upload: Upload, game: int, as_json: bool) -> HttpResponse:
    """Replay an uploaded record."""
    try:
        timeline = timeline_of_upload(upload, game)
    except BrassError as error:  # another game of the text, or rules that have changed
        if as_json:
            return errors.error(request, 422, _("This record cannot be replayed"), str(error))
        submission = record_views.Submission(upload.text, upload.name)
        return record_views.page(request, submission, problem_of(upload.text, error, game))
    return show(
        request,
        timeline,
        as_json,
        angles=timeline.angles,
        context={
            "table": None,
            "over": timeline.record.is_complete,
            "games": record_views.number_of_games(upload.text),
            "result": result_address(upload, game) if timeline.record.is_complete else "",
        },
        address=reverse("upload_replay", args=[upload.id]),
        notes=partial(notes_for_upload, upload.id, game, visitor(request), timeline),
        game=game,
        study=""
        if timeline.record.viewer is not None
        else reverse("study_record", args=[upload.id]),
        board=reverse("record_board", args=[upload.id]),
    )


@require_safe
@with_record
def replay_file(request: HttpRequest, session: TableSession, kind: str) -> HttpResponse:
    """A moment of a table as a picture, or the actions after it as a film: what spectators see."""
    try:
        timeline = timeline_of(session, None)
    except record_views.NoRecord as refused:
        return errors.error(request, 409, _("No replay yet"), str(refused))
    return _file(request, timeline, kind, f"game-{session.table.id}")


@with_upload
def upload_file(
    request: HttpRequest, upload: Upload, game: int, as_json: bool, kind: str
) -> HttpResponse:
    """The same of an uploaded record."""
    try:
        timeline = timeline_of_upload(upload, game)
    except BrassError as refused:
        return errors.error(request, 422, _("This record cannot be replayed"), str(refused))
    return _file(request, timeline, kind, f"record-{upload.id}")


def _file(request: HttpRequest, timeline: Timeline, kind: str, name: str) -> HttpResponse:
    at = min(number(request, "at", timeline.last), timeline.last)
    if kind == exports.FILM:
        return exports.film_of(request, timeline, at, name)
    if not rate_limit.is_allowed(request, rate_limit.PICTURES):
        return errors.too_often(request)
    return exports.as_picture(request, timeline.view(at, SPECTATOR), kind, name)


def result_address(upload: Upload, game: int) -> str:
    """Return the address of the result of an uploaded game."""
    return f"{reverse('upload_result', args=[upload.id])}?{urlencode({'game': game})}"


def game_wanted(request: HttpRequest, upload: Upload) -> int:
    """Return which game of an upload is requested, from 1."""
    games = record_views.number_of_games(upload.text)
    return max(1, min(number(request, "game", 1), games))


def timeline_of_upload(upload: Upload, game: int) -> Timeline:
    """Return the timeline of an uploaded game; raise an error if it cannot be replayed."""
    key = (upload.id, game)
    return timelines.get(key) or timelines.keep(
        key, Timeline(record_views.game_of(upload.text, game))
    )


def show(
    request: HttpRequest,
    timeline: Timeline,
    as_json: bool,
    *,
    angles: Sequence[str],
    context: dict[str, Any],
    address: str,
    notes: Callable[[], Notes | None] | None = None,
    game: int = 1,
    study: str = "",
    board: str = "",
) -> HttpResponse:
    """Show a moment of a timeline: the page, the part of it that changes, or data.

    The timeline may be left for a variation: `notes` finds those that the visitor may see.
    """
    line, shape = request.GET.get("line", ""), request.GET.get("frame", "")
    found = notes() if notes and (line or shape not in SHAPES) else None
    usual = 0 if OPEN in angles else timeline.last
    if walked := walked_to(found, line):
        timeline, usual = VariationTimeline(timeline, walked), walked.after + 1
        study = board = ""  # they know only the game
    at = min(number(request, "at", usual), timeline.last)
    place = Moment(
        address,
        at,
        timeline.angle(request.GET.get("as", "")),
        game,
        study=study,
        board=board,
        line=line if walked else "",
    )
    if as_json:
        return JsonResponse(data_of(timeline, place, found))
    if shape in SHAPES:
        return render(request, "replay/frame.html", frame_of(timeline, place, shape))
    context |= frame_of(timeline, place, shape_kept(request.COOKIES))
    context |= page_of(timeline, angles, found)
    return render(request, "replay/replay.html", context)


def number(request: HttpRequest, name: str, usual: int) -> int:
    """Read a number from the URL; return the default if it is not a number."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 7 else usual


# --- contents ------------------------------------------------------------------------------------


def frame_of(timeline: Timeline, place: Moment, shape: str) -> dict[str, Any]:
    """Return what changes from moment to moment."""
    frame = timeline.frames[place.at]
    scene = timeline.scene(place.at)
    return {
        "timeline": timeline,
        "place": place,
        "scene": scene,
        "headline": scene.headline if scene else "",
        "shape": shape,
        "frame": frame,
        "entry": timeline.entry(frame),
        "now": round_words(frame.era, frame.round),
        "pictures": replay_pictures(timeline, place.at, place.angle, shape),
    }


def page_of(timeline: Timeline, angles: Sequence[str], notes: Notes | None) -> dict[str, Any]:
    """Return what stays the same."""
    headers = timeline.record.headers
    return {
        "title": game_title(timeline.edition.title, timeline.edition.players),
        "date": headers.get("Date", ""),
        "event": headers.get("Event", ""),
        "log": timeline.log(),
        "ways": ways_of(timeline, notes),
        "begins": timeline.walked.after if isinstance(timeline, VariationTimeline) else None,
        "angles": [angle_of(timeline, angle) for angle in angles],
    }


def angle_of(timeline: Timeline, angle: str) -> Angle:
    """Return the label of a point of view."""
    if angle == OPEN:
        return Angle(angle, _("all"), None)
    if angle == SPECTATOR:
        return Angle(angle, _("none"), None)
    return Angle(angle, timeline.seats[int(angle)], int(angle))


def data_of(timeline: Timeline, place: Moment, notes: Notes | None) -> dict[str, Any]:
    """Return the moment as plain data."""
    at, angle = place.at, place.angle
    frame = timeline.frames[at]
    entry = timeline.entry(frame)
    return {
        "edition": timeline.edition.name,
        "players": timeline.edition.players,
        "seats": list(timeline.seats),
        "at": at,
        "last": timeline.last,
        "stops": list(timeline.stops),
        "as": angle,
        "variation": place.line,
        "variations": {
            number: [way._asdict() for way in ways]
            for number, ways in ways_of(timeline, notes).items()
        },
        "angles": list(timeline.angles),
        "era": frame.era,
        "round": frame.round,
        "line": entry.line._asdict(),
        "after": [line._asdict() for line in entry.after],
        "comment": entry.comment,
        "view": timeline.view(at, angle).as_dict(),
        "hands": {seat: view.hand for seat, view in timeline.hands(at, angle).items()},
    }
