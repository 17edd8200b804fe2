"""A batch on the threads of a CPU."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from threading import Lock
from typing import Any

import numpy as np

from brassmill.batch.attend import attend
from brassmill.core.choice import whole
from brassmill.core.worlds import make_worlds
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.observation.observe import observe_all
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import entry, uncounted
from brassmill.rules.layout import BOARD, DEAL, WORK

FEWEST = 2  # parts per thread, if all were as large as the first
MOST = 32  # parts per thread, if all were as small as the last, for one action per game


class Threads:
    """Each thread works on its share of the games, without the interpreter lock."""

    def __init__(self, edition: Edition, threads: int | None) -> None:
        self.threads = processors() if threads is None else whole("a number of threads", threads)
        if self.threads < 1:
            raise BrassError(f"a batch needs at least one thread, not {threads}")
        self.pool: ThreadPoolExecutor | None = None
        self.process = os.getpid()
        self.boards = np.zeros(1, BOARD)
        self.boards[0] = edition.board
        self.works = np.zeros(self.threads, WORK)
        self.deals = np.zeros(self.threads, DEAL)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Memory for a column of the batch."""
        return np.zeros(shape, dtype)

    def view(self, column: Any, dtype: Any) -> Any:
        """The same memory, read as another type."""
        return column.view(dtype)

    def to_host(self, column: Any) -> Any:
        """A NumPy copy."""
        return np.array(column)

    def fill(self, column: Any, values: Any) -> None:
        """Set a column."""
        column[:] = values.reshape(column.shape)

    def take(self, choices: Any, into: Any, legal: Any) -> int:
        """Copy the choices to play; return the first game where one is illegal, or -1."""
        self.copy(choices, into)
        return int(first_illegal(into, legal))

    def copy(self, choices: Any, into: Any) -> None:
        """Copy the choices to play."""
        into[:] = fitting(taken(choices), len(into))

    def attend(self, columns: tuple[Any, ...], what: int, times: int) -> None:
        """Do something with every game."""
        own = (self.boards, self.works, self.deals)

        def attend_to(thread: int, first: int, last: int) -> None:
            attend_all(*own, *columns, thread, first, last, what, times)

        self.share(attend_to, len(columns[0]), max(1, times))

    def observe(self, states: Any, seats: Any, observations: Any) -> None:
        """Write what a seat of every game may know."""

        def observe_them(_thread: int, first: int, last: int) -> None:
            observe_all(self.boards, states, seats, observations, first, last)

        self.share(observe_them, len(states))

    def resample(self, states: Any, seats: Any, seed: int) -> None:
        """Resample what a seat of every game does not know."""

        def make_them(thread: int, first: int, last: int) -> None:
            make_worlds(self.boards, self.works, states, seats, seed, thread, first, last)

        self.share(make_them, len(states))

    def share(self, work: Callable[[int, int, int], None], games: int, actions: int = 1) -> None:
        """Let the threads work on parts of the games; a thread that is done takes the next part.

        Parts become smaller, so that all threads finish at about the same time even if one was
        delayed. After Ctrl-C no thread takes another part, and the interrupt is raised when all
        threads have stopped, so the next call finds the games in a consistent state.
        """
        # Shared by all threads: `popleft` gives each part to one thread, with and without the
        # interpreter lock, which an iterator does not guarantee.
        parts = deque(parts_of(games, self.threads, actions))
        busy = [Lock() for _ in range(self.threads)]

        def work_on(thread: int) -> None:
            with busy[thread]:
                while (part := next_part(parts)) is not None:
                    work(thread, *part)

        if self.threads == 1:
            work_on(0)
        else:
            try:
                list(self.workers().map(work_on, range(self.threads)))
            finally:
                parts.clear()
                for each in busy:
                    each.acquire()

    def workers(self) -> ThreadPoolExecutor:
        """The thread pool; a forked process has none of its threads, so it gets a new one."""
        if self.pool is None or self.process != os.getpid():
            self.pool = ThreadPoolExecutor(self.threads)
            self.process = os.getpid()
        return self.pool

    def close(self) -> None:
        """Stop the threads."""
        if self.pool is not None and self.process == os.getpid():
            self.pool.shutdown()
        self.pool = None

    def numbers(self, array: Any) -> Any:
        """The given numbers as a NumPy array."""
        return taken(array)

    def memory(self, array: Any) -> Any:
        """The writable memory of another library's array; None if it has none."""
        found = taken(array) if hasattr(array, "__array__") else None
        return found if found is not None and found.flags.writeable else None

    def wait(self) -> None:
        """Nothing to do: calls return when the work is done."""


def next_part(parts: deque[tuple[int, int]]) -> tuple[int, int] | None:
    """The next free part; None when all are taken."""
    try:
        return parts.popleft()
    except IndexError:
        return None


def parts_of(games: int, threads: int, actions: int = 1) -> list[tuple[int, int]]:
    """Split the games into parts that become smaller; one thread gets a single part.

    With many actions per game a part takes long, so the last ones, which all wait for, are smaller.
    """
    if threads == 1:
        return [(0, games)]
    smallest = ceil(games / (MOST * threads * actions))
    parts, first = [], 0
    while first < games:
        size = max(smallest, ceil((games - first) / (FEWEST * threads)))
        last = min(games, first + size)
        parts.append((first, last))
        first = last
    return parts


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def taken(array: Any) -> Any:
    """The given array as a NumPy array; a GPU array cannot be converted."""
    try:
        return np.asarray(array)
    except (TypeError, ValueError) as error:
        words = f"a batch on a CPU needs what NumPy accepts, not {type(array).__name__}"
        raise BrassError(f"{words}: {error}") from error


def fitting(choices: Any, games: int) -> Any:
    """Check that choices are one integer per game."""
    if tuple(choices.shape) != (games,) or choices.dtype.kind not in "iu":
        words = f"an array of {choices.dtype} of shape {tuple(choices.shape)}"
        raise BrassError(f"choices must be {games} integers, one per game, not {words}")
    return choices


@entry
def attend_all(
    boards: Any,
    works: Any,
    deals: Any,
    states: Any,
    seeds: Any,
    drawn: Any,
    made: Any,
    choices: Any,
    legal: Any,
    words: Any,
    seats: Any,
    ended: Any,
    points: Any,
    margins: Any,
    ranks: Any,
    thread: int,
    first: int,
    last: int,
    what: int,
    times: int,
) -> None:
    """Work on one thread's share of the games."""
    work = works[thread]
    work.recording = 0
    columns = (
        uncounted(seeds),
        uncounted(drawn),
        uncounted(made),
        uncounted(choices),
        uncounted(legal),
        uncounted(words),
        uncounted(seats),
        uncounted(ended),
        uncounted(points),
        uncounted(margins),
        uncounted(ranks),
    )
    for game in range(first, last):
        attend(states[game], boards[0], work, deals[thread], *columns, game, what, times)


@entry
def first_illegal(choices: Any, legal: Any) -> int:
    """The first game whose choice is illegal, or -1."""
    for game in range(len(choices)):
        choice = int(choices[game])
        if choice < 0 or choice >= CHOICES or legal[game, choice] == 0:
            return game
    return -1
