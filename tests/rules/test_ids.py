"""Every rule id that rules and scenarios cite has a row in docs/reference/ids.md."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import pytest
import yaml

from support import paths
from support.paths import ROOT

SCENARIOS = sorted(paths.SCENARIOS.rglob("*.yaml"))
RULES = sorted((ROOT / "src" / "brassmill" / "rules").glob("*.py"))

ID = re.compile(r"\b[A-Z]+-[0-9A-Z]+\b")
CHAPTER = re.compile(r"(?<![\d.£])[1-9]\.[0-9A-D]\b(?![\d.])")  # such as 6.2 and 6.B
SCENARIO_ID = re.compile(r"(G|L|B|OPT)-X?[0-9]+")  # names of scenarios


def rows() -> list[list[str]]:
    """Return the rows of the page's tables: id, game, chapter and meaning."""
    lines = (ROOT / "docs/reference/ids.md").read_text(encoding="utf-8").splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return [row for row in cells if row[0] != "id"]


LISTED = [row[0] for row in rows()]
BOOKS = {
    "all": ("2007", "2018"),
    "classic": ("2007",),
    "classic, Lancashire": ("2007", "2018"),
    "Lancashire": ("2018",),
    "Lancashire, Birmingham": ("2018",),
    "Birmingham": ("2018",),
}


def spoken(program: str) -> Iterator[str]:
    """Return the docstrings and comments of a source file."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def test_each_id_has_one_row() -> None:
    assert len(LISTED) == len(set(LISTED))


@pytest.mark.parametrize("row", rows(), ids=itemgetter(0))
def test_each_row_names_the_chapters_of_its_games(row: list[str]) -> None:
    _rule, game, chapter, _meaning = row
    assert tuple(re.findall(r"(\d{4}): \w", chapter)) == BOOKS[game]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_no_docstring_is_only_an_id(path: Path) -> None:
    for text in spoken(path.read_text(encoding="utf-8")):
        assert not re.fullmatch(rf"{ID.pattern}((, | to ){ID.pattern})*\.?", text), text


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
    cited |= set(CHAPTER.findall(text))
    assert cited <= set(LISTED), sorted(cited - set(LISTED))
