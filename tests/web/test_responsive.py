"""The attacks of `tests/responsive.py` reach what they attack."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.paths import TESTS

EXPECTED = {"200", "302", "429"}  # shown, done, refused


@pytest.mark.slow
def test_every_attack_gets_through_before_it_is_limited() -> None:
    program = str(TESTS / "responsive.py")
    command = [sys.executable, program, "--json", "--seconds=1", "--clients=2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not found.pop("none")["answers"]
    for name, each in found.items():
        answers = set(each["answers"])
        assert answers & {"200", "302"} and answers <= EXPECTED, (name, answers)
        assert each["asked"] > 0
