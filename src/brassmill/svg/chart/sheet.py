"""What all charts share: heading, scale, names and colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from brassmill.svg.chart.scale import Axis, Scale
from brassmill.svg.draw import Picture, classes, element, line, number, path, text, words
from brassmill.svg.glyphs import shape
from brassmill.svg.lettering import width as width_of
from brassmill.svg.panel import fitted_text, frame

WIDE = 720
PAD = 16
TITLE, NOTE = 17, 12
TICK = 11.5
NAME = 13
CALM = 52  # minimum distance between two numbers of a scale
TONES = 8

# Besides its colour, each tone has its own dash and marker.
DASHES = (None, "8 4", "2 4", "10 4 2 4", "14 4", "5 3", "2 3 6 3", "1 5")


def tone(n: int) -> str:
    """The CSS class for the colour of the n-th of several different things."""
    return f"tone-{n % TONES}"


NO_TONE = "tone-none"


def step(n: int, count: int) -> str:
    """The CSS class for the shade of the n-th of `count` ordered things, starting pale."""
    return f"step-{8 if count == 1 else 1 + round(n * 7 / (count - 1))}"


def marker(n: int, x: float, y: float, r: float) -> str:
    """The marker of a tone: the players' shapes, then the same shapes hollow."""
    return shape(n % 4, x, y, r, classes("point", n % TONES >= 4 and "hollow"))


def sheet(
    title: str,
    note: str,
    description: str,
    width: float,
    headed: bool,
    body: Sequence[str],
    height: float,
) -> Picture:
    """A chart on a panel with its heading, or bare for a page that has its own heading.

    The body keeps `PAD` from the sides and starts at the top.
    """
    described = element("desc", words(description)) if description else ""
    if not headed:
        bare = width - 2 * PAD
        moved = element("g", *body, transform=f"translate({-PAD} 0)")
        return Picture("chart", bare, height, title, described + moved, still=True)
    top = 36.0
    heading = [fitted_text(PAD, 30, title, TITLE, width - 2 * PAD)]
    for row in wrapped(note, NOTE, width - 2 * PAD) if note else ():
        top += NOTE + 4
        heading.append(text(PAD, top, row, NOTE, "sans quiet", "start"))
    top += 16
    whole = top + height + PAD
    moved = element("g", *body, transform=f"translate(0 {number(top)})")
    drawn = (described, frame(width, whole), *heading, moved)
    return Picture("chart", width, whole, title, "".join(drawn), still=True)


def outer(width: float, headed: bool) -> float:
    """The width of the sheet that makes the picture as wide as wanted."""
    return width if headed else width + 2 * PAD


def wrapped(content: str, size: float, room: float, font: str = "sans") -> list[str]:
    """Wrap words into lines no wider than `room`."""
    rows = [""]
    for word in content.split(" "):
        longer = f"{rows[-1]} {word}".strip()
        if rows[-1] and width_of(longer, size, font) > room:
            rows.append(word)
        else:
            rows[-1] = longer
    return rows


def level_scale(
    axis: Axis, scale: Scale, top: float, bottom: float, edge: float, *, zero: bool = False
) -> list[str]:
    """A horizontal scale: grid lines upwards, numbers below, its name at the end.

    The numbers stay between the margins, `PAD` and `edge`; `zero` is where bars start.
    """
    drawn = [
        path(
            line([(scale(tick), top), (scale(tick), bottom)]),
            "base" if zero and tick == 0 else "grid",
        )
        for tick in scale.ticks
    ]
    for tick in scale.ticks:
        content = axis.tick_written(tick)
        half = width_of(content, TICK, "sans") / 2
        x = min(max(scale(tick), PAD + half), edge - half)
        drawn.append(text(x, bottom + 15, content, TICK, "sans quiet"))
    if axis.label:
        room = scale.end - scale.start
        drawn.append(
            fitted_text(scale.end, bottom + 32, axis.label, NOTE, room, "sans", "quiet", "end")
        )
    return drawn


def foot(axis: Axis) -> float:
    """The height of the labels below a scale."""
    return 36 if axis.label else 19


def apart_of(axis: Axis, values: Sequence[float]) -> float:
    """The distance between the ticks of a horizontal scale that keeps their numbers apart."""
    longest = max((round(value, 1) for value in values), key=lambda v: len(f"{v:g}"), default=0)
    return max(CALM, width_of(axis.tick_written(longest), TICK, "sans") + 22)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions for labels at least `gap` apart, each as close as possible to where it is wanted.

    Labels that are too close become a block around the mean of their wanted positions.
    """
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    blocks: list[list[int]] = []
    for n in order:
        blocks.append([n])
        while len(blocks) > 1 and _starts(blocks[-2:], wanted, gap, low, high) is None:
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    places = [0.0] * len(wanted)
    for block in blocks:
        start = _start(block, wanted, gap, low, high)
        for k, n in enumerate(block):
            places[n] = start + k * gap
    return places


def _starts(
    blocks: Sequence[Sequence[int]], wanted: Sequence[float], gap: float, low: float, high: float
) -> list[float] | None:
    """Where blocks start; None if two overlap."""
    starts = [_start(block, wanted, gap, low, high) for block in blocks]
    for (start, block), (following, _) in pairwise(zip(starts, blocks, strict=True)):
        if start + len(block) * gap > following + 1e-9:
            return None
    return starts


def _start(
    block: Sequence[int], wanted: Sequence[float], gap: float, low: float, high: float
) -> float:
    middle = sum(wanted[n] - k * gap for k, n in enumerate(block)) / len(block)
    return max(low, min(middle, high - (len(block) - 1) * gap))
