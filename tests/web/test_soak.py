"""Many games at once while servers are killed: every acknowledged move is in the log, once.

These runs are short; `tests/soak.py` is the long one, run by hand.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.crowd import ACKNOWLEDGED, LOST, REFUSED, Sent, matches
from support.paths import TESTS
from support.postgres import find_postgresql

SOAK = TESTS / "soak.py"
MINUTES = ("--games", "30", "--minutes", "2", "--rate", "10")
SECONDS = ("--games", "8", "--minutes", "0.25", "--rate", "10")


@pytest.mark.parametrize(
    ("database", "size"),
    [
        pytest.param("sqlite", SECONDS, id="seconds"),
        pytest.param("sqlite", MINUTES, id="minutes", marks=pytest.mark.slow),
        pytest.param("postgresql", MINUTES, id="postgresql", marks=pytest.mark.slow),
    ],
)
def test_no_acknowledged_move_is_lost_and_every_game_continues(
    database: str, size: tuple[str, ...]
) -> None:
    if database == "postgresql":
        find_postgresql()
    done = subprocess.run(
        [sys.executable, SOAK, "--json", "--database", database, *size],
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["faults"] == [], found
    assert found["refused"] == 0 < found["acknowledged"], found
    assert found["finished"] > 0 < found["event"]["number"], found


def sent(choice: int, fate: str = ACKNOWLEDGED) -> Sent:
    return Sent({"choose": [choice]}, fate, 200, 0.0, 0.0)


@pytest.mark.parametrize(
    ("log", "is_right"),
    [
        ([1, 2, 3], True),
        ([1, 2, 2, 3], True),  # the answer to the first 2 was lost
        ([1, 3], False),  # an acknowledged one is missing
        ([1, 1, 2, 3], False),  # one was played twice
        ([1, 2, 2, 2, 3], False),
        ([2, 1, 3], False),
        ([1, 2, 9, 3], False),  # a refused one was played
        ([1, 2, 3, 4], False),  # nobody sent it
        ([], False),
    ],
)
def test_a_log_is_compared_with_what_was_sent(log: list[int], is_right: bool) -> None:
    journal = [sent(1), sent(2, LOST), sent(2), sent(9, REFUSED), sent(3)]
    assert matches(journal, [{"choose": [each]} for each in log]) == is_right
