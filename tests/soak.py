"""A soak: many games at once on a real server, which is killed in the middle.

    python tests/soak.py --database sqlite --games 200 --minutes 10 --rate 20
    python tests/soak.py --database postgresql --games 200 --minutes 10 --rate 20

One process with a file, or three with a PostgreSQL that is started for it. Half of the games are
near their end. A server process is killed, PostgreSQL is restarted, and at the end all is started
anew. Then every acknowledged choice must be in the log, once and in order, nothing else but choices
whose answer was lost, and every game must go on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from support.crowd import (
    ACKNOWLEDGED,
    LOST,
    REFUSED,
    SECRET,
    UNSENT,
    Crowd,
    Game,
    Player,
    Sent,
    matches,
)
from support.deployment import KEY, Server, command_of, wait_for, workers_of
from support.homes import make_home
from support.postgres import Cluster

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
EDITIONS = ("birmingham", "lancashire", "classic")
DEALS = 3  # of each edition
PROCESSES = 3  # that share a PostgreSQL

Body = dict[str, Any]


# --- tables --------------------------------------------------------------------------------------


def dealt(edition: str, seed: int) -> TableSession:
    """A table of four people that is in no database."""
    from brassmill.web.models import Seat, Table
    from brassmill.web.table.session import TableSession

    table = Table(edition=edition, players=len(PLAYERS), seed=str(seed))
    return TableSession(
        table, [Seat(table=table, number=n, name=name) for n, name in enumerate(PLAYERS)]
    )


def played(session: TableSession, rng: random.Random) -> list[Body]:
    """The log of a whole game in which everybody chooses by chance."""
    log: list[Body] = []
    while not session.over:
        body: Body = {"end": True}
        if session.game.question != "turn over":
            body = {"choose": [rng.choice(session.game.legal_choices().ids)]}
        session._do(body)
        log.append(body)
    return log


def set_up(number: int, each: int, rng: random.Random) -> dict[str, tuple[str, int]]:
    """Tables of people, by name: the edition, and how long the log is.

    To each so many choices will be offered: half of them are so near the end that most will reach
    it, and the others anywhere before.
    """
    from brassmill.web.models import Entry, Seat, Table

    deals = [(edition, seed) for edition in EDITIONS for seed in range(DEALS)]
    logs = {deal: played(dealt(*deal), rng) for deal in deals}
    tables, seats, entries, made = [], [], [], {}
    for place in range(number):
        edition, seed = deals[place % len(deals)]
        log = logs[edition, seed]
        left = rng.randint(2, each) if place < number / 2 else rng.randint(len(log) // 2, len(log))
        log = log[: len(log) - left]
        table = Table(edition=edition, players=len(PLAYERS), seed=str(seed), host="host")
        tables.append(table)
        seats += [
            Seat(table=table, number=n, name=name, holder=f"{table.id}-{n}")
            for n, name in enumerate(PLAYERS)
        ]
        entries += [Entry(table=table, number=n, body=body) for n, body in enumerate(log, 1)]
        made[table.id] = (edition, len(log))
    Table.objects.bulk_create(tables)
    Seat.objects.bulk_create(seats)
    Entry.objects.bulk_create(entries, batch_size=2000)
    hang_up()
    return made


def hang_up() -> None:
    """Leave the database alone: it may be restarted."""
    from django.db import connection

    from brassmill.web.server import database

    connection.close()
    if database.is_shared():
        connection.close_pool()  # type: ignore[attr-defined]


def cookie_of(key: str) -> str:
    """The cookies of a visitor who has been there before."""
    from django.conf import settings
    from django.contrib.sessions.backends.signed_cookies import SessionStore
    from django.utils import timezone

    session = SessionStore()
    session.update({"visitor": key, "seen": f"{timezone.now():%Y-%m}"})
    session.save()
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={session.session_key}; {settings.CSRF_COOKIE_NAME}={SECRET}"


def log_after(table: str, length: int) -> list[Body]:
    """What was added to a log, as it was sent; the log has no gaps."""
    from brassmill.editions import edition
    from brassmill.web.models import Entry, Table
    from brassmill.web.table import archive

    kept = Table.objects.get(pk=table)
    kind = edition(kept.edition, kept.players, **kept.options)
    rows = Entry.objects.filter(table=table).values_list("number", "body")
    assert [number for number, _body in rows] == list(range(1, len(rows) + 1)), table
    return [archive.read(kind, body) for _number, body in rows][length:]


# --- the house -----------------------------------------------------------------------------------


class House:
    """A server and its database, for which one can make life hard."""

    def __init__(self, home: Path, cluster: Cluster | None) -> None:
        self.home, self.cluster = make_home(home), cluster
        self.database = cluster.database() if cluster else ""
        self.options = ["--processes", str(PROCESSES)] if cluster else []
        self.said: list[str] = []  # by the server, beside where it is
        self.spent = 0.0  # seconds of processors, of what was killed
        self.start()

    def start(self, port: str = "") -> None:
        self.server = Server(self.home, self.database, *self.options, *port.split())
        assert self.server.process.stdout
        Thread(target=self.said.extend, args=[self.server.process.stdout], daemon=True).start()
        wait_for(lambda: self.server.is_ready, "a server")

    @property
    def place(self) -> tuple[str, int]:
        found = urlsplit(self.server.site)
        assert found.hostname and found.port
        return found.hostname, found.port

    @property
    def processor(self) -> float:
        """Seconds of processors that were spent by all that answer, or did."""
        return self.spent + sum(map(spent_by, [self.server.process.pid, *workers_of(self.server)]))

    def restart(self) -> None:
        """Kill all of it, and start it again at the same port."""
        self.spent = self.processor
        crew = workers_of(self.server)
        self.server.process.kill()
        self.server.process.wait()
        for pid in crew:  # they would end by themselves, and still answer meanwhile
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(map(command_of, crew)), "the end of all, which frees the port")
        self.start(f"--port {self.place[1]}")

    def kill_one(self) -> None:
        """Kill a process that answers."""
        if not self.cluster:
            return self.restart()
        one = min(workers_of(self.server))
        self.spent += spent_by(one)
        os.kill(one, signal.SIGKILL)
        wait_for(lambda: len(workers_of(self.server) - {one}) == PROCESSES, "another process")
        return None

    def close(self) -> None:
        self.server.process.kill()
        self.server.process.wait()
        if self.cluster:
            self.cluster.remove()


def spent_by(pid: int) -> float:
    """Seconds of processors that a process has spent."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def opened(database: str) -> Iterator[House]:
    """A house in a temporary folder; this process knows its database."""
    from brassmill.web.server import home

    with tempfile.TemporaryDirectory(prefix="brassmill-soak-") as folder:
        house = House(Path(folder, "home"), Cluster() if database == "postgresql" else None)
        try:
            os.environ.update(
                BRASSMILL_HOME=str(house.home),
                BRASSMILL_SECRET_KEY=KEY,
                DATABASE_URL=house.database,
            )
            home.prepare()
            yield house
        finally:
            house.close()


