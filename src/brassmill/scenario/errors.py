"""A scenario file that cannot be run."""

from __future__ import annotations

from pathlib import Path


class BadScenario(ValueError):
    """The file is wrong, not the rules; says where, and what would be right."""

    def __init__(self, path: Path, line: int, words: str) -> None:
        self.path, self.line, self.words = path, line, words
        super().__init__(f"{path}:{line}: {words}" if line else f"{path}: {words}")


class BadCheck(ValueError):
    """An unknown check or question."""
