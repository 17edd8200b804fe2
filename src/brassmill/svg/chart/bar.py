"""Bar charts: the parts of a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brassmill.language import gettext as _
from brassmill.svg.chart.row import columns
from brassmill.svg.chart.scale import PLAIN, Axis, Scale, fitted
from brassmill.svg.chart.sheet import (
    NAME,
    PAD,
    TICK,
    WIDE,
    apart_of,
    foot,
    level_scale,
    outer,
    sheet,
    tone,
)
from brassmill.svg.draw import Picture, group, line, path, rect, text, title
from brassmill.svg.glyphs import glyph
from brassmill.svg.lettering import width as width_of

BAR, THIN = 22, 7
BETWEEN = 12  # between two rows
SWATCH = 16
LINE = 24  # of the legend


@dataclass(frozen=True)
class BarPart:
    """What one part of every bar stands for."""

    name: str
    look: str = tone(0)  # `tone(n)` or `step(n, count)`
    glyph: str = ""  # an industry or a mark of `glyphs.py`


@dataclass(frozen=True)
class Bar:
    """A row: one value for each part; negative ones go to the left."""

    name: str
    values: Sequence[float]
    glyph: str = ""
    beside: Sequence[float] = ()  # the same parts of something to compare, as a thin bar below
    figure: str | None = None  # the figure on the right; None: the sum
    look: str = ""  # its own colour, if there is only one part


@dataclass(frozen=True)
class BarChart:
    """Horizontal bars with their parts in the same order; unnamed parts are not in the legend."""

    title: str
    bars: Sequence[Bar]
    parts: Sequence[BarPart] = (BarPart(""),)
    x: Axis = PLAIN
    note: str = ""
    scaled: bool = True  # whether to draw a scale; figures may be enough


def bar_picture(chart: BarChart, width: float = WIDE, *, headed: bool = True) -> Picture:
    """The chart at a given width; without a heading for a page that has its own."""
    width = outer(width, headed)
    figures = [_figure(chart, bar) for bar in chart.bars]
    names = [bar.name for bar in chart.bars]
    field = columns(width, names, figures, any(bar.glyph for bar in chart.bars))
    ends = [end for bar in chart.bars for row in (bar.values, bar.beside) for end in _ends(row)]
    apart = apart_of(chart.x, ends)
    scale = fitted(chart.x, [0, *ends], field.left, field.right, apart=apart, snug=True)

    legend, top = _legend(chart.parts, width) if _named(chart) else ([], 0.0)
    rows, y = [], top + 6
    for bar, figure in zip(chart.bars, figures, strict=True):
        middle = y + field.above + BAR / 2
        drawn = [field.name(bar.name, bar.glyph, y, middle), field.figure(figure, middle)]
        drawn += _segments(chart, bar, bar.values, scale, y + field.above, BAR)
        y += field.above + BAR
        if bar.beside:
            drawn += _segments(chart, bar, bar.beside, scale, y + 2, THIN)
            y += THIN + 2
        rows.append(group(*drawn))
        y += BETWEEN
    bottom = y - BETWEEN / 2
    ground, height = [], bottom
    if chart.scaled:
        # Names above the bars would interrupt the zero line, so it is drawn at each bar.
        zero = field.names > 0
        ground = level_scale(chart.x, scale, top, bottom, field.edge, zero=zero)
        height += foot(chart.x)
    description = "; ".join(
        _("{name}: {value}").format(name=bar.name, value=figure)
        for bar, figure in zip(chart.bars, figures, strict=True)
    )
    body = [*ground, *legend, *rows]
    return sheet(chart.title, chart.note, description, width, headed, body, height)


def _figure(chart: BarChart, bar: Bar) -> str:
    return chart.x.written(sum(bar.values)) if bar.figure is None else bar.figure


def _named(chart: BarChart) -> bool:
    return any(part.name for part in chart.parts)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """How far a bar extends to the left and to the right."""
    return sum(min(0.0, value) for value in values), sum(max(0.0, value) for value in values)


def _segments(
    chart: BarChart, bar: Bar, values: Sequence[float], scale: Scale, y: float, high: float
) -> list[str]:
    left, right = map(scale, _ends(values))
    drawn = [  # shades are translucent
        rect(left, y, right - left, high, "ground"),
        path(line([(scale(0), y - 3), (scale(0), y + high + 3)]), "base"),
    ]
    below = above = 0.0
    for part, value in zip(chart.parts, values, strict=True):
        if value == 0:
            continue
        if value < 0:
            below, start, end = below + value, below + value, below
        else:
            above, start, end = above + value, above, above + value
        x, wide = scale(start), scale(end) - scale(start)
        content = chart.x.written(value)
        name = _("{name}, {part}").format(name=bar.name, part=part.name) if part.name else bar.name
        inside = _inside(part, content, x, wide, y) if _named(chart) and high == BAR else []
        drawn.append(
            group(
                title(_("{name}: {value}").format(name=name, value=content)),
                rect(x, y, wide, high, "segment"),
                *inside,
                class_=bar.look or part.look,
            )
        )
    return drawn


def _inside(part: BarPart, content: str, x: float, wide: float, y: float) -> list[str]:
    """What fits into a segment: symbol and value, value only, or nothing."""
    letters = width_of(content, TICK, "sans")
    if letters + 6 > wide:
        return []
    signed = part.glyph and letters + 26 <= wide
    middle = x + wide / 2 + (9 if signed else 0)
    drawn = [text(middle, y + BAR / 2 + 4, content, TICK, "sans on-segment")]
    if signed:
        drawn.append(glyph(part.glyph, middle - letters / 2 - 10, y + BAR / 2, 13, "on-segment"))
    return drawn


def _legend(parts: Sequence[BarPart], width: float) -> tuple[list[str], float]:
    """Swatches like tiles with their names, in as many rows as they need."""
    drawn = []
    x, y = float(PAD), 0.0
    for part in parts:
        wide = SWATCH + 7 + width_of(part.name, NAME, "sans") + 18
        if x > PAD and x + wide - 18 > width - PAD:
            x, y = float(PAD), y + LINE
        middle = y + LINE / 2
        swatch = [rect(x, middle - SWATCH / 2, SWATCH, SWATCH, "segment", rx=3)]
        if part.glyph:
            swatch.append(glyph(part.glyph, x + SWATCH / 2, middle, 12, "on-segment"))
        drawn.append(group(*swatch, class_=part.look))
        drawn.append(text(x + SWATCH + 7, middle + 4.5, part.name, NAME, "sans", "start"))
        x += wide
    return drawn, y + LINE + 8
