"""The web table has no import cycles."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from support.paths import ROOT

PACKAGE = ROOT / "src/brassmill/web"


def module_of(path: Path) -> str:
    """Return the dotted name of a file."""
    return ".".join(path.relative_to(PACKAGE.parents[1]).with_suffix("").parts).removesuffix(
        ".__init__"
    )


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """Return the modules that a file imports, in functions too, except for type checking only."""
    found = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                found.add(module if module in modules else node.module or "")
    return found & modules


def graph() -> dict[str, set[str]]:
    """Return every module of the package with its imports."""
    files = {module_of(path): path for path in PACKAGE.rglob("*.py")}
    return {name: imports_of(path, set(files)) - {name} for name, path in files.items()}


def cycles(imports: dict[str, set[str]]) -> set[str]:
    """Return the modules in a cycle or between two cycles.

    Modules without remaining imports, and modules that no remaining module imports, are removed
    until none is left to remove.
    """
    left = {name: set(imported) for name, imported in imports.items()}
    while True:
        imported = set().union(*left.values())
        gone = {name for name in left if not left[name] or name not in imported}
        if not gone:
            return set(left)
        left = {name: left[name] - gone for name in left.keys() - gone}


def test_the_web_table_has_no_import_cycle() -> None:
    assert cycles(graph()) == set()


def test_imports_are_found() -> None:
    imports = graph()
    assert len(imports) > 50
    assert "brassmill.web.models" in imports["brassmill.web.table.session"]
    assert "brassmill.web.staff.admin" in imports["brassmill.web.urls"]


@pytest.mark.parametrize(
    ("imports", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, set()),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, {"a", "b"}),
        ({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}}, {"b", "c", "d"}),
    ],
)
def test_a_cycle_is_found(imports: dict[str, set[str]], found: set[str]) -> None:
    assert cycles(imports) == found
