"""A bot in a process of its own: it sells before it builds, and builds before it borrows."""

import json
import sys
from typing import Any

LIKED = ["done", "sell", "build", "link", "develop", "loan"]  # kinds of choices, best first


def answer(choices: list[dict[str, Any]]) -> dict[str, Any]:
    """The first choice of the kind that is liked best."""
    kinds = [choice["kind"] for choice in choices]
    best = next((kind for kind in LIKED if kind in kinds), kinds[0])
    return {"choice": choices[kinds.index(best)]["choice"]}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply: dict[str, Any] = {"type": "hello", "protocol": 1}
    elif message["type"] == "choose":
        reply = answer(message["choices"])
    else:
        break
    print(json.dumps(reply), flush=True)
