"""The background of a map: paper, sea and rivers, hachured hills, the frame of the sheet.

Drawn from a few lines in the same coordinates as the places (0 to 1000), and bent with them:
where a layout moves the towns, their hills and rivers move along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot, pi, sin

from brassmill.editions import Edition
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.svg.cartouche import furniture
from brassmill.svg.draw import element, group, number, path, rect, text
from brassmill.svg.lettering import fitting
from brassmill.svg.plan import Plan, Point
from brassmill.svg.plan import plan as plan_of
from brassmill.svg.scenery import scenery, uneven

Bend = Callable[[Point], Point]

SEA_NAME = (30, 150)  # the room for the name of the sea
SEA_SPACING = 3


@dataclass(frozen=True)
class Country:
    """The landscape of a map; lines are written as `x,y x,y ...`."""

    town: str  # that identifies the map
    hills: tuple[str, ...]  # ridges
    rivers: tuple[str, ...]  # from the spring to the mouth
    coast: str = ""  # the sea is on its right
    sea: str = ""  # its name


MIDLANDS = Country(
    "Birmingham",
    hills=(
        "600,20 640,60 655,130 640,175",  # the Peak
        "470,30 490,85 480,140",
        "480,330 520,380 560,400",  # Cannock Chase
        "90,330 140,390 150,450",  # the Wrekin
        "60,650 110,720 120,800",  # Clee
        "430,770 470,790 505,770",  # Lickey
        "900,430 930,490 925,560",  # Charnwood
        "130,130 180,190 175,260",
    ),
    rivers=(
        # Severn, Trent, Tame, Avon
        "-60,420 30,480 90,470 150,530 190,640 260,720 290,800 310,880 400,960 440,1060",
        "370,40 365,120 340,190 370,300 440,300 560,320 640,330 740,310 830,260 860,180 930,90"
        " 1010,-20",
        "520,640 570,610 640,590 660,480 640,420 640,330",
        "880,640 880,760 760,790 640,890 480,960 400,960",
    ),
)
COTTON_COUNTRY = Country(
    "Manchester",
    hills=(
        "900,60 920,140 905,200",  # the Pennines
        "930,430 945,520 935,600 940,680",
        "890,700 910,790 880,870",
        "470,130 540,170 580,240",  # Bowland
        "600,420 640,430 690,420",  # Rossendale
        "690,140 740,150 770,120",
        "570,800 620,830 640,890",
    ),
    rivers=(
        # Ribble, Mersey, Lune, Irwell, Weaver
        "760,190 650,250 560,300 420,330 300,420 200,425",
        "880,700 800,720 620,745 500,735 400,760 290,745",
        "440,40 390,120 290,190 245,215",
        "700,440 620,590 560,680 500,735",
        "520,1060 490,940 470,830 400,760",
    ),
    coast="-80,40 10,80 20,160 80,185 170,165 215,105 245,120 250,180 245,215 220,240 120,228"
    " 85,260 78,320 60,380 75,420 200,425 110,450 85,500 70,570 62,660 150,690 290,745 160,740"
    " 40,690 -15,715 -8,790 15,850 -80,900",
    sea=N_("Irish Sea"),
)
COUNTRIES = (MIDLANDS, COTTON_COUNTRY)


def _points(written: str) -> list[Point]:
    pairs = (pair.split(",") for pair in written.split())
    return [(float(x), float(y)) for x, y in pairs]


def ground(edition: Edition, shape: str) -> str:
    """Everything below the lines and towns."""
    return _drawn(edition, shape, language())


@cache
def _drawn(edition: Edition, shape: str, language: str) -> str:
    """The background depends only on the map, the shape and the language."""
    plan = plan_of(edition, shape)
    frame = plan.sheet.frame
    country = next(country for country in COUNTRIES if country.town in edition.place_number)
    bend = _bend(edition, plan)
    rivers = [[bend(point) for point in _points(river)] for river in country.rivers]
    hills = [[bend(point) for point in _points(ridge)] for ridge in country.hills]
    inside = element(
        "svg",
        *_sea(country, bend, frame.x),
        _sea_name(country, plan),
        path("".join(map(_smooth, rivers)), "river"),
        path("".join(map(_hachures, hills)), "hachure"),
        path(_graticule(plan), "graticule"),
        scenery(plan, _sea_outline(country, bend, frame.x), furniture(plan)),
        x=frame.x,
        y=frame.y,
        width=frame.width,
        height=frame.height,
        viewBox=" ".join(map(number, frame)),
    )
    return group(
        rect(0, 0, plan.sheet.width, plan.sheet.height, "sheet"),
        inside,
        _frame(plan),
        class_="ground",
        aria_hidden="true",
    )


def _bend(edition: Edition, plan: Plan) -> Bend:
    """The mapping from the coordinates of the places to where the layout puts them."""
    known = [place.xy for place in edition.places]
    put = [(spot.x, spot.y) for spot in plan.spots]
    across = _trend([x for x, _y in known], [x for x, _y in put])
    down = _trend([y for _x, y in known], [y for _x, y in put])
    moved = [(x - across(a), y - down(b)) for (a, b), (x, y) in zip(known, put, strict=True)]

    def bend(point: Point) -> Point:
        weights = [1 / (hypot(a - point[0], b - point[1]) ** 2 + 1600) for a, b in known]
        whole = sum(weights)
        dx = sum(w * x for w, (x, _y) in zip(weights, moved, strict=True)) / whole
        dy = sum(w * y for w, (_x, y) in zip(weights, moved, strict=True)) / whole
        return across(point[0]) + dx, down(point[1]) + dy

    return bend


def _trend(given: Sequence[float], wanted: Sequence[float]) -> Callable[[float], float]:
    """The best-fitting straight line."""
    mean, goal = sum(given) / len(given), sum(wanted) / len(wanted)
    spread = sum((a - mean) ** 2 for a in given)
    slope = sum((a - mean) * (b - goal) for a, b in zip(given, wanted, strict=True)) / spread
    return lambda value: goal + slope * (value - mean)


# --- strokes of the pen --------------------------------------------------------------------------


def _smooth(points: Sequence[Point], closed_by: Sequence[Point] = ()) -> str:
    """The `d` of a smooth path through points (Catmull-Rom), closed over others."""
    d = f"M{_at(points[0])}"
    for n in range(len(points) - 1):
        before, start, end = points[max(n - 1, 0)], points[n], points[n + 1]
        after = points[min(n + 2, len(points) - 1)]
        one = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        two = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        d += f"C{_at(one)} {_at(two)} {_at(end)}"
    return d + "".join(f"L{_at(point)}" for point in closed_by) + "Z" * bool(closed_by)


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _walk(points: Sequence[Point], step: float) -> list[tuple[Point, Point]]:
    """Points at equal distances along a polyline, each with the unit vector to its left."""
    found: list[tuple[Point, Point]] = []
    left_over = 0.0
    for (x1, y1), (x2, y2) in pairwise(points):
        length = hypot(x2 - x1, y2 - y1) or 1
        along = left_over
        while along < length:
            part = along / length
            found.append(
                (
                    (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part),
                    ((y2 - y1) / length, -(x2 - x1) / length),
                )
            )
            along += step
        left_over = along - length
    return found


def _hachures(ridge: Sequence[Point]) -> str:
    """A hill: short strokes down both sides of its ridge, longer towards the middle."""
    walk = _walk(_denser(ridge), 5.5)
    d = ""
    for n, ((x, y), (nx, ny)) in enumerate(walk):
        swell = 0.35 + 0.65 * sin(pi * (n + 0.5) / len(walk))
        for side in (1, -1):
            for row in (0, 1):
                seed = 4 * n + 2 * row + (side > 0)
                start = 4 + row * (15 * swell + 4) + 3 * uneven(seed)
                end = start + swell * (9 + 6 * uneven(seed + 0.5)) * (1 if row == 0 else 0.7)
                if row and uneven(seed + 0.25) < 0.35:
                    continue
                lean = 0.16 * (uneven(seed + 0.75) - 0.5) * side
                dx, dy = side * nx - lean * ny, side * ny + lean * nx
                long = end - start
                d += f"M{_at((x + dx * start, y + dy * start))}l{_at((dx * long, dy * long))}"
    return d


def _denser(points: Sequence[Point]) -> list[Point]:
    """A smooth line through points, in many short segments."""
    dense: list[Point] = []
    for n in range(len(points) - 1):
        before, start, end = points[max(n - 1, 0)], points[n], points[n + 1]
        after = points[min(n + 2, len(points) - 1)]
        for step in range(8):
            t = step / 8
            dense.append(
                (
                    _spline(before[0], start[0], end[0], after[0], t),
                    _spline(before[1], start[1], end[1], after[1], t),
                )
            )
    return [*dense, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b
        + (c - a) * t
        + (2 * a - 5 * b + 4 * c - d) * t * t
        + (3 * b - a - 3 * c + d) * t * t * t
    )


def _sea_outline(country: Country, bend: Bend, edge: float) -> list[Point]:
    """The shore, and two corners beyond the western edge of the sheet; empty without a sea."""
    if not country.coast:
        return []
    shore = _denser([bend(point) for point in _points(country.coast)])
    west = edge - 100
    return [*shore, (west, shore[-1][1]), (west, shore[0][1])]


def _sea(country: Country, bend: Bend, edge: float) -> list[str]:
    """The sea, and the lines along its shore, fainter outwards."""
    if not country.coast:
        return []
    *shore, south, north = _sea_outline(country, bend, edge)
    parts = [path(_smooth(shore, [south, north]), "sea")]
    walk = _walk(shore, 6)
    for n, distance in enumerate((0, 5, 11, 18)):
        parts.append(path(_beside(walk, distance), f"shore shore-{n}"))
    return parts


def _sea_name(country: Country, plan: Plan) -> str:
    """The name of the sea, along the edge of the sheet."""
    if plan.sea is None:
        return ""
    x, y = plan.sea
    name = _(country.sea)
    size = fitting(name, SEA_NAME[1] - SEA_SPACING * len(name), 22)
    turned = f"translate({number(x + size / 3)} {number(y)}) rotate(-90)"
    return text(0, 0, name, size, "sea-name italic", transform=turned, letter_spacing=SEA_SPACING)


def _beside(walk: list[tuple[Point, Point]], distance: float) -> str:
    """The `d` of a line in the sea at a fixed distance from the shore."""
    d, pen_down = "", False
    for (x, y), (nx, ny) in walk:
        at = (x - nx * distance, y - ny * distance)
        # In a narrow bay the other shore is too close, so the line breaks there.
        free = all(hypot(at[0] - a, at[1] - b) > distance * 0.93 for (a, b), _side in walk)
        if free or not distance:
            d += f"{'L' if pen_down else 'M'}{_at(at)}"
        pen_down = free or not distance
    return d


# --- the frame -----------------------------------------------------------------------------------


def _graticule(plan: Plan) -> str:
    frame = plan.sheet.frame
    across, down = _divisions(plan)
    return "".join(
        f"M{number(frame.x + frame.width * n / across)} {number(frame.y)}v{number(frame.height)}"
        for n in range(2, across, 2)
    ) + "".join(
        f"M{number(frame.x)} {number(frame.y + frame.height * n / down)}h{number(frame.width)}"
        for n in range(2, down, 2)
    )


def _divisions(plan: Plan) -> tuple[int, int]:
    """How often the border alternates between dark and light: even, with nearly square fields."""
    frame = plan.sheet.frame
    return 2 * round(frame.width / 116), 2 * round(frame.height / 116)


def _frame(plan: Plan) -> str:
    """A double frame with alternating dark and light degrees between its lines."""
    sheet, frame = plan.sheet, plan.sheet.frame
    m = sheet.margin
    outer = m * 0.3
    across, down = _divisions(plan)
    near, thick = m * 0.24, m * 0.17  # the band of degrees: its distance from the map, its width
    wide, high = frame.width / across, frame.height / down
    bars = ""
    for n in range(0, across, 2):
        x = frame.x + n * wide
        for y in (frame.y - near - thick, frame.y + frame.height + near):
            bars += f"M{number(x)} {number(y)}h{number(wide)}v{number(thick)}h{number(-wide)}z"
    for n in range(0, down, 2):
        y = frame.y + n * high
        for x in (frame.x - near - thick, frame.x + frame.width + near):
            bars += f"M{number(x)} {number(y)}h{number(thick)}v{number(high)}h{number(-thick)}z"
    return group(
        rect(outer, outer, sheet.width - 2 * outer, sheet.height - 2 * outer, "border"),
        *(
            rect(frame.x - d, frame.y - d, frame.width + 2 * d, frame.height + 2 * d, "neat-line")
            for d in (near + thick, near)
        ),
        path(bars, "degrees"),
        class_="frame",
    )
