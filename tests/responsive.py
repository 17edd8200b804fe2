"""How fast the home page is while visitors ask for what takes the server longest.

    python tests/responsive.py
    python tests/responsive.py --seconds 20 --clients 12

A real server with SQLite, some tables, a record and an archive. During each attack several clients,
each at an address of its own and without cookies, ask as fast as they get answers, and the home
page is asked for again and again. Run it on a machine where nothing else runs. A line
has the median and the worst of the home page in seconds, how often it was asked for, and the
answers that the attack got.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy
from datetime import timedelta
from http.client import HTTPConnection
from itertools import count
from random import Random
from statistics import median
from threading import Event, Thread
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlencode

from support.house import House, hang_up, opened, set_up

PAUSE = 0.1  # seconds between two requests for the home page
GAMES = 5000  # in the archive
TOKEN = "c" * 32  # against cross-site requests: the one of the cookie and the one sent agree
FORM = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": TOKEN}

number = count()


class Sent(NamedTuple):
    """A request."""

    address: str
    form: dict[str, str] | None = None  # of a POST


Attack = Callable[[], Sent]  # the next request


class World(NamedTuple):
    """What there is to ask for."""

    table: str
    record: str  # the text of a finished game
    uploads: list[str]
    position: str


# --- the attacks ---------------------------------------------------------------------------------


def attacks(world: World) -> dict[str, Attack]:
    """All attacks by name."""
    table, text = f"/t/{world.table}", world.position
    many = "\n\n".join([world.record] * (900_000 // len(world.record)))

    def edited() -> Sent:
        return Sent("/study/edit/", {"p": text, "mover": str(next(number) % 4)})

    def searched() -> Sent:
        query = {"least_vp": str(next(number) % 300), "most_margin": "0", "player": "Nobody"}
        return Sent(f"/archive/?{urlencode(query)}")

    def analysed() -> Sent:
        return Sent(f"/records/{world.uploads[next(number) % len(world.uploads)]}/analyse/", {})

    return {
        "PNG pictures": lambda: Sent(f"{table}/picture.png?shape=tall&at={next(number) % 90}"),
        "positions changed": edited,
        "positions checked": lambda: Sent(f"/study.json?{urlencode({'p': text})}"),
        "films": lambda: Sent(f"{table}/film.webp?at={next(number) % 40}"),
        "the archive searched": searched,
        "the archive downloaded": lambda: Sent("/archive/games.brass"),
        "analyses queued": analysed,
        "uploads": lambda: Sent("/records/", {"text": many}),
        "openings": lambda: Sent(f"/openings/?seat={1 + next(number) % 4}"),
    }


def ask(house: House, sent: Sent, client: str) -> int:
    """Send a request from an address, without the cookies of a visitor; return the status."""
    host, (port,) = house.place
    connection = HTTPConnection(host, port, timeout=60)
    headers = {"X-Forwarded-For": client, "Cookie": f"brassmill_csrf={TOKEN}", "Accept": "*/*"}
    if sent.form is None:
        connection.request("GET", sent.address, headers=headers)
    else:
        connection.request("POST", sent.address, urlencode(sent.form), headers | FORM)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


class Measured(NamedTuple):
    """The home page during an attack."""

    median: float  # seconds
    worst: float
    asked: int  # how often
    answers: Counter[int]  # statuses of the attack


def measured(house: House, attack: Attack | None, seconds: float, clients: int) -> Measured:
    """Attack for some seconds, and ask for the home page meanwhile."""
    over, answers, times = Event(), Counter[int](), list[float]()

    def go_on(client: str) -> None:
        while attack and not over.is_set():
            try:
                answers[ask(house, attack(), client)] += 1
            except OSError:
                answers[0] += 1

    threads = [Thread(target=go_on, args=[f"203.0.113.{one}"]) for one in range(1, clients + 1)]
    for thread in threads:
        thread.start()
    until = monotonic() + seconds
    while monotonic() < until:
        began = monotonic()
        assert ask(house, Sent("/"), "198.51.100.1") == 200
        times.append(monotonic() - began)
        over.wait(PAUSE)
    over.set()
    for thread in threads:
        thread.join()
    return Measured(median(times), max(times), len(times), answers)


# --- what there is to ask for --------------------------------------------------------------------


def built(house: House) -> World:
    """A table in play, records, and an archive of copies of one game."""
    from brassmill.game import Game
    from brassmill.web.models import Upload

    tables = set_up(4, 60, Random(1))
    game, rng = Game("birmingham", players=4, seed=1), Random(1)
    while not game.over:
        if game.question == "turn over":
            game.end_turn()
        else:
            game.choose(rng.choice(game.legal_choices().ids))
    text = str(game.record())
    uploads = [
        Upload.objects.create(visitor=f"one-{n}", name="a game", text=text, size=len(text)).pk
        for n in range(100)
    ]
    position = Game("birmingham", players=4, seed=2).position_text()
    fill_archive(next(iter(tables)), text)
    hang_up()
    return World(next(iter(tables)), text, uploads, position)


def fill_archive(table_id: str, text: str) -> None:
    """Many rows of finished public games."""
    from django.utils import timezone

    from brassmill.web.models import Archive, ArchivedGame, ArchivedSeat, Seat, Table

    first = Table.objects.get(pk=table_id)
    seats = list(first.seats.all())
    result = [[n, n + 1, 100 - n] for n in range(first.players)]
    tables, games, rng = [], [], Random(2)
    for n in range(GAMES):
        table = copy(first)
        table.pk, table.over, table.listed, table.summary = (
            f"old{n}",
            True,
            True,
            {"result": result},
        )
        tables.append(table)
        games.append(
            ArchivedGame(
                table_id=table.pk,
                edition=table.edition,
                players=table.players,
                finished=timezone.now() - timedelta(minutes=n),
                winner_vp=rng.randrange(60, 200),
                margin=rng.randrange(40),
                actions=rng.randrange(60, 120),
                rounds=17,
            )
        )
    Table.objects.bulk_create(tables)
    Archive.objects.bulk_create(Archive(table_id=table.pk, record=text) for table in tables)
    Seat.objects.bulk_create(copies(seats, tables))
    games = ArchivedGame.objects.bulk_create(games)
    ArchivedSeat.objects.bulk_create(
        ArchivedSeat(game=game, number=n, player=f"player {n}", finished=game.finished)
        for game in games
        for n in range(game.players)
    )


def copies(seats: Iterable[Any], tables: Iterable[Any]) -> Iterable[Any]:
    """The seats of a table at other tables."""
    for table in tables:
        for seat in seats:
            other = copy(seat)
            other.pk, other.table, other.holder = None, table, ""
            yield other


def report(found: Measured) -> str:
    """One line about an attack."""
    answers = ", ".join(f"{n} x {status}" for status, n in sorted(found.answers.items()))
    return f"{found.median:6.3f} {found.worst:6.3f} {found.asked:4}   {answers}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=15, help="of each attack")
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found: dict[str, Measured] = {}
    with opened("sqlite") as house:
        from brassmill.web.server import startup

        startup.wait()
        for name, attack in {"none": None, **attacks(built(house))}.items():
            found[name] = measured(house, attack, asked.seconds, asked.clients)
            if not asked.json:
                print(f"{name:24} {report(found[name])}", flush=True)
    if asked.json:
        print(json.dumps({name: each._asdict() for name, each in found.items()}))


if __name__ == "__main__":
    main()
