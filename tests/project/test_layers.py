"""The import contracts in `pyproject.toml` also hold for imports that the linter cannot see."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from support.paths import ROOT

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "brassmill"

# Types of a higher layer: the reason of an error, and what `Game.record` returns.
TYPES = {("errors", "rules"), ("game", "record")}

# Modules that a lower layer loads by name. The contract in pyproject.toml lists them too.
NAMED = {
    ("cli", "web"),  # `brass serve`, `brass admin` and `brass bench --web`
    ("core", "svg"),  # the picture of a view in a notebook
    ("rules", "bots"),  # what the warm-up compiles
    ("rules", "core"),
}

# Everything that loads modules by name. `game.py` loads `record` as `brassmill.Record`.
LOADERS = {
    "__init__.py", "batch/cuda.py", "cli/bench.py", "cli/main.py", "cli/options.py", "core/view.py",
    "rules/warmup.py", "web/staff/backup.py", "web/urls.py",
}  # fmt: skip


class Upward(NamedTuple):
    """A layer that uses a higher one."""

    layer: str
    uses: str


@cache
def layers(container: str) -> dict[str, int]:
    """Return the modules of a container with the number of their layer, the highest one first."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    rows = next(row["layers"] for row in contracts if row["containers"] == [container])
    return {name: number for number, row in enumerate(rows) for name in re.findall(r"\w+", row)}


def files(container: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of a container with the name of their layer."""
    folder = SOURCE / container.replace(".", "/")
    for path in folder.rglob("*.py"):
        layer = path.relative_to(folder).parts[0].removesuffix(".py")
        if layer != "__init__":
            yield layer, path


def upward(container: str, layer: str, modules: Iterator[str]) -> set[Upward]:
    """Return the uses of a higher layer among modules."""
    order = layers(container)
    used = {
        module.removeprefix(f"{container}.").partition(".")[0]
        for module in modules
        if module.startswith(f"{container}.")
    }
    return {Upward(layer, name) for name in used if order.get(name, 99) < order[layer]}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return the syntax tree of a file, node by node."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported_for_types(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports for type checking only."""
    for node in nodes(path):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for inner in ast.walk(node):
                if isinstance(inner, ast.ImportFrom):
                    yield str(inner.module)


def named_modules(path: Path) -> Iterator[str]:
    """Yield the modules of the package that a file names in a text of its own."""
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            module = node.value.partition(":")[0]
            file = SOURCE / module.replace(".", "/")
            if module.startswith("brassmill.") and (
                file.is_dir() or file.with_suffix(".py").exists()
            ):
                yield module


@pytest.mark.parametrize(
    ("container", "known"),
    [
        pytest.param("brassmill", TYPES, marks=pytest.mark.slow),
        ("brassmill.web", set()),
    ],
)
def test_no_type_comes_from_a_higher_layer(container: str, known: set[tuple[str, str]]) -> None:
    found = [upward(container, layer, imported_for_types(path)) for layer, path in files(container)]
    assert set().union(*found) == known


def test_modules_of_a_higher_layer_are_named_only_where_the_contract_says_so() -> None:
    found = [upward("brassmill", layer, named_modules(path)) for layer, path in files("brassmill")]
    assert set().union(*found) == NAMED


def test_only_these_modules_load_others_by_name() -> None:
    loading = re.compile(r"\b(import_module|__import__|find_spec|exec_module)\(")
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if loading.search(path.read_text(encoding="utf-8"))
    }
    assert found - {"env/__init__.py"} == LOADERS  # env only asks what is installed
