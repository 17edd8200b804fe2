"""Every path and module that a page names exists, exactly as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.paths import ROOT

PACKAGE = ROOT / "src/brassmill"
PAGES = [
    *(page for page in sorted(ROOT.glob("docs/**/*.md")) if "_build" not in page.parts),
    *sorted(ROOT.glob("*.md")),
]
# Pages about one folder use names relative to it.
FOLDERS = {
    "rules.md": PACKAGE / "rules",
    "web.md": PACKAGE / "web/static/web",
}
SOURCES = {".css", ".html", ".js", ".md", ".po", ".py", ".sh", ".toml", ".yaml", ".yml"}
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")  # such as CODE in locale/CODE/...


def names_in(page: Path) -> list[str]:
    """Yield everything a page sets in code, line by line: words, commands, paths."""
    return re.findall(r"`([^`\n]+)`", page.read_text())


def is_path(name: str) -> bool:
    """Does this name a file or folder of the project?"""
    if not re.fullmatch(r"[\w./-]+", name) or name.startswith(("/", ".")):
        return False
    if PLACEHOLDER.search(name) and not name.endswith(".md"):
        return False
    first, *rest = name.split("/")
    is_inside = bool(rest) and ((ROOT / first).is_dir() or (PACKAGE / first).is_dir())
    return is_inside or Path(name).suffix in SOURCES


def is_there(name: str, page: Path) -> bool:
    bases = [ROOT, PACKAGE, FOLDERS.get(page.name, ROOT)]
    return any((base / name).exists() for base in bases)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_exist(page: Path) -> None:
    missing = [name for name in names_in(page) if is_path(name) and not is_there(name, page)]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_modules_exist(page: Path) -> None:
    names = {
        found[0] for name in names_in(page) if (found := re.match(r"brassmill(\.[a-z_]\w*)+", name))
    }
    assert [name for name in sorted(names) if not is_defined(name)] == []


def is_defined(name: str) -> bool:
    """Is there a module of this name, or one that defines the rest of it?"""
    _package, *parts = name.split(".")
    folder = PACKAGE
    while parts and (folder / parts[0]).is_dir():
        folder /= parts.pop(0)
    source = folder / "__init__.py"
    if parts and (folder / f"{parts[0]}.py").exists():
        source = folder / f"{parts.pop(0)}.py"
    return not parts or bool(re.search(rf"\b{parts[0]}\b", source.read_text()))


def test_a_path_that_is_almost_right_is_missing() -> None:
    page = ROOT / "docs/index.md"
    assert is_path("web/urls.py") and is_there("web/urls.py", page)
    assert is_path("web/jit.py") and not is_there("web/jit.py", page)
    assert is_path("jit.py") and not is_there("jit.py", page)
    assert is_there("jit.py", ROOT / "docs/rules.md")
    assert is_path("web/nothing/") and not is_there("web/nothing/", page)
    assert not is_path("cotton/manufacturer") and not is_path("/t/ID/")
    assert is_defined("brassmill.rules.jit") and is_defined("brassmill.game.Game")
    assert not is_defined("brassmill.rules.jet") and not is_defined("brassmill.jit")
