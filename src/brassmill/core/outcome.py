"""Victory points by source, the winner, and what broke a tie."""

from __future__ import annotations

from dataclasses import dataclass

from brassmill import terms
from brassmill.core.engine import Engine
from brassmill.core.events import ERAS
from brassmill.core.names import SOURCES
from brassmill.language import gettext as _
from brassmill.rules.layout import GAME_OVER

TIE_BREAKS = ("none", "income", "cash", "order", "shared")  # as `rules/scoring.py` numbers them

Points = dict[str, int]  # by source: an industry, links, bonus, cash, income, debt


@dataclass(frozen=True)
class Result:
    """One seat at the end of the game."""

    seat: int
    name: str
    rank: int
    total: int
    points: dict[str, Points]  # by era and source
    income: int  # space of the marker
    cash: int


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    results: tuple[Result, ...]  # by seat
    winners: tuple[int, ...]
    tie_break: str  # what broke a tie: none, income, cash, order or shared

    @property
    def ranking(self) -> tuple[Result, ...]:
        """The results, best first."""
        return tuple(sorted(self.results, key=lambda result: result.rank))

    def __str__(self) -> str:
        row = _("{rank}. {name}: {points} VP")
        lines = [
            row.format(rank=result.rank, name=result.name, points=result.total)
            for result in self.ranking
        ]
        if self.tie_break != "none":
            lines.append(terms.tie_break(self.tie_break))
        return "\n".join(lines)


def points_of(engine: Engine, seat: int, era: int) -> Points:
    """The VP of a seat in an era, by source."""
    row = engine.state.points[seat, era].tolist()
    return {name: points for name, points in zip(SOURCES, row, strict=True) if points}


def score_now(engine: Engine) -> tuple[Points, ...]:
    """The VP that each seat would score if the era ended now, by source.

    Nothing more is scored when the game is over.
    """
    if engine.phase == GAME_OVER:
        return tuple({} for _seat in range(engine.edition.players))
    plan = engine.copy()
    era = int(plan.state.era)
    plan.state.points[:] = 0
    plan.score_era()
    return tuple(points_of(plan, seat, era) for seat in range(plan.edition.players))


def outcome_of(engine: Engine) -> Outcome | None:
    """How the game ended; None while it runs."""
    if engine.phase != GAME_OVER:
        return None
    state = engine.state
    results = tuple(
        Result(
            seat=seat,
            name=engine.seats[seat],
            rank=engine.standing(seat),
            total=int(state.vp[seat]),
            points={name: points_of(engine, seat, era) for era, name in enumerate(ERAS)},
            income=int(state.income[seat]),
            cash=int(state.cash[seat]),
        )
        for seat in range(engine.edition.players)
    )
    winners = tuple(result.seat for result in results if result.rank == 1)
    return Outcome(results, winners, TIE_BREAKS[engine.tie_break()])
