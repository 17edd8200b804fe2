"""The committed proofs match the current rules (`docs/contribute/proofs.md`)."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pytest

from brassmill.editions import EDITIONS
from support import perft, playthrough

AGAIN = "if a record or an option is new, or the rules were meant to change: `make proofs`"
STORED = {name: list(rows) for name, rows in groupby(perft.stored(), attrgetter("name"))}


@pytest.mark.parametrize("path", perft.FILES, ids=lambda path: path.stem)
def test_perft(path: Path) -> None:
    assert list(perft.rows(path)) == STORED.get(path.stem), AGAIN


def test_perft_counts_no_deleted_record() -> None:
    assert list(STORED) == [path.stem for path in perft.FILES], AGAIN


@pytest.mark.parametrize("name", playthrough.GAMES)
def test_playthrough(name: str) -> None:
    stored = (playthrough.STORED / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (line, now) in enumerate(
        zip(stored, playthrough.playthrough(name).splitlines(), strict=True), 1
    ):
        assert line == now, f"line {number} of {name}: {AGAIN}"


def test_every_edition_has_a_playthrough() -> None:
    stored = sorted(path.stem for path in playthrough.STORED.iterdir())
    assert stored == sorted(playthrough.GAMES)
    assert {name.partition("-")[0] for name in stored} == set(EDITIONS)
