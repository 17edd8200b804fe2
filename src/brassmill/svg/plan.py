"""Where everything on a map is placed on its sheet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import hypot

from brassmill.editions import Edition
from brassmill.errors import InvalidOption
from brassmill.svg.draw import number
from brassmill.svg.layouts import LAYOUTS, STRIP, SheetLayout
from brassmill.svg.sites import FORMATS, Box, Format, Site, site

Point = tuple[float, float]

BOW = 0.07  # how far a line curves, relative to its length
LARGEST_BOW = 16
BADGE = 11  # the radius of the owner's badge
STEPS = 24  # segments of a curve, for measurements


@dataclass(frozen=True)
class PlacedSite:
    """A place on the sheet."""

    site: Site
    x: float
    y: float
    side: str  # where its name is: n, s, e or w

    @property
    def block(self) -> Box:
        return self.site.block.at(self.x, self.y)

    @property
    def label(self) -> Box:
        return self.site.label_box(self.side).at(self.x, self.y)


@dataclass(frozen=True)
class Curve:
    """A gentle curve from one point to another."""

    start: Point
    end: Point
    bow: float = 0  # how far its middle is from the straight line

    def at(self, part: float) -> Point:
        """The point at a share (0 to 1) of the way."""
        (x1, y1), (x2, y2) = self.start, self.end
        length = hypot(x2 - x1, y2 - y1) or 1
        aside = 4 * part * (1 - part) * self.bow / length
        return (
            x1 + (x2 - x1) * part - (y2 - y1) * aside,
            y1 + (y2 - y1) * part + (x2 - x1) * aside,
        )

    @property
    def points(self) -> list[Point]:
        return [self.at(step / STEPS) for step in range(STEPS + 1)]

    @property
    def d(self) -> str:
        """The curve as part of a path; it is a parabola, so one control point is enough."""
        (x1, y1), (x2, y2) = self.start, self.end
        if not self.bow:
            return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
        x, y = self.at(0.5)
        control = f"{number(2 * x - (x1 + x2) / 2)} {number(2 * y - (y1 + y2) / 2)}"
        return f"M{number(x1)} {number(y1)}Q{control} {number(x2)} {number(y2)}"


@dataclass(frozen=True)
class Track:
    """A line of the map on the sheet: a curve, or three ends that meet."""

    curves: tuple[Curve, ...]
    middle: Point  # of its visible part

    @property
    def d(self) -> str:
        return "".join(curve.d for curve in self.curves)


@dataclass(frozen=True)
class Plan:
    """A sheet with everything in its place."""

    sheet: Format
    spots: tuple[PlacedSite, ...]  # by number of the place
    tracks: tuple[Track, ...]  # by number of the line
    ferries: tuple[Track, ...]  # towns that count as connected
    cartouche: Box | None  # a square sheet has none
    rose: Point
    legend: Point | None
    sea: Point | None  # where its name is


@cache
def plan(edition: Edition, shape: str) -> Plan:
    """The plan of an edition's map on a sheet of some shape."""
    if shape not in FORMATS:
        raise InvalidOption(f"unknown shape {shape!r}; choose one of: {', '.join(FORMATS)}")
    sheet = FORMATS[shape]
    layout = _layout(edition, shape)
    spots = tuple(
        PlacedSite(site(edition, place, sheet), *layout.places[place.name])
        for place in edition.places
    )
    tracks = tuple(
        _track(line.name, [spots[end] for end in ends])
        for line, ends in zip(edition.lines, edition.line_ends, strict=True)
    )
    joined = {frozenset(pair) for pair in edition.virtual_links}
    ferries = tuple(
        _track("", [spots[edition.place_number[name]] for name in sorted(pair)]) for pair in joined
    )
    cartouche = Box(*layout.cartouche) if layout.cartouche else None
    if shape == "tall":
        frame = sheet.frame
        cartouche = Box(frame.x, frame.y, frame.width, STRIP)
    return Plan(sheet, spots, tracks, ferries, cartouche, layout.rose, layout.legend, layout.sea)


def _layout(edition: Edition, shape: str) -> SheetLayout:
    """The layout made for these places."""
    names = {place.name for place in edition.places}
    return next(
        layout for layout in LAYOUTS if layout.shape == shape and layout.places.keys() == names
    )


def _track(name: str, ends: list[PlacedSite]) -> Track:
    first, second = ends[:2]
    start, end = (first.x, first.y), (second.x, second.y)
    if len(ends) == 2:
        swing = min(LARGEST_BOW, BOW * hypot(end[0] - start[0], end[1] - start[1]))
        # The side must not depend on the order of the lines.
        side = 0 if not name else 1 if len(name) % 2 else -1
        curve = Curve(start, end, side * swing)
        return Track((curve,), _middle(curve, ends))
    curve = Curve(start, end)
    junction = curve.at(0.5)
    farm = ends[2]
    spur = Curve(junction, (farm.x, farm.y))
    return Track((curve, spur), _middle(spur, ends))


def _middle(curve: Curve, ends: list[PlacedSite]) -> Point:
    """The middle of the longest part of a curve where a badge covers no block or name."""
    hidden = [box.grown(BADGE - 2) for spot in ends for box in (spot.block, spot.label)]
    best: tuple[int, int] = (0, 0)
    start = None
    fine = 4 * STEPS
    for step in range(fine + 1):
        if any(_inside(curve.at(step / fine), box) for box in hidden):
            start = None
            continue
        start = step if start is None else start
        if step - start > best[1] - best[0]:
            best = (start, step)
    return curve.at(sum(best) / 2 / fine if best[1] else 0.5)


def _inside(point: Point, box: Box) -> bool:
    x, y = point
    return box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height
