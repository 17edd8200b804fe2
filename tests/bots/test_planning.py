"""Plans are legal, complete, and worth their stated value."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from unittest import mock

import pytest

from brassmill.bots import make
from brassmill.bots.bot import Bot, Clock
from brassmill.bots.brain import Brain
from brassmill.bots.planner import Planner
from brassmill.bots.weights import weights_for
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.play.host import Host
from brassmill.rules.choices import SELL_FAR
from brassmill.rules.layout import CHOICES_MAX
from support import kinds
from support.paths import TESTS

THINKERS = ("greedy", "planner:worlds=1")
BETWEEN_ACTIONS = ("action", "turn over", "give up", "game over")


def check_answer(game: Game, bot: Bot) -> None:
    """A bot's answer is legal, and if it starts an action, it is a whole action."""
    assert game.seat is not None
    begins = game.question == "action"
    answer = bot.choose(game.view(game.seat), Clock())
    assert isinstance(answer, tuple)
    after = game.copy()
    after.carry_out(answer)  # refuses what is not legal
    assert not begins or after.question in BETWEEN_ACTIONS or answer[-1] == SELL_FAR


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_answers_are_legal_and_actions_whole(kind: Edition) -> None:
    """In random games, which reach unlikely positions; also in the middle of actions."""
    rng = Random(6)
    game = Game(kind, seed=6)
    bots = [make(spec, kind) for spec in THINKERS]
    asked = set()
    while not game.over:
        if game.question == "turn over":
            game.end_turn()
            continue
        if game.question not in asked or rng.random() < 0.02:
            asked.add(game.question)
            for bot in bots:
                check_answer(game, bot)
        game.choose(rng.choice(game.legal_choices().ids))
    assert asked >= {"action", "card"}


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_whole_games_are_played_without_a_forfeit(kind: Edition) -> None:
    game = Game(kind, seed=2)
    host = Host.of(["greedy"] * kind.players, kind, 2)
    while not game.over:
        host.play(game)
    assert host.forfeits == []


def test_a_debt_is_answered() -> None:
    game = Game.from_position(kinds.IN_DEBT)
    game.play("pass")
    assert game.question == "give up"
    for spec in THINKERS:
        check_answer(game, make(spec, game.edition))


# --- a turn --------------------------------------------------------------------------------------


def starts_of_turns(kind: Edition, every: int = 7) -> list[Game]:
    """Some positions of a greedy game with two actions to come."""
    game = Game(kind, seed=4)
    host = Host.of(["greedy"] * kind.players, kind, 4)
    found = []
    while not game.over:
        if game.actions_left == 2 and game.question == "action":
            found.append(game.copy())
        host.play(game)
    return found[::every]


def looking(game: Game, seed: int = 1) -> Brain:
    assert game.seat is not None
    brain = Brain(game.edition, weights_for(game.edition))
    brain.look(game.view(game.seat), seed)
    return brain


def act_greedily(brain: Brain) -> None:
    rows = brain.first_actions()
    brain.action(brain.choice(max(rows, key=rows.__getitem__)))


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_turn_is_worth_its_two_actions_together(kind: Edition) -> None:
    for game in starts_of_turns(kind):
        turns = looking(game).survey(CHOICES_MAX)
        brain = looking(game)
        assert turns.keys() == brain.first_actions().keys()
        for row in sorted(turns, key=turns.__getitem__)[-3:]:
            brain = looking(game)
            brain.first_actions()
            if SELL_FAR in brain.action(brain.choice(row)):
                continue  # something has been revealed
            second = brain.first_actions().values() if brain.begins else [brain.judge()]
            assert max(second) == turns[row]


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_no_two_greedy_actions_beat_the_best_turn(kind: Edition) -> None:
    better = 0
    for game in starts_of_turns(kind):
        best = max(looking(game).survey(CHOICES_MAX).values())
        brain = looking(game)
        act_greedily(brain)
        if brain.begins:
            act_greedily(brain)
        assert brain.judge() <= best
        better += brain.judge() < best
    assert better  # or the search would be for nothing


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_an_action_is_worth_the_position_after_it(kind: Edition) -> None:
    for game in starts_of_turns(kind)[:2]:
        for row, worth in looking(game).first_actions().items():
            brain = looking(game)
            brain.first_actions()
            if SELL_FAR not in brain.action(brain.choice(row)):
                assert brain.judge() == worth