# --- the run -------------------------------------------------------------------------------------


async def soak(house: House, games: list[Game], seconds: float, rate: float) -> list[Any]:
    """Play, and make it hard meanwhile: when that was."""
    crowd, rng = games[0].crowd, random.Random(2)
    crowd.come()
    await crowd.settle()
    outages: list[tuple[float, float]] = []
    playing = asyncio.create_task(crowd.play(rate, seconds, rng))
    troubles: list[Callable[[], None]] = [house.kill_one]
    if house.cluster:
        troubles.append(house.cluster.restart)
    for trouble in troubles:
        await asyncio.sleep(seconds / (len(troubles) + 1))
        began = monotonic()
        await asyncio.to_thread(trouble)
        await crowd.settle()
        outages.append((began, monotonic()))
    await playing
    await crowd.leave()
    return outages


async def go_on(games: list[Game]) -> list[str]:
    """One more choice at every table that is not over: where there is none."""
    rng, faults = random.Random(3), []
    for game in games:
        for player in game.players:
            player.view = player.used = None
            answer = await game.crowd.ask(f"GET /t/{game.table}.json", player.cookie)
            if answer.status == 200:
                player.view = json.loads(answer.body)
        if not all(player.view for player in game.players):
            faults.append(f"{game.table} cannot be looked at")
        elif game.mover:
            await game.go_on(monotonic(), rng)
            if game.journal[-1].fate != ACKNOWLEDGED:
                faults.append(f"{game.table} does not go on: {game.journal[-1]}")
        elif not is_over(game):
            faults.append(f"{game.table} is not over, and nobody can choose")
    return faults


def is_over(game: Game) -> bool:
    return any(player.view and player.view["over"] for player in game.players)


