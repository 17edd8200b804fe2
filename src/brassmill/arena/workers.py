"""Games played, or mined for puzzles, by several processes on this machine.

Each process plays one game at a time. A process that dies is replaced and its game retried; a game
that keeps killing processes is reported, and the others continue.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from brassmill.errors import BrassError

Played = TypeVar("Played")  # what a game has come to
Play = Callable[[int], Played]  # plays the game with a number

TRIES = 3  # how many workers a game may kill before it is abandoned


@dataclass(frozen=True)
class Lost:
    """An abandoned game: every process that played it died."""

    game: int


class Worker(Generic[Played]):
    """A process that plays games."""

    def __init__(self, play: Play[Played]) -> None:
        # Spawned, not forked: compiled code and threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, play))
        with ignoring_interrupts():
            self.process.start()
        theirs.close()  # so the pipe ends when the process does
        self.game: int | None = None

    def give(self, game: int) -> None:
        """Start a game."""
        self.game = game
        with suppress(ConnectionError):  # a dead process is noticed when its answer is read
            self.connection.send(game)

    def take(self) -> Played | None:
        """The result of its game; None if the process died."""
        try:
            answer: Played | Exception = self.connection.recv()
        except (EOFError, ConnectionError):
            return None
        if isinstance(answer, Exception):
            raise answer
        self.game = None
        return answer

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self.process.terminate()
        self.process.join()


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Processes started in this block ignore Ctrl-C, which only the parent handles.

    Windows cannot block a signal: there a worker ignores Ctrl-C from its first line on.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(connection: Connection, play: Play[Played]) -> None:
    """A worker's loop: play the games it receives until the parent is gone.

    What a bot prints goes to stderr: stdout is for the results.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(attempt(play, connection.recv()))


def attempt(play: Play[Played], game: int) -> Played | Exception:
    """The result of a game, or the error; as text if it might not be picklable."""
    try:
        return play(game)
    except BrassError as error:
        return error
    except Exception:
        return RuntimeError(traceback.format_exc())


def play_all(play: Play[Played], games: Iterable[int], workers: int) -> Generator[Played | Lost]:
    """Play games, in any order, each once."""
    waiting = deque(games)
    deaths: Counter[int] = Counter()
    pool = [Worker(play) for _worker in range(min(workers, len(waiting)))]
    try:
        for worker in pool:
            worker.give(waiting.popleft())
        while busy := {worker.connection: worker for worker in pool if worker.game is not None}:
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                game = worker.game
                assert game is not None
                answer: Played | Lost | None = worker.take()
                if answer is None:
                    worker.stop()
                    pool[pool.index(worker)] = worker = Worker(play)
                    deaths[game] += 1
                    if deaths[game] < TRIES:
                        waiting.appendleft(game)
                    else:
                        answer = Lost(game)
                if waiting:
                    worker.give(waiting.popleft())
                if answer is not None:
                    yield answer
    finally:
        for worker in pool:
            worker.stop()
