"""Writing records to files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from brassmill.record.record import Record


def write(target: str | Path | IO[str], records: Record | Iterable[Record]) -> None:
    """Write games to a path or an open text file, separated by blank lines.

    A path is replaced atomically when everything has been written; otherwise it stays as it was.
    """
    if isinstance(records, Record):
        records = [records]
    if not isinstance(target, str | Path):
        _write(target, records)
        return
    with replacing(Path(target)) as file:
        _write(file, records)


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """A file that replaces another one when it has been written completely."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _write(file: IO[str], records: Iterable[Record]) -> None:
    for number, record in enumerate(records):
        file.write(f"\n{record}" if number else str(record))
