"""The PettingZoo and Gymnasium environments: their own test suites, and our promises."""

from __future__ import annotations

import json
import re
import sys
from hashlib import sha256
from importlib import reload
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

from brassmill import BrassError, Deal, Game, IllegalAction, Layout
from brassmill.bots.uniform import Uniform
from brassmill.core.choice import choice_text
from brassmill.editions import Edition, edition
from brassmill.env import ONE_SEAT, SELF_PLAY, brass_v0
from brassmill.env.rewards import final_info, final_rewards, rewards_of
from brassmill.env.spaces import observe
from brassmill.rules.choices import CHOICES
from support import kinds
from support.paths import ROOT

BIRMINGHAM = edition("birmingham", 4)
COMMUNITY = edition("lancashire", 2, community_2p=True)  # the option with a layout of its own
DOCS = ROOT / "docs/research"


def settings(kind: Edition) -> dict[str, Any]:
    return {"edition": kind.name, "players": kind.players}


def pick(rng: Random, mask: Any) -> int:
    """A legal choice."""
    return rng.choice(np.flatnonzero(mask).tolist())


# --- what is shown, and what it is worth ---------------------------------------------------------


def test_the_mask_shows_what_is_open_to_the_seat_that_must_choose() -> None:
    game = Game(BIRMINGHAM, seed=3)
    for seat in range(4):
        seen = observe(game, seat)
        assert seen["observation"].tolist() == game.observation(seat).tolist()
        legal = game.legal_choices().ids if seat == game.seat else ()
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(legal)


@pytest.mark.parametrize(
    ("ranks", "rewards"),
    [
        ([1, 2], [1, -1]),
        ([1, 1], [0, 0]),
        ([3, 1, 2], [-1, 1, 0]),
        ([2, 4, 1, 3], [1 / 3, -1, 1, -1 / 3]),
        ([1, 1, 3, 4], [2 / 3, 2 / 3, -1 / 3, -1]),
    ],
)
def test_a_reward_is_opponents_behind_minus_opponents_ahead(
    ranks: list[int], rewards: list[float]
) -> None:
    assert rewards_of(ranks).tolist() == pytest.approx(rewards)
    assert rewards_of([ranks, ranks[::-1]]).sum() == pytest.approx(0)


# --- PettingZoo ----------------------------------------------------------------------------------


# Its suite knows the mask beside an observation, and wonders all the same.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_pettingzoo_agrees(kind: Edition) -> None:
    cycles = 300  # choices of each seat: more than any game has, so that both go to the end
    api_test(brass_v0.env(**settings(kind)), num_cycles=cycles)
    seed_test(lambda: brass_v0.env(**settings(kind)), num_cycles=cycles)


def test_the_games_after_a_seed_follow_from_it() -> None:
    env, other = brass_v0.env(), brass_v0.env()
    env.reset()
    runs = []
    for one in (env, other):
        one.reset(seed=np.int64(7))
        assert one.unwrapped.game.deal == Game(BIRMINGHAM, seed=7).deal
        deals = []
        for _ in range(2):
            one.reset()
            deals.append(one.unwrapped.game.deal)
        runs.append(deals)
    assert runs[0] == runs[1] and runs[0][0] != runs[0][1]


@pytest.mark.parametrize("missing", ["pettingzoo", "gymnasium.spaces"])
def test_without_pettingzoo_the_extra_is_named(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"PettingZoo: pip install 'brassmill\[env\]'"):
        reload(brass_v0)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_game_of_agents_is_the_game_that_its_seed_is(kind: Edition) -> None:
    env = brass_v0.env(**settings(kind))
    env.reset(seed=11)
    game, rng, total = Game(kind, seed=11), Random(1), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, truncated, info = env.last()
        total[agent] += reward
        assert not truncated
        if over:
            seat = env.possible_agents.index(agent)
            assert game.over and info == final_info(game, seat)
            env.step(None)
            continue
        assert agent == f"player_{game.seat}" and seen["observation"].shape == (
            len(Layout.of(kind)),
        )
        choice = pick(rng, seen["action_mask"])
        env.step(choice)
        game.play(choice)
    assert list(total.values()) == final_rewards(game)


