"""Several servers that share a PostgreSQL database, and visitors who use any of them."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

from support.homes import make_home
from support.postgres import Cluster, ask
from support.serving import serve

PATIENCE = 180  # seconds, enough for a machine under load
KEY = "the key that all servers of the deployment share"


def wait_for(true: Callable[[], bool], what: str) -> None:
    """Wait until a condition is true."""
    until = monotonic() + PATIENCE
    while not true():
        assert monotonic() < until, f"it has not come: {what}"
        sleep(0.05)


class Server:
    """`brass serve` on a database."""

    def __init__(self, home: Path, database: str, *options: str, **environment: str) -> None:
        self.process, self.site = serve(
            *options,
            BRASSMILL_HOME=str(make_home(home)),
            BRASSMILL_SECRET_KEY=KEY,
            DATABASE_URL=database,
            **environment,
        )

    @property
    def is_ready(self) -> bool:
        return Guest().get(self.site, "/health/")[0] == 200

    def stop(self) -> str:
        """Stop it like a service; return its output."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=PATIENCE)[0]

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.kill()
        self.process.communicate()


class Guest:
    """A visitor who uses any of the servers, always with the same cookies."""

    def __init__(self) -> None:
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.token = ""  # CSRF token
        self.choices = 0  # number of choices made
        self.address = ""  # of the last page

    def get(self, site: str, path: str) -> tuple[int, str]:
        """Return the status and text of a page."""
        return self._open(Request(site + path))

    def post(self, site: str, path: str, **fields: object) -> tuple[int, str]:
        """Post a form."""
        if not self.token:
            found = re.search(r'"csrfmiddlewaretoken" value="(\w+)"', self.get(site, "/")[1])
            assert found
            self.token = found[1]
        body = urlencode({**fields, "csrfmiddlewaretoken": self.token}, doseq=True).encode()
        return self._open(Request(site + path, body))

    def _open(self, request: Request) -> tuple[int, str]:
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                self.address = urlsplit(answer.url).path
                return int(answer.status), str(answer.read(), "utf-8")
        except HTTPError as error:
            return error.code, error.read().decode()

    # --- at a table ------------------------------------------------------------------------------

    def begin(self, site: str, *who: str) -> str:
        """Start a game with open hands and return its table; you have the first seat."""
        fields: dict[str, object] = {"players": len(who), "hands": "open", "seed": 7}
        for number, each in enumerate(who):
            fields |= {f"who-{number}": each, f"name-{number}": "ABCD"[number] * 3}
        status, text = self.post(site, "/new/birmingham/", **fields)
        assert status == 200 and self.address.startswith("/t/"), text
        return self.address.split("/")[2]

    def look(self, site: str, table: str) -> dict[str, Any]:
        """Return the table as data."""
        status, text = self.get(site, f"/t/{table}.json")
        assert status == 200, text
        data: dict[str, Any] = json.loads(text)
        return data

    def click(self, site: str, table: str, seen: dict[str, Any]) -> tuple[int, str]:
        """Make the first choice open at the last look, or end the turn."""
        number = seen["number"]
        if seen["offers"]:
            self.choices += 1
            choice = seen["offers"][0]["id"]
            return self.post(site, f"/t/{table}/choose/", number=number, choice=choice)
        return self.post(site, f"/t/{table}/end/", number=number)

    def play_turn(self, site: str, table: str) -> None:
        """Take a whole turn."""
        seen = self.look(site, table)
        seat = seen["to_move"]
        while seen["to_move"] == seat and seen["offers"]:
            assert self.click(site, table, seen)[0] == 200
            seen = self.look(site, table)
        if seen["to_move"] == seat:
            assert self.click(site, table, seen)[0] == 200

    @contextmanager
    def stream(self, site: str, table: str) -> Iterator[Stream]:
        """Open the event stream of a table."""
        with self.opener.open(f"{site}/t/{table}/events/", timeout=PATIENCE) as answer:
            yield Stream(answer)


class Stream:
    """An event stream of a browser."""

    def __init__(self, answer: HTTPResponse) -> None:
        self.answer = answer

    def wait(self) -> str:
        """Wait for the next stamp."""
        until = monotonic() + PATIENCE
        while line := self.answer.readline():
            if line.startswith(b"data:"):
                return line.removeprefix(b"data:").strip().decode()
            assert monotonic() < until, "it has not come: an event"
        raise EOFError


class Deployment:
    """Three servers with one database."""

    def __init__(self, cluster: Cluster, folder: Path, number: int = 3) -> None:
        self.cluster = cluster
        self.folder = folder
        self.database = cluster.database()
        # All at once on an empty database: one of them creates the tables.
        self.servers = [self._server(n) for n in range(number)]
        for server in self.servers:
            wait_for(lambda server=server: server.is_ready, "a server")  # type: ignore[misc]

    def _server(self, number: int) -> Server:
        """Start a server that writes e-mails to files in its home."""
        home = self.folder / f"home{number}"
        return Server(home, self.database, BRASSMILL_EMAIL_BACKEND="")

    @property
    def sites(self) -> list[str]:
        return [server.site for server in self.servers]

    def ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        return ask(self.database, question, *values)

    def log(self, table: str) -> list[dict[str, Any]]:
        """Return the log of a table; it has no gaps."""
        rows = self.ask(
            "SELECT number, body FROM web_entry WHERE table_id = %s ORDER BY number", table
        )
        assert [number for number, _body in rows] == list(range(1, len(rows) + 1))
        return [body for _number, body in rows]

    def holder(self, table: str) -> int:
        """Return the process that plays the bots of a table, or 0."""
        found = self.ask(
            "SELECT leased_by FROM web_table WHERE id = %s AND leased_until > now()", table
        )
        return int(found[0][0].split()[0]) if found else 0

    def pace(self, table: str, milliseconds: int) -> None:
        self.ask("UPDATE web_table SET pace = %s WHERE id = %s", milliseconds, table)

    def count(self, name: str) -> float:
        """Add up a metric of all servers."""
        total = 0.0
        for site in self.sites:
            found = re.search(rf"^{name} (\S+)$", Guest().get(site, "/metrics")[1], re.MULTILINE)
            assert found, name
            total += float(found[1])
        return total

    def replace(self, pid: int) -> None:
        """Start a server in place of a killed one."""
        place = [server.process.pid for server in self.servers].index(pid)
        self.servers[place].kill()
        self.servers[place] = self._server(place)
        wait_for(lambda: self.servers[place].is_ready, "a server")

    def close(self) -> None:
        for server in self.servers:
            server.kill()


def workers_of(server: Server) -> set[int]:
    """Return the worker processes of a server."""
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(each) for each in children if b"spawn_main" in command_of(int(each))}


def command_of(pid: int) -> bytes:
    """Return the command line of a process; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
