"""Every complete action of a position, counted or listed by the compiled rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from brassmill.core.action import Action
from brassmill.core.engine import COUNT, WALK, WRITE, Engine, door
from brassmill.core.lister import END, MENU, ROWS, STACK
from brassmill.rules.layout import BOARD, DEBT, STATE, WORK

FEW = 8  # actions listed first: often only one is wanted


class CompleteActions:
    """Every complete action of a position, or every way to complete the one in progress, each once.

    The order of cards discarded together, and of sources for one need, does not matter. Face-down
    tiles must already be hidden: see `Engine.blind`.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._states = np.zeros(STACK, STATE)
        self._states[:1] = np.frombuffer(engine.snapshot(), STATE)
        self._boards = np.zeros(1, BOARD)
        self._boards[0] = engine.edition.board
        self._works = np.zeros(1, WORK)
        self._menus = np.zeros(1, MENU)

    def _enter(self, what: int, number: int = 0) -> int:
        arrays = (self._states, self._boards, self._works, self._menus)
        return int(door(*arrays, what, number))

    def count(self) -> int:
        """How many there are. Most are counted without being played."""
        if self.engine.phase == DEBT:
            return len(self.engine.legal())
        return self._enter(COUNT)

    def __iter__(self) -> Iterator[Action]:
        """List them, a few at first and then more at a time; once."""
        edition, seats, before = self.engine.edition, self.engine.seats, self.engine.snapshot()
        for choices in self._choices():
            yield Action(edition, seats, before, choices)

    def _choices(self) -> Iterator[tuple[int, ...]]:
        if self.engine.phase == DEBT:  # further tiles that must be removed are separate actions
            yield from ((choice,) for choice in self.engine.legal())
            return
        wanted = FEW
        self._enter(WALK)
        while self._enter(WRITE, wanted):
            start = 0
            written = self._menus["rows"][0, : self._menus["written"][0]].tolist()
            for place, choice in enumerate(written):
                if choice == END:
                    yield tuple(written[start:place])
                    start = place + 1
            wanted = ROWS
