"""Advice: the best actions for a view, their expected results, and why.

1. Find the most promising actions (`Study.candidates`): those that the network of the game finds
   likeliest. Where no network fits, as the planner does: every first action, and the best of them
   with every second action.
2. Try each action in sampled worlds, the same ones for all actions (`Study.ending`): the network
   plays a round for all seats and forecasts the result. Without one, all seats play greedily to the
   end of the game. Later worlds try only the best actions.
3. Combine the differences between the actions in these worlds with the first judgement of each
   action, each weighted by its certainty: the judgement may be off by `Study.doubt` VP, the mean of
   the worlds by its standard error.

The second action of a turn is planned with the first; the advice is about the first alone.

The *margin* is a seat's VP minus the mean of its opponents' VP. The margins of all seats add up to
zero: what one seat gains, others lose.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from brassmill.bots.brain import up_to_what_is_revealed
from brassmill.coach.chances import is_forecast
from brassmill.coach.network_study import NetworkStudy
from brassmill.coach.reasons import AdviceReason, reasons_for
from brassmill.coach.study import Choices, FinalStandings, Study
from brassmill.core.action import Action
from brassmill.core.engine import Engine
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.language import language
from brassmill.rules.choices import SELL_FAR

SECONDS = 2.0
MOST = 5  # suggestions
COMPARED = 8  # actions, or more if more are wanted
KEPT = 3  # of them, tried in all worlds
FIRST_PART = 0.4  # of the time or of the worlds, for all actions
FEWEST = 3  # worlds, however short the time

Progress = Callable[[float], None]  # called with the share done


@dataclass(frozen=True)
class Advice:
    """An action, or a way to continue one, and the reasons for it."""

    action: Action
    margin: float  # expected at the end of the game
    error: float | None  # its standard error; None after a single game
    loss: float  # of margin, compared with the best action found
    wins: tuple[float, ...]  # the chance of each seat to win
    points: tuple[float, ...]  # of all seats, expected at the end of the game
    reasons: tuple[AdviceReason, ...]  # those in favour first
    turns_tile: (
        bool  # a distant market tile is revealed: everything is a mean over the possible tiles
    )
    worlds: int  # in which it was tried
    by_network: bool  # forecast by the network of the game; otherwise by games played to the end
    is_likeliest: bool = False  # of those compared, what one would play without trying them out

    @property
    def chance(self) -> float:
        """The chance to win of the seat that acts."""
        return self.wins[self.action.seat]

    @property
    def words(self) -> str:
        """The action in the language of the context, as far as it can be planned."""
        return self.action.text_in(language()).removesuffix("; ...")

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; reasons in the language of the context."""
        return {
            "action": self.action.text,
            "choices": list(self.action.ids),
            "margin": round(self.margin, 2),
            "error": None if self.error is None else round(self.error, 2),
            "loss": round(self.loss, 2),
            "chance": round(self.chance, 3),
            "wins": [round(share, 3) for share in self.wins],
            "points": [round(points, 1) for points in self.points],
            "reasons": [
                {"name": reason.name, "points": round(reason.points, 2), "words": reason.words}
                for reason in self.reasons
            ],
            "turns_tile": self.turns_tile,
            "worlds": self.worlds,
            "by_network": self.by_network,
            "likeliest": self.is_likeliest,
        }


def advise(
    edition: Edition,
    view: View,
    *,
    seconds: float = SECONDS,
    worlds: int | None = None,
    most: int = MOST,
    seed: int = 0,
    played: Choices | None = None,
    progress: Progress | None = None,
) -> list[Advice]:
    """The best actions of the seat whose view it is, best first; in mid-action, ways to continue.

    Thinking takes `seconds`, or uses this many `worlds`: then the same seed gives the same advice.
    The action `played` is compared too, and comes last unless it is among the best. A seat that
    need not choose gets no advice.
    """
    thinking = think(
        edition, view, seconds=seconds, worlds=worlds, most=most, seed=seed, played=played
    )
    while True:
        try:
            share = next(thinking)
        except StopIteration as end:
            found: list[Advice] = end.value
            return found
        if progress is not None:
            progress(share)


def think(
    edition: Edition,
    view: View,
    *,
    seconds: float = SECONDS,
    worlds: int | None = None,
    most: int = MOST,
    seed: int = 0,
    played: Choices | None = None,
) -> Generator[float, None, list[Advice]]:
    """`advise` in small steps: each yields the share done; the advice is returned at the end."""
    if not view.legal or view.seat is None:
        return []
    rng = Random(f"{seed} {view.number}")
    study = study_of(edition, view, rng.getrandbits(32))
    compared = study.candidates(max(COMPARED, most))
    if played is not None:
        played = up_to_what_is_revealed(played)
        compared = _with(study, compared, played)
    trials = Trials(study, compared)
    for share in _shares(seconds, worlds):
        if share > FIRST_PART:
            trials.leave_out_the_worse(played)
        trials.go_on(rng.getrandbits(48))
        yield share
    found = trials.advice()
    return [advice for n, advice in enumerate(found) if n < most or advice.action.ids == played]


