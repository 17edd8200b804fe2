"""The icons of the installed app: the mill wheel, in brass."""

from __future__ import annotations

from brassmill.svg.draw import NAMESPACE, element, group
from brassmill.svg.png import png
from brassmill.svg.theme import PALETTES

# The wheel and its water, in a square of 32: as in the page's icon (`favicon.svg`).
WHEEL = (
    "M14.3 1.5h3.4l.6 3.5 2.9 1.2 2.9-2.1 2.4 2.4-2.1 2.9 1.2 2.9 3.5.6v3.4l-3.5.6-1.2 2.9 2.1 2.9"
    "-2.4 2.4-2.9-2.1-2.9 1.2-.6 3.5h-3.4l-.6-3.5-2.9-1.2-2.9 2.1-2.4-2.4 2.1-2.9-1.2-2.9-3.5-.6"
    "v-3.4l3.5-.6 1.2-2.9-2.1-2.9 2.4-2.4 2.9 2.1 2.9-1.2zM16 7.9a7 7 0 1 0 0 14 7 7 0 0 0 0-14z"
)
WATER = "M11.4 13.5q1.15-1.4 2.3 0t2.3 0 2.3 0 2.3 0M12.4 17.3q.9-1.2 1.8 0t1.8 0 1.8 0 1.8 0"
MIDDLE = (16, 14.9)  # of the wheel
WIDE = 32
# The share of the picture that the wheel fills. Systems cut a maskable icon into shapes of their
# own, but never into the circle of four fifths in its middle.
PLAIN, MASKABLE, BADGE = 0.76, 0.62, 0.98


def app_icon(width: int, is_maskable: bool = False) -> bytes:
    """The icon as PNG: on a rounded plate, or on a full square to be cut by the system."""
    dark = PALETTES["dark"]
    corner = 0 if is_maskable else WIDE * 0.19
    plate = element("rect", width=WIDE, height=WIDE, rx=corner, fill=dark["paper"])
    wheel = _wheel(dark["brass"], dark["water"], MASKABLE if is_maskable else PLAIN)
    return _drawn(plate + wheel, width)


def badge(width: int) -> bytes:
    """The icon of one colour that a phone shows in its status bar."""
    return _drawn(_wheel("#ffffff", "#ffffff", BADGE), width)


def _wheel(brass: str, water: str, share: float) -> str:
    path = element("path", d=WHEEL, fill=brass, fill_rule="evenodd")
    waves = element(
        "path", d=WATER, fill="none", stroke=water, stroke_width=1.9, stroke_linecap="round"
    )
    across = WIDE / 2
    x, y = (across - share * middle for middle in MIDDLE)
    return group(path, waves, transform=f"translate({x:.3f} {y:.3f}) scale({share})")


def _drawn(drawing: str, width: int) -> bytes:
    sheet = element("style", " ")  # the colours are in the elements
    return png(element("svg", sheet, drawing, xmlns=NAMESPACE, viewBox=f"0 0 {WIDE} {WIDE}"), width)
