"""Copies of a game, games as bytes, and positions that are written and set up again."""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from brassmill import saving
from brassmill.editions import Edition
from brassmill.errors import InvalidPosition
from brassmill.game import TURN_ENDED, Game
from brassmill.rules.choices import CHOICES
from brassmill.rules.layout import STATE
from support import kinds
from support.kinds import TIED_MINES, play_at_random
from support.old_home import DATA, expected

COPIES: dict[str, Callable[[Game], Game]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_copies_are_independent(kind: Edition, how: str) -> None:
    game = Game(kind, seed=7)
    play_at_random(game, random.Random(1), 90)
    other = COPIES[how](game)
    before = game.to_bytes()
    assert other.to_bytes() == before
    assert other.actions == game.actions
    play_at_random(other, random.Random(2), 20)
    other.undo()
    assert game.to_bytes() == before
    assert other.engine.snapshot() != game.engine.snapshot()
    other.undo(to=0)
    assert game.to_bytes() == before
    game.undo(to=0)
    assert other.engine.snapshot() == game.engine.snapshot()


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_game_survives_bytes_at_any_point(kind: Edition) -> None:
    game = Game(kind, seed=6, seats=["Ann", "Ben", "Cat", "Dan"])
    rng = random.Random(6)
    for _ in range(8):
        play_at_random(game, rng, 9)
        again = Game.from_bytes(game.to_bytes())
        assert again.engine.snapshot() == game.engine.snapshot()
        assert again.actions == game.actions
        assert (again.seats, again.edition, again.deal) == (game.seats, game.edition, game.deal)
        assert again.view(0) == game.view(0)
        if not game.over:
            again.undo()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: b"", "these bytes are not a game"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged"),
        (lambda data: data.replace(b"game 2", b"game 9"), "version 9"),
    ],
)
def test_damaged_bytes_are_refused(damage: Callable[[bytes], bytes], words: str) -> None:
    with pytest.raises(InvalidPosition, match=words):
        Game.from_bytes(damage(Game(seed=1).to_bytes()))


def test_a_game_with_other_rules_is_refused() -> None:
    game = Game(seed=1)
    saved = saving.unpack_game(game.to_bytes())
    for change in ({"calls": [[CHOICES - 1]]}, {"calls": [[TURN_ENDED]]}, {"layout": "0"}):
        with pytest.raises(InvalidPosition, match=r"other rules|another version"):
            Game.from_bytes(saving.pack_game(saved | {"position": ""} | change))


@pytest.mark.parametrize(
    "change",
    [
        {"start": "00"},
        {"start": "xy"},
        {"start": "ff" * STATE.itemsize},
        {"start": None},
        {"calls": [["x"]]},
        {"calls": [[1.5]]},
        {"calls": 5},
        {"seats": ["a"]},
        {"seats": ["a", "b", "c", ";"]},
        {"seats": None},
        {"edition": "chess"},
        {"players": 9},
        {"players": 4.0},
        {"options": {"x": 1}},
        {"deal": {}},
        {"deal": None},
        {"secret": "no"},
        {"more": 1},
    ],
    ids=repr,
)
def test_altered_content_is_refused(change: dict[str, Any]) -> None:
    game = Game(seed=1)
    play_at_random(game, random.Random(1), 9)
    saved = saving.unpack_game(game.to_bytes())
    with pytest.raises(InvalidPosition):
        Game.from_bytes(saving.pack_game(saved | change))


@pytest.mark.parametrize("body", [b"", b"x", zlib.compress(b"x"), zlib.compress(b"[]")])
def test_foreign_content_is_refused(body: bytes) -> None:
    header = Game(seed=1).to_bytes().partition(b"\n")[0]
    with pytest.raises(InvalidPosition):
        Game.from_bytes(header + b"\n" + hashlib.sha256(body).digest() + body)
    with pytest.raises(InvalidPosition):
        Game.from_bytes("text")  # type: ignore[arg-type]


def test_a_position_can_be_written_and_set_up_again() -> None:
    game = Game.from_position(TIED_MINES)
    game.choose("build cotton Manchester; card Manchester; ...")
    assert game.question == "coal"
    again = Game.from_position(game.position())
    assert again.engine.snapshot() == game.engine.snapshot()
    again.choose("coal Oldham")
    game.choose("coal Oldham")
    assert again.engine.snapshot() == game.engine.snapshot()


def test_a_game_of_an_earlier_version_can_be_read() -> None:
    game = Game.from_bytes((DATA / "old-game.bytes").read_bytes())
    assert game.position_text() == expected()["saved game"]["position"]
    game.undo()


@pytest.mark.parametrize("kind", [saving.GAME, saving.BATCH, saving.TERMINAL_GAME])
def test_packed_data_names_its_kind_and_version(kind: str) -> None:
    packed = saving.pack(kind, 7, b"body")
    assert saving.unpack(kind, (6, 7), packed) == (7, b"body")
    with pytest.raises(saving.WrongKind):
        saving.unpack("another kind", (7,), packed)
    with pytest.raises(saving.WrongVersion, match="7"):
        saving.unpack(kind, (6,), packed)
    with pytest.raises(saving.Damaged):
        saving.unpack(kind, (7,), packed + b"!")
