"""A part of a map, with numbered marks on what is allowed there and what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from brassmill import editions
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.svg.draw import NAMESPACE, circle, element, group, moved, number, path, rect, text
from brassmill.svg.ground import ground as draw_ground
from brassmill.svg.lights import Lights
from brassmill.svg.links import links
from brassmill.svg.places import places
from brassmill.svg.plan import Plan, plan
from brassmill.svg.sites import Box
from brassmill.svg.theme import check_theme, stylesheet

MARGIN = 26  # around the places
LEAST = (480.0, 300.0)  # width and height
WIDEST, NARROWEST = 2.3, 1.5  # width to height
PILL = (37, 22)  # a mark
ROUND = 15  # one that says neither: its radius
TICK, CROSS = "M-4.5 .3l3.2 3.6L5-4", "M-4-4L4 4M4-4L-4 4"


class Mark(NamedTuple):
    """A number on a space or a line, with a tick, a cross or neither."""

    number: int
    allowed: bool | None
    space: int | None = None
    line: int | None = None


def detail(
    view: View,
    around: Collection[int],
    marks: Sequence[Mark] = (),
    *,
    label: str,
    theme: str | None = "auto",
    ground: str = "",
) -> str:
    """The part of the wide map with these places, as SVG.

    A page with many of them passes the address of the background as `ground`, so that it is loaded
    once.
    """
    edition = editions.edition(view.edition, view.players, **view.options)
    sheet = plan(edition, "wide")
    window = _window(sheet, around)
    near = [n for n, spot in enumerate(sheet.spots) if _meets(window, spot.block, spot.label)]
    lines = [n for n, ends in enumerate(edition.line_ends) if any(end in near for end in ends)]
    nothing_lit = Lights(())
    size = sheet.sheet
    if ground:
        below = element("image", href=ground, width=size.width, height=size.height)
    else:
        below = draw_ground(edition, "wide")
    drawn = group(
        below,
        links(view, edition, "wide", nothing_lit, only=lines),
        places(view, edition, "wide", nothing_lit, only=near),
        class_=f"{view.era}-era",
    )
    style = "" if theme is None else element("style", stylesheet(theme, f".brass.{theme}"))
    check_theme(theme)
    return element(
        "svg",
        style,
        drawn,
        _marks(edition, sheet, marks),
        xmlns=NAMESPACE,
        class_=f"brass map detail{f' {theme}' if theme else ''}",
        viewBox=" ".join(map(number, window)),
        role="img",
        aria_label=label,
    )


def ground_picture(edition: Edition, era: str, theme: str = "auto") -> str:
    """The background of the wide map alone, as a file for `detail`."""
    size = plan(edition, "wide").sheet
    return element(
        "svg",
        element("style", stylesheet(check_theme(theme) or "auto", ".brass")),
        group(draw_ground(edition, "wide"), class_=f"{era}-era"),
        xmlns=NAMESPACE,
        class_="brass map",
        viewBox=f"0 0 {number(size.width)} {number(size.height)}",
        width=size.width,
        height=size.height,
    )


def _meets(window: Box, *boxes: Box) -> bool:
    return any(window.meets(box) for box in boxes)


def _window(sheet: Plan, around: Collection[int]) -> Box:
    """The part of the sheet that holds all these places, neither too small nor too slim."""
    boxes = [box for n in around for box in (sheet.spots[n].block, sheet.spots[n].label)]
    frame = sheet.sheet.frame
    left = min((box.x for box in boxes), default=frame.x) - MARGIN
    top = min((box.y for box in boxes), default=frame.y) - MARGIN
    right = max((box.x + box.width for box in boxes), default=frame.width) + MARGIN
    bottom = max((box.y + box.height for box in boxes), default=frame.height) + MARGIN
    width = max(right - left, LEAST[0], NARROWEST * (bottom - top))
    height = max(bottom - top, LEAST[1], width / WIDEST)
    x = _within((left + right - width) / 2, width, frame.x, frame.width)
    y = _within((top + bottom - height) / 2, height, frame.y, frame.height)
    return Box(x, y, min(width, frame.width), min(height, frame.height))


def _within(start: float, size: float, low: float, room: float) -> float:
    """Where a stretch begins so that it stays inside a longer one."""
    return max(low, min(start, low + room - size))


def _marks(edition: Edition, sheet: Plan, marks: Sequence[Mark]) -> str:
    drawn = []
    taken: Counter[tuple[float, float]] = Counter()  # several marks on one thing stand abreast
    for mark in marks:
        spot = _spot(edition, sheet, mark)
        if spot is None:
            continue
        x, y = spot[0] + taken[spot] * (PILL[0] + 3), spot[1]
        taken[spot] += 1
        drawn.append(_mark(mark, x, y))
    return group(*drawn, class_="verdicts") if drawn else ""


def _spot(edition: Edition, sheet: Plan, mark: Mark) -> tuple[float, float] | None:
    """Where the middle of a mark is."""
    if mark.line is not None:
        x, y = sheet.tracks[mark.line].middle
        return x, y - PILL[1]
    if mark.space is None:
        return None
    place = edition.spaces[mark.space].place
    spot = sheet.spots[place]
    corner = spot.site.spaces[edition.place_spaces[place].index(mark.space)]
    box = corner.at(spot.x, spot.y)
    return box.middle[0], box.y


def _mark(mark: Mark, x: float, y: float) -> str:
    width, height = PILL
    if mark.allowed is None:
        return group(
            circle(0, 0, ROUND, "pill"),
            text(0, 6, str(mark.number), 17, "sans bold"),
            class_="verdict",
            transform=moved(x, y),
        )
    return group(
        rect(-width / 2, -height / 2, width, height, "pill", rx=height / 2),
        text(-8, 5, str(mark.number), 14, "sans bold"),
        path(TICK if mark.allowed else CROSS, "stroke", transform=moved(8, 0)),
        class_="verdict allowed" if mark.allowed else "verdict refused",
        transform=moved(x, y),
    )
