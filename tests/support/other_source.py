"""The source of Brassmill with other words in some modules, to be run in a process of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import brassmill
from support.paths import TESTS

SOURCE = Path(brassmill.__file__).parents[1]


def other_source(folder: Path, changes: Mapping[str, Mapping[str, str]]) -> Path:
    """Copy the source with other words: `{"rules/layout.py": {"SPACES = 49": "SPACES = 50"}}`."""
    source = folder / "src"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    for module, words in changes.items():
        file = source / "brassmill" / module
        text = file.read_text(encoding="utf-8")
        for old, new in words.items():
            assert old in text, old
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    return source


def environment(source: Path | None = None, **more: str) -> dict[str, str]:
    """Return the environment of a process that imports this source and the tests' helpers."""
    path = (str(source or ""), str(TESTS), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), **more}
