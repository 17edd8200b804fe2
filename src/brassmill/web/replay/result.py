"""How a game ended: the winner, what decided it, where the VP came from, and how the game went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from brassmill import terms
from brassmill.core.names import SOURCES
from brassmill.core.outcome import Outcome, Result
from brassmill.core.view import income_level
from brassmill.language import gettext as _
from brassmill.reports.html import Course, Figure, FigureTable, Widths
from brassmill.svg.chart import (
    Axis,
    Bar,
    BarChart,
    BarPart,
    ChartEvent,
    LineChart,
    step,
)
from brassmill.svg.glyphs import MARKS, PATHS
from brassmill.svg.panel import signed
from brassmill.web.page.verdict import decided_words, headline_words
from brassmill.web.replay.timeline import Timeline

WIDTHS = Widths(page=1180, tablet=680, card=560, phone=326)
# Colours belong to the players. The parts of a bar differ by symbol and by shade of ink, with the
# greatest contrast between neighbours.
SHADES = tuple(step(n, 8) for n in (7, 1, 5, 2, 6, 0, 4, 3))
GLYPH = {"links": "link", "bonus": "points", "cash": "money", "income": "income"}


class Row(NamedTuple):
    """VP from one source, by seat."""

    name: str
    values: tuple[int, ...]


class EraRows(NamedTuple):
    """The VP of an era."""

    name: str
    rows: tuple[Row, ...]
    sums: tuple[int, ...]


@dataclass(frozen=True)
class ResultPage:
    """The contents of the result page, in the language of the context."""

    headline: str  # the winner
    decided: str  # the margin or tie-break
    ranking: tuple[Result, ...]  # best first
    eras: tuple[EraRows, ...]
    figures: tuple[Figure, ...]
    outcome: Outcome

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "headline": self.headline,
            "decided": self.decided,
            "winners": list(self.outcome.winners),
            "tie_break": self.outcome.tie_break,
            "conceded": list(self.outcome.conceded),
            "by_agreement": self.outcome.by_agreement,
            "results": [
                {
                    "seat": result.seat,
                    "name": result.name,
                    "rank": result.rank,
                    "total": result.total,
                    "points": result.points,
                    "level": int(income_level(result.income)),
                    "income": result.income,
                    "cash": result.cash,
                }
                for result in self.ranking
            ],
            "course": {
                figure.name: {
                    series.name: [[int(x), int(y)] for x, y in series.points]
                    for series in figure.chart.series
                }
                for figure in self.figures
                if isinstance(figure.chart, LineChart)
            },
        }


def result_page_of(timeline: Timeline, stored: Outcome | None = None) -> ResultPage | None:
    """Return how the game of a timeline ended, as played or as stored; None if it has not ended."""
    outcome = stored or timeline.outcome()
    if outcome is None:
        return None
    return ResultPage(
        headline=headline_words(outcome),
        decided=decided_words(outcome),
        ranking=outcome.ranking,
        eras=tuple(_eras(outcome)),
        figures=(_sources(outcome), *_course(timeline)),
        outcome=outcome,
    )


# --- where the VP came from ----------------------------------------------------------------------


def _eras(outcome: Outcome) -> list[EraRows]:
    """Return the sources that scored, by era; only the eras that were played."""
    found = []
    for era in outcome.results[0].points:
        each = [result.points[era] for result in outcome.results]
        rows = [
            Row(terms.source(source), tuple(points.get(source, 0) for points in each))
            for source in SOURCES
            if any(points.get(source) for points in each)
        ]
        if rows:
            sums = tuple(sum(points.values()) for points in each)
            found.append(EraRows(terms.era(era), tuple(rows), sums))
    return found


def _sources(outcome: Outcome) -> Figure:
    """Draw stacked bars, best first."""
    totals = {
        result.seat: [
            sum(points.get(source, 0) for points in result.points.values()) for source in SOURCES
        ]
        for result in outcome.results
    }
    named = [n for n in range(len(SOURCES)) if any(row[n] for row in totals.values())]
    title = _("Where the VP came from")
    note = _("Both eras, with the total on the right.")
    if len({era for one in outcome.results for era, points in one.points.items() if points}) < 2:
        note = _("With the total on the right.")
    chart = BarChart(
        title,
        [Bar(result.name, [totals[result.seat][n] for n in named]) for result in outcome.ranking],
        [
            BarPart(terms.source(SOURCES[n]), SHADES[k % len(SHADES)], _glyph(SOURCES[n]))
            for k, n in enumerate(named)
        ],
        Axis(_("VP"), whole=True),
        note,
        scaled=False,
    )
    return Figure("sources", title, note, chart, FigureTable([], []), is_broad=True)


def _glyph(source: str) -> str:
    name = GLYPH.get(source, source)
    return name if name in PATHS or name in MARKS else ""


# --- how the game went ---------------------------------------------------------------------------


def _course(timeline: Timeline) -> list[Figure]:
    """Chart VP, income and money after each round."""
    views = [timeline.view(stop, timeline.angles[-1]) for stop in timeline.stops]
    points = [
        [
            seat.vp + sum(more.values())
            for seat, more in zip(view.seats, timeline.standing(stop), strict=True)
        ]
        for stop, view in zip(timeline.stops, views, strict=True)
    ]
    rail = [
        n for n, stop in enumerate(timeline.stops[:-1]) if timeline.frames[stop + 1].era == "rail"
    ]
    events = [ChartEvent(rail[0], terms.era("rail"))] if rail and rail[0] else []
    course = Course(timeline.seats, _("round"), _("after round"), events)
    return [
        course.figure(
            "points",
            _("Victory points"),
            _("After each round, including what the era would score if it ended there."),
            list(enumerate(points)),
            Axis(_("VP"), whole=True),
            is_broad=True,
        ),
        course.figure(
            "income",
            _("Income"),
            _("Income level after each round."),
            [(n, [seat.level for seat in view.seats]) for n, view in enumerate(views)],
            Axis(write=lambda level: signed(round(level)), reach=(0.0,), whole=True),
        ),
        course.figure(
            "money",
            _("Money"),
            _("After each round, once income has been paid."),
            [(n, [seat.cash for seat in view.seats]) for n, view in enumerate(views)],
            Axis(write=_pounds, tick=_pounds, reach=(0.0,), whole=True),
        ),
    ]


def _pounds(number: float) -> str:
    return terms.pounds(round(number))
