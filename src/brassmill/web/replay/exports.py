"""A view as a file: a picture of the map or of the whole table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from brassmill import svg
from brassmill.core.view import View
from brassmill.web.replay.pictures import SHAPES, WIDE

SVG, PNG = "svg", "png"
KINDS = {SVG: "image/svg+xml", PNG: "image/png"}
WIDTHS = {"wide": 1600, "tall": 1000}  # pixels
TABLE, MAP = "table", "map"
THEMES = ("light", "dark")


def as_picture(request: HttpRequest, view: View, kind: str, name: str) -> HttpResponse:
    """A view as a picture to download, as the query asks for it."""
    shape, theme = request.GET.get("shape", WIDE), request.GET.get("theme", THEMES[0])
    shape = shape if shape in SHAPES else WIDE
    theme = theme if theme in THEMES else THEMES[0]
    draw = svg.map if request.GET.get("what") == MAP else svg.table
    picture = draw(view, shape=shape, theme=theme)
    content = picture.encode() if kind == SVG else svg.png(picture, WIDTHS[shape])
    answer = HttpResponse(content, content_type=KINDS[kind])
    answer["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return answer
