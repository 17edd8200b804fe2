"""The scenery of the eras: trees while canals are dug, chimneys and smoke in the age of railways.

It is drawn below everything else and never touches a name, so it takes nothing from the map.
"""

from __future__ import annotations

from math import hypot, sin

from brassmill.svg.draw import group, number, path
from brassmill.svg.plan import Plan, Point
from brassmill.svg.sites import Box

CELL = 46  # one tree, or small group of trees, at most in a square of this size
BARE = 0.3  # how many squares have none
AWAY = 17  # a tree's distance from lines, towns and names
CHIMNEY = (7, 15)  # width and height above a town's block
PUFFS = (  # x, y, r
    *((0, -4, 4), (3, -9, 5), (8, -14, 6.2), (14, -17, 7), (21, -21, 8), (29, -23, 8.4)),
    *((37, -26, 8), (45, -27, 6.6), (52, -29, 4.8)),
)


def uneven(n: float) -> float:
    """A pseudo-random number between 0 and 1, the same every time."""
    return (sin(n * 12.9898) * 43758.5453) % 1


def scenery(plan: Plan, sea: list[Point], furniture: list[Box]) -> str:
    """The trees of the canal era and the smoke of the rail era; the style sheet shows one."""
    chimneys, smoke = _smoke(plan)
    return group(
        path(_trees(plan, sea, furniture), "trees"),
        path(smoke, "smoke"),
        path(chimneys, "chimneys"),
    )


# --- trees ---------------------------------------------------------------------------------------


def _trees(plan: Plan, sea: list[Point], furniture: list[Box]) -> str:
    frame = plan.sheet.frame
    boxes = [box.grown(AWAY) for spot in plan.spots for box in (spot.block, spot.label)]
    boxes += [box.grown(AWAY) for box in furniture]
    roads = [
        point
        for track in (*plan.tracks, *plan.ferries)
        for curve in track.curves
        for point in curve.points[::2]
    ]

    def is_free(x: float, y: float) -> bool:
        return not (
            any(box.meets(Box(x, y, 0, 0)) for box in boxes)
            or any(hypot(a - x, b - y) < AWAY for a, b in roads)
            or _within((x, y), sea)
        )

    d = ""
    for row in range(int(frame.height / CELL)):
        for column in range(int(frame.width / CELL)):
            seed = 31.7 * row + column
            if uneven(seed + 0.25) < BARE:
                continue
            x = frame.x + (column + 0.2 + 0.6 * uneven(seed)) * CELL
            y = frame.y + (row + 0.2 + 0.6 * uneven(seed + 0.5)) * CELL
            for n in range(1 + int(2.4 * uneven(seed + 0.9))):
                foot = x + 9 * n, y + 4 * uneven(seed + n)
                if is_free(*foot):
                    d += _tree(*foot, 0.8 + 0.4 * uneven(seed + n + 0.75))
    return d


def _tree(x: float, y: float, size: float) -> str:
    """A crown on a trunk, and a line of shade."""
    r = 3.4 * size
    return (
        f"M{number(x)} {number(y)}v{number(-3 * size)}"
        f"a{number(r)} {number(r)} 0 1 1 {number(0.1)} 0"
        f"m{number(-0.3 * r)} {number(-0.6 * r)}"
        f"q{number(r)} {number(-0.2 * r)} {number(r)} {number(-r)}"
    )


def _within(point: Point, outline: list[Point]) -> bool:
    """Is a point inside a polygon?"""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


# --- smoke ---------------------------------------------------------------------------------------


def _smoke(plan: Plan) -> tuple[str, str]:
    """Chimneys behind the roofs of towns, and their smoke, blown to the east."""
    chimneys, smoke = "", ""
    wide, high = CHIMNEY
    for n, spot in enumerate(plan.spots):
        if not spot.site.spaces or spot.side == "n":
            continue  # nothing is made there, or its name is above it
        block = spot.block
        for k in range(1 + (block.width > 100)):
            foot = number(block.y + 2)
            x = block.x + block.width * (0.62 if k else 0.2) + 8 * uneven(n + k)
            top = block.y - high * (0.8 + 0.4 * uneven(n + k + 0.5))
            chimneys += (
                f"M{number(x)} {foot}V{number(top)}h{number(wide)}V{foot}z"
                f"M{number(x - 1)} {number(top - 2)}h{number(wide + 2)}v3h{number(-wide - 2)}z"
            )
            smoke += "".join(
                _puff(x + wide / 2 + dx, top - 2 + dy, r * (0.85 + 0.3 * uneven(n + k + dx)))
                for dx, dy, r in PUFFS
            )
    return chimneys, smoke


def _puff(x: float, y: float, r: float) -> str:
    return (
        f"M{number(x - r)} {number(y)}a{number(r)} {number(r)} 0 1 1 {number(2 * r)} 0"
        f"a{number(r)} {number(r)} 0 1 1 {number(-2 * r)} 0"
    )
