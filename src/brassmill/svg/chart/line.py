"""Line charts: how numbers change over a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from brassmill.language import gettext as _
from brassmill.svg.chart.scale import PLAIN, Axis, Scale, fitted
from brassmill.svg.chart.sheet import (
    DASHES,
    NAME,
    PAD,
    TICK,
    TONES,
    WIDE,
    apart_of,
    foot,
    level_scale,
    marker,
    outer,
    sheet,
    spread,
    tone,
)
from brassmill.svg.draw import Picture, circle, group, line, path, rect, text, title
from brassmill.svg.lettering import width as width_of
from brassmill.svg.panel import fitted_text

LABEL = 16  # from one label to the next
LANE = 16  # a row of events
MARKERS = 34  # distance between the markers of a line
ROOM = 0.3  # the largest share of the width for labels


@dataclass(frozen=True)
class Series:
    """A line, named at its end."""

    name: str
    points: Sequence[tuple[float, float]]  # in the order of x
    tone: int | None = None  # colour, dash and marker; None: by its number among the lines


@dataclass(frozen=True)
class ChartEvent:
    """Something that happened at some x: the start of an era, a mistake."""

    x: float
    label: str  # events are sorted by x


@dataclass(frozen=True)
class LineChart:
    """Several lines on one scale, each named at its end."""

    title: str
    series: Sequence[Series]
    x: Axis = PLAIN
    y: Axis = PLAIN
    note: str = ""
    events: Sequence[ChartEvent] = ()
    height: float = 260  # of the plot area
    can_pick: bool = False  # a page may ask which x is where: a field over the plot area says it


def line_picture(chart: LineChart, width: float = WIDE, *, headed: bool = True) -> Picture:
    """The chart at a given width; without a heading for a page that has its own."""
    width = outer(width, headed)
    drawn = [(_tone(series, n), series) for n, series in enumerate(chart.series) if series.points]
    names = [
        _("{name}: {value}").format(name=series.name, value=chart.y.written(series.points[-1][1]))
        for _n, series in drawn
    ]
    labels = max((width_of(name, NAME, "sans") for name in names), default=0) + 22
    labels = min(labels, width * ROOM)
    high = max(chart.height, LABEL * len(drawn))
    points = [point for series in chart.series for point in series.points]
    ys = fitted(chart.y, [y for _x, y in points], high, 0, apart=44, snug=False)
    left = PAD + max(width_of(chart.y.tick_written(tick), TICK, "sans") for tick in ys.ticks) + 8
    places = [x for x, _y in points] + [event.x for event in chart.events]
    apart = apart_of(chart.x, places)
    xs = fitted(chart.x, places, left, width - PAD - labels, apart=apart, snug=True)
    lanes = _lanes(chart.events, xs, width - PAD)
    top = 10.0 + (18 if chart.y.label else 0)
    field = top + LANE * (max(lanes, default=-1) + 1)
    bottom = field + high
    ys = replace(ys, start=bottom, end=field)

    body = [*_field(chart, xs, ys), *_events(chart.events, lanes, xs, top, (width - PAD, bottom))]
    body += level_scale(chart.x, xs, bottom - 4, bottom, width - PAD)
    body += [_curve(chart, series, n, xs, ys) for n, series in drawn]
    if chart.can_pick:
        size = xs.end - xs.start, bottom - field
        body.append(rect(xs.start, field, *size, "touch pick", data_low=xs.low, data_high=xs.high))
    ends = [(xs(x), ys(y)) for x, y in (series.points[-1] for _n, series in drawn)]
    heights = spread([y for _x, y in ends], LABEL, field + 4, bottom)
    for (n, _series), name, end, height in zip(drawn, names, ends, heights, strict=True):
        body.append(_label(name, n, end, (xs.end + 18, height), width - PAD))
    return sheet(
        chart.title, chart.note, "; ".join(names), width, headed, body, bottom + foot(chart.x)
    )


def _tone(series: Series, n: int) -> int:
    return (n if series.tone is None else series.tone) % TONES


def _field(chart: LineChart, xs: Scale, ys: Scale) -> list[str]:
    """The grid with its numbers and the name of the scale."""
    drawn = []
    for tick in ys.ticks:
        class_ = "base" if tick == 0 else "grid"
        drawn.append(path(line([(xs.start, ys(tick)), (xs.end, ys(tick))]), class_))
        content = chart.y.tick_written(tick)
        drawn.append(text(xs.start - 8, ys(tick) + 4, content, TICK, "sans quiet", "end"))
    if chart.y.label:
        drawn.append(fitted_text(PAD, 12, chart.y.label, 12, xs.end - PAD, "sans", "quiet"))
    return drawn


def _curve(chart: LineChart, series: Series, n: int, xs: Scale, ys: Scale) -> str:
    drawn = [(xs(x), ys(y)) for x, y in series.points]
    cap = "round" if n in (2, 7) else None  # dots
    parts = [path(line(drawn), "curve", stroke_dasharray=DASHES[n], stroke_linecap=cap)]
    every = max(1, ceil(MARKERS * len(drawn) / max(1.0, xs.end - xs.start)))
    for k in range((len(drawn) - 1) % every, len(drawn), every):
        said_ = _("{name}, {x}: {y}").format(
            name=series.name,
            x=chart.x.written(series.points[k][0]),
            y=chart.y.written(series.points[k][1]),
        )
        parts.append(group(title(said_), marker(n, *drawn[k], 3.6)))
    return group(*parts, class_=tone(n))


def _label(
    name: str, n: int, end: tuple[float, float], place: tuple[float, float], right: float
) -> str:
    x, y = place
    bend = [(end[0] + 6, end[1]), (x - 12, y), (x - 4, y)]
    return group(
        path(line(bend), "leader"),
        fitted_text(x, y + 4.5, name, NAME, right - x, "sans", smallest=0.85),
        class_=tone(n),
    )


def _lanes(events: Sequence[ChartEvent], xs: Scale, right: float) -> list[int]:
    """The row of each event's label, chosen so that no vertical line crosses a label."""
    ends: list[float] = []  # where the labels of each row end
    lanes = []
    for event in events:
        x = xs(event.x)
        lane = max((n + 1 for n, end in enumerate(ends) if end > x - 6), default=0)
        ends = [*ends[:lane], min(right, x + width_of(event.label, TICK, "sans") + 8)]
        lanes.append(lane)
    return lanes


def _events(
    events: Sequence[ChartEvent],
    lanes: Sequence[int],
    xs: Scale,
    top: float,
    corner: tuple[float, float],
) -> list[str]:
    """Dotted vertical lines with labels at the top."""
    right, bottom = corner
    drawn = []
    for event, lane in zip(events, lanes, strict=True):
        x, y = xs(event.x), top + LANE * lane
        drawn.append(path(line([(x, y), (x, bottom)]), "event"))
        drawn.append(circle(x, y, 2.2, "ink"))
        drawn.append(fitted_text(x + 7, y + 4, event.label, TICK, right - x - 7, "sans", "quiet"))
    return drawn
