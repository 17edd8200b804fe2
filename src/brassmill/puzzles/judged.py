"""Turns that a deep search prefers by a clear margin.

The network and the scripted judgement propose first actions, the network the second ones. What a
turn does on the map, to the mat and to the income counts: which card it discards, and whose coal or
iron it uses, do not. Different turns are tried in the same possible worlds, as the bot `net` does
(`bots/net.py`): the network plays on for all seats until this seat is on turn again, and forecasts
its VP and its chance to win.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from brassmill.bots.net import AT_ONCE, Mind
from brassmill.bots.network import packaged
from brassmill.coach.network_study import NetworkStudy, best_of
from brassmill.core.engine import Engine
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.puzzles.grading import mark_of
from brassmill.puzzles.rejection import Rejection, Unfit
from brassmill.rules.choices import SELL_FAR
from brassmill.rules.layout import ACTION

FIRSTS, SECONDS = 6, 5  # actions that are combined
FEW, SOME, MANY = 8, 32, 128  # worlds: for all turns, for the better half, for the best ones
LEFT = 5  # turns that are tried in some worlds
KEPT = 3  # turns that are tried in many
HOPE = 1.0  # VP by which the best turn must lead, or it is not tried further
LEAD = 2.0  # VP by which it must lead in the end
STILL = 1.5  # VP by which it must still lead when everything is searched again
SURE = 3.0  # standard errors of the lead by which it must differ from nothing

Choices = tuple[int, ...]
Turn = tuple[Choices, ...]


@dataclass
class Trial:
    """A turn that is being tried."""

    turn: Turn
    mark: bytes
    before: bytes  # the position before its last action, of which only the first choice is fixed
    worth: list[float] = field(default_factory=list)  # in each batch of worlds, in VP

    @property
    def mean(self) -> float:
        return float(np.mean(self.worth))


class Search:
    """Compares the turns of a seat, which must be about to begin one of two actions."""

    def __init__(self, edition: Edition, view: View, seed: int) -> None:
        self.edition, self.view = edition, view
        self.rng = Random(f"{seed} {view.number}")
        self._study = NetworkStudy(edition, view, self.rng.getrandbits(32))
        self._mind = Mind(edition, packaged(edition))
        names = tuple(seat.name for seat in view.seats)
        self._engine = Engine(edition, names, view.position)
        assert view.seat is not None
        self._seat = view.seat

    # --- turns -----------------------------------------------------------------------------------

    def trials(self) -> list[Trial]:
        """The most promising turns, one for each mark."""
        found: dict[bytes, Trial] = {}
        for number, first in enumerate(self._study.candidates(FIRSTS)):
            try:
                middle = self._after(self.view.position, first)
            except Unfit as unfit:
                if number and unfit.reason == Rejection.TWO_CARDS:
                    continue  # one of the less likely actions
                raise
            for second in self._seconds(middle):
                self._add(found, middle, (first,), second)
        return list(found.values())

    def trial_of(self, turn: Turn) -> Trial:
        """A turn that somebody has played."""
        first, *seconds = turn
        middle = self._after(self.view.position, first)
        (second,) = seconds
        return Trial(turn, mark_of(self._end(middle, second)), middle)

    def trials_of(self, turns: Iterable[Turn]) -> Iterator[Trial]:
        """Those turns that can be compared.

        A build with two cards, or a sale to the distant market, cannot. If one were likely to be
        good, `trials` would have rejected the position.
        """
        for turn in turns:
            with suppress(Unfit):
                yield self.trial_of(turn)

    def _add(self, found: dict[bytes, Trial], before: bytes, made: Turn, last: Choices) -> None:
        mark = mark_of(self._end(before, last))
        found.setdefault(mark, Trial((*made, last), mark, before))

    def _seconds(self, middle: bytes) -> list[Choices]:
        """The likeliest second actions after a first one."""
        engine = self._engine
        engine.restore(middle)
        legal = engine.legal()
        scores = self._mind.look(self._seat, middle, legal)
        ranked = sorted(legal, key=lambda choice: (-scores[choice], choice))
        return [self._completed(middle, choice) for choice in ranked[:SECONDS]]

    def _completed(self, before: bytes, choice: int) -> Choices:
        """An action, completed by the likeliest choices."""
        engine, made = self._engine, [choice]
        engine.restore(before)
        engine.step(choice)
        while engine.in_progress and made[-1] != SELL_FAR:
            legal = engine.legal()
            scores = self._mind.look(self._seat, engine.snapshot(), legal)
            made.append(best_of(scores, legal))
            engine.step(made[-1])
        return tuple(made)

    def _after(self, before: bytes, choices: Choices) -> bytes:
        """The position after the first action of a turn."""
        after = self._end(before, choices)
        if self._engine.phase != ACTION:
            raise Unfit(Rejection.TWO_CARDS)
        return after

    def _end(self, before: bytes, choices: Choices) -> bytes:
        if SELL_FAR in choices:
            raise Unfit(Rejection.DISTANT_MARKET)
        self._engine.restore(before)
        for choice in choices:
            self._engine.step(choice)
        return self._engine.snapshot()

    # --- worlds ----------------------------------------------------------------------------------

    def play(self, trials: Iterable[Trial], worlds: int) -> None:
        """Try turns in the same worlds, some of them at a time."""
        trials = list(trials)
        for _batch in range(worlds // AT_ONCE):
            seed = self.rng.getrandbits(48)
            for trial in trials:
                self._mind.look(self._seat, trial.before, self._legal(trial.before))
                worth = self._mind.try_out([trial.turn[-1][0]], AT_ONCE, seed)[0]
                trial.worth.append(worth / AT_ONCE)

    def _legal(self, position: bytes) -> list[int]:
        self._engine.restore(position)
        return self._engine.legal()


def lead(best: Trial, other: Trial) -> tuple[float, float]:
    """How much more a turn is worth than another, and the standard error of that."""
    apart: Any = np.array(best.worth) - np.array(other.worth)
    return float(apart.mean()), float(apart.std(ddof=1) / len(apart) ** 0.5)


def ranked(trials: Iterable[Trial]) -> list[Trial]:
    """Turns, the best first."""
    return sorted(trials, key=lambda trial: -trial.mean)


def search(edition: Edition, view: View, seed: int) -> list[Trial]:
    """The turns of a position, the best first; `Unfit` unless one leads clearly.

    Only the first `KEPT` were tried in all worlds.
    """
    found = Search(edition, view, seed)
    trials = found.trials()
    if len(trials) < KEPT:
        raise Unfit(Rejection.FEW_TURNS)
    found.play(trials, FEW)
    trials = ranked(trials)
    check_lead(trials, HOPE, errors=0)
    found.play(trials[:LEFT], SOME)
    trials = ranked(trials[:LEFT]) + trials[LEFT:]
    check_lead(trials, LEAD, errors=0)
    found.play(trials[:KEPT], MANY)
    trials = ranked(trials[:KEPT]) + trials[KEPT:]
    check_lead(trials, LEAD)
    return trials


def confirm(
    edition: Edition, view: View, seed: int, best: Turn, others: Sequence[Turn], margin: float
) -> list[Trial]:
    """Try given turns again in many worlds; `Unfit` unless the first one leads by a margin."""
    found = Search(edition, view, seed)
    first = found.trial_of(best)
    tried = found.trials_of(others)
    rest = list({trial.mark: trial for trial in tried if trial.mark != first.mark}.values())
    found.play([first, *rest], SOME)
    rest = ranked(rest)[:KEPT]
    if not rest:
        raise Unfit(Rejection.FEW_TURNS)
    found.play([first, *rest], MANY)
    for trial in rest:
        _check(lead(first, trial), margin, SURE)
    return [first, *ranked(rest)]


def check_lead(trials: Sequence[Trial], margin: float, errors: float = SURE) -> None:
    """Does the first turn lead over the second by so much, and by so many standard errors?"""
    _check(lead(*trials[:2]), margin, errors)


def _check(found: tuple[float, float], margin: float, errors: float) -> None:
    ahead, error = found
    if ahead < margin:
        raise Unfit(Rejection.CLOSE)
    if ahead < errors * error:
        raise Unfit(Rejection.UNCERTAIN)