@pytest.mark.parametrize("kind", kinds.PLAIN[:5], ids=repr)
def test_no_turn_is_planned_with_what_it_would_reveal(kind: Edition) -> None:
    """The worlds differ in the next distant market tile, but a sale is worth the same in all."""
    sales = 0
    for game in starts_of_turns(kind, 3):
        turns = looking(game).survey(CHOICES_MAX)
        assert all(looking(game, seed).survey(CHOICES_MAX) == turns for seed in range(2, 8))
        for row in turns:
            brain = looking(game)
            brain.first_actions()
            sales += SELL_FAR in brain.action(brain.choice(row))
    assert sales


# --- looking ahead -------------------------------------------------------------------------------


def test_a_seed_is_one_future_and_seeds_differ() -> None:
    game = starts_of_turns(kinds.PLAIN[-1])[0]
    brain = looking(game)
    rows = brain.survey(4)
    row = max(rows, key=rows.__getitem__)

    def future(seed: int) -> float:
        before = brain.future(row)
        brain.foresee(row, 2, seed)
        return brain.future(row) - before

    futures = [future(seed) for seed in (1, 2, 3, 1)]
    assert futures[0] == pytest.approx(futures[3], abs=1e-9)
    assert len({round(worth, 6) for worth in futures}) == 3


@pytest.mark.parametrize(
    ("spec", "turns"),
    [("planner:worlds=11", 2), ("planner:worlds=12", 4), ("planner:100ms", 2), ("planner:1s", 4)],
)
def test_with_time_for_many_worlds_it_looks_farther(spec: str, turns: int) -> None:
    bot = make(spec, kinds.PLAIN[0])
    assert isinstance(bot, Planner)
    asked = []
    with mock.patch.object(Brain, "foresee", lambda brain, row, turns, seed: asked.append(turns)):
        game = starts_of_turns(kinds.PLAIN[0])[0]
        bot.choose(game.view(game.seat), Clock())
    assert set(asked) == {turns}


def test_the_same_seed_plays_the_same_game() -> None:
    def play(seed: int) -> list[str]:
        game = Game("lancashire", players=2, seed=9)
        host = Host.of(["planner:worlds=2", "greedy:noise=3"], game.edition, seed)
        while not game.over:
            host.play(game)
        return [str(action) for action in game.actions]

    assert play(1) == play(1)
    assert play(1) != play(2)


# --- compiled ------------------------------------------------------------------------------------


def thoughts(**environment: str) -> str:
    """The output of `trace_thoughts.py`; NumPy warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(TESTS / "support/trace_thoughts.py")],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_compiled_and_uncompiled_thoughts_are_the_same() -> None:
    compiled = thoughts()
    assert len(compiled.splitlines()) > 10
    assert thoughts(NUMBA_DISABLE_JIT="1") == compiled


WARM = """
from brassmill import Game
from brassmill.bots import make, registry
from brassmill.bots.bot import Clock
from brassmill.rules.jit import ENTRIES
from brassmill.rules.warmup import warm_up

specs = ["greedy", "planner:worlds=1", "net:worlds=1"]
warm_up(more=registry.compiled(specs))
warm = {function: function.signatures for function in ENTRIES}
game = Game("birmingham", players=2, seed=1)
for spec in specs:
    make(spec, game.edition).choose(game.view(game.seat), Clock())
print([f.__name__ for f in ENTRIES if f.signatures != warm.get(f, [])])
"""


@pytest.mark.slow
def test_bots_compile_nothing_beyond_their_warm_up() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WARM], env=os.environ, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