def study_of(edition: Edition, view: View, seed: int) -> Study:
    """A study of a view by the network of the game, where there is one that fits.

    Networks are hardly ever in debt, so they never learned which tile to remove for one.
    """
    fits = is_forecast(edition) and view.question != "give up"
    return NetworkStudy(edition, view, seed) if fits else Study(edition, view, seed)


def _with(study: Study, compared: list[Choices], played: Choices) -> list[Choices]:
    """The actions plus the one played; actions that lead to the same position count as one."""
    after = study.after(played)
    return [choices for choices in compared if study.after(choices) != after] + [played]


def _shares(seconds: float, worlds: int | None) -> Iterator[float]:
    """The share done before each world, until the worlds or the time run out."""
    if worlds is not None:
        yield from (number / worlds for number in range(worlds))
        return
    began = perf_counter()
    for number in count(1):
        passed = (perf_counter() - began) / seconds
        if number > FEWEST and passed >= 1:
            return
        yield min(1.0, passed)


def margins(points: Any) -> Any:
    """The VP of each seat (along the last axis) minus the mean of the others'."""
    others = points.sum(axis=-1, keepdims=True) - points
    return points - others / (points.shape[-1] - 1)


class Trials:
    """Actions tried in one world after another; in the later ones, only the best."""

    def __init__(self, study: Study, compared: Sequence[Choices]) -> None:
        self.study = study
        self.compared = compared
        judged, self.turns = zip(*map(study.turn, compared), strict=True)
        self.judged = np.array(judged) - np.mean(judged)
        self.ends: list[list[FinalStandings]] = [[] for _ in compared]  # by world
        self.kept = list(range(len(compared)))  # the actions still being tried

    def go_on(self, world: int) -> None:
        """Try the remaining actions in one more world."""
        for n in self.kept:
            self.ends[n].append(self.study.ending(self.turns[n], world))

    def leave_out_the_worse(self, played: Choices | None) -> None:
        """Keep the best actions, and the one played."""
        if len(self.kept) == len(self.compared) and len(self.kept) > KEPT:
            margin, _error = self.margins()
            best = sorted(self.kept, key=lambda n: -margin[n])[:KEPT]
            self.kept = [n for n in self.kept if n in best or self.compared[n] == played]

    def margins(self) -> tuple[Any, Any]:
        """The expected margin of each action, and its standard error.

        The other actions tried in the same worlds show how good those worlds are.
        """
        points = [np.array([end.points for end in ends]) for ends in self.ends]
        own = [margins(of_all)[:, self.study.seat] for of_all in points]
        common = np.mean([own[n] for n in self.kept], axis=0)
        apart = [one - common[: len(one)] for one in own]
        count = np.array(list(map(len, own)))
        strays = np.array([((one - one.mean()) ** 2).sum() for one in apart])
        variance = (strays + self.study.spread**2) / count**2  # as if one more had varied so much
        judged = self.judged - self.judged[self.kept].mean()
        doubt = self.study.doubt
        trust = doubt**2 / (doubt**2 + variance)  # in the worlds
        mean = np.array([one.mean() for one in apart])
        margin = common.mean() + judged + trust * (mean - judged)
        return margin, np.sqrt(common.var() / len(common) + trust * variance)

    def advice(self) -> list[Advice]:
        """The advice on all actions, best first."""
        study, (margin, error) = self.study, self.margins()
        reasons = reasons_for(study, self.compared)
        names = tuple(seat.name for seat in study.view.seats)
        before = Engine(study.edition, names, study.view.position).blind().snapshot()
        likeliest = int(self.judged.argmax())
        found = [
            Advice(
                action=Action(study.edition, names, before, choices),
                margin=float(margin[n]),
                error=float(error[n]) if len(self.ends[n]) > 1 else None,
                loss=float(margin.max() - margin[n]),
                wins=_means(end.wins for end in self.ends[n]),
                points=_means(end.points for end in self.ends[n]),
                reasons=reasons[n],
                turns_tile=SELL_FAR in choices,
                worlds=len(self.ends[n]),
                by_network=study.by_network,
                is_likeliest=n == likeliest,
            )
            for n, choices in enumerate(self.compared)
        ]
        return sorted(found, key=lambda advice: -advice.margin)


def _means(ends: Iterable[Any]) -> tuple[float, ...]:
    """The mean of each seat."""
    return tuple(np.mean(list(ends), axis=0).tolist())
