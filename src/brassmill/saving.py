"""Plain data as bytes that tell when they are damaged."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from brassmill.errors import InvalidPosition
from brassmill.rules.layout import STATE

MAGIC = b"brassmill game "
VERSION = 2  # 2: whether the deal is a secret
LAYOUT = hashlib.sha256(repr(STATE.descr).encode()).hexdigest()[:16]  # what positions look like


def pack(data: dict[str, Any]) -> bytes:
    """Data with a header and a checksum."""
    body = zlib.compress(json.dumps({"layout": LAYOUT, **data}).encode())
    return MAGIC + b"%d\n" % VERSION + hashlib.sha256(body).digest() + body


def unpack(packed: bytes) -> dict[str, Any]:
    """What was packed; `InvalidPosition` says what is wrong with the bytes."""
    if not isinstance(packed, bytes) or not packed.startswith(MAGIC):
        raise InvalidPosition(["these bytes are not a saved game"])
    version, _, rest = packed.removeprefix(MAGIC).partition(b"\n")
    if version != b"%d" % VERSION:
        number = version.decode("ascii", "replace")
        raise InvalidPosition(
            [f"the saved game has version {number}; this package reads {VERSION}"]
        )
    digest, body = rest[:32], rest[32:]
    if hashlib.sha256(body).digest() != digest:
        raise InvalidPosition(["the saved game is damaged: its checksum is wrong"])
    try:
        data = json.loads(zlib.decompress(body))
    except (zlib.error, ValueError):
        data = None
    if not isinstance(data, dict):
        raise InvalidPosition(["the saved game holds something else than a game"])
    if data.get("layout") != LAYOUT:
        raise InvalidPosition(["the saved game comes from another version: positions have changed"])
    return data
