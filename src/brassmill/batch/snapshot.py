"""All games of a batch as bytes with a checksum."""

from __future__ import annotations

import json
from typing import Any

from brassmill import saving
from brassmill.errors import InvalidPosition
from brassmill.rules.version import RULES_VERSION

VERSION = 3  # 3: with the version of the rules
READ = (2, VERSION)


def pack(head: dict[str, Any], body: bytes) -> bytes:
    """The kind of games, followed by their columns."""
    facts = {"layout": saving.layout(), "rules": RULES_VERSION, **head}
    return saving.pack(saving.BATCH, VERSION, json.dumps(facts).encode() + b"\n" + body)


def unpack(packed: bytes, head: dict[str, Any]) -> bytes:
    """The columns, if they belong to games of this kind; `InvalidPosition` says what is wrong.

    Positions can be continued with other rules; only their layout must be the same.
    """
    data = saving.unpack(saving.BATCH, READ, packed).body
    line, _, body = data.partition(b"\n")
    saved = json.loads(line)
    if saved["layout"] != saving.layout():
        rules = saved.get("rules", 1)
        raise InvalidPosition(
            [
                "the batch comes from another version: positions have changed"
                f" (rules {rules}, here {RULES_VERSION})"
            ]
        )
    problems = [
        f"the saved batch has {key} {saved[key]!r}, this one has {head[key]!r}"
        for key in head
        if saved[key] != head[key]
    ]
    if problems:
        raise InvalidPosition(problems)
    return body
