"""No rule reads or writes out of bounds: compiled code would not notice."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.paths import TESTS

pytestmark = pytest.mark.slow

WATCH = """
from support import kinds
from brassmill.core.playout import RandomGames
for kind in kinds.ALL:
    table = RandomGames(kind)
    table.watched(100, 4)
    assert table.broken_law() is None, (kind, table.broken_law())
    table.actions(100, 4)
print(len(kinds.ALL), "kinds of game")
"""


def test_laws_hold_with_every_index_checked() -> None:
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(TESTS)}
    done = subprocess.run(
        [sys.executable, "-c", WATCH], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "kinds of game" in done.stdout
