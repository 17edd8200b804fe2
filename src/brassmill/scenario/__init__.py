"""Scenarios: rules as examples that people can read and the machine can check.

A file sets up a position, plays or tries something, and states the expected result. The format is
explained in `docs/formats/scenarios.md`.
"""

from __future__ import annotations

from brassmill.scenario.cases import Case, Scenario, find, read
from brassmill.scenario.errors import BadScenario
from brassmill.scenario.steps import ENDS, Failure, follow, game_of, run

__all__ = [
    "ENDS",
    "BadScenario",
    "Case",
    "Failure",
    "Scenario",
    "find",
    "follow",
    "game_of",
    "read",
    "run",
]
