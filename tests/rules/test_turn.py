"""Every phase is handled wherever `turn.py` compares the phase."""

from __future__ import annotations

import ast
import inspect

import pytest

from brassmill.core.names import QUESTIONS
from brassmill.rules import layout, turn

RESTING = {"TURN_OVER", "GAME_OVER"}  # no question is open
PHASES = {
    "ACTION", "CARD", "COAL_SOURCE", "IRON_SOURCE", "RAIL_END", "MORE_RAIL", "BEER_SOURCE",
    "FREE_DEVELOP", "MORE_SALES", "BUYER", "MORE_DEVELOP", "DEBT", *RESTING,
}  # fmt: skip
ASKING = PHASES - RESTING

# Sources and debts are found on the map itself: `look` prepares nothing for them.
WITHOUT_SURVEY = {"COAL_SOURCE", "IRON_SOURCE", "BEER_SOURCE", "FREE_DEVELOP", "BUYER", "DEBT"}


def phases_in(*functions: str) -> list[str]:
    """Return the phases that functions of `turn.py` compare with, in order."""
    tree = ast.parse(inspect.getsource(turn))
    found = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Name):
                    name = node.comparators[0].id
                    if ast.unparse(node.left) in ("phase", "state.phase") and name in PHASES:
                        found.append(name)
    return found


def test_the_phases_match_the_layout() -> None:
    assert {getattr(layout, name) for name in PHASES} == set(range(len(PHASES)))
    assert len(QUESTIONS) == len(PHASES)


@pytest.mark.parametrize(
    ("functions", "phases"),
    [
        (("look",), ASKING - WITHOUT_SURVEY),
        (("list_choices", "list_answers"), ASKING),
        (("reason",), ASKING | {"GAME_OVER"}),
        (("answer",), ASKING),
    ],
    ids=["look", "list", "reason", "answer"],
)
def test_every_phase_is_in_every_chain_of_comparisons(
    functions: tuple[str, ...], phases: set[str]
) -> None:
    found = phases_in(*functions)
    assert set(found) == phases
    assert len(found) == len(phases)
