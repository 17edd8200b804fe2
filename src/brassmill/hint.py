"""What might be good to do: complete actions, ranked by one look ahead.

A position is worth to a seat, in points:

- its points, and those that it would get if the era ended now;
- half the points of its tiles that have not flipped yet;
- its money: twice the square root of the pounds, because the first are worth the most;
- the income that is still to come, eight pounds to a point; tiles that have not flipped count with
  half their income spaces.

What money is good for becomes less from round to round of two eras, and is nothing any more in the
last; an introductory game has one era, and begins in the middle of that. Where money itself scores
at the end, those points count more from round to round, and in full in the last.

An action is worth what it changes in that, less what it changes for the rivals on average; one that
turns distant tiles, what that is on average over all tiles that may come. Nothing is looked at but
the view of the seat, so a hint tells nothing that is hidden; and nothing that others may do about
it, so it is a hint and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from brassmill.action import Action
from brassmill.choice import MEANING, NUMBER
from brassmill.editions.edition import Edition
from brassmill.engine import Engine, plain
from brassmill.outcome import Points, score_now
from brassmill.rules import income
from brassmill.rules.layout import ACTION, CARD, DEBT, SYMBOLS
from brassmill.view import View

POUNDS_A_POINT = 8  # of income to come
DONE, SELL_FAR = NUMBER["DONE", 0], NUMBER["SELL_FAR", 0]

income_level = plain(income.income_level)


@dataclass(frozen=True)
class Gain:
    """What an action changes for who does it."""

    points: int  # with those of an end of the era now
    income: int  # spaces of the track
    levels: int  # of income
    pounds: int
    at_most: bool = False  # it turns distant tiles, and others than the best may come


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
    known = engine_of(edition, view)
    if known.phase == DEBT:
        return []
    plan, tiles = known.blind(), face_down(known)
    uses = _uses(engine_of(edition, began or view).blind())
    start = plan.snapshot()
    before = standing(plan, view.seat)
    counted: dict[bytes, Standing] = {}
    found: dict[object, Hint] = {}
    for choices in list(_ends(plan, start, uses)):
        plan.restore(start)
        after = _results(plan, view.seat, choices, tiles, counted)
        worth = sum(chance * result.worth for result, chance in after.items()) - before.worth
        equal = (*_kind(edition, choices[0]), round(worth, 6))
        if equal not in found:
            action = Action(edition, plan.seats, start, choices)
            found[equal] = Hint(action, gain(before, after), worth)
    return sorted(found.values(), key=lambda hint: -hint.worth)[:most]


def engine_of(edition: Edition, view: View) -> Engine:
    """What a view shows, as a position."""
    return Engine(edition, tuple(seat.name for seat in view.seats), view.position)


def gain_of(engine: Engine, choices: Sequence[int]) -> Gain:
    """What choices bring; what they leave open is ended as soon as it can be."""
    plan, made = engine.blind(), list(choices)
    start, seat = plan.snapshot(), plan.seat
    before = standing(plan, seat)
    for choice in choices:
        plan.step(choice)
    while plan.in_progress:
        options = plan.legal()
        made.append(DONE if DONE in options else options[0])
        plan.step(made[-1])
    plan.restore(start)
    return gain(before, _results(plan, seat, made, face_down(engine), {}))


# --- what nobody has seen ------------------------------------------------------------------------


def face_down(engine: Engine) -> Counter[int]:
    """The distant tiles of this era that nobody has seen: all of the box less those turned."""
    state = engine.state
    return Counter(engine.edition.distant) - Counter(
        state.distant[: int(state.distant_next)].tolist()
    )


def _results(
    plan: Engine,
    seat: int,
    choices: Sequence[int],
    tiles: Counter[int],
    counted: dict[bytes, Standing],
) -> dict[Standing, float]:
    """What a seat has after choices, in each way in which distant tiles may come, and its chance.

    Many ways lead to positions that differ in the distant market alone; `counted` remembers them.
    """
    results: dict[Standing, float] = {}
    for chance in _ways(plan, choices, tiles):
        plan.state.distant[:] = plan.state.distant_next = plan.state.demand = 0
        position = plan.snapshot()
        if position not in counted:
            counted[position] = standing(plan, seat)
        result = counted[position]
        results[result] = results.get(result, 0) + chance
    return results


def _ways(plan: Engine, choices: Sequence[int], tiles: Counter[int]) -> Iterator[float]:
    """Make choices once for each way in which distant tiles may come: the chance of each way.

    While a chance is looked at, the plan stands where that way leads.
    """
    for n, choice in enumerate(choices):
        if choice != SELL_FAR:
            plan.step(choice)
            continue
        here = plan.snapshot()
        for steps, count in tiles.items():
            plan.restore(here)
            plan.state.distant[int(plan.state.distant_next)] = steps
            plan.step(choice)
            # A market that has closed has ended the action.
            rest = choices[n + 1 :] if plan.in_progress else ()
            for chance in _ways(plan, rest, tiles - Counter([steps])):
                yield chance * count / tiles.total()
        return
    yield 1.0


# --- what a position is worth --------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """What a seat has."""

    points: int
    income: int
    pounds: int
    worth: float


def gain(before: Standing, ways: Iterable[Standing]) -> Gain:
    """What has changed, or the most that may have."""
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


def standing(engine: Engine, seat: int) -> Standing:
    """What a seat has, and what that is worth beside the rivals."""
    state = engine.state
    scores = score_now(engine)
    worths = [_worth(engine, rival, scores[rival]) for rival in range(engine.edition.players)]
    rivals = sum(worths) - worths[seat]
    return Standing(
        points=int(state.vp[seat]) + sum(scores[seat].values()),
        income=int(state.income[seat]),
        pounds=int(state.cash[seat]),
        worth=worths[seat] - rivals / (len(worths) - 1),
    )


def _worth(engine: Engine, seat: int, scored: Points) -> float:
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
    points = int(state.vp[seat]) + sum(scored.values()) + sum(tile.vp for tile in waiting) / 2
    money = 2 * sqrt(int(state.cash[seat])) + int(income_level(spaces)) * left / POUNDS_A_POINT
    kept = scored.get("cash", 0)  # while much is left, pounds are there to be spent
    return points + money * left / (2 * edition.rounds) - kept * left / (eras * edition.rounds)


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
