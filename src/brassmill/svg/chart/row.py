"""Rows: what charts with one row per thing have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brassmill.svg.chart.sheet import NAME, NOTE, PAD
from brassmill.svg.draw import classes, group, rect, text
from brassmill.svg.glyphs import glyph
from brassmill.svg.lettering import width as width_of
from brassmill.svg.panel import fitted_text

GUTTER = 0.3  # the largest share of the width for names; longer ones go above their rows
GLYPH = 16
ABOVE = 19  # a row of names above the rows


@dataclass(frozen=True)
class Columns:
    """The positions of the names, the plot area and the figures on the right."""

    names: float  # width of the names; 0: they are above their rows
    left: float
    right: float
    edge: float  # where the sheet's margin starts

    @property
    def above(self) -> float:
        """The extra height of a row whose name is above it."""
        return 0 if self.names else ABOVE

    def name(self, content: str, sign: str, y: float, middle: float) -> str:
        """The name of a row that starts at y; `middle` is the middle of what it names."""
        x = float(PAD)
        base = middle + 4.5 if self.names else y + 13
        drawn = []
        if sign:
            drawn.append(glyph(sign, x + GLYPH / 2, base - 4.5, GLYPH))
            x += GLYPH + 7
        room = PAD + self.names - x - 12 if self.names else self.edge - x
        drawn.append(fitted_text(x, base, content, NAME, room, "sans", smallest=0.85))
        if not self.names:  # the grid lines pass behind it
            wide = x - PAD + min(room, width_of(content, NAME, "sans")) + 4
            drawn.insert(0, rect(PAD - 2, y, wide, ABOVE - 1, "ground"))
        return group(*drawn)

    def figure(self, content: str, middle: float, class_: str | None = None) -> str:
        """A figure on the right of a row."""
        return text(self.edge, middle + 5, content, NAME, classes("bold", class_), "end")

    def heading(self, content: str, y: float) -> str:
        """The heading of the figures on the right."""
        return fitted_text(self.edge, y, content, NOTE, self.edge - PAD, "sans", "quiet", "end")


def columns(
    width: float, names: Sequence[str], figures: Sequence[str], signs: bool = False
) -> Columns:
    """Room for names on the left, unless they are too long, and for figures on the right."""
    widest = max((width_of(name, NAME, "sans") for name in names), default=0.0)
    wanted = widest + 12 + (GLYPH + 7 if signs else 0) if widest else 0.0
    beside = wanted if wanted <= GUTTER * width else 0.0
    figure = max((width_of(each, NAME, "serif bold") for each in figures), default=0.0)
    edge = width - PAD
    return Columns(beside, PAD + beside, edge - (figure + 12 if figure else 0), edge)
