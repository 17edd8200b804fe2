"""The file of a long run: a header with its settings, then a line of JSON for each finished part.

If the process dies while writing a line, the incomplete line is dropped when the run resumes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from brassmill import saving
from brassmill.errors import BrassError
from brassmill.language import gettext as _


class LinesFile:
    """The file of a running run; while it is open, no other process writes to it."""

    def __init__(self, path: Path, header: Mapping[str, Any], busy: str) -> None:
        """Start a file, or open an existing one; `busy` is the error if another process has it."""
        self.path = path
        self.lock = FileLock(f"{path}.lock")
        try:
            self.lock.acquire(timeout=0)
        except Timeout:
            raise BrassError(busy) from None
        try:
            self._file = path.open("a+b")
        except BaseException:
            saving.release(self.lock)
            raise
        self._file.seek(0)
        self.data = self._file.read()
        first = line(header)
        if first.startswith(self.data) and self.data != first:  # new, or the header is incomplete
            self._file.truncate(0)
            self._file.write(first)
            self._file.flush()
            self.data = first

    def drop_incomplete(self) -> None:
        """Drop an incomplete last line, once the file has proved to be the right one."""
        self._file.truncate(self.data.rfind(b"\n") + 1)

    def add(self, data: Mapping[str, Any]) -> None:
        """Append a line."""
        self._file.write(line(data))
        self._file.flush()

    def close(self) -> None:
        self._file.close()
        saving.release(self.lock)


def line(data: Mapping[str, Any]) -> bytes:
    """A line of the file."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def check_same(found: Any, wanted: Any) -> None:
    """Refuse to continue a run with other settings (a dataclass), and list the differences."""
    different = [
        _("{name} is {found} in the file but {wanted} here").format(
            name=field.name,
            found=_setting_text(getattr(found, field.name)),
            wanted=_setting_text(getattr(wanted, field.name)),
        )
        for field in fields(wanted)
        if getattr(found, field.name) != getattr(wanted, field.name)
    ]
    if different:
        words = _(
            "it holds the results of another run: {different}; choose another file with --out"
        )
        raise BrassError(words.format(different="; ".join(different)))


def _setting_text(value: object) -> str:
    """A setting as it appears in the header."""
    return ", ".join(value) if isinstance(value, tuple) else json.dumps(value)
