"""Draw the charts of `bots/ratings.md` and `bots/strategies.md` from `results/*.json`: `make docs`.

The games are played by `measure.py`. The charts are committed; a test fails if one is stale.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tables import results

from brassmill import terms
from brassmill.core.names import SOURCES
from brassmill.editions import EDITIONS
from brassmill.svg import chart
from brassmill.svg.glyphs import PATHS

DOCS = Path(__file__).parent
CHARTS = DOCS / "charts"
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


def figures() -> dict[str, Callable[[], str]]:
    """How to draw each chart, by file name."""
    found: dict[str, Callable[[], str]] = {}
    for name in ("ratings", "ratings-slow"):
        for edition in dict.fromkeys(run["edition"] for run in results(name)):
            found[f"{name}-{edition}.svg"] = partial(ratings, name, edition)
    for edition in dict.fromkeys(run["edition"] for run in results("strategies")):
        found[f"strategies-{edition}.svg"] = partial(strategies, edition)
    return found


def main() -> None:
    for name, draw in figures().items():
        (CHARTS / name).write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
