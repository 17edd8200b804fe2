"""The map at the end of an era: every link and tile that scores, with its VP."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from brassmill import editions
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.svg.draw import Picture, group, moved, text
from brassmill.svg.glyphs import glyph
from brassmill.svg.map import map_picture
from brassmill.svg.plan import Plan, Point, plan

HEXAGON = {"line": 42, "space": 46}  # the height of a figure's hexagon, the symbol of VP
RIM = 5  # how much lower its coloured part is
LETTERS = {1: 23, 2: 19, 3: 14}  # font size by number of digits


class Score(NamedTuple):
    """The VP of a link or a tile."""

    what: str  # line or space
    number: int  # of the line or space
    owner: int
    points: int
    element: str  # its id on the map


def scored_map(view: View, scores: Iterable[Score], *, shape: str = "wide") -> Picture:
    """The map of a view, with the VP of links and tiles above everything else."""
    edition = editions.edition(view.edition, view.players, **view.options)
    sheet = plan(edition, shape)
    picture = map_picture(view, shape=shape)
    figures = (_figure(score, _middle(score, edition, sheet)) for score in scores)
    return replace(picture, body=picture.body + group(*figures, class_="scores"))


def _middle(score: Score, edition: Edition, sheet: Plan) -> Point:
    """Where a line or a space has its middle."""
    if score.what == "line":
        return sheet.tracks[score.number].middle
    place = edition.spaces[score.number].place
    spot = sheet.spots[place]
    corner = spot.site.spaces[edition.place_spaces[place].index(score.number)]
    return corner.at(spot.x, spot.y).middle


def _figure(score: Score, middle: Point) -> str:
    """A number in a hexagon; the inner group can grow and shrink around its middle."""
    points, size = str(score.points), HEXAGON[score.what]
    letters = LETTERS.get(len(points), min(LETTERS.values()))
    return group(
        group(
            glyph("points", 0, 0, size, "rim"),
            glyph("points", 0, 0, size - RIM, "own"),
            text(0, letters * 0.36, points, letters, "bold on-own"),
            class_="figure",
        ),
        class_=f"score seat-{score.owner}",
        transform=moved(*middle),
        data_on=score.element,
    )
