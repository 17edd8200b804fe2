"""A real PostgreSQL for tests: a separate cluster in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import sleep
from typing import Any

import pytest

from support.paths import TESTS

USER = "brassmill"
WANTED = (
    "the tests with several processes need {what}: `make test` as root installs it,"
    " `apt install postgresql`"
)


def find_postgresql() -> Path:
    """Return the folder of PostgreSQL's programs; skip the test without it."""
    try:
        import psycopg_pool  # noqa: F401
    except ImportError:
        pytest.skip(WANTED.format(what="psycopg"))
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = Path(on_path) if on_path else debian[-1] if debian else None
    if found is None:
        pytest.skip(WANTED.format(what="PostgreSQL"))
    return found.parent


class Cluster:
    """A server with a local port, which can be stopped, killed and restarted."""

    def __init__(self, parent: Path | None = None) -> None:
        """Start it in a folder within this one; without, where temporary files are kept."""
        self.programs = find_postgresql()
        self.folder = Path(tempfile.mkdtemp(prefix="brassmill-postgres-", dir=parent))
        # It refuses to run as root: use the account that Debian created for it.
        self.as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.as_user:
            shutil.chown(self.folder, "postgres")
        self.data = self.folder / "data"
        self._run("initdb", "-D", self.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        options += " -c max_wal_size=64MB"  # the disk may be small
        log = self.folder / "log"
        self._run("pg_ctl", "-D", self.data, "-l", log, "-o", options, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: connections are cut, committed data is kept. "immediate" is like a crash."""
        self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def restart(self) -> None:
        """Stop it and start it again."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """Kill it, like a power cut; `start` recovers from its journal."""
        os.kill(self._postmaster, signal.SIGSTOP)  # so that it starts no more processes
        processes = self._processes
        self.signal(signal.SIGKILL)
        # They share memory, and it cannot start again until the last one has ended.
        while not all(has_ended(each) for each in processes):
            sleep(0.01)
        (self.data / "postmaster.pid").unlink()  # without init to reap it, it would pass for alive

    def signal(self, sign: signal.Signals) -> None:
        """Send a signal to all its processes."""
        for each in self._processes:
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(each, sign)

    @property
    def _postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split("\n")[0])

    @property
    def _processes(self) -> list[int]:
        pid = self._postmaster
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [*map(int, children), pid]

    @property
    def is_ready(self) -> bool:
        """Does it answer?"""
        import psycopg

        try:
            ask(self.address("postgres"), "SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    @property
    def has_given_up(self) -> bool:
        """Has it ended by itself? It does when it finds no space for its journal."""
        return not (self.data / "postmaster.pid").exists()

    def database(self) -> str:
        """Return the URL of a new database."""
        import psycopg

        name = f"house_{token_hex(4)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def address(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def remove(self) -> None:
        """Stop it, and delete everything."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: object) -> None:
        done = subprocess.run(
            [*self.as_user, self.programs / program, *map(str, arguments)],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        log = self.folder / "log"
        assert done.returncode == 0, done.stdout + (log.read_text() if log.exists() else "")


def has_ended(pid: int) -> bool:
    """Has a process ended, even if nobody has reaped it yet?"""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def ask(address: str, question: str, *values: object) -> list[tuple[Any, ...]]:
    """Query a database."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        cursor = connection.execute(question.encode(), values)
        return cursor.fetchall() if cursor.description else []


def run_tests(cluster: Cluster, *tests: str) -> None:
    """Run tests in another process, on an empty database; all of them must pass."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", *tests],
        cwd=TESTS,
        env={**os.environ, "BRASSMILL_TESTS": "1", "DATABASE_URL": cluster.database()},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
