"""How the modules of the site import each other, as their sources say."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from support.paths import ROOT

SOURCE = ROOT / "src" / "brassmill"
SITE = "brassmill.web"

# Who may import inside a function: commands, because models can only be imported once Django is set
# up; and whoever compiles the rules in a thread, while the home page is there already.
COMMANDS = (f"{SITE}.run.", f"{SITE}.staff.commands.")
COMPILING = (f"{SITE}.server.startup", "brassmill.rules.warmup")


class Import(NamedTuple):
    """That one module imports another."""

    importer: str
    imported: str
    in_function: bool


def modules() -> dict[str, Path]:
    """All modules of the package by name."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(name: str, source: str, known: Mapping[str, Path]) -> Iterator[Import]:
    """What a module imports of the package, in functions too; what is only for types is not."""

    def visit(node: ast.AST, in_function: bool) -> Iterator[Import]:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if isinstance(node, ast.Import):
            for each in node.names:
                if each.name in known:
                    yield Import(name, each.name, in_function)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: a relative import"
            for each in node.names:
                module = f"{node.module}.{each.name}"
                imported = module if module in known else str(node.module)
                if imported in known:
                    yield Import(name, imported, in_function)
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, in_function or is_function)

    yield from visit(ast.parse(source), False)


def imports_of_site() -> list[Import]:
    known = modules()
    return [
        found
        for name, path in known.items()
        if name.startswith(SITE)
        for found in imports_of(name, path.read_text("utf-8"), known)
    ]


def cycle_in(imports: list[Import]) -> list[str]:
    """The modules of a cycle; nothing: there is none."""
    graph: dict[str, set[str]] = {}
    for found in imports:
        graph.setdefault(found.importer, set()).add(found.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_site_has_no_import_cycle() -> None:
    imports = imports_of_site()
    assert len(imports) > 300
    assert cycle_in(imports) == []


def test_a_cycle_through_a_function_is_found() -> None:
    known = {"brassmill.web.a": Path(), "brassmill.web.b": Path()}
    sources = {
        "brassmill.web.a": "from brassmill.web import b",
        "brassmill.web.b": "def f():\n    from brassmill.web.a import g",
    }
    found = [each for name in sources for each in imports_of(name, sources[name], known)]
    assert [each.in_function for each in found] == [False, True]
    assert set(cycle_in(found)) == set(known)


def test_imports_in_functions_have_a_reason() -> None:
    inside = [found for found in imports_of_site() if found.in_function]
    assert [
        found
        for found in inside
        if not found.importer.startswith(COMMANDS) and found[:2] != COMPILING
    ] == []
