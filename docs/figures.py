"""Draw the charts of measured results from `results/*.json`: `make docs`.

The games behind `bots/ratings.md` and `bots/strategies.md` are played by `measure.py`; the load in
`host/growing.md` is measured by `tests/load.py`. The charts are committed; a test fails if one is
stale.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tables import carried, load_runs, results

from brassmill import terms
from brassmill.core.names import SOURCES
from brassmill.editions import EDITIONS
from brassmill.svg import chart
from brassmill.svg.glyphs import PATHS

DOCS = Path(__file__).parent
CHARTS = DOCS / "charts"
SERVERS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
SIGNS = {"links": "link", "bonus": "points"}


def is_network(bot: str) -> bool:
    return not bot.startswith(("random", "greedy", "planner"))


def ratings(name: str, edition: str) -> str:
    """The ladders of an edition, one for each number of players."""
    ladders = [
        chart.IntervalChart(
            f"{run['players']} players",
            [
                chart.Interval(
                    bot["bot"],
                    bot["rating"],
                    tuple(bot["between"]) if bot["between"] else None,
                    0 if is_network(bot["bot"]) else 1,
                )
                for bot in run["bots"]
            ],
            chart.Axis("rating", chart.fixed(1)),
        )
        for run in results(name)
        if run["edition"] == edition
    ]
    note = "95% intervals over the deals. Everyone starts at 25; compare within one ladder only."
    title = f"Ratings in {EDITIONS[edition].title}"
    return chart.draw(chart.Board(title, ladders, note, columns=1), theme="light")


def strategies(edition: str) -> str:
    """Where the VP of winners and of the others come from."""
    runs = [run for run in results("strategies") if run["edition"] == edition]
    named = [
        source
        for source in SOURCES
        if any(abs(run["winners"]["points"].get(source, 0)) >= 0.5 for run in runs)
    ]
    bars = [
        chart.Bar(
            f"{run['players']} players",
            [run["winners"]["points"].get(source, 0) for source in named],
            beside=[run["others"]["points"].get(source, 0) for source in named],
        )
        for run in runs
    ]
    parts = [
        chart.BarPart(
            terms.source(source),
            chart.tone(n),
            source if source in PATHS else SIGNS.get(source, ""),
        )
        for n, source in enumerate(named)
    ]
    title = f"Victory points by source in {EDITIONS[edition].title}"
    note = "Thick: winners. Thin: everyone else."
    return chart.draw(chart.BarChart(title, bars, parts, chart.Axis("VP"), note), theme="light")


def ladder() -> str:
    """How soon ratings find the order of players of known strength, and how certain they are."""
    runs = results("ladder")
    charts = [
        chart.LineChart(
            f"{players} players: pairs in the right order",
            [
                chart.Series(
                    EDITIONS[run["edition"]].title,
                    [(after, 100 * right) for after, right, _margin in run["after"] if after <= 80],
                )
                for run in runs
                if run["players"] == players
            ],
            x=chart.Axis("rated games of each player", reach=(0,)),
            y=chart.Axis("%", chart.fixed(0), reach=(50, 100)),
        )
        for players in sorted({run["players"] for run in runs})
    ]
    note = "Eight bots whose ratings from other games differ by 5 or more, in 40 random orders."
    return chart.draw(
        chart.Board("How soon the order is found", charts, note, columns=1), theme="light"
    )


def load() -> str:
    """Offered load against latency and processor time, of every server."""
    milliseconds = chart.Axis("ms", chart.fixed(0), reach=(0,))
    charts = [
        chart.LineChart(
            title,
            [
                chart.Series(
                    SERVERS.get(name, name), [(step["rate"], figure(step)) for step in carried(run)]
                )
                for name, run in load_runs().items()
            ],
            x=chart.Axis("choices a second", reach=(0,)),
            y=axis,
        )
        for title, axis, figure in (
            ("Half of the choices answered within", milliseconds, median_of),
            ("95% of the choices answered within", milliseconds, slow_of),
            ("Busy processors of the server", chart.Axis(reach=(0,)), processors_of),
        )
    ]
    note = "A line ends at the last load that was carried."
    return chart.draw(chart.Board("Load on two cores", charts, note, columns=1), theme="light")


def median_of(step: dict[str, Any]) -> float:
    return float(step["choice"]["median"])


def slow_of(step: dict[str, Any]) -> float:
    return float(step["choice"]["95%"])


def processors_of(step: dict[str, Any]) -> float:
    return float(step["processors"])


def figures() -> dict[str, Callable[[], str]]:
    """How to draw each chart, by file name."""
    found: dict[str, Callable[[], str]] = {"load.svg": load}
    for name in ("ratings", "ratings-slow"):
        for edition in dict.fromkeys(run["edition"] for run in results(name)):
            found[f"{name}-{edition}.svg"] = partial(ratings, name, edition)
    for edition in dict.fromkeys(run["edition"] for run in results("strategies")):
        found[f"strategies-{edition}.svg"] = partial(strategies, edition)
    if results("ladder"):
        found["ladder.svg"] = ladder
    return found


def main() -> None:
    for name, draw in figures().items():
        (CHARTS / name).write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
