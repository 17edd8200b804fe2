"""Saved bytes: their kind, the version that wrote them, and a checksum."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Container
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from brassmill.errors import InvalidPosition

if TYPE_CHECKING:
    from filelock import BaseFileLock

GAME, BATCH, TERMINAL_GAME = "game", "batch", "saved game"  # kinds
VERSION = 2  # of a game; 2: whether the deal is a secret

HEAD = re.compile(rb"brassmill ([a-z ]+) (\d{1,9})\n")
DIGEST = hashlib.sha256().digest_size


class Saved(NamedTuple):
    """Unpacked bytes."""

    version: int
    body: bytes


class Unreadable(InvalidPosition):
    """Bytes that cannot be read: of another kind or version, or damaged."""

    def __init__(self, problem: str) -> None:
        super().__init__([problem])


class WrongKind(Unreadable):
    """Bytes of another kind."""


class WrongVersion(Unreadable):
    """Bytes written by an unknown version."""


class Damaged(Unreadable):
    """Bytes with a wrong checksum."""


@cache
def layout() -> str:
    """A digest of the layout of positions."""
    from brassmill.rules.layout import STATE  # a list of saved games needs no rules

    return hashlib.sha256(repr(STATE.descr).encode()).hexdigest()[:16]


def pack(kind: str, version: int, body: bytes) -> bytes:
    """A body with a line that says what it is, and a checksum."""
    return f"brassmill {kind} {version}\n".encode() + hashlib.sha256(body).digest() + body


def unpack(kind: str, versions: Container[int], packed: object) -> Saved:
    """Unpack bytes of this kind, written by one of these versions; else raise `Unreadable`."""
    head = HEAD.match(packed) if isinstance(packed, bytes) else None
    if head is None or head[1].decode() != kind:
        raise WrongKind(f"these bytes are not a {kind}")
    version = int(head[2])
    if version not in versions:
        raise WrongVersion(
            f"the {kind} comes from another version: version {version} of the format"
        )
    assert isinstance(packed, bytes)
    digest, body = packed[head.end() : head.end() + DIGEST], packed[head.end() + DIGEST :]
    if hashlib.sha256(body).digest() != digest:
        raise Damaged(f"the {kind} is damaged: its checksum is wrong")
    return Saved(version, body)


def release(lock: BaseFileLock) -> None:
    """Unlock a file.

    Delete the lock file first: once the lock is free, the file may belong to another process.
    """
    if lock.is_locked:
        with suppress(OSError):  # Windows deletes it on release, and not before
            Path(lock.lock_file).unlink()
    lock.release()


# --- a game --------------------------------------------------------------------------------------


def pack_game(data: dict[str, Any]) -> bytes:
    """Pack a game given as plain data."""
    return pack(GAME, VERSION, zlib.compress(json.dumps({"layout": layout(), **data}).encode()))


def unpack_game(packed: bytes) -> dict[str, Any]:
    """The data of a game; `InvalidPosition` says what is wrong with the bytes."""
    body = unpack(GAME, (VERSION,), packed).body
    try:
        data = json.loads(zlib.decompress(body))
    except (zlib.error, ValueError):
        data = None
    if not isinstance(data, dict):
        raise InvalidPosition(["the saved bytes do not contain a game"])
    if data.get("layout") != layout():
        raise InvalidPosition(["the saved game comes from another version: positions have changed"])
    return data
