"""What choices gain for the player: VP, income and money, before they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brassmill.core.choice import NUMBER
from brassmill.core.engine import Engine, plain
from brassmill.core.outcome import score_now
from brassmill.rules import income

DONE, SELL_FAR = NUMBER["DONE", 0], NUMBER["SELL_FAR", 0]

income_level = plain(income.income_level)


@dataclass(frozen=True)
class Gain:
    """What an action changes for the player."""

    points: int  # VP, including those if the era ended now
    income: int  # spaces on the track
    levels: int  # of income
    pounds: int
    at_most: bool = False  # it reveals distant market tiles, which may turn out worse


class Standing(NamedTuple):
    """What a seat has."""

    points: int
    income: int
    pounds: int


def gain_of(engine: Engine, choices: Sequence[int], since: Engine | None = None) -> Gain:
    """What choices gain; an unfinished action ends as soon as it can.

    If an action is in progress, `since` is the position in which it began, and what it has gained
    so far counts too.
    """
    plan, made = engine.blind(), list(choices)
    start, seat = plan.snapshot(), plan.seat
    before = _standing(since or plan, seat)
    for choice in choices:
        plan.step(choice)
    while plan.in_progress:
        options = plan.legal()
        made.append(DONE if DONE in options else options[0])
        plan.step(made[-1])
    plan.restore(start)
    return _gain(before, [_standing(plan, seat) for _ in _ways(plan, made, _face_down(engine))])


def _standing(engine: Engine, seat: int) -> Standing:
    state = engine.state
    points = int(state.vp[seat]) + sum(score_now(engine)[seat].values())
    return Standing(points, int(state.income[seat]), int(state.cash[seat]))


def _gain(before: Standing, ways: Iterable[Standing]) -> Gain:
    """What has changed, or the most that may change."""
    changes = [
        (
            after.points - before.points,
            after.income - before.income,
            int(income_level(after.income)) - int(income_level(before.income)),
            after.pounds - before.pounds,
        )
        for after in ways
    ]
    points, spaces, levels, pounds = map(max, zip(*changes, strict=True))
    return Gain(points, spaces, levels, pounds, at_most=len(set(changes)) > 1)


def _face_down(engine: Engine) -> Counter[int]:
    """The distant market tiles of this era that nobody has seen: all except those revealed."""
    state = engine.state
    return Counter(engine.edition.distant) - Counter(
        state.distant[: int(state.distant_next)].tolist()
    )


def _ways(plan: Engine, choices: Sequence[int], tiles: Counter[int]) -> Iterator[None]:
    """Make choices once for each order in which distant market tiles may be revealed.

    At each step of the iteration, the plan is in the position that one of them leads to.
    """
    for n, choice in enumerate(choices):
        if choice != SELL_FAR:
            plan.step(choice)
            continue
        here = plan.snapshot()
        for steps in tiles:
            plan.restore(here)
            plan.state.distant[int(plan.state.distant_next)] = steps
            plan.step(choice)
            # If the market has closed, the action is over.
            rest = choices[n + 1 :] if plan.in_progress else ()
            yield from _ways(plan, rest, tiles - Counter([steps]))
        return
    yield None
