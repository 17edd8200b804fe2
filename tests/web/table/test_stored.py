"""Stored games survive an upgrade: an old home folder, a larger vocabulary, and other rules."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from support.old_home import expected, look, make_old_home
from support.other_source import other_source

FACTS = (
    "position", "actions", "summary", "length", "turns", "undoable", "marks", "bots", "spectator",
    "seat 0",
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_old_home(tmp_path_factory.mktemp("old") / "home")


@pytest.fixture(scope="module")
def opened(home: Path) -> dict[str, Any]:
    """Return the games of the old home after this version has opened it."""
    return look(home)


@pytest.fixture
def again(home: Path, opened: dict[str, Any], tmp_path: Path) -> Path:
    """Copy the home as this version has left it."""
    copy = tmp_path / "home"
    shutil.copytree(home, copy, symlinks=True)
    return copy


def stands(game: dict[str, Any]) -> dict[str, Any]:
    return {name: game.get(name) for name in FACTS}


def test_an_old_home_opens_as_it_was(opened: dict[str, Any]) -> None:
    games = {name: game for name, game in expected().items() if name in opened}
    assert len(games) == len(opened) == 10
    for name, game in games.items():
        assert stands(opened[name]) == stands(game), name
        assert opened[name]["rules"] and not opened[name]["misfit"], name


def test_verified_games_load_the_same(again: Path, opened: dict[str, Any]) -> None:
    assert look(again) == opened


@pytest.mark.slow
def test_a_larger_vocabulary_shifts_nothing(
    again: Path, opened: dict[str, Any], tmp_path: Path
) -> None:
    """One more space changes most choice numbers and all position sizes.

    It runs as plain Python, which is faster than compiling.
    """
    source = other_source(tmp_path, {"rules/layout.py": {"SPACES = 49": "SPACES = 50"}})
    found = look(again, source, NUMBA_DISABLE_JIT="1")
    for name, game in found.items():
        assert stands(game) == stands(opened[name]), name
        assert not game["misfit"] and game["rules"] != opened[name]["rules"], name


@pytest.mark.slow
def test_another_starting_cash_is_detected_in_every_game(
    again: Path, opened: dict[str, Any], tmp_path: Path
) -> None:
    more_cash = {"= edition.start_cash": "= edition.start_cash + 1"}
    source = other_source(tmp_path, {"editions/board.py": more_cash})
    found = look(again, source)
    begun = {name for name, game in opened.items() if game["length"]}
    assert {name for name, game in found.items() if game["misfit"]} == begun
    assert set(opened) - begun == {"waitingRoom1"}  # nothing of that one has been seen yet
    # With the original rules the same games come back.
    assert look(again) == opened
