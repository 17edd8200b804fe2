"""`brass serve` before its rules are compiled.

The helper that compiles waits for the lock of the cache. So a test holds that lock, puts the rules
of this machine into the cache when the time has come, and lets go.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from filelock import FileLock

from brassmill.rules import jit
from support.deployment import PATIENCE, Guest, command_of, wait_for
from support.serving import serve

HELPER, THINKER = b"brassmill.rules.helper", b"brassmill.bots.elsewhere"


class ColdServer:
    """A server whose rules are not compiled until `compile` is called."""

    def __init__(self, home: Path, *options: str, **environment: str) -> None:
        self.home, self.options, self.environment = home, options, environment
        self.folder = home / "cache" / jit.cache_folder().path.name
        self.folder.parent.mkdir(parents=True)
        self.lock = FileLock(jit.lock_of(self.folder), thread_local=False)
        self.lock.acquire()
        self.start()

    def start(self, *more: str) -> None:
        home = {"BRASSMILL_HOME": str(self.home)}
        self.process, self.site = serve(*self.options, *more, **home, **self.environment)

    def compile(self) -> None:
        """Put compiled rules into the cache, and let the helper find them."""
        shutil.copytree(jit.cache_folder().path, self.folder)
        self.lock.release()

    @property
    def is_compiled(self) -> bool:
        """Does the process that answers run compiled rules?"""
        status, text = Guest().get(self.site, "/ready/?format=json")
        assert status == 200
        return bool(json.loads(text)["done"])

    def started(self, module: bytes) -> list[int]:
        """The processes of the server that run a module."""
        return [pid for pid in descendants(self.process.pid) if module in command_of(pid)]

    def wait_for_start(self, module: bytes) -> int:
        """Wait for such a process."""
        wait_for(lambda: bool(self.started(module)), module.decode())
        return self.started(module)[0]

    def restart(self) -> None:
        """Kill it, and start it again on its port."""
        port = self.site.rpartition(":")[2]
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)
        self.start("--port", port)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)
        self.lock.release(force=True)

    def log(self, table: str) -> list[Any]:
        """The bodies of all entries of a table, from SQLite."""
        return log_in(self.home, table)


def log_in(home: Path, table: str) -> list[Any]:
    """The bodies of all entries of a table."""
    with closing(sqlite3.connect(home / "table.sqlite3")) as database:
        rows = database.execute(
            "SELECT body FROM web_entry WHERE table_id = ? ORDER BY number", [table]
        )
        return [json.loads(body) for (body,) in rows]


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            started = [int(word) for word in file.read_text().split()]
        except OSError:  # it has ended
            continue
        found += [each for child in started for each in (child, *descendants(child))]
    return found
