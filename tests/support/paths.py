"""Paths of the project."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
RECORDS = TESTS / "data" / "records"
SCENARIOS = TESTS / "data" / "scenarios"
