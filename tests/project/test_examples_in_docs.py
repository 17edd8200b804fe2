"""Examples in docstrings and in the README run, and print what they show."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from support.paths import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SOURCE = ROOT / "src"
WITH_EXAMPLES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text()]


def name_of(path: Path) -> str:
    """Return the module of a file."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("name", [name_of(path) for path in WITH_EXAMPLES])
def test_examples_in_docstrings(name: str) -> None:
    done = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert done.attempted and not done.failed, "see the report above"


def test_examples_in_the_readme() -> None:
    done = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS)
    assert done.attempted and not done.failed, "see the report above"
