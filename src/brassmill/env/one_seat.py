"""The Gymnasium environment: you play one seat, bots play the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from brassmill import editions
from brassmill.bots import Spec, parse
from brassmill.core.choice import whole
from brassmill.editions import Value
from brassmill.env.pictures import MODES, Picture, check_mode, picture
from brassmill.env.rewards import WORST, final_info, final_rewards
from brassmill.env.spaces import (
    Observation,
    action_space,
    observation_space,
    observe,
    without_choice,
)
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.play.host import Host

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class OneSeat(gymnasium.Env[Observation, np.int64]):
    """A game in which you play one seat; bots play until it must choose again.

    An illegal choice ends the game with the reward of last place; `info["illegal"]` says why. When
    a bot fails, a legal choice is played in its place, and `info["forfeits"]` reports it.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": MODES,
        "render_fps": 1,
    }

    def __init__(
        self,
        edition: str = "birmingham",
        players: int | None = None,
        opponents: str | Sequence[str] = "random",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        """`opponents`: a bot (`docs/bots/bots.md`) for all other seats, or one for each of them."""
        self.edition = editions.edition(edition, players, **options)
        self.seat = whole("a seat", seat)
        rivals = self.edition.players - 1
        if not 0 <= seat <= rivals:
            raise BrassError(f"unknown seat {seat}; seats are 0 to {rivals}")
        bots = [opponents] * rivals if isinstance(opponents, str) else list(opponents)
        if len(bots) != rivals:
            raise BrassError(f"name {rivals} opponents, one for each other seat, not {bots}")
        specs = [parse(bot) for bot in bots]
        self._bots: list[Spec | None] = [*specs[:seat], None, *specs[seat:]]
        self.render_mode = check_mode(render_mode)
        self.observation_space = observation_space(self.edition)
        self.action_space = action_space()
        self._game: Game | None = None
        self._host: Host | None = None
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game, with a seed as for `Game`, or with the environment's random numbers."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**63)) if seed is None else seed
        self.close()
        self._game = Game(self.edition, seed=number)
        self._host = Host.of(self._bots, self.edition, number)
        self._over = False
        self._let_the_others_play()
        return self._observation(), self._info()

    def step(self, action: np.int64) -> Step:
        """Make a choice; afterwards it is your turn again, or the game is over."""
        game = self._shown()
        if self._over:
            raise ResetNeeded("the game is over; call reset first")
        choice = whole("an action", action)
        refusal = game.why_not(choice)
        if refusal:
            self._over = True
            info = {**self._info(), "illegal": refusal.words}
            return without_choice(self._observation()), WORST, True, False, info
        game.play(choice)
        self._let_the_others_play()
        self._over = game.over
        if not game.over:
            return self._observation(), 0.0, False, False, self._info()
        info = {**self._info(), **final_info(game, self.seat)}
        return self._observation(), final_rewards(game)[self.seat], True, False, info

    def _shown(self) -> Game:
        if self._game is None:
            raise ResetNeeded("no game has started; call reset first")
        return self._game

    def _let_the_others_play(self) -> None:
        game = self._shown()
        assert self._host is not None
        while not game.over and game.seat != self.seat:
            self._host.play(game)

    def _observation(self) -> Observation:
        return observe(self._shown(), self.seat)

    def _info(self) -> dict[str, Any]:
        """What the bots have forfeited in this game, in words; usually nothing."""
        assert self._host is not None
        forfeits = [forfeit.words(self._shown()) for forfeit in self._host.forfeits]
        return {"forfeits": forfeits} if forfeits else {}

    def render(self) -> Picture | None:
        """What the seat sees."""
        return picture(self._shown().view(self.seat), self.render_mode)

    def close(self) -> None:
        """Close the bots."""
        self._over = True
        if self._host is not None:
            self._host.close()
            self._host = None
