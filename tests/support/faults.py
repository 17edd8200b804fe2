"""Faults that a server must survive, made to happen.

Each is a context manager: it strikes on entering, and is put right on leaving. In between it lasts
for the seconds that it yields.
"""

from __future__ import annotations

import sqlite3
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from random import Random
from signal import SIGCONT, SIGSTOP
from time import monotonic, sleep

from support.crowd import LOST, Crowd
from support.deployment import wait_for
from support.house import House
from support.postgres import Cluster, ask

UNFELT = 30.0  # seconds after which a full disk is given back, even if no move has failed
OVERDUE = 25.0  # seconds: longer than the server waits for a lock
LOCKS = (  # of PostgreSQL: on what, and whether reading must wait, too
    "web_entry IN EXCLUSIVE MODE",
    "web_entry IN ACCESS EXCLUSIVE MODE",
    "web_table IN EXCLUSIVE MODE",
    "web_table IN ACCESS EXCLUSIVE MODE",
)


@dataclass
class Scene:
    """Where faults happen, and their random numbers."""

    house: House
    crowd: Crowd
    rng: Random
    loop: AbstractEventLoop

    @property
    def cluster(self) -> Cluster:
        assert self.house.cluster
        return self.house.cluster

    @property
    def lost(self) -> int:
        """How many answers were lost so far."""
        journals = [game.journal for game in self.crowd.games]
        return sum(sent.fate == LOST for journal in journals for sent in journal)


Fault = Callable[[Scene], AbstractContextManager[float]]


# --- processes and connections -------------------------------------------------------------------


@contextmanager
def server_killed(scene: Scene) -> Iterator[float]:
    """Every process of the server is killed, and it is started again."""
    scene.house.kill()
    yield 0.0
    scene.house.start_again()


@contextmanager
def process_killed(scene: Scene) -> Iterator[float]:
    """One of several processes is killed; the supervisor replaces it."""
    scene.house.kill_worker()
    yield 0.0


@contextmanager
def players_cut_off(scene: Scene) -> Iterator[float]:
    """For two seconds, everyone who waits for an answer loses the connection."""
    until = monotonic() + 2.0
    while monotonic() < until:
        scene.loop.call_soon_threadsafe(scene.crowd.cut)
        sleep(scene.rng.uniform(0.0, 0.02))  # some before their move is stored, some after
    yield 0.0


@contextmanager
def connections_terminated(scene: Scene) -> Iterator[float]:
    """PostgreSQL closes all connections of the server."""
    words = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    ask(scene.cluster.address("postgres"), words, scene.house.database.rpartition("/")[2])
    yield 0.0


def postgresql_stopped(mode: str) -> Fault:
    """PostgreSQL is stopped, and started after some seconds."""

    @contextmanager
    def stopped(scene: Scene) -> Iterator[float]:
        scene.cluster.stop(mode)
        yield scene.rng.uniform(0, 3)
        scene.cluster.start()

    return stopped


@contextmanager
def postgresql_frozen(scene: Scene) -> Iterator[float]:
    """PostgreSQL does nothing for some seconds, then goes on where it was."""
    scene.cluster.signal(SIGSTOP)
    yield scene.rng.uniform(1, 6)
    scene.cluster.signal(SIGCONT)


# --- the disk and locks --------------------------------------------------------------------------


@contextmanager
def disk_full(scene: Scene) -> Iterator[float]:
    """The disk of the database is full until a move has failed, and some seconds more."""
    disk = scene.house.disk
    assert disk
    lost, until = scene.lost, monotonic() + UNFELT
    disk.fill()
    while scene.lost == lost and monotonic() < until:
        sleep(0.1)
        disk.fill()  # what the database has freed meanwhile
    yield scene.rng.uniform(0, 3)
    disk.free()
    if scene.house.cluster:
        wait_for(lambda: is_up_again(scene.cluster), "PostgreSQL")


def is_up_again(cluster: Cluster) -> bool:
    if cluster.has_given_up:
        cluster.start()
    return cluster.is_ready


@contextmanager
def database_locked(scene: Scene) -> Iterator[float]:
    """Another program holds a lock; once in a while for longer than the server waits."""
    seconds = scene.rng.uniform(1, 8) if scene.rng.random() < 0.9 else OVERDUE
    if scene.house.cluster:
        import psycopg

        with psycopg.connect(scene.house.database) as other:
            other.execute(f"LOCK TABLE {scene.rng.choice(LOCKS)}".encode())
            yield seconds
        return
    file = scene.house.home / "table.sqlite3"
    holder = sqlite3.connect(file, timeout=60, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    yield seconds
    holder.rollback()
    holder.close()


def then_killed(fault: Fault) -> Fault:
    """While a fault lasts, the server is killed; it is started again when all is well."""

    @contextmanager
    def both(scene: Scene) -> Iterator[float]:
        with fault(scene) as seconds:
            sleep(min(seconds, 5.0))
            scene.house.kill()
        yield 0.0
        scene.house.start_again()

    return both


SQLITE: dict[str, Fault] = {
    "server killed": server_killed,
    "disk full": disk_full,
    "disk full, server killed": then_killed(disk_full),
    "database locked": database_locked,
    "database locked, server killed": then_killed(database_locked),
    "players cut off": players_cut_off,
}
POSTGRESQL: dict[str, Fault] = {
    "one process killed": process_killed,
    **SQLITE,
    "connections terminated": connections_terminated,
    "PostgreSQL restarted": postgresql_stopped("fast"),
    "PostgreSQL crashed": postgresql_stopped("immediate"),
    "PostgreSQL frozen": postgresql_frozen,
    "PostgreSQL frozen, server killed": then_killed(postgresql_frozen),
}
