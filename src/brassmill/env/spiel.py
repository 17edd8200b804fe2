"""The OpenSpiel game `python_brassmill`, registered when this module is imported.

>>> import pyspiel
>>> import brassmill.env.spiel
>>> game = pyspiel.load_game("python_brassmill(edition=lancashire,players=3)")
>>> game.num_players(), game.num_distinct_actions()
(3, 528)

The chance player first decides the seed of the deal, byte by byte: eight chance nodes with 256
equally likely outcomes each. This is exactly how the engine deals.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError:
    how = "pip install 'brassmill[openspiel]'"
    raise ImportError(f"python_brassmill needs OpenSpiel: {how}", name="pyspiel") from None

from brassmill import editions
from brassmill.core.choice import choice_text
from brassmill.editions import EDITIONS, Edition
from brassmill.env.rewards import final_rewards
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.observation import Layout, observation_of
from brassmill.rules.choices import CHOICES

SEED_BYTES = 8
BYTE = 256
LARGEST_SEED = 1 << 53  # of a world: a random number has no more bits
OF_AN_ACTION = 16  # choices, at most: two railways with their ends, coal and beer have nine
OF_A_TILE = 6  # choices to sell or remove one, at most

OPTIONS = sorted({option.name for info in EDITIONS.values() for option in info.options})
GAME_TYPE = pyspiel.GameType(
    short_name="python_brassmill",
    long_name="Brass",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,  # an observation has no memory
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    # Zero players or an empty option: the edition's default.
    parameter_specification={"edition": "birmingham", "players": 0, **dict.fromkeys(OPTIONS, "")},
)


def longest(edition: Edition) -> int:
    """An upper bound on the choices of a game."""
    actions = 2 * edition.rounds * edition.players * 2
    tiles = edition.players * int(edition.board.stack_size.sum())
    return actions * OF_AN_ACTION + tiles * OF_A_TILE


class BrassGame(pyspiel.Game):  # type: ignore[misc]
    """A game whose parameters are the edition, the players and the options."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        options = {name: given[name] for name in OPTIONS if given.get(name)}
        self.edition = editions.edition(
            given.get("edition", "birmingham"), given.get("players") or None, **options
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=CHOICES,
            max_chance_outcomes=BYTE,
            num_players=self.edition.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest(self.edition),
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> BrassState:
        return BrassState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> BrassObserver:
        if params:
            raise BrassError(f"an observer takes no parameters, not {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.perfect_recall:
            raise BrassError("an observation has no memory; perfect_recall must be False")
        if not kind.public_info:
            raise BrassError("public information is always included; public_info must be True")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise BrassError("no one sees all hands; private_info must be SINGLE_PLAYER or NONE")
        own_hand = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return BrassObserver(self.edition, own_hand)


class BrassState(pyspiel.State):  # type: ignore[misc]
    """The chance nodes of the seed, then the game."""

    def __init__(self, game: BrassGame) -> None:
        super().__init__(game)
        self.edition = game.edition
        self.seed = b""
        self.played: Game | None = None
        self.earlier = 0  # actions before `played` begins: none, unless it was resampled

    def current_player(self) -> int:
        if self.played is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.played.seat is None else self.played.seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next byte of the seed."""
        return [(value, 1 / BYTE) for value in range(BYTE)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.played is not None
        return sorted(self.played.legal_choices().ids)

    def _apply_action(self, action: int) -> None:
        if self.played is not None:
            self.played.play(action)
            return
        self.seed += bytes([action])
        if len(self.seed) == SEED_BYTES:
            self.played = Game(self.edition, seed=int.from_bytes(self.seed, "big"))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed byte {action}"
        return choice_text(self.edition, action)

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> BrassState:
        """A state that could be the true one, as far as a player knows; all are equally likely.

        It has no history, because a history begins with the seed of the true deal. `rng` returns
        random numbers from 0 to 1.
        """
        found: BrassState = self.get_game().new_initial_state()
        if self.played is None:
            for _ in self.seed:
                found.apply_action(int(rng() * BYTE))
        else:
            found.played = self.played.world(player, seed=int(rng() * LARGEST_SEED))
            found.earlier = self.earlier + self.played.view(player).number
        return found

    def is_terminal(self) -> bool:
        return self.played is not None and self.played.over

    def returns(self) -> list[float]:
        if self.played is None or not self.played.over:
            return [0.0] * self.edition.players
        return final_rewards(self.played)

    def __str__(self) -> str:
        """A short text with a digest of everything, including hidden information."""
        if self.played is None:
            return f"<seed {self.seed.hex()}>"
        return f"{self.played!r} {sha256(self.played.engine.snapshot()).hexdigest()}"


class BrassObserver:
    """What a seat may know: the engine's observation, all zeros before the deal.

    Without its own hand, that is what a spectator knows, from the seat's point of view.
    """

    def __init__(self, edition: Edition, own_hand: bool) -> None:
        self.edition = edition
        self.own_hand = own_hand
        self.tensor = np.zeros(len(Layout.of(edition)), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BrassState, player: int) -> None:
        self.tensor.fill(0)
        game = state.played
        if game is not None and self.own_hand:
            self.tensor[:] = game.observation(player)
        elif game is not None:
            self.tensor[:] = observation_of(self.edition, replace(game.view(), seat=player))

    def string_from(self, state: BrassState, player: int) -> str:
        """The view of the seat, or of a spectator, as JSON."""
        if state.played is None:
            return ""
        view = state.played.view(player if self.own_hand else None)
        return json.dumps(view.as_dict() | {"number": state.earlier + view.number})


pyspiel.register_game(GAME_TYPE, BrassGame)
