"""Games go on while servers are killed, the disk is full, connections are lost and locks are held.

These runs are short; `tests/faults.py` is the long one, run by hand.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.disk import UNMOUNTABLE
from support.faults import POSTGRESQL, SQLITE
from support.paths import TESTS
from support.postgres import find_postgresql

FAULTS = TESTS / "faults.py"
ONCE = ("--minutes", "0", "--games", "8", "--rate", "10", "--pause", "1")  # each kind of fault


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_every_acknowledged_move_is_stored_once_whatever_fails(database: str) -> None:
    if database == "postgresql":
        find_postgresql()
    kinds = POSTGRESQL if database == "postgresql" else SQLITE
    done = subprocess.run(
        [sys.executable, FAULTS, "--json", "--database", database, *ONCE],
        capture_output=True,
        text=True,
    )
    if done.returncode == UNMOUNTABLE:
        pytest.skip(done.stderr)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["problems"] == [], found
    assert found["lost"] == found["doubled"] == 0 < found["acknowledged"], found
    assert found["answer lost"] > 0, found
    assert found["kinds"].keys() == kinds.keys(), found
