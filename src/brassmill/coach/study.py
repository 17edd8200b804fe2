"""Studying a position: which actions to compare, what they change, how games end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from brassmill.bots.brain import EXPECT, FORESEE, GO_ON, SAMPLE, Brain
from brassmill.bots.forecast import LATER
from brassmill.bots.plan import ROOT, STORE
from brassmill.bots.planner import WIDTH
from brassmill.bots.weights import weights_for
from brassmill.core.engine import Engine
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.choices import SELL_FAR
from brassmill.rules.layout import ACTION, DEBT, STATE

TO_THE_END = 1_000  # own turns: more than any game has

Choices = tuple[int, ...]


class FinalStandings(NamedTuple):
    """How a game ended, or is expected to end, for all seats."""

    points: Any
    wins: Any  # 1 for the winner; players who share a win get equal parts of it


class Study(Brain):
    """A brain that compares given actions and plays them to the end of the game.

    It looks only at the view: every world is sampled from it.
    """

    by_network = False
    doubt = 4.0  # VP by which the evaluation of a difference may be off
    spread = 10.0  # VP by which a difference varies between worlds, until enough have been tried

    def __init__(self, edition: Edition, view: View, seed: int) -> None:
        super().__init__(edition, weights_for(edition))
        self.view = view
        self.look(view, seed)
        self._enter(EXPECT)  # the evaluation must not depend on the sampled world
        self._root = self._at_root()
        self._engine = Engine(edition, tuple(seat.name for seat in view.seats), self._root)
        self.is_whole = self._engine.phase == ACTION  # the seat must start an action
        self.in_debt = self._engine.phase == DEBT

    def _at_root(self) -> bytes:
        return self._states[ROOT : ROOT + 1].tobytes()

    def _put(self, position: bytes, slot: int = ROOT) -> None:
        self._states[slot : slot + 1] = np.frombuffer(position, STATE)

    # --- candidates ------------------------------------------------------------------------------

    def candidates(self, most: int) -> list[Choices]:
        """The most promising actions, best first, at most this many."""
        if self.is_whole:
            self._put(self._root)
            worth = self.survey(WIDTH)
            rows = sorted(worth, key=lambda row: -worth[row])
            found = (self._action(self.choice(row)) for row in rows)
        else:
            ways = [(self.turn(choices)[0], choices) for choices in list(self._ways_on())]
            found = (choices for _worth, choices in sorted(ways, key=lambda way: -way[0]))
        return self._different(found, most)

    def _action(self, choice: int) -> Choices:
        self._put(self._root)
        return self.action(choice)

    def _ways_on(self) -> Iterator[Choices]:
        """Every legal choice within an action or in debt, with its best continuation."""
        for choice in self.view.legal:
            self.after((choice,))
            yield (choice, *([] if self.in_debt or choice == SELL_FAR else self._rest()))

    def _rest(self) -> Iterator[int]:
        """The best completion of the action in progress, up to the first revelation."""
        while self._engine.in_progress:
            self._put(self._engine.snapshot())
            self._enter(GO_ON)
            [choice] = self._trail()
            self._engine.restore(self._at_root())
            yield choice
            if choice == SELL_FAR:
                return

    def _different(self, found: Iterable[Choices], most: int) -> list[Choices]:
        """The first actions that lead to different positions: two links have no order."""
        kept: dict[bytes, Choices] = {}
        for choices in found:
            kept.setdefault(self.after(choices), choices)
            if len(kept) == most:
                break
        return list(kept.values())

    # --- outcomes --------------------------------------------------------------------------------

    def after(self, choices: Sequence[int], position: bytes | None = None) -> bytes:
        """The position after an action; if the distant market closes, its other choices lapse."""
        engine = self._engine
        engine.restore(position or self._root)
        for number, choice in enumerate(choices):
            if number and not engine.in_progress:
                break
            engine.step(choice)
        return engine.snapshot()

    def turn(self, choices: Choices) -> tuple[float, list[Choices]]:
        """The best turn that begins with an action: its value in VP, and its actions.

        The second action is planned if the first reveals nothing. It is planned without looking at
        a world, so it uses no hidden information.
        """
        self.after(choices)
        if SELL_FAR in choices:
            for _choice in self._rest():
                pass
        planned = self._engine.snapshot()
        self._put(planned)
        if self.in_debt or not self.begins:
            return self.judge(), [choices]
        rows = self.first_actions()
        best = max(rows, key=lambda row: rows[row])
        if SELL_FAR in choices:
            return rows[best], [choices]
        self._put(planned)
        return rows[best], [choices, self.action(self.choice(best))]

    def ending(self, turn: Sequence[Choices], world: int) -> FinalStandings:
        """The end of a game that continues with these actions.

        They are played in the world, so a distant market tile they reveal is any of the possible
        ones; then all seats play greedily.
        """
        self._put(self.view.position)
        self._enter(SAMPLE, seed=world)
        position = self._at_root()
        for choices in turn:
            position = self.after(choices, position)
        self._put(position, STORE)
        self._enter(FORESEE, 0, TO_THE_END, world)
        self._engine.restore(self._states[LATER : LATER + 1].tobytes())
        return self.result()

    def result(self) -> FinalStandings:
        """The result of the game that has ended."""
        players = self.edition.players
        won = np.array([self._engine.standing(seat) == 1 for seat in range(players)])
        return FinalStandings(self._engine.state.vp[:players].astype(float), won / won.sum())

    # --- evaluation ------------------------------------------------------------------------------

    def terms(self, choices: Choices = ()) -> Any:
        """The terms of the evaluation after an action."""
        self._put(self.after(choices))
        self.judge()
        return self.mind.term.copy()

    def weights(self) -> Any:
        """What one of each term is worth now, in VP."""
        self._put(self._root)
        self.judge()
        return self.mind.worth.copy()
