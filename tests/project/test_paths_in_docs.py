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
    ROOT / "docs/contribute/rules.md": PACKAGE / "rules",
    ROOT / "docs/contribute/web.md": PACKAGE / "web/static/web",
}
SOURCES = {".css", ".html", ".js", ".md", ".po", ".py", ".sh", ".toml", ".yaml", ".yml"}
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")  # such as CODE in locale/CODE/...
BLOCK = re.compile(r"^( *)```(?:console|sh|bash|toml|yaml)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
INSTALLED = (".venv/", "docs/_build/")  # not there before `make`


def names_in(page: Path) -> list[str]:
    """Return everything a page sets in code within a line: words, commands, paths."""
    return re.findall(r"`([^`\n]+)`", page.read_text())


def paths_in_commands(page: Path) -> list[str]:
    """Return the paths in commands and settings, in blocks of code and within a line."""
    commands = [block for _indent, block in BLOCK.findall(page.read_text())]
    commands += [name for name in names_in(page) if " " in name]
    words = [word for command in commands for word in re.split(r"[\s'\"=:,]+", command)]
    return [word for word in words if is_path(word) and is_inside(word, ROOT)]


def is_path(name: str) -> bool:
    """Does this name a file or folder of the project?"""
    if not re.fullmatch(r"[\w./-]+", name) or name.startswith(INSTALLED):
        return False
    if PLACEHOLDER.search(name) and not name.endswith(".md"):
        return False
    return is_inside(name, ROOT, PACKAGE) or (
        Path(name).suffix in SOURCES and not name.startswith("/")
    )


def is_inside(name: str, *folders: Path) -> bool:
    """Does this begin with a folder of one of these, as in `tests/rules` and `.ci/run`?"""
    first, *rest = name.split("/")
    return bool(rest and first.strip(".")) and any((base / first).is_dir() for base in folders)


def is_there(name: str, page: Path) -> bool:
    bases = [ROOT, PACKAGE, FOLDERS.get(page, ROOT)]
    return any((base / name).exists() for base in bases)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_exist(page: Path) -> None:
    names = [name for name in names_in(page) if is_path(name)]
    names += paths_in_commands(page)
    assert [name for name in names if not is_there(name, page)] == []


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
    assert is_there("jit.py", ROOT / "docs/contribute/rules.md")
    assert not is_there("table.js", ROOT / "docs/play/web.md")  # another page called web.md
    assert is_path(".ci/run") and is_there(".ci/run", page)
    assert is_path(".ci/walk") and not is_there(".ci/walk", page)
    assert not is_path(".venv/bin/brass") and not is_path("./game.brass")
    assert is_path("web/nothing/") and not is_there("web/nothing/", page)
    assert not is_path("cotton/manufacturer") and not is_path("/t/ID/")
    assert is_defined("brassmill.rules.jit") and is_defined("brassmill.game.Game")
    assert not is_defined("brassmill.rules.jet") and not is_defined("brassmill.jit")


def test_paths_in_commands_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Run `pytest tests/rulez -k coal`, or:\n\n```console\n$ python docs/tablez.py --all\n```\n"
    )
    assert paths_in_commands(page) == ["docs/tablez.py", "tests/rulez"]
