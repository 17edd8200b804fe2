"""A view as a file: a picture of the map or of the whole table."""

from __future__ import annotations

from threading import Semaphore

from django.http import HttpRequest, HttpResponse

from brassmill import svg
from brassmill.core.view import View
from brassmill.svg.png import png_elsewhere
from brassmill.web.replay.pictures import SHAPES, WIDE
from brassmill.web.server.errors import too_often

SVG, PNG = "svg", "png"
KINDS = {SVG: "image/svg+xml", PNG: "image/png"}
WIDTHS = {"wide": 1600, "tall": 1000}  # pixels
TABLE, MAP = "table", "map"
THEMES = ("light", "dark")

_drawing = Semaphore()  # one at a time: it takes a processor half a second


def as_picture(request: HttpRequest, view: View, kind: str, name: str) -> HttpResponse:
    """A view as a picture to download, as the query asks for it."""
    shape, theme = request.GET.get("shape", WIDE), request.GET.get("theme", THEMES[0])
    shape = shape if shape in SHAPES else WIDE
    theme = theme if theme in THEMES else THEMES[0]
    draw = svg.map if request.GET.get("what") == MAP else svg.table
    picture = draw(view, shape=shape, theme=theme)
    if kind == SVG:
        return as_file(picture.encode(), kind, name)
    if not _drawing.acquire(blocking=False):
        return too_often(request)
    try:
        return as_file(png_elsewhere(picture, WIDTHS[shape]), kind, name)
    finally:
        _drawing.release()


def as_file(content: bytes, kind: str, name: str) -> HttpResponse:
    """A picture to download."""
    answer = HttpResponse(content, content_type=KINDS[kind])
    answer["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return answer
