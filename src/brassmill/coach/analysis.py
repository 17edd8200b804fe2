"""Analysis of a whole record: what each action lost against the best one found, round by round.

An action is judged by what its seat could see at that moment; hidden information stays hidden.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import fmean

import numpy as np

from brassmill.bots.brain import up_to_what_is_revealed
from brassmill.coach.advice import Advice, advise, margins
from brassmill.core.action import Action
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.record import Record, replay

# The smallest loss of margin, in VP, that earns each mark.
MARKS = {"blunder": 8.0, "mistake": 4.0, "inaccuracy": 2.0, "good": 0.0}
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "good": ""}
WORDS = {
    "blunder": N_("blunder"),
    "mistake": N_("mistake"),
    "inaccuracy": N_("inaccuracy"),
    "good": N_("good"),
}
SECONDS = 1.0  # for an action
WORST = 3  # actions in a summary
BRILLIANT = MARKS["mistake"]  # the least that every other action must lose
SWINGS = 6

Progress = Callable[[int, int], None]  # called with the number of actions done, and the total


@dataclass(frozen=True)
class Verdict:
    """The verdict on an action."""

    number: int  # in the record, from 1
    seat: int
    era: str
    round: int
    action: Action
    played: Advice  # as far as it could be decided at that moment
    best: Advice
    other: Advice | None = None  # the best action found besides the one played

    @property
    def is_brilliant(self) -> bool:
        """Was it the only good action, and not what one would play without trying it out?

        Any other action found is at least a mistake.
        """
        is_only_one = self.other is not None and self.other.loss >= BRILLIANT
        return is_only_one and self.loss == 0 and not self.played.is_likeliest

    @property
    def loss(self) -> float:
        return self.played.loss

    @property
    def mark(self) -> str:
        """A name in `MARKS`."""
        return next(name for name, least in MARKS.items() if self.loss >= least)

    @property
    def margins(self) -> tuple[float, ...]:
        """The expected margins of all seats after it."""
        return tuple(margins(np.array(self.played.points)).tolist())


@dataclass(frozen=True)
class SeatSummary:
    """How well a seat played."""

    seat: int
    actions: int
    mean_loss: float
    marks: dict[str, int]  # how many of each
    worst: tuple[Verdict, ...]  # the actions that lost the most, if any lost something


@dataclass(frozen=True)
class Analysis:
    """The verdicts on a record."""

    record: Record
    verdicts: tuple[Verdict, ...]
    points: tuple[int, ...] | None  # at the end, if the game is over

    @property
    def summaries(self) -> list[SeatSummary]:
        """The summaries of the analysed seats."""
        seats = sorted({verdict.seat for verdict in self.verdicts})
        return [self._summary(seat) for seat in seats]

    def _summary(self, seat: int) -> SeatSummary:
        own = [verdict for verdict in self.verdicts if verdict.seat == seat]
        worst = sorted(own, key=lambda verdict: -verdict.loss)[:WORST]
        return SeatSummary(
            seat=seat,
            actions=len(own),
            mean_loss=fmean(verdict.loss for verdict in own),
            marks={name: sum(verdict.mark == name for verdict in own) for name in MARKS},
            worst=tuple(verdict for verdict in worst if verdict.mark != "good"),
        )

    @property
    def rounds(self) -> list[RoundStanding]:
        """How all seats stood in each round: the mean over its actions.

        The few games played out from one action prove little; those of a whole round prove more.
        """
        rounds = groupby(self.verdicts, lambda verdict: (verdict.era, verdict.round))
        return [RoundStanding.of(tuple(verdicts)) for _round, verdicts in rounds]

    @property
    def swings(self) -> list[Swing]:
        """The largest drops from one round to the next; what one seat loses, others gain."""
        found = [
            Swing(
                seat=seat,
                era=after.era,
                round=after.round,
                before=before.margins[seat],
                after=after.margins[seat],
                lost=sum(verdict.loss for verdict in after.verdicts if verdict.seat == seat),
            )
            for before, after in pairwise(self.rounds)
            for seat in range(len(self.record.seats))
            if after.margins[seat] < before.margins[seat]
        ]
        return sorted(found, key=lambda swing: swing.change)[:SWINGS]


@dataclass(frozen=True)
class RoundStanding:
    """How all seats stood in a round."""

    era: str
    round: int
    verdicts: tuple[Verdict, ...]
    margins: tuple[float, ...]
    wins: tuple[float, ...]

    @classmethod
    def of(cls, verdicts: tuple[Verdict, ...]) -> RoundStanding:
        return cls(
            era=verdicts[0].era,
            round=verdicts[0].round,
            verdicts=verdicts,
            margins=_means(verdict.margins for verdict in verdicts),
            wins=_means(verdict.played.wins for verdict in verdicts),
        )


def _means(rows: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(fmean, zip(*rows, strict=True)))


@dataclass(frozen=True)
class Swing:
    """A drop of a seat's expected margin in a round."""

    seat: int
    era: str
    round: int
    before: float
    after: float
    lost: float  # by its own actions

    @property
    def change(self) -> float:
        return self.after - self.before


