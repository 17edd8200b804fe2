"""Intervals: numbers with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brassmill.language import gettext as _
from brassmill.svg.chart.row import columns
from brassmill.svg.chart.scale import PLAIN, Axis, fitted
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
from brassmill.svg.draw import Picture, circle, group, line, path, title

ROW, LOW_ROW = 30, 20  # the second if names are above
CAP = 5  # half the length of the cap on a whisker
HEAD = 20  # height of the heading of the figures


@dataclass(frozen=True)
class Interval:
    """A row: a number, and its interval if that is known."""

    name: str
    value: float
    between: tuple[float, float] | None = None
    tone: int | None = None  # colour and marker; None: neither


@dataclass(frozen=True)
class IntervalChart:
    """A dot with a whisker for each row: a ranking, if the rows are sorted."""

    title: str
    rows: Sequence[Interval]
    x: Axis = PLAIN
    note: str = ""
    figures: str = ""  # the heading of the figures on the right
    expected: float | None = None  # a number to compare with: a vertical line through all rows


def interval_picture(chart: IntervalChart, width: float = WIDE, *, headed: bool = True) -> Picture:
    """The chart at a given width; without a heading for a page that has its own."""
    width = outer(width, headed)
    figures = [chart.x.written(row.value) for row in chart.rows]
    field = columns(width, [row.name for row in chart.rows], figures)
    values = [end for row in chart.rows for end in (row.value, *(row.between or ()))]
    if chart.expected is not None:
        values.append(chart.expected)
    apart = apart_of(chart.x, values)
    left, right = field.left + 8, field.right - 8
    scale = fitted(chart.x, values, left, right, apart=apart, snug=False)
    top = y = float(HEAD if chart.figures else 0)
    high = ROW if field.names else LOW_ROW
    rows, spoken = [], []
    for row, figure in zip(chart.rows, figures, strict=True):
        middle = y + field.above + high / 2
        words = _("{name}: {value}").format(name=row.name, value=_words(chart.x, row))
        spoken.append(words)
        drawn = [title(words)]
        if row.between is not None:
            ends = [scale(end) for end in row.between]
            drawn.append(path(line([(x, middle) for x in ends]), "whisker"))
            for x in ends:
                drawn.append(path(line([(x, middle - CAP), (x, middle + CAP)]), "whisker"))
        drawn.append(
            circle(scale(row.value), middle, 4.8, "point")
            if row.tone is None
            else marker(row.tone, scale(row.value), middle, 4.8)
        )
        rows.append(field.name(row.name, "", y, middle))
        rows.append(group(*drawn, class_=NO_TONE if row.tone is None else tone(row.tone)))
        rows.append(field.figure(figure, middle))
        y += field.above + high + (0 if field.names else 4)
    body = level_scale(chart.x, scale, top, y, field.edge, zero=0 in chart.x.reach)
    if chart.expected is not None:
        x = scale(chart.expected)
        body.append(path(line([(x, top), (x, y)]), "event"))
    if chart.figures:
        body.append(field.heading(chart.figures, NOTE))
    height = y + foot(chart.x)
    return sheet(chart.title, chart.note, "; ".join(spoken), width, headed, [*body, *rows], height)


def _words(axis: Axis, row: Interval) -> str:
    value = axis.written(row.value)
    if row.between is None:
        return value
    low, high = map(axis.written, row.between)
    return _("{value} ({low} to {high})").format(value=value, low=low, high=high)