def test_nobody_sees_an_unfinished_turn() -> None:
    env = brass_v0.raw_env("birmingham", 4)
    env.reset(seed=4)
    others = [agent for agent in env.agents if agent != env.agent_selection]
    before = [env.observe(agent)["observation"].tolist() for agent in others]
    env.step(pick(Random(2), env.observe(env.agent_selection)["action_mask"]))
    assert env.agent_selection not in others
    assert [env.observe(agent)["observation"].tolist() for agent in others] == before


def test_illegal_choices_are_refused_with_a_reason() -> None:
    env = brass_v0.raw_env("birmingham", 2)
    env.reset(seed=1)
    closed = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction):
        env.step(closed)
    assert env.game.engine.snapshot() == Game("birmingham", 2, seed=1).engine.snapshot()
    wrapped = brass_v0.env(edition="birmingham", players=2)
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(closed)
    assert all(wrapped.terminations.values()) and all(wrapped.truncations.values())
    assert wrapped.infos == {agent: {} for agent in wrapped.agents}
    assert wrapped.rewards[agent] == -1 and sum(wrapped.rewards.values()) == -1


def test_an_environment_shows_the_table() -> None:
    text = brass_v0.env(edition="classic", players=3, render_mode="ansi")
    text.reset(seed=1)
    assert "Birkenhead" in text.render()
    drawn = gymnasium.make(ONE_SEAT, render_mode="svg")
    drawn.reset(seed=1)
    assert str(drawn.render()).startswith("<svg")
    pixels = gymnasium.make(ONE_SEAT, render_mode="rgb_array")
    seen, _info = pixels.reset(seed=1)
    before = np.asarray(pixels.render())
    pixels.step(int(seen["action_mask"].argmax()))
    after = np.asarray(pixels.render())
    assert before.dtype == np.uint8 and before.shape == after.shape == (1344, 1280, 3)
    assert np.any(before != after)
    with pytest.raises(
        BrassError, match="unknown render mode 'human'; choose ansi, rgb_array, svg or"
    ):
        brass_v0.raw_env(render_mode="human")


# --- Gymnasium, one seat -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_gymnasium_agrees(kind: Edition) -> None:
    check_env(gymnasium.make(ONE_SEAT, **settings(kind)).unwrapped)


def test_one_seat_plays_against_bots_to_the_end() -> None:
    env = gymnasium.make(ONE_SEAT, players=3, seat=1, opponents=["random", "greedy"])
    ends = []
    for _ in range(2):  # the same games follow each time
        for seed in (9, None):
            seen, info = env.reset(seed=seed)
            over, rewards = False, 0.0
            while not over:
                assert seen["action_mask"].any()
                choice = int(np.flatnonzero(seen["action_mask"])[0])
                seen, reward, over, truncated, info = env.step(choice)
                rewards += float(reward)
                assert not truncated
            ends.append((rewards, info["rank"], info["points"], info["margin"]))
            assert -1 <= rewards <= 1
    assert ends[:2] == ends[2:] and ends[0] != ends[1]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(choice)


def test_an_illegal_choice_ends_the_game_and_is_explained() -> None:
    env = gymnasium.make(ONE_SEAT, render_mode="ansi")
    seen, _info = env.reset(seed=1)
    closed = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _seen, reward, over, _truncated, info = env.step(closed)
    assert (reward, over) == (-1.0, True)
    assert info["illegal"]
    assert "Birmingham" in str(env.render())  # as after any other end
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(closed)
    env.reset(seed=1)
    env.step(int(seen["action_mask"].argmax()))


