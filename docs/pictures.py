"""Draw the pictures of `reference/pictures.md` and `reference/charts.md`: `make docs`.

The games are played at random from fixed seeds: every seat builds, sells and links whenever it can,
and borrows when it is poor. The pictures are committed, so that the pages can be read in the
repository.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from brassmill import svg, terms
from brassmill.arena.estimates import mean_of
from brassmill.core.choice import MEANING
from brassmill.core.names import SOURCES
from brassmill.core.outcome import Outcome
from brassmill.game import Game
from brassmill.svg import chart
from brassmill.svg.glyphs import PATHS

FOLDER = Path(__file__).parent / "pictures"
SEATS = ("Ada", "Brunel", "Clara", "Darby")

WEIGHTS = {"BUILD": 9, "LINK": 5, "SELL": 30, "PASS": 0.01, "SCOUT": 0.05, "DEVELOP": 0.4}
POOR = 20  # pounds


class Sheet(NamedTuple):
    """One picture."""

    name: str
    game: dict[str, Any]
    until: tuple[str, int] | None = None  # era and round; None: nothing is played
    theme: str = "light"
    shape: str = "wide"
    lit: bool = False  # as the player to move sees it, with legal choices highlighted
    draw: Callable[..., str] = svg.map


BIRMINGHAM = {"edition": "birmingham", "players": 4, "seed": 8}
OPEN = {"edition": "birmingham", "players": 4, "seed": 2}  # much can be done in round 6
BIRMINGHAM_2 = {"edition": "birmingham", "players": 2, "seed": 5}
LANCASHIRE = {"edition": "lancashire", "players": 4, "seed": 72}
COMMUNITY = {"edition": "lancashire", "players": 2, "seed": 66, "community_2p": True}
CLASSIC = {"edition": "classic", "players": 4, "seed": 17}
LATE = {4: ("rail", 8), 2: ("rail", 10)}

SHEETS = (
    Sheet("birmingham-empty-light", BIRMINGHAM),
    Sheet("birmingham-empty-dark", BIRMINGHAM, theme="dark"),
    Sheet("birmingham-late-light", BIRMINGHAM, LATE[4]),
    Sheet("birmingham-late-dark", BIRMINGHAM, LATE[4], theme="dark"),
    Sheet("birmingham-open-light", OPEN, ("canal", 6), lit=True),
    Sheet("birmingham-two-late-light", BIRMINGHAM_2, LATE[2]),
    Sheet("birmingham-tall-late-light", BIRMINGHAM, LATE[4], shape="tall"),
    Sheet("lancashire-empty-light", LANCASHIRE),
    Sheet("lancashire-empty-dark", LANCASHIRE, theme="dark"),
    Sheet("lancashire-late-light", LANCASHIRE, LATE[4]),
    Sheet("lancashire-late-dark", LANCASHIRE, LATE[4], theme="dark"),
    Sheet("lancashire-tall-late-dark", LANCASHIRE, LATE[4], theme="dark", shape="tall"),
    Sheet("community-empty-light", COMMUNITY),
    Sheet("community-empty-dark", COMMUNITY, theme="dark"),
    Sheet("community-late-light", COMMUNITY, LATE[2]),
    Sheet("community-late-dark", COMMUNITY, LATE[2], theme="dark"),
    Sheet("classic-empty-light", CLASSIC),
    Sheet("classic-empty-dark", CLASSIC, theme="dark"),
    Sheet("classic-late-light", CLASSIC, LATE[4]),
    Sheet("classic-late-dark", CLASSIC, LATE[4], theme="dark"),
    Sheet("table-light", OPEN, ("canal", 6), lit=True, draw=svg.table),
    Sheet("table-dark", LANCASHIRE, ("rail", 6), theme="dark", lit=True, draw=svg.table),
)
WIDTHS = {"wide": 1200, "tall": 780}
TABLE = 1040  # the width of a whole table, so that its file stays below 300 kB


def play(game: Game, until: tuple[str, int], rng: Random) -> None:
    """Play at random until a round of an era begins."""
    while not game.over and (game.era, game.round) != until:
        choices = game.legal_choices().ids
        view = game.view()
        poor = view.to_move is not None and view.seats[view.to_move].cash < POOR
        weights = [_weight(MEANING[choice][0], poor) for choice in choices]
        game.play(rng.choices(choices, weights)[0])


def _weight(kind: str, poor: bool) -> float:
    return (4 if poor else 0.05) if kind == "LOAN" else WEIGHTS.get(kind, 1)


def picture(sheet: Sheet) -> str:
    """A picture as SVG."""
    game = Game(**sheet.game, seats=SEATS)
    if sheet.until:
        play(game, sheet.until, Random(sheet.game["seed"]))
    view = game.view(game.seat) if sheet.lit else game.view()
    return sheet.draw(view, shape=sheet.shape, theme=sheet.theme, lit=view.legal)


# --- charts --------------------------------------------------------------------------------------

CHARTS = Path(__file__).parent / "charts"
GAMES = 40


def charts() -> dict[str, chart.Chart]:
    """One game by rounds, another by source of VP, and many games; the names end in the theme."""
    game = Game("birmingham", players=4, seed=8, seats=SEATS)
    courses: list[list[tuple[float, float]]] = [[] for _ in SEATS]
    for number, until in enumerate(product(("canal", "rail"), range(1, 9)), 1):
        play(game, until, Random(number))
        for course, seat, more in zip(courses, game.view().seats, game.score_now(), strict=True):
            course.append((number, seat.vp + sum(more.values())))
    lines = chart.LineChart(
        "Victory points if the era ended now",
        [chart.Series(name, course) for name, course in zip(SEATS, courses, strict=True)],
        chart.Axis("round", whole=True),
        chart.Axis("VP"),
        events=[chart.ChartEvent(9, "the rail era begins")],
    )
    many = [finished(seed) for seed in range(GAMES)]
    scores = [[outcome.results[seat].total for outcome in many] for seat in range(len(SEATS))]
    rows = sorted(enumerate(scores), key=lambda row: -fmean(row[1]))
    means = {n: mean_of(row, range(GAMES)) for n, row in rows}
    return {
        "lines-light": lines,
        "bars-dark": by_source(many[0]),
        "scores-dark": chart.DistributionChart(
            f"Scores of {GAMES} games",
            [
                chart.Sample(SEATS[n], row, [o.results[n].total for o in many if n in o.winners], n)
                for n, row in rows
            ],
            chart.Axis("VP", chart.fixed(0)),
            "Full colour: games that were won.",
            figures="median",
        ),
        "intervals-light": chart.IntervalChart(
            "Mean scores with their 95% intervals",
            [chart.Interval(SEATS[n], mean.mean, mean.interval, n) for n, mean in means.items()],
            chart.Axis("VP", chart.fixed(1)),
        ),
    }


def finished(seed: int) -> Outcome:
    """The outcome of a whole game."""
    game = Game("birmingham", players=4, seed=seed, seats=SEATS)
    play(game, ("", 0), Random(seed))
    outcome = game.outcome()
    assert outcome is not None
    return outcome


def by_source(outcome: Outcome) -> chart.BarChart:
    """Where everyone's VP come from."""
    points = [
        {name: sum(era.get(name, 0) for era in result.points.values()) for name in SOURCES}
        for result in outcome.ranking
    ]
    named = [name for name in SOURCES if any(row[name] for row in points)]
    signs = {"links": "link", "bonus": "points"}
    return chart.BarChart(
        "Victory points by source",
        [
            chart.Bar(result.name, [row[name] for name in named])
            for result, row in zip(outcome.ranking, points, strict=True)
        ],
        [
            chart.BarPart(
                terms.source(name), chart.tone(n), name if name in PATHS else signs.get(name, "")
            )
            for n, name in enumerate(named)
        ],
        chart.Axis("VP"),
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    CHARTS.mkdir(exist_ok=True)
    for name, drawn in charts().items():
        image = svg.png(chart.draw(drawn, theme=name.rpartition("-")[2]), width=1200)
        (CHARTS / f"{name}.png").write_bytes(image)
    for sheet in SHEETS:
        width = TABLE if sheet.draw is svg.table else WIDTHS[sheet.shape]
        image = svg.png(picture(sheet), width=width)
        (FOLDER / f"{sheet.name}.png").write_bytes(image)


if __name__ == "__main__":
    main()
