"""Play random choices on a server: player.py http://127.0.0.1:8000 TOKEN (read, play, lobby)."""

import json
import random
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SITE, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2]


def opened(address: str, form: dict[str, Any] | None = None) -> Any:
    """Get an address, or post a form there."""
    body = urlencode(form).encode() if form else None
    return urlopen(Request(SITE + address, body, {"Authorization": f"Bearer {TOKEN}"}))


def ask(address: str, **form: Any) -> Any:
    """Return the data of an address; nothing if somebody was faster."""
    try:
        with opened(address, form) as answer:
            return json.load(answer)
    except HTTPError as error:
        if error.code == 429:  # too many requests
            time.sleep(1)
            return ask(address, **form)
        if error.code != 409:
            raise SystemExit(f"{error.code}: {error.read().decode()}") from None
        return {}


def find_table() -> str:
    """Go on with a game, or take a free seat, or set up a table against two bots."""
    for game in ask("/index.json")["unfinished"]:
        return str(game["id"])
    for offer in ask("/lobby.json")["waiting"]:
        if offer["token"] and (taken := ask(f"/join/{offer['token']}.json", name="Random walker")):
            return str(taken["table"])
    seats = {"players": 3, "who-0": "you", "who-1": "beginner", "who-2": "beginner"}
    return str(ask("/new/birmingham.json", **seats)["table"])


def play(table: str) -> Any:
    """Look at the table whenever its stream says so, and play until the game is over."""
    with opened(f"/t/{table}/events/") as stream:
        for _line in filter(lambda line: line.startswith(b"event: moved"), stream):
            seen = ask(f"/t/{table}.json")
            while seen and seen["your_turn"]:
                action = "choose" if seen["offers"] else "end"
                choice = random.choice([offer["id"] for offer in seen["offers"]] or [0])
                seen = ask(f"/t/{table}/{action}.json", number=seen["number"], choice=choice)
            if seen and seen["over"]:
                break
    return ask(f"/t/{table}/result.json")


print(json.dumps(play(find_table())["results"], indent=2))
