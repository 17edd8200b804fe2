"""One position and scratch memory: the compiled rules as methods.

All Python code about a position (games, notation, bills, scores) uses an `Engine`. It adds no rule.

Python calls the compiled rules through one function, `door`. Every function that Python calls is
compiled with a copy of all rules it uses, so one is compiled in a fraction of the time of ten. It
takes plain arrays of one record, because Numba recognises the type of an array thirty times faster
than that of a record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from brassmill.core.lister import MENU, begin_walk, count_actions, write_actions
from brassmill.editions.edition import Edition
from brassmill.rules.jit import entry
from brassmill.rules.layout import BOARD, NOTHING, STATE, WORK
from brassmill.rules.reasons import Reason
from brassmill.rules.rounds import set_order
from brassmill.rules.scoring import score_era, standing, tie_break
from brassmill.rules.setup import set_up
from brassmill.rules.turn import choose, finish_turn, forget, list_choices, make, why

LIST, WHY, STEP, CHOOSE, END_TURN, SCORE, ORDER, STANDING, TIE_BREAK, COUNT, WALK, WRITE = range(12)

NO_MENU = np.zeros(0, MENU)  # for everything that is not about complete actions

Row = list[int]  # an event: its kind and three numbers


def plain(function: Any) -> Callable[..., Any]:
    """A rule as a plain Python function, for small ones that are not worth compiling."""
    return getattr(function, "py_func", function)  # type: ignore[no-any-return]


@entry
def door(states, boards, works, menus, what, number):  # type: ignore[no-untyped-def]
    """Do one thing with the first position; `number` is a choice, a seat or a number of actions."""
    state, board, work = states[0], boards[0], works[0]
    if what == LIST:
        return list_choices(state, board, work)
    if what == WHY:
        return why(state, board, work, number).value
    if what == STEP:
        forget(work)
        make(state, board, work, number)
    elif what == CHOOSE:
        choose(state, board, work, number)
    elif what == END_TURN:
        finish_turn(state, board, work)
    elif what == SCORE:
        score_era(state, board, work)
    elif what == ORDER:
        set_order(state, board, work)
    elif what == STANDING:
        return standing(state, board, number)
    elif what == TIE_BREAK:
        return tie_break(state, board)
    elif what == COUNT:
        return count_actions(states, board, work, menus[0])
    elif what == WALK:
        begin_walk(states, board, work, menus[0])
    elif what == WRITE:
        return write_actions(states, board, work, menus[0], number)
    return 0


class Engine:
    """A position that can be queried and played on."""

    __slots__ = (
        "_board",
        "_bytes",
        "_doing",
        "_event_count",
        "_events",
        "_legal",
        "_phase",
        "_seat",
        "_state",
        "_trail",
        "_trail_count",
        "_work",
        "edition",
        "seats",
        "state",
        "work",
    )

    def __init__(
        self, edition: Edition, seats: tuple[str, ...], position: bytes | None = None
    ) -> None:
        states, boards, works = np.zeros(1, STATE), np.zeros(1, BOARD), np.zeros(1, WORK)
        boards[0] = edition.board
        works["recording"] = 1
        self.edition = edition
        self.seats = seats  # their names
        self.state: Any = states.view(np.recarray)[0]
        self.work: Any = works.view(np.recarray)[0]
        self._bytes = memoryview(states.view(np.uint8))  # type: ignore[arg-type]
        # Views of single fields: reading one is much faster than reading an attribute of a record.
        self._phase, self._seat, self._doing = states["phase"], states["seat"], states["doing"]
        self._legal, self._trail, self._events = (
            works[name][0] for name in ("legal", "trail", "events")
        )
        self._trail_count, self._event_count = works["trail_count"], works["event_count"]
        self._state, self._board, self._work = states, boards, works
        if position is not None:
            self._bytes[:] = position

    def _enter(self, what: int, number: int = 0) -> int:
        return int(door(self._state, self._board, self._work, NO_MENU, what, number))

    # --- the position as bytes -------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """The position; equal positions are equal bytes."""
        return bytes(self._bytes)

    def restore(self, position: bytes) -> None:
        """Go to a position."""
        self._bytes[:] = position

    def copy(self) -> Engine:
        """A copy to continue with independently."""
        return Engine(self.edition, self.seats, self.snapshot())

    def blind(self) -> Engine:
        """A copy for planning, in which face-down distant tiles move nothing.

        Whether a plan works must not reveal hidden tiles. All that a revealed tile can do is close
        the market, and that ends the action anyway (SELL-4).
        """
        plan = self.copy()
        plan.state.distant[:] = 0
        plan.state.distant_next = 0
        return plan

    # --- asking ----------------------------------------------------------------------------------

    @property
    def phase(self) -> int:
        """The open question."""
        return int(self._phase[0])

    @property
    def seat(self) -> int:
        """The seat that must answer it."""
        return int(self._seat[0])

    @property
    def in_progress(self) -> bool:
        """Has an action begun but not ended?"""
        return bool(self._doing[0] != NOTHING)

    def legal(self) -> list[int]:
        """The legal choices."""
        return self._legal[: self._enter(LIST)].tolist()  # type: ignore[no-any-return]

    def why(self, choice: int) -> Reason:
        """Why a choice cannot be made, or OK."""
        return Reason(self._enter(WHY, choice))

    @property
    def details(self) -> tuple[int, int]:
        """After a refusal: its place, space, line, card or industry, and the missing amount."""
        return int(self.work.details[0]), int(self.work.details[1])

    # --- moving ----------------------------------------------------------------------------------

    def set_up(self, deal: Any) -> None:
        """Set up the first position of a deal (a `DEAL` record)."""
        set_up(self.state, self._board.view(np.recarray)[0], deal, self.work)

    def step(self, choice: int) -> None:
        """Make one choice and leave the forced ones after it open."""
        self._enter(STEP, choice)

    def choose(self, choice: int) -> list[int]:
        """Make a legal choice and the forced ones after it; return all of them."""
        self._enter(CHOOSE, choice)
        return self._trail[: self._trail_count[0]].tolist()  # type: ignore[no-any-return]

    def end_turn(self) -> None:
        """End the turn."""
        self._enter(END_TURN)

    @property
    def rows(self) -> list[Row]:
        """The event rows of the last move."""
        return self._events[: self._event_count[0]].tolist()  # type: ignore[no-any-return]

    # --- counting --------------------------------------------------------------------------------

    def score_era(self) -> None:
        """Score as if the era ended now."""
        self._enter(SCORE)

    def set_order(self) -> None:
        """Set the turn order as if the round ended now."""
        self._enter(ORDER)

    def standing(self, seat: int) -> int:
        """The rank of a seat, from 1."""
        return self._enter(STANDING, seat)

    def tie_break(self) -> int:
        """What decided the win."""
        return self._enter(TIE_BREAK)
