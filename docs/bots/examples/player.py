"""Play random choices on a server: player.py http://127.0.0.1:8000 TOKEN (read, play, lobby)."""

import json
import random
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SITE, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2]
NAME = "Random walker"


def ask(address, **form):
    body = urlencode(form).encode() if form else None
    request = Request(SITE + address, body, {"Authorization": f"Bearer {TOKEN}"})
    try:
        with urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as error:
        problem = json.load(error)
        if error.code == 409:  # somebody was faster: look again
            return {}
        raise SystemExit(f"{error.code}: {problem['error']}. {problem['words']}") from None


def find_table():
    """Go on with a game, or take a free seat, or set up a table against two bots."""
    for game in ask("/index.json")["unfinished"]:
        return game["id"]
    for offer in ask("/lobby.json")["waiting"]:
        if offer["token"] and (taken := ask(f"/join/{offer['token']}.json", name=NAME)):
            return taken["table"]
    seats = {"players": 3, "who-0": "you", "who-1": "beginner", "who-2": "beginner"}
    return ask("/new/birmingham.json", **seats, **{"name-0": NAME})["table"]


def changes(table):
    """Wait for the table to change: the stream says so, and never what has changed."""
    request = Request(f"{SITE}/t/{table}/events/", None, {"Authorization": f"Bearer {TOKEN}"})
    with urlopen(request) as stream:
        yield from (line for line in stream if line.startswith(b"event: moved"))


def play(table):
    for _change in changes(table):
        seen = ask(f"/t/{table}.json")
        while seen and seen["your_turn"]:
            if seen["offers"]:
                choice = random.choice(seen["offers"])["id"]
                seen = ask(f"/t/{table}/choose.json", number=seen["number"], choice=choice)
            else:
                seen = ask(f"/t/{table}/end.json", number=seen["number"])
        if seen and seen["over"]:
            break
    return ask(f"/t/{table}/result.json")


print(json.dumps(play(find_table())["results"], indent=2))
