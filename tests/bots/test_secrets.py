"""A bot never knows what its seat cannot see: permuting that changes no choice."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from brassmill.bots import make
from brassmill.bots.bot import Answer, Clock
from brassmill.core.view import HIDDEN, seen
from brassmill.editions import Edition
from brassmill.game import Game
from core.test_view import shuffled
from support import kinds

THINKERS = ("greedy", "greedy:noise=3", "planner:worlds=2", "net", "net:worlds=2", "beginner")
BOTS = ("random", *THINKERS)


def positions(kind: Edition) -> Iterator[Game]:
    """A random game now and then, also in the middle of actions."""
    rng = Random(11)
    game = Game(kind, seed=11)
    while not game.over:
        if rng.random() < 0.07:
            yield game
        game.choose(rng.choice(game.legal_choices().ids))
        if game.question == "turn over":
            game.end_turn()


def answer(spec: str, game: Game) -> Answer:
    """The answer of a new bot of this kind; all its randomness comes from the seed."""
    assert game.seat is not None
    return make(spec, game.edition, 5).choose(game.view(game.seat), Clock())


def peeks(spec: str, game: Game, rng: Random) -> bool:
    """Does the answer change with what the seat cannot see?"""
    other = shuffled(game, game.seat, rng)
    assert other.engine.snapshot() != game.engine.snapshot()
    return answer(spec, other) != answer(spec, game)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_what_a_bot_cannot_see_changes_no_choice(kind: Edition) -> None:
    rng = Random(12)
    for game in positions(kind):
        for spec in BOTS:
            assert not peeks(spec, game, rng)


@pytest.fixture
def leaking_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views that leak everything."""

    def leaky(state: Any, seat: int | None) -> Any:
        known = seen(state, seat)
        for name in HIDDEN:
            known[name] = state[name]
        return known

    monkeypatch.setattr("brassmill.core.view.seen", leaky)


@pytest.mark.usefixtures("leaking_view")
def test_the_check_would_see_a_leak() -> None:
    """`random` derives its randomness from everything it is shown."""
    rng = Random(12)
    assert any(peeks("random", game, rng) for game in positions(kinds.PLAIN[-1]))


@pytest.mark.usefixtures("leaking_view")
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_the_search_does_not_read_hidden_information(kind: Edition) -> None:
    """Hidden information is resampled, even in a position that has it."""
    rng = Random(12)
    for game in positions(kind):
        for spec in THINKERS:
            assert not peeks(spec, game, rng)
