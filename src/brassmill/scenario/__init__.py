"""Scenarios: rules as examples that anybody can read, and the machine can check.

A file sets up a position, does or tries something and says what must come of it; the format is
explained in `docs/formats/scenarios.md`.
"""

from __future__ import annotations

from brassmill.scenario.cases import Case, Scenario, find, read
from brassmill.scenario.errors import BadScenario
from brassmill.scenario.steps import Failure, run

__all__ = ["BadScenario", "Case", "Failure", "Scenario", "find", "read", "run"]