def run(database: str, games: int, minutes: float, rate: float) -> dict[str, Any]:
    """A soak: what it has shown; `faults` must be empty."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # two lines for every player
    with opened(database) as house:
        from brassmill.web.server import startup

        startup.wait()
        began = monotonic()
        each = round(rate * minutes * 60 / games)
        tables = set_up(games, each, random.Random(1))
        crowd = Crowd(*house.place)
        for table, (edition, _length) in tables.items():
            game = Game(crowd, table, edition)
            game.players = [
                Player(game, seat, cookie_of(f"{table}-{seat}")) for seat in range(len(PLAYERS))
            ]
            crowd.games.append(game)
        prepared = monotonic() - began
        busy, before = process_time(), house.processor
        outages = asyncio.run(soak(house, crowd.games, minutes * 60, rate))
        busy, spent = process_time() - busy, house.processor - before
        sent = [each for game in crowd.games for each in game.journal]
        found = report(crowd, sent, outages)
        house.restart()  # whatever was in memory is gone: all that is true is in the log
        faults = asyncio.run(go_on(crowd.games))
        for game in crowd.games:
            if not matches(game.journal, log_after(game.table, tables[game.table][1])):
                faults.append(f"the log of {game.table} is not what was acknowledged")
        faults += wrong_answers(crowd)
        found |= {"set up": prepared, "processor, server": spent, "processor, players": busy}
        found |= {"faults": faults, "complaints": complaints(house.said)}
        return found


def wrong_answers(crowd: Crowd) -> list[str]:
    """Answers that nobody should get; a server that is too busy may say so (503)."""
    faults = [f"{each.status} for {each.what}" for each in crowd.troubles if each.status != 503]
    stale = 409  # he has not heard yet what has moved
    wrong = {
        status: number
        for status, number in crowd.statuses.items()
        if 400 <= status < 500 and status != stale
    }
    return faults + [f"{number} answers with {status}" for status, number in wrong.items()]


def complaints(said: list[str]) -> list[str]:
    """What a server has said, but that it is not ready."""
    lines = [line.strip() for line in said]
    return [line for line in lines if line and not line.startswith("Service Unavailable")]


# --- what is told --------------------------------------------------------------------------------


def report(crowd: Crowd, sent: list[Sent], outages: list[Any]) -> dict[str, Any]:
    """Counts, and times in milliseconds."""

    def is_quiet(begin: float, end: float) -> bool:
        return not any(begin < to and end > since for since, to in outages)

    began = min((each.due for each in sent), default=0.0)
    fates = [each.fate for each in sent]
    done = [each for each in sent if each.fate == ACKNOWLEDGED]
    return {
        "games": len(crowd.games),
        "offered": len(sent) + crowd.skipped,
        "without a free table": crowd.skipped,
        "acknowledged": len(done),
        "refused": fates.count(REFUSED),
        "answer lost": fates.count(LOST),
        "nobody was ready": fates.count(UNSENT),
        "views fetched": crowd.statuses[200] - len(done),
        "503": crowd.statuses[503],
        "503 without an outage": [
            f"{each.what} from {each.asked - began:.1f} to {each.answered - began:.1f} s"
            for each in crowd.troubles
            if each.status == 503 and is_quiet(each.asked, each.answered)
        ],
        "finished": sum(map(is_over, crowd.games)),
        "outages": [end - begin for begin, end in outages],
        "choice": times([e.until - e.due for e in done if is_quiet(e.due, e.until)]),
        "choice, outages too": times([e.until - e.due for e in done]),
        "event": times([took for at, took in crowd.delays if is_quiet(at, at + took)]),
        "event, outages too": times([took for _at, took in crowd.delays]),
    }


def times(seconds: list[float]) -> dict[str, float]:
    found = sorted(1000 * each for each in seconds) or [0.0]
    if len(found) == 1:
        found *= 2
    return {
        "median": median(found),
        "95%": quantiles(found, n=20)[-1],
        "99%": quantiles(found, n=100)[-1],
        "longest": found[-1],
        "number": len(seconds),
    }


def told(found: dict[str, Any]) -> str:
    """The same as a table."""
    lines = []
    for name, value in found.items():
        if isinstance(value, dict):
            words = ", ".join(f"{key} {each:.0f}" for key, each in value.items())
            lines.append(f"{name + ' (ms)':28} {words}")
        elif isinstance(value, list):
            shown = [f"{each:.1f} s" if isinstance(each, float) else each for each in value]
            lines.append(f"{name:28} {'; '.join(shown) or 'none'}")
        else:
            lines.append(f"{name:28} {value if isinstance(value, int) else f'{value:.1f} s'}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=20, help="choices in a second, of all games")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = run(asked.database, asked.games, asked.minutes, asked.rate)
    print(json.dumps(found) if asked.json else told(found))
    sys.exit(bool(found["faults"]))


if __name__ == "__main__":
    main()
