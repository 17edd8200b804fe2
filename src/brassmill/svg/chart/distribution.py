"""Distributions: how often each number occurred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor
from statistics import quantiles

from brassmill.language import gettext as _
from brassmill.svg.chart.row import columns
from brassmill.svg.chart.scale import PLAIN, Axis, Scale, fitted, round_step
from brassmill.svg.chart.sheet import (
    NO_TONE,
    NOTE,
    WIDE,
    apart_of,
    foot,
    level_scale,
    marker,
    outer,
    sheet,
    tone,
)
from brassmill.svg.draw import Picture, circle, group, line, number, path, title

HILL = 36  # height of the tallest column
BOX = 16  # height of the quartiles below
BETWEEN = 8
HEAD = 20
NARROWEST = 6.0  # width of a column


@dataclass(frozen=True)
class Sample:
    """A row: every number that occurred."""

    name: str
    values: Sequence[float]
    marked: Sequence[float] = ()  # the values to draw in full colour
    tone: int | None = None  # colour and marker; None: neither


@dataclass(frozen=True)
class DistributionChart:
    """A histogram for each row, with the middle half and the median below."""

    title: str
    rows: Sequence[Sample]
    x: Axis = PLAIN
    note: str = ""
    figures: str = ""  # the heading of the figures on the right: the medians


def distribution_picture(
    chart: DistributionChart, width: float = WIDE, *, headed: bool = True
) -> Picture:
    """The chart at a given width; without a heading for a page that has its own."""
    width = outer(width, headed)
    quarters = [_quarters(row.values) for row in chart.rows]
    figures = [chart.x.written(median) for _low, median, _high in quarters]
    field = columns(width, [row.name for row in chart.rows], figures)
    values = [value for row in chart.rows for value in row.values]
    bin_ = _bin(chart.rows, field.right - field.left)
    edges = [floor(end / bin_) * bin_ + more for end in values for more in (0, bin_)]
    left, right = field.left + 4, field.right - 4
    apart = apart_of(chart.x, values)
    scale = fitted(chart.x, edges, left, right, apart=apart, snug=True)
    hills = [_counted(row.values, bin_) for row in chart.rows]
    highest = max(
        count / len(row.values)
        for row, hill in zip(chart.rows, hills, strict=True)
        for count in hill.values()
    )

    top = y = float(HEAD if chart.figures else 0)
    rows, spoken = [], []
    for row, hill, (low, median, high), figure in zip(
        chart.rows, hills, quarters, figures, strict=True
    ):
        ground = y + field.above + HILL
        words = _("{name}: middle half from {low} to {high}, median {median}").format(
            name=row.name, low=chart.x.written(low), high=chart.x.written(high), median=figure
        )
        spoken.append(words)
        unit = HILL / highest / len(row.values)
        middle = ground + BOX / 2
        drawn = [title(words), path(_hill(hill, bin_, scale, ground, unit), "many")]
        if row.marked:
            marked = _counted(row.marked, bin_)
            drawn.append(path(_hill(marked, bin_, scale, ground, unit), "many marked"))
        ends = min(row.values), max(row.values)
        drawn.append(path(line([(scale(end), middle) for end in ends]), "leader"))
        drawn.append(path(line([(scale(low), middle), (scale(high), middle)]), "middle-half"))
        drawn.append(
            circle(scale(median), middle, 4.5, "point")
            if row.tone is None
            else marker(row.tone, scale(median), middle, 4.5)
        )
        rows.append(path(line([(field.left, ground), (field.right, ground)]), "grid"))
        rows.append(field.name(row.name, "", y, ground - 9))
        rows.append(group(*drawn, class_=NO_TONE if row.tone is None else tone(row.tone)))
        rows.append(field.figure(figure, ground - 9))
        y = ground + BOX + BETWEEN
    body = level_scale(chart.x, scale, top, y, field.edge)
    if chart.figures:
        body.append(field.heading(chart.figures, NOTE))
    height = y + foot(chart.x)
    return sheet(chart.title, chart.note, "; ".join(spoken), width, headed, [*body, *rows], height)


def _quarters(values: Sequence[float]) -> tuple[float, float, float]:
    """The quartiles of the values."""
    if len(values) < 2:
        return (values[0],) * 3
    low, median, high = quantiles(values, n=4, method="inclusive")
    return low, median, high


def _bin(rows: Sequence[Sample], room: float) -> float:
    """The width of a column: half of the Freedman-Diaconis rule, but not too narrow to see."""
    values = [value for row in rows for value in row.values]
    fewest = min(len(row.values) for row in rows)
    spreads = [high - low for low, _median, high in (_quarters(row.values) for row in rows)]
    wanted = (sum(spreads) / len(spreads)) / fewest ** (1 / 3)
    seen = (max(values) - min(values)) * NARROWEST / room
    return round_step(max(wanted, seen), 1.0)


def _counted(values: Iterable[float], bin_: float) -> Counter[int]:
    return Counter(floor(value / bin_) for value in values)


def _hill(hill: Counter[int], bin_: float, scale: Scale, ground: float, unit: float) -> str:
    """The columns of a histogram as one path."""
    columns = []
    for n in sorted(hill):
        left, right = scale(n * bin_), scale((n + 1) * bin_)
        top = ground - hill[n] * unit
        columns.append(
            f"M{number(left + 0.4)} {number(ground)}V{number(top)}H{number(right - 0.4)}"
            f"V{number(ground)}Z"
        )
    return "".join(columns)
