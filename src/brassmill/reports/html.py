"""A standalone HTML page: figures with charts and tables, no external files.

The template is `page.html`. Every chart is included several times, drawn for wide and narrow
screens, and the page shows the one that fits. Where a table of sentences would be too narrow, its
rows become paragraphs. Light or dark follows the reader's system; print is light.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from brassmill.language import gettext as _
from brassmill.language import language, ngettext
from brassmill.svg.chart import Axis, Chart, ChartEvent, LineChart, Series, picture
from brassmill.svg.draw import Picture
from brassmill.svg.theme import PALETTES, SANS, SERIF, stylesheet

if TYPE_CHECKING:
    from jinja2 import Template


class Widths(NamedTuple):
    """How wide charts are drawn for the full page, a tablet, a card and a phone."""

    page: int
    tablet: int
    card: int
    phone: int


WIDTHS = Widths(page=1240, tablet=680, card=600, phone=330)


@dataclass(frozen=True)
class FigureTable:
    """Figures in rows; the first column names them."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: Collection[int] = ()  # columns that hold a word or two
    words: Collection[int] = ()  # columns that hold sentences

    def kind(self, column: int) -> str | None:
        """The class of a column in the style sheet."""
        return "words" if column in self.words else "name" if column in self.names else None


@dataclass(frozen=True)
class Figure:
    """One figure on a page: a chart and a table."""

    name: str  # used in file names
    title: str
    note: str
    chart: Chart | None  # None: only a table
    table: FigureTable
    is_broad: bool = False  # as wide as the page

    def drawn(self, widths: Widths) -> dict[str, str]:
        """The chart as SVG by kind of screen: the page shows the one that fits."""
        if self.chart is None:
            return {}
        if self.is_broad:
            screens = {"wide": widths.page, "middle": widths.tablet, "narrow": widths.phone}
        else:
            screens = {"wide": widths.card, "narrow": widths.phone}
        return {
            screen: picture(self.chart, width, headed=False).document(None)
            for screen, width in screens.items()
        }


@dataclass(frozen=True)
class Course:
    """A game over time: what its figures, with a line for each seat, have in common."""

    seats: Sequence[str]
    unit: str  # of time
    head: str  # of the times in a table
    events: Sequence[ChartEvent]

    def figure(
        self,
        name: str,
        title: str,
        note: str,
        stands: Sequence[tuple[int, Sequence[float]]],
        axis: Axis,
        is_broad: bool = False,
    ) -> Figure:
        """A figure of what stands at some times: a number for each seat."""
        lines = [
            Series(name, [(time, numbers[seat]) for time, numbers in stands], seat)
            for seat, name in enumerate(self.seats)
        ]
        chart = LineChart(title, lines, Axis(self.unit, whole=True), axis, note, self.events)
        rows = [[str(time), *map(axis.written, numbers)] for time, numbers in stands]
        table = FigureTable([self.head, *self.seats], rows)
        return Figure(name, title, note, chart, table, is_broad)


@dataclass(frozen=True)
class Page:
    """The content of a page, in the current language."""

    kind: str  # of page: `Arena report`
    title: str
    lead: Sequence[str]  # sentences
    facts: Sequence[tuple[str, str]]  # names and values
    figures: Sequence[Figure]
    closing: str

    def html(self) -> str:
        """The page as a file."""
        return _template().render(page=self, language=language())

    def pictures(self) -> dict[str, Picture]:
        """The charts as pictures, by name."""
        return {figure.name: picture(figure.chart) for figure in self.figures if figure.chart}


def game_title(edition: str, players: int) -> str:
    """Which game a page is about: `Brass: Birmingham, 4 players`."""
    counted = ngettext("{number} player", "{number} players", players).format(number=players)
    return _("{edition}, {players}").format(edition=edition, players=counted)


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=select_autoescape(["html"]),  # a style sheet has no entities
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        _=_, widths=WIDTHS, palettes=PALETTES, stylesheet=stylesheet, sans=SANS, serif=SERIF
    )
    return environment.get_template("page.html")
