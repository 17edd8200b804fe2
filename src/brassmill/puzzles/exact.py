"""Last turns, solved by trying every turn.

The seat that plays last in the last round of an era acts alone: nobody has cards left, nothing is
drawn, and the era is scored next. So its VP after the scoring follow from its turn, unless the turn
reveals a distant market tile, or somebody must remove tiles to pay a debt. Positions where either
can happen are not solved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brassmill.core.complete import CompleteActions
from brassmill.core.engine import Engine
from brassmill.puzzles.grading import vp_after
from brassmill.puzzles.rejection import Rejection, Unfit
from brassmill.rules.choices import SELL_FAR
from brassmill.rules.layout import ACTION

MOST_ACTIONS = 1_000  # first actions, and second ones after one of them
MOST_TURNS = 20_000

Choices = tuple[int, ...]
Turn = tuple[Choices, ...]


@dataclass(frozen=True)
class Solution:
    """Every turn of a position by what it makes."""

    turns: dict[bytes, Turn]  # by the position after it, before the turn ends
    vp: dict[bytes, int]  # of the seat once the era is scored

    @property
    def most(self) -> int:
        return max(self.vp.values())

    @property
    def next_most(self) -> int:
        """The most that a turn makes which is not a best one; `most` if there is none."""
        return max((vp for vp in self.vp.values() if vp < self.most), default=self.most)

    @property
    def best(self) -> list[Turn]:
        """The turns that make the most, the shortest first."""
        found = [self.turns[end] for end, vp in self.vp.items() if vp == self.most]
        return sorted(found, key=lambda turn: (sum(map(len, turn)), turn))


def is_last_turn(engine: Engine) -> bool:
    """Does the era end with the turn that begins here?"""
    state = engine.state
    return bool(
        engine.phase == ACTION
        and state.actions_left == 2
        and state.round_number == engine.edition.rounds
        and state.turn == engine.edition.players - 1
    )


def solve(engine: Engine) -> Solution:
    """Try every turn; `Unfit` if hidden cards or other seats could change what one makes."""
    plan, seat, turns = engine.copy(), engine.seat, dict[bytes, Turn]()
    firsts = dict[bytes, Choices]()
    for choices, after in _actions(plan):
        firsts.setdefault(after, choices)
    for after, first in firsts.items():
        plan.restore(after)
        if plan.phase != ACTION:  # a build with two cards takes both actions
            turns.setdefault(after, (first,))
            continue
        for second, end in _actions(plan):
            turns.setdefault(end, (first, second))
        if len(turns) > MOST_TURNS:
            raise Unfit(Rejection.TOO_MANY_TURNS)
    vp = {}
    for end in turns:
        plan.restore(end)
        vp[end] = vp_after(plan, seat)
    return Solution(turns, vp)


def _actions(engine: Engine) -> Iterator[tuple[Choices, bytes]]:
    """Every complete action of a position, and the position after it."""
    before = engine.snapshot()
    actions = CompleteActions(engine.blind())
    if actions.count() > MOST_ACTIONS:
        raise Unfit(Rejection.TOO_MANY_TURNS)
    for action in actions:
        if SELL_FAR in action.ids:
            raise Unfit(Rejection.DISTANT_MARKET)
        engine.restore(before)
        for choice in action.ids:
            engine.step(choice)
        yield action.ids, engine.snapshot()
    engine.restore(before)
