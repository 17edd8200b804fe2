"""A server with its database and games in progress, for load and fault tests."""

from __future__ import annotations

import os
import random
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from support.crowd import SECRET, Crowd, Game, Player
from support.deployment import KEY, Server, command_of, wait_for, workers_of
from support.disk import Disk
from support.homes import make_home
from support.postgres import Cluster
from support.together import entry_sent

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
EDITIONS = ("birmingham", "lancashire", "classic")
DEALS = 3  # of each edition
PROCESSES = 3  # that share a PostgreSQL

Body = dict[str, Any]


class House:
    """A server and its database: one process with SQLite, or several with PostgreSQL."""

    def __init__(
        self, folder: Path, disk: Disk | None, cluster: Cluster | None, processes: int = 1
    ) -> None:
        self.folder, self.disk, self.cluster = folder, disk, cluster
        self.home = make_home((disk.folder if disk else folder) / "home")
        self.database = cluster.database() if cluster else ""
        self.processes = processes
        self.options = ["--processes", str(processes)] if processes > 1 else []
        self.said: list[str] = []  # the server's output after its address
        self.options += ["--port", str(port_of_its_own())]
        self.spent = 0.0  # processor seconds of killed processes
        self.others: list[Server] = []  # further machines
        self._start()

    def _start(self) -> None:
        # A killed process leaves temporary files.
        temporary = {"TMPDIR": str(self.folder)}
        self.server = Server(self.home, self.database, *self.options, **temporary)
        assert self.server.process.stdout
        Thread(target=self.said.extend, args=[self.server.process.stdout], daemon=True).start()

    def add_machine(self) -> None:
        """Add a machine with a home, a port and one process of its own, on the same database."""
        machine = Server(self.folder / f"home-{len(self.others)}", self.database)
        self.others.append(machine)
        wait_for(lambda: machine.is_ready, "another machine")

    @property
    def place(self) -> tuple[str, tuple[int, ...]]:
        """Its host, and the ports of all its machines."""
        found = [urlsplit(server.site) for server in (self.server, *self.others)]
        assert found[0].hostname
        return found[0].hostname, tuple(each.port or 0 for each in found)

    @property
    def processor(self) -> float:
        """Processor seconds of all its processes so far."""
        others = [server.process.pid for server in self.others]
        every = [self.server.process.pid, *workers_of(self.server), *others]
        return self.spent + sum(map(spent_by, every))

    @property
    def environment(self) -> dict[str, str]:
        """The variables for commands that use the same database."""
        return {
            "BRASSMILL_HOME": str(self.home),
            "BRASSMILL_SECRET_KEY": KEY,
            "DATABASE_URL": self.database,
        }

    def wait(self) -> None:
        """Wait until it is ready."""
        wait_for(lambda: self.server.is_ready, "a server")

    def kill(self) -> None:
        """Kill all its processes."""
        self.spent = self.processor
        workers = workers_of(self.server)
        self.server.process.kill()
        self.server.process.wait()
        for pid in workers:  # they would stop by themselves, but still answer until then
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(map(command_of, workers)), "the end of all, which frees the port")

    def start_again(self) -> None:
        """Start it at the same port."""
        self._start()

    def restart(self) -> None:
        self.kill()
        self.start_again()
        self.wait()

    def kill_worker(self) -> int:
        """Kill one of several processes; the supervisor replaces it."""
        wait_for(lambda: bool(workers_of(self.server)), "a process to kill")
        one = min(workers_of(self.server))
        self.spent += spent_by(one)
        os.kill(one, signal.SIGKILL)
        return one

    def kill_one(self) -> None:
        """Kill a process that serves pages, and wait for its replacement."""
        if not self.cluster:
            return self.restart()
        one = self.kill_worker()
        wait_for(lambda: len(workers_of(self.server) - {one}) == PROCESSES, "another process")
        return None

    def close(self) -> None:
        for server in (self.server, *self.others):
            server.process.kill()
            server.process.wait()


def port_of_its_own() -> int:
    """A free port that no other program is likely to take while the server is down."""
    while True:
        port = random.SystemRandom().randrange(10_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def spent_by(pid: int) -> float:
    """Processor seconds that a process has used; none if it has ended."""
    if not command_of(pid):
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def opened(database: str, *, with_disk: bool = False, machines: int = 1) -> Iterator[House]:
    """A house in a temporary folder, with its data on a small disk if wanted.

    This process uses the same database.
    """
    from brassmill.web.server import home

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brassmill-soak-")))
        folder.chmod(0o711)  # PostgreSQL runs as another user
        disk = stack.enter_context(Disk(folder / "disk")) if with_disk else None
        cluster = None
        if database == "postgresql":
            cluster = Cluster(disk.folder if disk else None)
            stack.callback(cluster.remove)
        house = House(folder, disk, cluster, PROCESSES if cluster and machines == 1 else 1)
        stack.callback(house.close)
        house.wait()
        for _ in range(machines - 1):
            house.add_machine()
        os.environ.update(house.environment)
        home.prepare()
        yield house
        hang_up()


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
    """The log of a whole game of random choices."""
    log: list[Body] = []
    while not session.over:
        body: Body = {"end": True}
        if session.game.question != "turn over":
            body = {"choose": [rng.choice(session.game.legal_choices().ids)]}
        session.apply(body)
        log.append(body)
    return log


def set_up(number: int, each: int, rng: random.Random) -> dict[str, tuple[str, int]]:
    """Make tables of people; return the edition and the length of the log of each.

    Half of them will most likely be finished by `each` more choices; the others are anywhere
    before.
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
        table = Table(edition=edition, players=len(PLAYERS), seed=str(seed), host="host", pace=0)
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
    """Close this process's connections: the database may be restarted."""
    from django.db import connection

    from brassmill.web.server import database

    connection.close()
    if database.is_shared():
        connection.close_pool()  # type: ignore[attr-defined]


def invite(crowd: Crowd, tables: dict[str, tuple[str, int]]) -> None:
    """Seat the players of these tables."""
    for table, (edition, _length) in tables.items():
        game = Game(crowd, table, edition)
        game.players = [
            Player(game, seat, cookie_of(f"{table}-{seat}")) for seat in range(len(PLAYERS))
        ]
        crowd.games.append(game)


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
    """What people added to a log, as they sent it; the log has no gaps."""
    from brassmill.web.models import Entry, Table
    from brassmill.web.table import archive
    from brassmill.web.table.session import TableSession

    kept = Table.objects.get(pk=table)
    rows = Entry.objects.filter(table=table).values_list("number", "body")
    assert [number for number, _body in rows] == list(range(1, len(rows) + 1)), table
    bodies = [body for _number, body in rows]
    session = TableSession(kept, kept.seats.all())
    if any("seat" in body for body in bodies):  # only a bot's moves need the positions
        session.expect(bodies)
        by_people = []
        for body in bodies:
            is_move = "choose" in body or "end" in body
            by_people.append(not (session.mover_is_bot and is_move))
            session.play_stored(body)
    else:
        by_people = [True] * len(bodies)
    known = [archive.read(session.game.edition, body) for body in bodies]
    return [
        entry_sent(body)
        for body, by_person in list(zip(known, by_people, strict=True))[length:]
        if by_person
    ]
