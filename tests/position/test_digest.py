"""The digest of a position: every field changes it; array sizes and integer widths do not."""

from __future__ import annotations

import random

import numpy as np
import pytest

from brassmill.game import Game
from brassmill.position.digest import NUMBERS, PER_SEAT, digest_of
from brassmill.rules.layout import STATE

UNUSED = {"unused"}


def some_game(edition: str, players: int) -> Game:
    game = Game(edition, players, seed=5)
    rng = random.Random(5)
    for _choice in range(150):
        game.play(rng.choice(game.legal_choices().ids))
    return game


@pytest.mark.parametrize(("edition", "players"), [("birmingham", 4), ("lancashire", 3)])
def test_every_field_of_a_position_affects_the_digest(edition: str, players: int) -> None:
    game = some_game(edition, players)
    before = game.engine.snapshot()
    digest = digest_of(game.edition, before)
    assert STATE.names is not None
    ignored = UNUSED | (set() if game.edition.distant else {"distant", "rail_distant"})
    ignored |= set() if game.edition.merchants else {"merchant", "barrel"}
    for name in set(STATE.names) - ignored:
        state = np.frombuffer(before, STATE).copy()
        field = state[name][0]
        if field.ndim == 0:
            state[name] = 0 if field else 1
        else:
            index = tuple(map(int, next(zip(*np.nonzero(field != -1), strict=True))))
            if name in ("tile", "flipped", "cubes", "owner"):  # of a space with a tile
                index = (int(np.nonzero(state["tile"][0])[0][0]),)
            state[name][(0, *index)] = 1 if field[index] == 0 else 0
        assert digest_of(game.edition, state.tobytes()) != digest, name


def test_the_digest_covers_the_fields_of_a_position() -> None:
    assert STATE.names is not None and {*NUMBERS, *PER_SEAT} <= set(STATE.names)


@pytest.mark.parametrize(
    ("edition", "players", "digest"),
    [
        ("birmingham", 4, "23220bbd2d5a9388"),
        ("lancashire", 3, "aebb02edeeed1d01"),
        ("classic", 3, "9041c331fc83e6a7"),
    ],
)
def test_the_digest_is_the_same_in_every_version(edition: str, players: int, digest: str) -> None:
    """Stored games contain such digests: if this one changes, they all mismatch."""
    game = Game(edition, players, seed=5)
    assert digest_of(game.edition, game.start) == digest
