"""All games of a batch as bytes that tell when they are damaged."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from brassmill.errors import InvalidPosition
from brassmill.saving import LAYOUT

KIND = b"brassmill batch "
MAGIC = KIND + b"2\n"


def pack(head: dict[str, Any], body: bytes) -> bytes:
    """What the games are, and their columns one after the other."""
    data = json.dumps({"layout": LAYOUT, **head}).encode() + b"\n" + body
    return MAGIC + hashlib.sha256(data).digest() + data


def unpack(packed: bytes, head: dict[str, Any]) -> bytes:
    """The columns, if they are those of such games; `InvalidPosition` says what is wrong."""
    if not isinstance(packed, bytes) or not packed.startswith(KIND):
        raise InvalidPosition(["these bytes are not a batch"])
    if not packed.startswith(MAGIC):
        raise InvalidPosition(["the batch comes from another version: what is saved has changed"])
    rest = packed.removeprefix(MAGIC)
    digest, data = rest[:32], rest[32:]
    if hashlib.sha256(data).digest() != digest:
        raise InvalidPosition(["the batch is damaged: its checksum is wrong"])
    line, _, body = data.partition(b"\n")
    saved = json.loads(line)
    if saved.pop("layout") != LAYOUT:
        raise InvalidPosition(["the batch comes from another version: positions have changed"])
    faults = [
        f"the batch that was saved has {key} {saved[key]!r}, this one {head[key]!r}"
        for key in head
        if saved[key] != head[key]
    ]
    if faults:
        raise InvalidPosition(faults)
    return body
