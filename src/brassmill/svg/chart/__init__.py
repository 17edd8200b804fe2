"""Charts in the style of the maps: lines, bars, intervals, distributions.

A chart is plain data; `draw` turns it into an SVG, `picture` into a part of another picture. The
result depends only on the data, the width and the language. Things differ by colour and by shape or
dash, and are named where they are drawn rather than in a legend. Texts never overlap, whatever the
font: long names go above their rows.

>>> from brassmill.svg import chart
>>> game = chart.LineChart(
...     "Victory points",
...     [chart.Series("Ada", [(1, 0), (16, 131)]), chart.Series("Ben", [(1, 0), (16, 98)])],
...     x=chart.Axis("round", whole=True),
...     events=[chart.ChartEvent(8, "rail era")],
... )
>>> chart.draw(game, theme="light")[:4], chart.picture(game, 358, headed=False).width
('<svg', 358)
"""

from __future__ import annotations

from brassmill.svg.chart.bar import Bar, BarChart, BarPart, bar_picture
from brassmill.svg.chart.board import Board, board_picture
from brassmill.svg.chart.distribution import DistributionChart, Sample, distribution_picture
from brassmill.svg.chart.interval import Interval, IntervalChart, interval_picture
from brassmill.svg.chart.line import ChartEvent, LineChart, Series, line_picture
from brassmill.svg.chart.scale import Axis, fixed, percent, written
from brassmill.svg.chart.sheet import NO_TONE, TONES, WIDE, step, tone
from brassmill.svg.draw import Picture
from brassmill.svg.theme import check_theme

__all__ = [
    "NO_TONE",
    "TONES",
    "WIDE",
    "Axis",
    "Bar",
    "BarChart",
    "BarPart",
    "Board",
    "Chart",
    "ChartEvent",
    "DistributionChart",
    "Interval",
    "IntervalChart",
    "LineChart",
    "Sample",
    "Series",
    "draw",
    "fixed",
    "percent",
    "picture",
    "step",
    "tone",
    "written",
]

Chart = LineChart | BarChart | IntervalChart | DistributionChart | Board


def draw(chart: Chart, *, width: float = WIDE, theme: str | None = "auto") -> str:
    """A chart as a standalone SVG; `theme` is as for maps."""
    return picture(chart, width).document(check_theme(theme))


def picture(chart: Chart, width: float = WIDE, *, headed: bool = True) -> Picture:
    """A chart as part of something else; without heading and frame for a page that has its own."""
    match chart:
        case LineChart():
            return line_picture(chart, width, headed=headed)
        case BarChart():
            return bar_picture(chart, width, headed=headed)
        case IntervalChart():
            return interval_picture(chart, width, headed=headed)
        case DistributionChart():
            return distribution_picture(chart, width, headed=headed)
        case Board():
            return board_picture(chart, width, headed=headed)
