"""The OpenSpiel game: its own simulation test, and the deal by chance nodes."""

from __future__ import annotations

import json
import sys
from importlib import reload
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts  # type: ignore[import-untyped]
from open_spiel.python.algorithms.mcts import (  # type: ignore[import-untyped]
    RandomRolloutEvaluator,
)
from open_spiel.python.observation import make_observation  # type: ignore[import-untyped]

from brassmill import BrassError, Game, Layout
from brassmill.editions import Edition
from brassmill.env import spiel
from brassmill.env.rewards import final_rewards
from support import kinds


def name_of(kind: Edition) -> str:
    return f"{spiel.GAME_TYPE.short_name}(edition={kind.name},players={kind.players})"


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_openspiel_agrees(kind: Edition) -> None:
    game = pyspiel.load_game(name_of(kind))
    sims = 5 - kind.players  # the more seats, the longer a game
    pyspiel.random_sim_test(game, num_sims=sims, serialize=False, verbose=False)


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


# --- observers -----------------------------------------------------------------------------------


def dealt(name: str, seed: int, choices: int) -> Any:
    """A state some way into the game of a seed."""
    state, rng = pyspiel.load_game(name).new_initial_state(), Random(seed)
    for byte in seed.to_bytes(8, "big"):
        state.apply_action(byte)
    for _ in range(choices):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_a_public_observer_sees_no_hand() -> None:
    state = dealt("python_brassmill(players=3)", 7, 41)
    game, layout = state.played, Layout.of(state.edition)
    nothing = pyspiel.PrivateInfoType.NONE
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=nothing)
    public = make_observation(state.get_game(), kind)
    own = make_observation(state.get_game(), None)
    numbers = np.arange(len(layout))
    rest = np.delete(numbers, [*numbers[layout["hand"]], *numbers[layout["unseen"]]])
    for seat in range(3):
        own.set_from(state, seat)
        assert own.tensor.tolist() == game.observation(seat).tolist()
        public.set_from(state, seat)
        assert not public.tensor[layout["hand"]].any()
        hand = own.tensor[layout["hand"]].sum()
        assert public.tensor[layout["unseen"]].sum() == own.tensor[layout["unseen"]].sum() + hand
        if seat != game.seat:  # it knows of a turn that others do not see yet
            assert public.tensor[rest].tolist() == own.tensor[rest].tolist()
        assert json.loads(public.string_from(state, seat))["hand"] is None
        assert json.loads(own.string_from(state, seat))["hand"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"perfect_recall": True}, "perfect_recall must be False"),
        ({"public_info": False}, "public_info must be True"),
        ({"private_info": pyspiel.PrivateInfoType.ALL_PLAYERS}, "SINGLE_PLAYER or NONE"),
    ],
)
def test_unsupported_observers_are_refused(wrong: dict[str, Any], words: str) -> None:
    game = pyspiel.load_game("python_brassmill")
    kind = pyspiel.IIGObservationType(**{"perfect_recall": False, **wrong})
    with pytest.raises(BrassError, match=words):
        make_observation(game, kind)


# --- resampling ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_resampled_state_looks_the_same_to_the_player(kind: Edition) -> None:
    rng = Random(5)
    for choices in (0, 17, 60, 151):
        state = dealt(name_of(kind), 9, choices)
        for player in range(kind.players):
            hands = set()
            for _ in range(4):
                other = state.resample_from_infostate(player, rng.random)
                assert other.observation_string(player) == state.observation_string(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                again = other.resample_from_infostate(player, rng.random)
                assert again.observation_string(player) == state.observation_string(player)
                hands.add(np.delete(other.played.state.hand, player, axis=0).tobytes())
            assert len(hands) > 1 or choices > 100  # late, all other cards may be known


def test_a_resampled_state_can_be_played_to_the_end() -> None:
    rng = Random(6)
    state = dealt("python_brassmill(edition=lancashire,players=3)", 4, 77)
    player = state.current_player()
    other = state.resample_from_infostate(player, rng.random).clone()
    assert other.current_player() == player and other.legal_actions() == state.legal_actions()
    while not other.is_terminal():
        other.apply_action(rng.choice(other.legal_actions()))
    assert sum(other.returns()) == pytest.approx(0)


def test_a_resampled_state_does_not_tell_the_true_deal() -> None:
    state = dealt("python_brassmill(players=2)", 0x0102030405060708, 30)
    other = state.resample_from_infostate(0, Random(1).random)
    assert other.history() == [] and other.seed == b""
    assert other.played.deal.seed is None
    assert str(other) != str(state)


def test_before_the_deal_any_seed_is_possible() -> None:
    state = pyspiel.load_game("python_brassmill").new_initial_state()
    state.apply_action(7)
    rng = Random(2)
    seeds = {state.resample_from_infostate(0, rng.random).seed for _ in range(5)}
    assert len(seeds) > 1 and all(len(seed) == 1 for seed in seeds)


def test_information_set_search_runs() -> None:
    state = dealt("python_brassmill(players=2)", 3, 130)
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        state.get_game(),
        RandomRolloutEvaluator(1, random),
        uct_c=1.4,
        max_simulations=5,
        random_state=random,
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
    )
    assert bot.step(state) in state.legal_actions()


def test_without_openspiel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r"brassmill\[openspiel\]"):
        reload(spiel)
