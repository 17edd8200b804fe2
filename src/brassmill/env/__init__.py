"""Environments for reinforcement learning: PettingZoo, Gymnasium and OpenSpiel.

All of them give the engine's observations and take its choices by number
(`docs/research/environments.md`). Importing this package registers those of Gymnasium, if it is
installed:

>>> import gymnasium
>>> import brassmill.env
>>> env = gymnasium.make("brassmill/Brass-v0", edition="lancashire", players=3, opponents="random")
>>> observation, info = env.reset(seed=7)
>>> env.close()
"""

from __future__ import annotations

from importlib.util import find_spec

ONE_SEAT = "brassmill/Brass-v0"
SELF_PLAY = "brassmill/BrassSelfPlay-v0"


def register() -> None:
    """Register the environments with Gymnasium, once."""
    import gymnasium

    if ONE_SEAT not in gymnasium.registry:
        gymnasium.register(ONE_SEAT, "brassmill.env.one_seat:OneSeat")
        gymnasium.register(SELF_PLAY, vector_entry_point="brassmill.env.self_play:SelfPlay")


if find_spec("gymnasium"):
    register()