def test_a_bots_forfeits_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_question: Any) -> int:
        raise RuntimeError("I hold Belper")

    env = gymnasium.make(ONE_SEAT, players=2)
    seen, info = env.reset(seed=1)
    assert info == {}
    monkeypatch.setattr(Uniform, "choose", crash)
    while "forfeits" not in info:
        seen, *_rest, info = env.step(int(seen["action_mask"].argmax()))
    assert "(random) crashed. Played instead: " in info["forfeits"][0]
    assert "Belper" not in str(info["forfeits"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seat": 4}, "unknown seat 4; seats are 0 to 3"),
        ({"opponents": ["random"]}, "name 3 opponents"),
        ({"opponents": "rando"}, "unknown bot 'rando'; did you mean random"),
        ({"opponents": ["random", "greedy:2s", "random"]}, "2s"),
        ({"edition": "london"}, "london"),
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(BrassError, match=words):
        gymnasium.make(ONE_SEAT, **wrong)


# --- Gymnasium, many games -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_rows_of_self_play_are_the_games_of_their_seeds(kind: Edition) -> None:
    envs: Any = gymnasium.make_vec(SELF_PLAY, num_envs=2, threads=1, **settings(kind))
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    games, rng = [Game(kind, seed=seed) for seed in (5, 6)], Random(5)
    seen, info = envs.reset(seed=5)
    while not all(game.over for game in games):
        assert envs.observation_space.contains(seen)
        choices = [pick(rng, mask) for mask in seen["action_mask"]]
        movers = [game.seat for game in games]
        before, copies = seen, {name: array.copy() for name, array in seen.items()}
        seen, rewards, ended, truncated, info = envs.step(np.array(choices))
        assert all((before[name] == copies[name]).all() for name in copies)
        assert not truncated.any()
        for row, game in enumerate(games):
            mover = movers[row]
            if mover is None:
                continue
            game.play(choices[row])
            assert ended[row] == game.over
            if not game.over:
                assert info["seat"][row] == game.seat and rewards[row] == 0
                assert seen["observation"][row].tolist() == game.observation().tolist()
                continue
            final = info["final_info"]
            assert info["_final_info"][row]
            assert final["rewards"][row].tolist() == final_rewards(game)
            assert rewards[row] == final_rewards(game)[mover]
            ends = [final_info(game, seat) for seat in range(kind.players)]
            assert final["ranks"][row].tolist() == [end["rank"] for end in ends]
            assert final["points"][row].tolist() == [end["points"] for end in ends]
            assert final["margins"][row].tolist() == [end["margin"] for end in ends]
        if "final_info" in info:
            for column in info["final_info"].values():
                assert column.shape == (2, kind.players) and not column[~ended].any()
    envs.close()


def test_self_play_begins_from_seeds() -> None:
    envs: Any = gymnasium.make_vec(SELF_PLAY, num_envs=3, threads=1)
    envs.reset(seed=[4, 4, 9])
    assert envs.unwrapped.batch.seeds.tolist() == [4, 4, 9]
    seeds = []
    for _ in range(2):
        envs.reset(seed=8)
        envs.reset()
        seeds.append(envs.unwrapped.batch.seeds.tolist())
    assert seeds[0] == seeds[1]
    with pytest.raises(IllegalAction, match="game 0"):
        envs.step(np.full(3, 527))


def test_self_play_takes_seeds_as_other_environments_do() -> None:
    def seeds(*resets: Any) -> list[int]:
        for seed in resets:
            envs.reset(seed=seed)
        found: list[int] = envs.unwrapped.batch.seeds.tolist()
        return found

    envs: Any = gymnasium.make_vec(SELF_PLAY, num_envs=3, threads=1)
    assert seeds(np.int64(7)) == seeds(7) == seeds(np.array([7, 8, 9])) == [7, 8, 9]
    assert seeds([4, 4, 9], None) == seeds([4, 4, 9], None) != seeds(None)
    first, drawn, last = seeds(8, [5, None, 6])
    assert (first, last) == (5, 6)
    assert seeds(8, [5, None, 6]) == [5, drawn, 6] != seeds([5, None, 6])
    for wrong in ([1, 2], 1.5, -1, [1, 2, "3"]):
        with pytest.raises(BrassError):
            envs.reset(seed=wrong)


def test_gymnasium_can_have_several_tables() -> None:
    envs = gymnasium.make_vec(ONE_SEAT, num_envs=2, vectorization_mode="sync", players=2)
    seen, _info = envs.reset(seed=3)
    envs.step(seen["action_mask"].argmax(axis=1))
    envs.close()


# --- options -------------------------------------------------------------------------------------


def test_options_are_those_of_a_game() -> None:
    kind, given = COMMUNITY, {**settings(COMMUNITY), "community_2p": True}
    shape = (len(Layout.of(kind)),)
    assert shape != (len(Layout.of(edition("lancashire", 2))),)
    agents = brass_v0.env(**given)
    agents.reset(seed=3)
    seen = agents.observe(agents.agent_selection)
    assert seen["observation"].shape == shape
    assert seen["observation"].tolist() == Game(kind, seed=3).observation().tolist()
    assert agents.observation_space(agents.agent_selection).contains(seen)
    one: Any = gymnasium.make(ONE_SEAT, **given)
    seen, _info = one.reset(seed=3)
    assert one.observation_space.contains(seen) and seen["observation"].shape == shape
    assert one.unwrapped.edition.options["community_2p"]
    many: Any = gymnasium.make_vec(SELF_PLAY, num_envs=2, threads=1, **given)
    seen, _info = many.reset(seed=3)
    assert seen["observation"][0].tolist() == Game(kind, seed=3).observation().tolist()


# --- versions ------------------------------------------------------------------------------------

# What a version promises (docs/research/environments.md), by its parts.
PROMISED = {
    "v0": {
        "observations": "d70eeb6f14939636",
        "actions": "651813cc8a487e9b",
        "rewards": "a413a84af56f045a",
        "deals": "5cfae378e9344345",
    }
}


def meanings() -> dict[str, Any]:
    """The meaning of the numbers, which all environments share."""
    every = {repr(kind): kind for kind in (*kinds.PLAIN, COMMUNITY)}
    texts = {
        name: [choice_text(kind, number) for number in range(CHOICES)]
        for name, kind in every.items()
    }
    return {
        "observations": {name: Layout.of(kind).indices for name, kind in every.items()},
        "actions": texts,
        "rewards": [rewards_of(range(1, players + 1)).tolist() for players in (2, 3, 4)],
        "deals": {name: Deal.from_seed(kind, 7).to_dict(kind) for name, kind in every.items()},
    }


def test_a_version_means_what_it_meant() -> None:
    version = ONE_SEAT.rpartition("-")[2]
    assert SELF_PLAY.endswith(f"-{version}")
    assert brass_v0.raw_env.metadata["name"] == f"brass_{version}"
    found = {
        name: sha256(json.dumps(part).encode()).hexdigest()[:16]
        for name, part in meanings().items()
    }
    assert found == PROMISED[version], (
        f"a policy of {version} would see, mean or get something else: raise the version of the"
        " environments, tell it in the histories of their pages, and store these digests for it"
        f" (for {version} itself only if nothing but words has changed)"
    )


# --- the pages -----------------------------------------------------------------------------------


def test_the_pages_list_the_names_and_the_spaces() -> None:
    pages = {path.stem: path.read_text() for path in DOCS.glob("env*.md")}
    for name, page in (("env-gymnasium", ONE_SEAT), ("env-selfplay", SELF_PLAY)):
        assert page in pages[name] and page in pages["environments"]
    for page in ("env-pettingzoo", "env-gymnasium", "env-selfplay", "env-openspiel"):
        assert "(observations.md)" in pages[page] and "(actions.md)" in pages[page]
        history = pages[page].partition("## History\n")[2]
        assert re.search(r"^- \*\*v0\*\* \(\d+\.\d+\.\d+\): ", history, re.MULTILINE)


@pytest.mark.parametrize("action", [0.7, "198", None, np.array([3, 4])])
def test_an_action_must_be_an_integer(action: Any) -> None:
    one, all_seats = (
        gymnasium.make(ONE_SEAT, players=2).unwrapped,
        brass_v0.raw_env(players=2),
    )
    one.reset(seed=1)
    all_seats.reset(seed=1)
    for env in (one, all_seats):
        with pytest.raises(BrassError, match="is not an action: it must be a whole number"):
            env.step(action)


def test_self_play_begins_with_a_reset() -> None:
    envs = gymnasium.make_vec(SELF_PLAY, num_envs=2, players=2, threads=1)
    with pytest.raises(ResetNeeded):
        envs.step([198, 198])
    envs.close()


def test_nothing_is_open_after_an_illegal_choice() -> None:
    env = gymnasium.make(ONE_SEAT, players=2)
    seen, _info = env.reset(seed=1)
    seen, _reward, over, _, _info = env.step(seen["action_mask"].argmin())
    assert over and not seen["action_mask"].any()
