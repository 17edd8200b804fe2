"""The PettingZoo environment: every seat is an agent, every step a choice.

>>> from brassmill.env import brass_v0
>>> env = brass_v0.env(edition="birmingham", players=4)
>>> env.reset(seed=7)
>>> observation, reward, termination, truncation, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

Seats choose one after another, so there is no parallel environment.
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

try:
    from gymnasium.spaces import Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    how = "pip install 'brassmill[env]'"
    raise ImportError(f"brass_v0 needs PettingZoo: {how}", name=error.name) from None

from brassmill import editions
from brassmill.core.choice import whole
from brassmill.editions import Value
from brassmill.env.pictures import MODES, Picture, check_mode, picture
from brassmill.env.rewards import WORST, final_info, final_rewards
from brassmill.env.spaces import Observation, action_space, observation_space, observe
from brassmill.game import Game

__all__ = ["env", "raw_env"]


def env(**settings: Any) -> Any:
    """The environment in PettingZoo's usual wrappers, with the settings of `raw_env`.

    An illegal choice ends the game: -1 for the agent that made it, 0 for the others, and a warning.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=WORST)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (PettingZoo names it so)
    """The environment itself: an illegal choice raises `IllegalAction`, which says why."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "brass_v0",
        "render_modes": MODES,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str = "birmingham",
        players: int | None = None,
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        super().__init__()
        self.edition = editions.edition(edition, players, **options)
        self.render_mode = check_mode(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.edition.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: observation_space(self.edition) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}
        self._rng = Random()

    def observation_space(self, agent: str) -> Dict:
        """The same object for an agent every time, as PettingZoo requires."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The same object for an agent every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game, with a seed as for `Game`, or with the environment's random numbers."""
        number = self._rng.getrandbits(64) if seed is None else seed
        self.game = Game(self.edition, seed=number)
        if seed is not None:
            self._rng.seed(int(seed))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select_next_agent()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now."""
        return observe(self.game, self.seats[agent])

    def step(self, action: int | None) -> None:
        """Make a choice, and the forced ones after it; after the end, retire an agent."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.game.play(whole("an action", action))
        self._cumulative_rewards[agent] = 0.0
        if self.game.over:
            for other, reward in zip(self.agents, final_rewards(self.game), strict=True):
                self.rewards[other] = reward
                self.terminations[other] = True
                self.infos[other] = final_info(self.game, self.seats[other])
            self._accumulate_rewards()
        self._select_next_agent()

    def _select_next_agent(self) -> None:
        if self.game.seat is not None:
            self.agent_selection = self.possible_agents[self.game.seat]

    def render(self) -> Picture | None:
        """What a spectator sees."""
        return picture(self.game.view(), self.render_mode)

    def close(self) -> None:
        """Nothing to release."""
