"""Every rule id that rules and scenarios cite has a line in docs/ids.md."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from support.paths import ROOT

SCENARIOS = sorted((ROOT / "tests" / "scenarios").rglob("*.yaml"))
RULES = sorted((ROOT / "src" / "brassmill" / "rules").glob("*.py"))

ID = re.compile(r"\b[A-Z]+-[0-9A-Z]+\b")
SCENARIO_ID = re.compile(r"(G|L|B|OPT)-X?[0-9]+")  # the names of scenarios


def first_cells() -> list[str]:
    """The ids of the page, one for each line of its tables."""
    lines = (ROOT / "docs" / "ids.md").read_text(encoding="utf-8").splitlines()
    cells = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    return [cell for cell in cells if cell != "id"]


LISTED = first_cells()


def spoken(program: str) -> Iterator[str]:
    """The docstrings and comments of a program."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def test_each_id_has_one_line() -> None:
    assert len(LISTED) == len(set(LISTED))


def test_ids_of_scenarios() -> None:
    missing = []
    for path in SCENARIOS:
        scenario = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
        missing += [f"{path.name}: {rule}" for rule in scenario["rules"] if rule not in LISTED]
    assert SCENARIOS and not missing


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_ids_of_rules(path: Path) -> None:
    text = "\n".join(spoken(path.read_text(encoding="utf-8")))
    cited = {rule for rule in ID.findall(text) if not SCENARIO_ID.fullmatch(rule)}
    assert cited <= set(LISTED), sorted(cited - set(LISTED))
