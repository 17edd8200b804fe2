"""Gymnasium's vector environment: a batch of games in which one policy plays every seat.

>>> import gymnasium, brassmill.env
>>> envs = gymnasium.make_vec("brassmill/BrassSelfPlay-v0", num_envs=3, players=2, threads=1)
>>> seen, info = envs.reset(seed=7)
>>> seen, rewards, ended, _, info = envs.step(seen["action_mask"].argmax(axis=1))
>>> ended.tolist(), info["seat"].shape
([False, False, False], (3,))
>>> envs.close()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from brassmill import editions
from brassmill.batch import Batch
from brassmill.editions import Value
from brassmill.env.rewards import rewards_of
from brassmill.env.spaces import Observation, action_space, observation_space

Step = tuple[Observation, Any, Any, Any, dict[str, Any]]


class SelfPlay(VectorEnv[Observation, Any, Any]):
    """Games side by side: each step makes a choice for the seat to move in every game.

    `info["seat"]` says which seat a row's observation belongs to. The reward of a step is for the
    seat that made the choice; the final rewards of the others are in `info["final_info"]`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "birmingham",
        players: int | None = None,
        threads: int | None = None,
        **options: Value,
    ) -> None:
        kind = editions.edition(edition, players, **options)
        self.batch = Batch(kind, games=num_envs, threads=threads)
        self.num_envs = num_envs
        self.single_action_space = action_space()
        self.single_observation_space = observation_space(kind)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Restart all games, with the seeds from `seed` on, with these seeds, or at random.

        Random seeds come from the environment's random numbers, which the first given seed
        resets. A list with None in it does not reset them, and takes its missing seeds from them.
        """
        if seed is None:
            self.batch.reset(self._drawn())
        elif isinstance(seed, Sequence | np.ndarray):
            seeds = [self._drawn() if one is None else one for one in seed]
            self.batch.reset(seeds=seeds)
            if None not in list(seed):
                super().reset(seed=int(seeds[0]))
        else:
            self.batch.reset(seed)
            super().reset(seed=int(seed))
        self._begun = True
        return self._observations(), self._info()

    def _drawn(self) -> int:
        return int(self.np_random.integers(2**63))

    def step(self, actions: Any) -> Step:
        """Make a choice in every game; a game that ends restarts at once.

        An illegal choice raises an error that names the game; then no choice is played at all.
        """
        if not self._begun:
            raise ResetNeeded("no game has started; call reset first")
        batch, seats = self.batch, self.batch.seats.copy()
        batch.step(actions)
        ended = batch.ended.copy()
        columns = {"ranks": batch.ranks, "points": batch.points, "margins": batch.margins}
        columns["rewards"] = rewards_of(batch.ranks)
        final = {name: np.where(ended[:, None], column, 0) for name, column in columns.items()}
        rewards = final["rewards"][np.arange(self.num_envs), seats]
        info = self._info()
        if ended.any():
            info["final_info"], info["_final_info"] = final, ended
        return self._observations(), rewards, ended, np.zeros_like(ended), info

    def close_extras(self, **_settings: Any) -> None:
        """Stop the threads."""
        self.batch.close()

    def _info(self) -> dict[str, Any]:
        return {"seat": self.batch.seats.copy()}

    def _observations(self) -> Observation:
        """Copies, because the next step changes the batch's arrays."""
        rows = np.empty((self.num_envs, len(self.batch.layout)), np.int16)
        mask = self.batch.legal.astype(np.int8)
        return {"observation": self.batch.observations(into=rows), "action_mask": mask}
