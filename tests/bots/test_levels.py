"""The five levels: each above the one below, with mistakes that repeat by the seed."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from brassmill.bots import Clock, make
from brassmill.bots.levels import Human, Level
from brassmill.editions import Edition, edition
from brassmill.game import Game
from brassmill.play.host import Host
from brassmill.rules.choices import PASS
from support import kinds
from support.paths import ROOT

REPEATABLE = ("beginner", "apprentice", "journeyman", "expert")  # the master has a clock

DECIDED = """
from brassmill.bots import Clock, make
from brassmill.game import Game

game = Game("lancashire", players=3, seed=4)
for level in ("beginner", "journeyman", "expert"):
    bot = make(level, game.edition, seed=7)
    for _ in range(4):
        choices = bot.choose(game.view(game.seat), Clock())
        print(level, choices)
        game.carry_out(choices)
"""


def vp(specs: list[str], kind: Edition, seed: int) -> list[int]:
    game, host = Game(kind, seed=seed), Host.of(specs, kind, seed)
    while not game.over:
        host.play(game)
    outcome = game.outcome()
    assert outcome is not None and not host.forfeits
    return [result.total for result in outcome.results]


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_each_level_is_above_the_one_below(kind: Edition) -> None:
    """The games are the same every time, so this is no matter of luck."""
    for pair in pairwise(REPEATABLE):
        weak, strong = [np.arange(kind.players) % 2 == part for part in (0, 1)]
        specs = [pair[seat % 2] for seat in range(kind.players)]
        totals = sum(np.array(vp(specs, kind, seed)) for seed in range(8))
        assert totals[strong].mean() > totals[weak].mean(), pair  # type: ignore[index]


def test_a_seed_decides_the_mistakes() -> None:
    kind = edition("birmingham", 3)
    results = [vp([f"beginner:seed={seed}"] * 3, kind, 1) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


def test_what_is_overlooked_stays_overlooked_for_the_turn() -> None:
    game = Game("birmingham", players=2, seed=3)
    person = Human(game.edition, 5, overlooks=0.7, wavers=1.0)
    host, seen = Host.of(["journeyman"] * 2, game.edition, 1), 0
    while not game.over:
        first = game.view(game.seat)
        before = {*first.legal} - {*person.seen(first)} if first.question == "action" else set()
        host.play(game)
        if game.over or game.seat != first.seat:
            continue
        view = game.view(game.seat)
        if view.question == "action" and view.round == first.round:
            noticed = {*person.seen(view)}
            if noticed != {*view.legal}:  # otherwise there was nothing but to look again
                assert not before & noticed
                seen += 1
    assert seen


def test_nobody_passes_for_lack_of_a_second_look() -> None:
    game = Game("birmingham", players=4, seed=1)
    person = Human(game.edition, 5, overlooks=1.0, wavers=1.0)
    view = game.view(game.seat)
    assert PASS in view.legal and person.seen(view) == list(view.legal)


def test_a_game_without_a_network_is_played_by_the_script() -> None:
    kind = edition("lancashire", 2, community_2p=True)
    assert len(vp(["beginner", "expert"], kind, 1)) == 2
    bot = make("expert", kind)
    assert isinstance(bot, Level) and bot.bot.name == "planner"


@pytest.mark.slow
def test_levels_decide_alike_without_compiled_code() -> None:
    """A server can play before the rules are compiled, and go on afterwards."""
    found = [
        subprocess.run(
            [sys.executable, "-c", DECIDED],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert found[0] == found[1] and found[0].count("\n") == 12


@pytest.mark.parametrize("level", [*REPEATABLE, "master"])
def test_a_level_has_a_clock(level: str) -> None:
    game = Game("classic", players=3, seed=1)
    bot = make(level, game.edition)
    choices = bot.choose(game.view(game.seat), Clock(seconds=0.02))
    assert isinstance(choices, tuple) and game.carry_out(choices)
    bot.close()
