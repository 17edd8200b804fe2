"""Rows: what charts have in common that say something about each of several things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brassmill.svg.chart.sheet import NAME, NOTE, PAD
from brassmill.svg.draw import classes, group, rect, text
from brassmill.svg.glyphs import glyph
from brassmill.svg.lettering import width as width_of
from brassmill.svg.panel import said

GUTTER = 0.3  # the most that names take of the width; longer ones stand above their rows
GLYPH = 16
ABOVE = 19  # a row of names above the rows


@dataclass(frozen=True)
class Columns:
    """Where the names, the field and the figures at the right are."""

    names: float  # how wide the names are; 0: they stand above their rows
    left: float
    right: float
    edge: float  # where the sheet's own margin begins

    @property
    def above(self) -> float:
        """How much higher a row is because its name stands above it."""
        return 0 if self.names else ABOVE

    def name(self, content: str, sign: str, y: float, middle: float) -> str:
        """The name of a row that begins at y; `middle` is that of what it names."""
        x = float(PAD)
        base = middle + 4.5 if self.names else y + 13
        drawn = []
        if sign:
            drawn.append(glyph(sign, x + GLYPH / 2, base - 4.5, GLYPH))
            x += GLYPH + 7
        room = PAD + self.names - x - 12 if self.names else self.edge - x
        drawn.append(said(x, base, content, NAME, room, "sans", smallest=0.85))
        if not self.names:  # the lines of the scale pass behind it
            wide = x - PAD + min(room, width_of(content, NAME, "sans")) + 4
            drawn.insert(0, rect(PAD - 2, y, wide, ABOVE - 1, "ground"))
        return group(*drawn)

    def figure(self, content: str, middle: float, class_: str | None = None) -> str:
        """A figure at the right end of a row."""
        return text(self.edge, middle + 5, content, NAME, classes("bold", class_), "end")

    def heading(self, content: str, y: float) -> str:
        """What the figures at the right are."""
        return said(self.edge, y, content, NOTE, self.edge - PAD, "sans", "quiet", "end")


def columns(
    width: float, names: Sequence[str], figures: Sequence[str], signs: bool = False
) -> Columns:
    """Room for the names at the left, unless they are too long, and for figures at the right."""
    widest = max((width_of(name, NAME, "sans") for name in names), default=0.0)
    wanted = widest + 12 + (GLYPH + 7 if signs else 0) if widest else 0.0
    beside = wanted if wanted <= GUTTER * width else 0.0
    figure = max((width_of(each, NAME, "serif bold") for each in figures), default=0.0)
    edge = width - PAD
    return Columns(beside, PAD + beside, edge - (figure + 12 if figure else 0), edge)
