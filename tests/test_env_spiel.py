"""The games for OpenSpiel: its own simulation, and the deal that chance makes."""

from __future__ import annotations

from random import Random

import numpy as np
import pyspiel
import pytest

import kinds
from brassmill import Game
from brassmill.editions import Edition
from brassmill.env import spiel
from brassmill.env.rewards import final_rewards


def name_of(kind: Edition) -> str:
    return f"{spiel.GAME_TYPE.short_name}(edition={kind.name},players={kind.players})"


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_openspiel_agrees(kind: Edition) -> None:
    game = pyspiel.load_game(name_of(kind))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_a_state_is_the_game_of_its_seed() -> None:
    game = pyspiel.load_game("python_brassmill(edition=lancashire,players=3,virtual_link=yes)")
    state = game.new_initial_state()
    seed = 0x0102030405060708
    for byte in seed.to_bytes(8, "big"):
        assert state.is_chance_node() and len(state.chance_outcomes()) == 256
        state.apply_action(byte)
    alone, rng = Game("lancashire", 3, seed=seed, virtual_link=True), Random(3)
    while not state.is_terminal():
        assert state.current_player() == alone.seat
        assert state.legal_actions() == sorted(alone.legal_choices().ids)
        for seat in range(3):
            seen = np.array(state.observation_tensor(seat))
            assert seen.tolist() == alone.observation(seat).tolist()
        choice = rng.choice(state.legal_actions())
        state.apply_action(choice)
        alone.play(choice)
    assert state.returns() == final_rewards(alone)
    assert len(state.history()) - 8 <= game.max_game_length()


def test_a_state_can_be_written_down() -> None:
    game = pyspiel.load_game("python_brassmill(players=2)")
    state = game.new_initial_state()
    rng = Random(1)
    for _ in range(40):
        state.apply_action(rng.choice(state.legal_actions()))
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state) != str(game.new_initial_state())
