"""Every name that a module exports exists."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import brassmill

SOURCE = Path(brassmill.__file__).parent
EXPORTING = [path for path in sorted(SOURCE.rglob("*.py")) if "__all__ = [" in path.read_text()]


@pytest.mark.parametrize("path", EXPORTING, ids=lambda path: str(path.relative_to(SOURCE)))
def test_exported_names_exist(path: Path) -> None:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    module = import_module(".".join(part for part in parts if part != "__init__"))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