def analyse(
    record: Record,
    *,
    seconds: float = SECONDS,
    worlds: int | None = None,
    seats: Sequence[int] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Analysis:
    """Analyse every action of a record, or those of some seats, with `seconds` for each.

    A seat's record shows what that seat knew, so only its own actions can be analysed.
    """
    if record.made_up:
        seen = [record.viewer]
        if not isinstance(record.viewer, int) or list(seen if seats is None else seats) != seen:
            raise BrassError(
                _("a record that hides hands can be analysed only for the seat it belongs to")
            )
        seats = [record.viewer]
    game, moments = moments_of(record)
    wanted = [moment for moment in moments if seats is None or moment.seat in seats]
    if not wanted:
        raise BrassError(_("there is no action to analyse"))
    pool = ThreadPoolExecutor(os.cpu_count())  # compiled thinking runs without the interpreter lock
    try:
        found = pool.map(lambda m: m.verdict(record.edition, seconds, worlds, seed), wanted)
        verdicts = []
        for verdict in found:
            verdicts.append(verdict)
            if progress is not None:
                progress(len(verdicts), len(wanted))
    finally:
        pool.shutdown(cancel_futures=True)
    outcome = record.outcome_of(game)
    points = tuple(result.total for result in outcome.results) if outcome else None
    return Analysis(record, tuple(verdicts), points)


@dataclass(frozen=True)
class PlayedAction:
    """What a seat saw, and what it did."""

    view: View
    action: Action

    @property
    def seat(self) -> int:
        return self.action.seat

    def verdict(self, edition: Edition, seconds: float, worlds: int | None, seed: int) -> Verdict:
        advice = advise(
            edition, self.view, seconds=seconds, worlds=worlds, seed=seed, played=self.action.ids
        )
        return self.judged(advice)

    def judged(self, advice: Sequence[Advice]) -> Verdict:
        """The verdict that follows from the advice, which includes the action played."""
        ids = up_to_what_is_revealed(self.action.ids)
        assert self.action.number is not None
        return Verdict(
            number=self.action.number,
            seat=self.seat,
            era=self.view.era,
            round=self.view.round,
            action=self.action,
            played=next(each for each in advice if each.action.ids == ids),
            best=advice[0],
            other=next((each for each in advice if each.action.ids != ids), None),
        )


def moments_of(record: Record) -> tuple[Game, list[PlayedAction]]:
    """The game replayed, and every moment at which a seat began an action."""
    game = replay.start(record)
    moments = []
    for node in record.main_line():
        if game.question == "turn over":
            game.end_turn()
        view = game.view(game.seat)
        replay.play(record, game, node)
        moments.append(PlayedAction(view, game.actions[-1]))
    return game, moments
