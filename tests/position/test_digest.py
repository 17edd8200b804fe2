"""The digest of a position: every field changes it; array sizes and integer widths do not."""

from __future__ import annotations

import random

import numpy as np
import pytest

from brassmill.editions.edition import INDUSTRY
from brassmill.game import Game
from brassmill.position.digest import (
    DOINGS,
    ERAS,
    NUMBERS,
    PER_SEAT,
    QUESTIONS,
    SOURCES,
    digest_of,
    facts_of,
)
from brassmill.rules.layout import STATE
from support.digests import digests, pinned, played_game, positions

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


@pytest.mark.parametrize("name", sorted({row.game for row in pinned()}))
def test_the_digest_is_the_same_in_every_version(name: str) -> None:
    """Stored games contain such digests: if they change, every stored game is set aside."""
    found = digests(name)
    rows = [row for row in pinned() if row.game == name]
    assert [(row.number, found[row.number]) for row in rows] == [row[1:] for row in rows]


def test_the_pinned_positions_contain_every_frozen_word() -> None:
    facts = set()
    for name in {row.game for row in pinned()}:
        game = played_game(name)
        numbers = {row.number for row in pinned() if row.game == name}
        for number, position in enumerate(positions(game)):
            if number in numbers:
                facts |= set(facts_of(game.edition, position))
    assert {f"phase {word}" for word in QUESTIONS} <= facts
    assert {f"doing {word}" for word in DOINGS} <= facts
    assert {f"era {word}" for word in ERAS} <= facts
    for kind, words in {"points": SOURCES, "gone": INDUSTRY}.items():
        lines = "\n".join(fact for fact in facts if fact.startswith(kind))
        assert [word for word in words if f"('{word}'" not in lines] == []
    for kind in ("tile", "link", "merchant", "space", "line", "end", "industry", "distant"):
        assert any(fact.startswith(f"{kind} ") for fact in facts), kind
