"""Games played by several processes of this machine.

Each process plays one game at a time. One that dies is replaced and its game played again; a game
that nobody survives is told, and the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait

from brassmill.arena.match import Play, Played
from brassmill.errors import BrassError

TRIES = 3  # a game kills so many workers before it is given up


@dataclass(frozen=True)
class Lost:
    """A game that could not be played: every process that tried it died."""

    game: int


class Worker:
    """A process that plays games."""

    def __init__(self, play: Play) -> None:
        # Spawned, not forked: compiled code and threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, play))
        with unheard():
            self.process.start()
        theirs.close()  # the end of the process is then the end of the pipe
        self.game: int | None = None

    def give(self, game: int) -> None:
        """Let it play a game."""
        self.game = game
        with suppress(ConnectionError):  # that it is dead is found when its answer is taken
            self.connection.send(game)

    def take(self) -> Played | None:
        """What came of its game; None if the process died."""
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
def unheard() -> Iterator[None]:
    """Processes that are started here never hear Ctrl-C: it is for the one that gives the games.

    Windows cannot block a signal: there a worker ignores Ctrl-C from its first line on.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its start would end the blocking
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(connection: Connection, play: Play) -> None:
    """What a worker does: play what it is told, until nobody is there any more.

    What a bot prints goes where errors go: the output is for the figures.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(attempt(play, connection.recv()))


def attempt(play: Play, game: int) -> Played | Exception:
    """What came of a game, or the error; as text, where it might not reach another process."""
    try:
        return play(game)
    except BrassError as error:
        return error
    except Exception:
        return RuntimeError(traceback.format_exc())


def play_all(play: Play, games: Iterable[int], workers: int) -> Generator[Played | Lost]:
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
