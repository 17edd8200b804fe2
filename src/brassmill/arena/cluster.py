"""Games played, or mined for puzzles, on a Ray cluster (extra `ray`).

Every game is a task. Ray retries it elsewhere if the process or machine dies; only this process,
which asked for the game, writes the result.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from brassmill.arena.workers import TRIES, Lost, Play, Played
from brassmill.errors import BrassError
from brassmill.language import gettext as _

AHEAD = 2  # tasks per processor, so that none waits for the next game
AUTO = "auto"  # Ray finds the cluster of this machine by itself
PATIENCE = 5  # seconds for a cluster to answer


def play_all(play: Play[Played], games: Iterable[int], address: str) -> Generator[Played | Lost]:
    """Play games, in any order, each once."""
    with connected(address) as ray:
        task = ray.remote(max_retries=TRIES - 1)(play_one)
        waiting = deque(games)
        running: dict[Any, int] = {}
        while waiting or running:
            processors = max(
                1, int(ray.cluster_resources().get("CPU", 0))
            )  # machines may join later
            room = AHEAD * processors - len(running)
            for _task in range(min(room, len(waiting))):
                game = waiting.popleft()
                running[task.remote(play, game)] = game
            (done, *_others), _rest = ray.wait(list(running))
            game = running.pop(done)
            try:
                played: Played | Lost = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except ray.exceptions.RayError:  # every worker that played it died
                played = Lost(game)
            yield played


def play_one(play: Play[Played], game: int) -> Played:
    """One task; Ray wants a plain function."""
    return play(game)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage statistics
    try:
        import ray
    except ImportError as error:
        words = _("--ray needs Ray: pip install 'brassmill[ray]'")
        raise BrassError(words) from error
    if address != AUTO:
        check(address)
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise BrassError(no_cluster(address, error)) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def check(address: str) -> None:
    """Refuse an address that does not answer: Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit():
        words = _("{address!r} is not a Ray address; use a form such as 192.168.0.1:6379")
        raise BrassError(words.format(address=address))
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise BrassError(no_cluster(address, error)) from error


def no_cluster(address: str, error: Exception) -> str:
    """The error message for a cluster that does not answer."""
    words = _("no Ray cluster at {address}: {error}")
    return words.format(address=address, error=error)
