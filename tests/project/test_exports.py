"""Every exported name exists, and the pages for users import only what is public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import brassmill
from support.paths import ROOT

SOURCE = Path(brassmill.__file__).parent
EXPORTING = [path for path in sorted(SOURCE.rglob("*.py")) if "__all__ = [" in path.read_text()]


@pytest.mark.parametrize("path", EXPORTING, ids=lambda path: str(path.relative_to(SOURCE)))
def test_exported_names_exist(path: Path) -> None:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    module = import_module(".".join(part for part in parts if part != "__init__"))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


FOR_USERS = ("play", "bots", "research", "formats", "reference")
PAGES = [ROOT / "README.md", ROOT / "docs/index.md"]
PAGES += [page for folder in FOR_USERS for page in sorted((ROOT / "docs" / folder).glob("*.md"))]
IMPORT = re.compile(r"\b(?:from|import) (brassmill[\w.]*)(?: import ([\w, ]+))?")


def public_modules() -> set[str]:
    """Return the modules that the page about the public API promises."""
    page = (ROOT / "docs/contribute/api-stability.md").read_text(encoding="utf-8")
    return {"brassmill", *re.findall(r"`(brassmill\.[a-z][\w.]+)`", page)}


def imported(text: str) -> Iterator[str]:
    """Yield the modules that a page imports, and the names it imports from `brassmill` itself."""
    for module, names in IMPORT.findall(text):
        for name in names.replace(" ", "").split(","):
            inner = f"{module}.{name}"
            yield inner if name and (module == "brassmill" or is_module(inner)) else module


def is_module(name: str) -> bool:
    path = SOURCE.parent / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def test_pages_for_users_import_only_what_is_public() -> None:
    public = public_modules() | {f"brassmill.{name}" for name in brassmill.__all__}
    found = {
        (page.relative_to(ROOT).as_posix(), module)
        for page in PAGES
        for module in imported(page.read_text(encoding="utf-8"))
    }
    assert len(found) > 20
    assert [each for each in sorted(found) if each[1] not in public] == []


def test_every_public_module_exists() -> None:
    assert [name for name in sorted(public_modules()) if not is_module(name)] == []
