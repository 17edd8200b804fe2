"""Victory points by source, the winner, and what broke a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brassmill import terms
from brassmill.core.engine import Engine
from brassmill.core.events import ERAS
from brassmill.core.names import SOURCES
from brassmill.language import gettext as _
from brassmill.rules.layout import GAME_OVER, RAIL

TIE_BREAKS = ("none", "income", "cash", "order", "shared")  # as `rules/scoring.py` numbers them

LAST = -32_000  # the VP with which a seat that conceded is ranked: less than any score

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
    conceded: tuple[int, ...] = ()  # seats that conceded, first to last: ranked behind the others
    by_agreement: bool = False  # the players ended the game: scored as if the era had ended

    @property
    def ranking(self) -> tuple[Result, ...]:
        """The results, best first."""
        return tuple(sorted(self.results, key=lambda result: result.rank))

    def __str__(self) -> str:
        row = _("{rank}. {name}: {points} VP")
        conceded = _("{rank}. {name}: {points} VP (conceded)")
        lines = [
            (conceded if result.seat in self.conceded else row).format(
                rank=result.rank, name=result.name, points=result.total
            )
            for result in self.ranking
        ]
        if self.by_agreement:
            lines.append(_("Ended by agreement: VP as if the era had ended there."))
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


def outcome_of(
    engine: Engine, conceded: Sequence[int] = (), by_agreement: bool = False
) -> Outcome | None:
    """How the game ended; None while it runs.

    Seats that `conceded`, first to last, are ranked behind all others, whatever they scored; the
    later one ranks better. A game ended `by_agreement` is scored as if the era ended now. If
    nothing has been done yet in the rail era, the canal era has just been scored: that counts.
    """
    is_over = engine.phase == GAME_OVER
    if not is_over:
        if not by_agreement:
            return None
        engine = engine.copy()
        if not _begins_rail_era(engine):
            engine.score_era()
    state, ranks = engine.state, _ranked(engine, conceded)
    results = tuple(
        Result(
            seat=seat,
            name=engine.seats[seat],
            rank=ranks.standing(seat),
            total=int(state.vp[seat]),
            points={name: points_of(engine, seat, era) for era, name in enumerate(ERAS)},
            income=int(state.income[seat]),
            cash=int(state.cash[seat]),
        )
        for seat in range(engine.edition.players)
    )
    winners = tuple(result.seat for result in results if result.rank == 1)
    tie_break = TIE_BREAKS[ranks.tie_break()]
    return Outcome(results, winners, tie_break, tuple(conceded), not is_over)


def _begins_rail_era(engine: Engine) -> bool:
    """Has nothing been done since the canal era ended?"""
    state = engine.state
    is_first_turn = state.era == RAIL and state.round_number == 1 and state.turn == 0
    return bool(is_first_turn and state.actions_left == 2 and not engine.in_progress)


def _ranked(engine: Engine, conceded: Sequence[int]) -> Engine:
    """A position in which the rules rank those who conceded behind all others (END-3)."""
    if not conceded:
        return engine
    plan = engine.copy()
    for place, seat in enumerate(conceded):
        plan.state.vp[seat] = LAST + place
    return plan
