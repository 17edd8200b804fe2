"""Modules of the site import at the top, except for those with a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from support.paths import ROOT

WEB = ROOT / "src" / "brassmill" / "web"

# Commands import inside functions, because models can only be imported once Django is set up.
COMMANDS = ("run/", "staff/commands/")


def imported_in_functions(source: str) -> Iterator[str]:
    """Return the modules of the package that are imported inside functions."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("brassmill"):
                    yield str(node.module)


def test_imports_in_functions_have_a_reason() -> None:
    found = [
        (path.relative_to(WEB).as_posix(), module)
        for path in WEB.rglob("*.py")
        for module in imported_in_functions(path.read_text("utf-8"))
    ]
    assert found
    assert [each for each in found if not each[0].startswith(COMMANDS)] == []
