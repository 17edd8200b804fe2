"""A home folder for a test: games, records and history go there; compiled rules are shared."""

from __future__ import annotations

from pathlib import Path

from brassmill.rules.jit import cache_root


def make_home(folder: Path) -> Path:
    """Make a folder for `BRASSMILL_HOME` with this machine's compiled rules."""
    folder.mkdir(parents=True, exist_ok=True)
    cache = cache_root().resolve()
    cache.mkdir(parents=True, exist_ok=True)
    link = folder / "cache"
    if not link.exists():  # several kinds of tests share the home of the site
        link.symlink_to(cache, target_is_directory=True)
    assert link.resolve() == cache, f"{link} is another cache: everything would be compiled anew"
    return folder
