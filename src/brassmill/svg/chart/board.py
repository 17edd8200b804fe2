"""Small charts side by side on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

from brassmill.svg.chart.sheet import PAD, WIDE, outer, sheet
from brassmill.svg.draw import Picture
from brassmill.svg.panel import fitted_text

if TYPE_CHECKING:
    from brassmill.svg.chart import Chart

NARROWEST = 170  # width of a small chart
GAP = 28
HEADING = 28  # from the top of a small chart to its plot area


@dataclass(frozen=True)
class Board:
    """Small charts in rows, each under its own title, in as many columns as fit."""

    title: str
    charts: Sequence[Chart]
    note: str = ""
    columns: int = 3  # at most


def board_picture(board: Board, width: float = WIDE, *, headed: bool = True) -> Picture:
    """The charts at a given total width; without a heading for a page that has its own."""
    from brassmill.svg.chart import picture

    width = outer(width, headed)
    inner = width - 2 * PAD
    fitting = max(1, floor((inner + GAP) / (NARROWEST + GAP)))
    count = min(board.columns, fitting, len(board.charts))
    each = (inner - (count - 1) * GAP) / count
    body, y = [], 0.0
    for start in range(0, len(board.charts), count):
        drawn = [
            picture(chart, each, headed=False) for chart in board.charts[start : start + count]
        ]
        for n, small in enumerate(drawn):
            x = PAD + n * (each + GAP)
            body.append(fitted_text(x, y + 14, small.label, 14, each))
            body.append(small.inside(x, y + HEADING))
        y += HEADING + max(small.height for small in drawn) + GAP
    return sheet(board.title, board.note, "", width, headed, body, y - GAP)
