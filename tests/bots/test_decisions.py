"""Bots that think faster still decide the same."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from support import decisions

AGAIN = "if a record is new, or the bots were meant to decide otherwise: `make proofs`"
STORED = {
    name: list(rows) for name, rows in groupby(decisions.stored(), lambda row: row.split()[0])
}


@pytest.mark.parametrize("path", decisions.FILES, ids=lambda path: path.stem)
def test_the_bots_decide_as_before(path: Path) -> None:
    assert list(decisions.rows(path)) == STORED.get(path.stem), AGAIN
