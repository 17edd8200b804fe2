"""What might be good to do: complete actions, ranked by one look ahead.

A position is worth to a seat, in points:

- its points, and those that it would get if the era ended now;
- half the points of its tiles that have not flipped yet;
- its money: twice the square root of the pounds, because the first are worth the most;
- the income that is still to come, eight pounds to a point; tiles that have not flipped count with
  half their income spaces.

What money is good for becomes less from round to round, and is nothing any more in the last.

An action is worth what it changes in that, less what it changes for the rivals on average. Nothing
is looked at but the view of the seat, so a hint tells nothing that is hidden; and nothing that
others may do about it, so it is a hint and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from brassmill.action import Action
from brassmill.choice import MEANING, NUMBER
from brassmill.editions.edition import Edition
from brassmill.engine import Engine, plain
from brassmill.outcome import score_now
from brassmill.rules import income
from brassmill.rules.layout import ACTION, CARD, DEBT, SYMBOLS
from brassmill.view import View

POUNDS_A_POINT = 8  # of income to come
DONE = NUMBER["DONE", 0]

income_level = plain(income.income_level)


@dataclass(frozen=True)
class Gain:
    """What an action changes for who does it."""

    points: int  # with those of an end of the era now
    income: int  # spaces of the track
    levels: int  # of income
    pounds: int


@dataclass(frozen=True)
class Hint:
    """An action, and what speaks for it."""

    action: Action
    gain: Gain
    worth: float  # points


def hints(edition: Edition, view: View, began: View | None = None, most: int = 5) -> list[Hint]:
    """The best actions, or ends of the one in progress, of the seat whose view it is, best first.

    Of the cards that allow an action, the one that opens the fewest builds is given up; in the
    middle of an action that is judged by the view in which it `began`. Of equal actions of a kind
    (the same industry in several towns) only one is named. There is nothing to advise between
    turns, and nothing is advised about debts.
    """
    if not view.legal or view.seat is None:
        return []
    plan = engine_of(edition, view)
    if plan.phase == DEBT:
        return []
    uses = _uses(engine_of(edition, began or view))
    start = plan.snapshot()
    before = standing(plan, view.seat)
    found: dict[object, Hint] = {}
    for choices in list(_ends(plan, start, uses)):
        plan.restore(start)
        _play(plan, choices)
        after = standing(plan, view.seat)
        action = Action(edition, plan.seats, start, choices)
        worth = after.worth - before.worth
        equal = (*_kind(edition, choices[0]), round(worth, 6))
        found.setdefault(equal, Hint(action, gain(before, after), worth))
    return sorted(found.values(), key=lambda hint: -hint.worth)[:most]


def engine_of(edition: Edition, view: View) -> Engine:
    """A view as a position to plan in."""
    return Engine(edition, tuple(seat.name for seat in view.seats), view.position).blind()


def gain_of(engine: Engine, choices: Sequence[int]) -> Gain:
    """What choices bring at least: what they leave open is ended as soon as it can be."""
    plan = engine.blind()
    seat = plan.seat
    before = standing(plan, seat)
    for choice in choices:
        plan.step(choice)
    while plan.in_progress:
        options = plan.legal()
        plan.step(DONE if DONE in options else options[0])
    return gain(before, standing(plan, seat))


# --- what a position is worth --------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """What a seat has."""

    points: int
    income: int
    pounds: int
    worth: float


def gain(before: Standing, after: Standing) -> Gain:
    """What has changed."""
    return Gain(
        after.points - before.points,
        after.income - before.income,
        int(income_level(after.income)) - int(income_level(before.income)),
        after.pounds - before.pounds,
    )


def standing(engine: Engine, seat: int) -> Standing:
    """What a seat has, and what that is worth beside the rivals."""
    state = engine.state
    scores = [sum(points.values()) for points in score_now(engine)]
    worths = [_worth(engine, rival, scores[rival]) for rival in range(engine.edition.players)]
    rivals = sum(worths) - worths[seat]
    return Standing(
        points=int(state.vp[seat]) + scores[seat],
        income=int(state.income[seat]),
        pounds=int(state.cash[seat]),
        worth=worths[seat] - rivals / (len(worths) - 1),
    )


def _worth(engine: Engine, seat: int, scored: int) -> float:
    """What a seat has, in points, without a look at the others."""
    edition, state = engine.edition, engine.state
    waiting = [
        edition.tile[int(state.tile[space])]
        for space in range(len(edition.spaces))
        if state.owner[space] == seat and not state.flipped[space]
    ]
    spaces = min(income.LAST, int(state.income[seat]) + sum(tile.income for tile in waiting) // 2)
    eras = 1 if edition.traits.canal_era_only else 2
    left = (eras - int(state.era)) * edition.rounds - int(state.round_number)
    points = int(state.vp[seat]) + scored + sum(tile.vp for tile in waiting) / 2
    money = 2 * sqrt(int(state.cash[seat])) + int(income_level(spaces)) * left / POUNDS_A_POINT
    return points + money * left / (eras * edition.rounds)


# --- which actions there are ---------------------------------------------------------------------


def _ends(plan: Engine, start: bytes, uses: Counter[int]) -> Iterator[tuple[int, ...]]:
    """The actions that lead to different positions, with the cards that are missed least."""
    seen: set[bytes] = set()
    waiting: list[tuple[bytes, tuple[int, ...]]] = [(start, ())]
    while waiting:
        here, made = waiting.pop()
        plan.restore(here)
        options = plan.legal()
        if plan.phase == CARD:
            options = [min(options, key=lambda card: (MEANING[card][0] != "CARD", uses[card]))]
        for option in reversed(options):
            plan.restore(here)
            choices = made + tuple(plan.choose(option))
            after = plan.snapshot()
            if after in seen:
                continue
            seen.add(after)
            if plan.in_progress:
                waiting.append((after, choices))
            else:
                yield choices


def _kind(edition: Edition, choice: int) -> tuple[str, str]:
    """What an action begins with: the kind of choice, and of a build its industry."""
    kind, offset = MEANING[choice]
    if kind != "BUILD":
        return kind, ""
    space, symbol = divmod(offset, SYMBOLS)
    return kind, edition.spaces[space].symbols[symbol]


def _uses(plan: Engine) -> Counter[int]:
    """How many of the builds that are open now each card in hand allows."""
    uses: Counter[int] = Counter()
    if plan.phase != ACTION:
        return uses
    here = plan.snapshot()
    for choice in plan.legal():
        if MEANING[choice][0] == "BUILD":
            plan.restore(here)
            plan.step(choice)
            uses.update(plan.legal())
    plan.restore(here)
    return uses


def _play(plan: Engine, choices: Sequence[int]) -> None:
    for choice in choices:
        plan.step(choice)
