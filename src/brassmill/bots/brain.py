"""The Python interface to compiled thinking, and the arrays behind it."""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.bots.forecast import LATER, one_future
from brassmill.bots.mind import FIRST, make_mind
from brassmill.bots.plan import (
    ROOT,
    STORE,
    WORST,
    carry_out,
    expect_middling_tiles,
    go_on,
    survey_turn,
)
from brassmill.bots.terms import value, weigh_each
from brassmill.core.deal import seed_bits
from brassmill.core.view import View
from brassmill.core.worlds import sample_world
from brassmill.editions.edition import Edition
from brassmill.rules.choices import SELL_FAR
from brassmill.rules.jit import entry
from brassmill.rules.layout import ACTION, BOARD, STATE, WORK
from brassmill.rules.warmup import THINKING, ready

SAMPLE, SURVEY, FORESEE, CARRY_OUT, GO_ON, JUDGE, EXPECT = range(7)
SLOTS = LATER + STORE  # positions in the stack


@entry
def think(
    states: Any,
    boards: Any,
    works: Any,
    minds: Any,
    what: int,
    seat: int,
    number: int,
    turns: int,
    seed: int,
) -> Any:
    """Do one task (`what`) with the root position for a seat; `number` is a row, choice or width.

    JUDGE puts the value into `mind.future[0]`, and its parts into `mind.term` and `mind.worth`.
    """
    board, work, mind = boards[0], works[0], minds[0]
    if what == SAMPLE:
        sample_world(states[ROOT], board, work, seat, seed)
    elif what == SURVEY:
        return survey_turn(states, board, work, mind, seat, number)
    elif what == FORESEE:
        mind.future[number] += one_future(
            states, STORE + number, board, work, mind, seat, turns, seed
        )
    elif what == CARRY_OUT:
        carry_out(states, board, work, mind, seat, number)
    elif what == GO_ON:
        go_on(states, board, work, mind, seat)
    elif what == JUDGE:
        mind.future[0] = value(states[ROOT], board, work, mind, seat)
        weigh_each(states[ROOT], board, mind, seat)
    elif what == EXPECT:
        expect_middling_tiles(states[ROOT], board)
    return 0


class Brain:
    """Thinks about the view of a seat."""

    def __init__(self, edition: Edition, weight: Any) -> None:
        ready(THINKING)
        self.edition = edition
        self.seat = 0
        self._choices: list[int] = []
        self._states = np.zeros(SLOTS, STATE)
        self._boards = np.zeros(1, BOARD)
        self._boards[0] = edition.board
        self._works = np.zeros(1, WORK)
        self._minds = make_mind(edition.board, weight)
        self.mind: Any = self._minds.view(np.recarray)[0]

    def _enter(self, what: int, number: int = 0, turns: int = 0, seed: int = 0) -> int:
        arrays = (self._states, self._boards, self._works, self._minds)
        return int(think(*arrays, what, self.seat, number, turns, seed_bits(seed)))

    def look(self, view: View, seed: int) -> None:
        """Set the view to think about; hidden information is sampled with the seed."""
        assert view.seat is not None
        self.seat = view.seat
        self._states[:1] = np.frombuffer(view.position, STATE)
        self._enter(SAMPLE, seed=seed)

    @property
    def begins(self) -> bool:
        """Must the seat start an action now?"""
        return bool(self._states["phase"][ROOT] == ACTION)

    def _survey(self, width: int) -> int:
        count = self._enter(SURVEY, width)
        self._choices = self.mind.lists[FIRST, :count].tolist()  # further thinking overwrites them
        return count

    def first_actions(self) -> dict[int, float]:
        """The value of the position after each legal action, by row."""
        count = self._survey(0)
        return dict(enumerate(self.mind.first[:count].tolist()))

    def survey(self, width: int) -> dict[int, float]:
        """The value of the best turn that starts with each choice, by row; only for rows tried."""
        count = self._survey(width)
        whole = self.mind.whole[:count].tolist()
        self.mind.future[:count] = 0.0
        return {row: worth for row, worth in enumerate(whole) if worth != WORST}

    def choice(self, row: int) -> int:
        """The choice that belongs to a row of the survey."""
        return self._choices[row]

    def foresee(self, row: int, turns: int, seed: int) -> None:
        """Simulate the turn of a row in one world and add its value to `future`."""
        self._enter(FORESEE, row, turns, seed)

    def future(self, row: int) -> float:
        """The sum of a row's values over the worlds in which it was simulated."""
        return float(self.mind.future[row])

    def action(self, choice: int) -> tuple[int, ...]:
        """All choices of the action that starts with this one, until something is revealed."""
        self._enter(CARRY_OUT, choice)
        return self._trail()

    def answer(self) -> tuple[int, ...]:
        """The choices for the action in progress, or for a debt."""
        self._enter(GO_ON)
        return self._trail()

    def _trail(self) -> tuple[int, ...]:
        made = self._works["trail"][0, : int(self._works["trail_count"][0])]
        return up_to_what_is_revealed(tuple(made.tolist()))

    def judge(self) -> float:
        """The value of the position in VP; `mind.term` and `mind.worth` hold its parts."""
        self._enter(JUDGE)
        return float(self.mind.future[0])


def up_to_what_is_revealed(choices: tuple[int, ...]) -> tuple[int, ...]:
    """The choices that can be made before a distant market tile is revealed."""
    return choices[: choices.index(SELL_FAR) + 1] if SELL_FAR in choices else choices
