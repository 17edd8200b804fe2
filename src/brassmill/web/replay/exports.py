"""A view as a picture, or some moments of a game as a short film."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

from django.http import HttpRequest, HttpResponse

from brassmill import svg
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.reports.film import FilmMoment, pictures_of
from brassmill.svg.film import filmed
from brassmill.svg.png import png_elsewhere
from brassmill.web.identity import rate_limit
from brassmill.web.replay.pictures import SHAPES, WIDE
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server.errors import error, too_often

SVG, PNG, FILM = "svg", "png", "webp"
KINDS = {SVG: "image/svg+xml", PNG: "image/png"}
WIDTHS = {"wide": 1600, "tall": 1000}  # pixels
TABLE, MAP = "table", "map"
THEMES = ("light", "dark")
MOST_IN_FILM = 24  # actions: some six seconds of processor time
FILM_WIDTH = 960  # pixels

_one_at_a_time = Lock()

_drawing = Lock()  # one at a time: it takes a processor half a second


def as_picture(request: HttpRequest, view: View, kind: str, name: str) -> HttpResponse:
    """A view as a picture to download, as the query asks for it."""
    shape, theme = request.GET.get("shape", WIDE), _theme(request)
    shape = shape if shape in SHAPES else WIDE
    draw = svg.map if request.GET.get("what") == MAP else svg.table
    picture = draw(view, shape=shape, theme=theme)
    if kind == SVG:
        return _file(picture.encode(), KINDS[kind], f"{name}.{kind}")
    if not _drawing.acquire(blocking=False):
        return too_often(request)
    try:
        return _file(png_elsewhere(picture, WIDTHS[shape]), KINDS[kind], f"{name}.{kind}")
    finally:
        _drawing.release()


def as_film(
    request: HttpRequest,
    edition: Edition,
    seats: Sequence[str],
    moments: Iterable[FilmMoment],
    name: str,
) -> HttpResponse:
    """Some moments as a film to download, one film at a time."""
    if not rate_limit.is_allowed(request, rate_limit.FILMS):
        return too_often(request)
    if not _one_at_a_time.acquire(blocking=False):
        words = _("Somebody else's film is being made. Try again in a few seconds.")
        return error(request, 429, _("One film at a time"), words)
    try:
        pictures = pictures_of(edition, seats, moments, _theme(request))
        content = filmed(pictures, FILM_WIDTH)
    except BrassError as refused:
        return error(request, 503, _("No film now"), str(refused))
    finally:
        _one_at_a_time.release()
    return _file(content, "image/webp", f"{name}.webp")


def moment_of(timeline: Timeline, at: int) -> FilmMoment:
    """A moment of a game."""
    frame = timeline.frames[at]
    return FilmMoment(frame.state, frame.seat, frame.era, frame.round, frame.action.events)


def film_of(request: HttpRequest, timeline: Timeline, first: int, name: str) -> HttpResponse:
    """A film of the actions after a moment."""
    last = min(first + MOST_IN_FILM, timeline.last)
    moments = [moment_of(timeline, at) for at in range(first, last + 1)]
    return as_film(request, timeline.edition, timeline.seats, moments, name)


def _theme(request: HttpRequest) -> str:
    theme = request.GET.get("theme", THEMES[0])
    return theme if theme in THEMES else THEMES[0]


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
