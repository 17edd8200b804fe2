"""Complete actions: the compiled lister finds what playing every choice finds, and counts it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from brassmill.core.engine import Engine
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.notation.actions import Actions
from brassmill.record import load
from support import kinds
from support.perft import FILES
from support.plain_actions import plain_actions

FEW = 2_000  # actions: positions with more are only counted against the compiled list


def check_actions(game: Game) -> None:
    """The list has what playing every choice finds, in the same order; the number is right."""
    actions = game.legal_actions()
    number = len(actions)
    listed = [action.ids for action in actions]
    assert number == len(listed)
    assert bool(actions) == bool(listed)
    if number <= FEW:
        assert listed == plain_actions(game.engine)


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_actions_are_those_that_playing_every_choice_finds(kind: Edition) -> None:
    """In random games, which reach unlikely positions; also in the middle of actions."""
    rng = Random(11)
    for seed in (11, 12):
        game = Game(kind, seed=seed)
        asked = set()
        while not game.over:
            if game.question not in asked or rng.random() < 0.05:
                asked.add(game.question)
                check_actions(game)
            game.play(rng.choice(game.legal_choices().ids))
        assert len(game.legal_actions()) == 0


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_every_count_is_exact(kind: Edition) -> None:
    """At the start of every action of random games."""
    rng = Random(12)
    game = Game(kind, seed=13)
    while not game.over:
        actions = game.legal_actions()
        listed = list(actions)
        assert len(actions) == len(listed)
        game.play(rng.choice(listed))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_are_exact_in_recorded_games(path: Path) -> None:
    """Players sell more and build more rails than random games do."""
    game = load(path).game()
    for action in game.actions[::7]:
        position = Engine(game.edition, game.seats, action.before)
        assert len(Actions(position)) == sum(1 for _ in Actions(position))
