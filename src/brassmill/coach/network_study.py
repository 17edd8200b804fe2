"""Studying a position by the network of the game: its policy proposes, its value judges.

The network proposes its likeliest actions, and the scripted judgement adds some. Each is tried in
sampled worlds: the network plays on for all seats until every opponent has had a turn and it is
this seat's turn again. What it forecast for each seat when that seat last had to choose counts; at
the end of the game, the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from brassmill.bots.brain import SAMPLE, up_to_what_is_revealed
from brassmill.bots.lookahead import MIDDLE, OWN_VP, UNIT, WIN
from brassmill.bots.net import TRUST, Mind
from brassmill.bots.network import packaged
from brassmill.coach.chances import chances, factors_for
from brassmill.coach.study import Choices, FinalStandings, Study
from brassmill.core.engine import Engine
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.choices import CHOICES, SELL_FAR
from brassmill.rules.layout import GAME_OVER, TURN_OVER

SCRIPTED = 3  # actions of the scripted judgement among the candidates


class NetworkStudy(Study):
    """A study whose candidates and endings come from the network; the reasons are the same."""

    by_network = True
    doubt = 4.5
    spread = 3.0

    def __init__(self, edition: Edition, view: View, seed: int) -> None:
        super().__init__(edition, view, seed)
        self._network = Mind(edition, packaged(edition))
        self._factors = factors_for(edition)

    def _scores(self, engine: Engine, legal: Sequence[int]) -> list[float]:
        return self._network.look(engine.seat, engine.snapshot(), legal)

    # --- candidates ------------------------------------------------------------------------------

    def candidates(self, most: int) -> list[Choices]:
        """The likeliest actions; among them some of the scripted judgement.

        In positions unlike those it learned from, the network may overlook a good action.
        """
        scripted = [choices[0] for choices in super().candidates(SCRIPTED)[: most - 1]]
        self._engine.restore(self._root)
        scores = self._scores(self._engine, self.view.legal)
        ranked = sorted(self.view.legal, key=lambda choice: (-scores[choice], choice))
        first = dict.fromkeys([*ranked[: most - len(scripted)], *scripted, *ranked])
        return self._different(map(self._completed, first), most)

    def _completed(self, choice: int) -> Choices:
        """An action that begins or goes on with a choice, completed by the likeliest ones."""
        engine, made = self._engine, [choice]
        engine.restore(self._root)
        engine.step(choice)
        while engine.in_progress and not self.in_debt and SELL_FAR not in made:
            made.append(self._likeliest(engine))
            engine.step(made[-1])
        return up_to_what_is_revealed(tuple(made))

    def _likeliest(self, engine: Engine) -> int:
        legal = engine.legal()
        if len(legal) == 1:
            return legal[0]
        return best_of(self._scores(engine, legal), legal)

    def turn(self, choices: Choices) -> tuple[float, list[Choices]]:
        """What the likelihood of an action says about its value, in VP; the rest is played."""
        engine, likelihood = self._engine, 0.0
        engine.restore(self._root)
        for number, choice in enumerate(choices):
            if number and not engine.in_progress:
                break
            legal = engine.legal()
            scores = np.array(self._scores(engine, legal))
            likelihood += scores[choice] - np.logaddexp.reduce(scores[legal])
            engine.step(choice)
        return TRUST * likelihood, [choices]

    # --- outcomes --------------------------------------------------------------------------------

    def ending(self, turn: Sequence[Choices], world: int) -> FinalStandings:
        """What is expected of a game that continues with these actions, in a world."""
        self._put(self.view.position)
        self._enter(SAMPLE, seed=world)
        position = self._at_root()
        for choices in turn:
            position = self.after(choices, position)
        self._engine.restore(position)
        forecasts = dict(self._forecasts_of_a_round())
        if self._engine.phase == GAME_OVER:
            return self.result()
        rows = np.array([forecasts[seat] for seat in range(self.edition.players)])
        points = rows[:, OWN_VP] * UNIT + MIDDLE
        factors = self._factors[self._engine.state.era]
        return FinalStandings(points, chances(points, rows[:, WIN], factors))

    def _forecasts_of_a_round(self) -> Iterator[tuple[int, Any]]:
        """Play on; for every choice, the seat and what the network forecasts for it."""
        engine, others = self._engine, {*range(self.edition.players)} - {self.seat}
        while engine.phase != GAME_OVER:
            if engine.phase == TURN_OVER:
                engine.end_turn()
                continue
            seat, legal = engine.seat, engine.legal()
            scores = self._scores(engine, legal)
            yield seat, scores[CHOICES:]
            others.discard(seat)
            if seat == self.seat and not others:
                return
            engine.choose(best_of(scores, legal))


def best_of(scores: Sequence[float], legal: Iterable[int]) -> int:
    """The legal choice with the best score; of equal ones the first."""
    return max(legal, key=lambda choice: (scores[choice], -choice))
