"""The games of a batch on the threads of a CPU."""

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
from brassmill.core.playout import records
from brassmill.core.worlds import make_worlds
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.observation.observe import observe_all
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import entry, uncounted
from brassmill.rules.layout import BOARD, DEAL, STATE, WORK

FEWEST = 2  # parts of the games for each thread, if all were as large as the first
MOST = 32  # ... as the last, if an action of each is played


class Threads:
    """Every thread attends to its share of the games, without the lock of the interpreter."""

    def __init__(self, edition: Edition, threads: int | None) -> None:
        self.threads = processors() if threads is None else whole("a number of threads", threads)
        if self.threads < 1:
            raise BrassError(f"a batch needs one thread or more, not {threads}")
        self.pool: ThreadPoolExecutor | None = None
        self.process = os.getpid()
        self.boards = records(BOARD, 1)
        self.boards[0] = edition.board
        self.works = records(WORK, self.threads)
        self.deals = records(DEAL, self.threads)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Memory for a column of the batch."""
        return records(dtype, *shape) if dtype == STATE else np.zeros(shape, dtype)

    def view(self, column: Any, dtype: Any) -> Any:
        """The same memory, as numbers of a kind."""
        return column.view(dtype)

    def to_host(self, column: Any) -> Any:
        """A copy for NumPy."""
        return np.array(column)

    def fill(self, column: Any, values: Any) -> None:
        """Set a column."""
        column[:] = values.reshape(column.shape)

    def take(self, choices: Any, into: Any, legal: Any) -> int:
        """Copy the choices that are to be played; the first game where one is not open, or -1."""
        into[:] = fitting(taken(choices), len(into))
        return int(first_illegal(into, legal))

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
        """Make up what a seat of every game does not know."""

        def make_them(thread: int, first: int, last: int) -> None:
            make_worlds(self.boards, self.works, states, seats, seed, thread, first, last)

        self.share(make_them, len(states))

    def share(self, work: Callable[[int, int, int], None], games: int, actions: int = 1) -> None:
        """Let the threads work at parts of the games; whoever is done takes the next part.

        Parts become smaller, so that all threads are done at about the same time, also if one was
        held up. After Ctrl-C nobody takes another one, and it is heard when no thread works any
        more: the next call finds the games at rest.
        """
        # One for all threads: `popleft` gives each part to one of them, with and without the lock
        # of the interpreter, which an iterator does not promise.
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
        """The pool of the threads; a process that was forked off has none of them: a new one."""
        if self.pool is None or self.process != os.getpid():
            self.pool = ThreadPoolExecutor(self.threads)
            self.process = os.getpid()
        return self.pool

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None and self.process == os.getpid():
            self.pool.shutdown()
        self.pool = None

    def numbers(self, array: Any) -> Any:
        """What was given, as NumPy's."""
        return taken(array)

    def memory(self, array: Any) -> Any:
        """The memory of an array of somebody else's that may be written; None if it has none."""
        found = taken(array) if hasattr(array, "__array__") else None
        return found if found is not None and found.flags.writeable else None

    def wait(self) -> None:
        """Nothing is left to be done when a call comes back."""


def next_part(parts: deque[tuple[int, int]]) -> tuple[int, int] | None:
    """The next part that nobody has taken; None when all are taken."""
    try:
        return parts.popleft()
    except IndexError:
        return None


def parts_of(games: int, threads: int, actions: int = 1) -> list[tuple[int, int]]:
    """The games in parts that become smaller; for one thread all are one.

    Of many actions a part is long, and the last ones, for which the others wait, are smaller still.
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
    """Those that this process may use, where the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def taken(array: Any) -> Any:
    """What was given, as NumPy's, if that can be: an array of a GPU cannot."""
    try:
        return np.asarray(array)
    except (TypeError, ValueError) as error:
        words = f"a batch on a CPU takes what NumPy takes, not this {type(array).__name__}"
        raise BrassError(f"{words}: {error}") from error


def fitting(choices: Any, games: int) -> Any:
    """Choices, if they are a whole number for every game."""
    if tuple(choices.shape) != (games,) or choices.dtype.kind not in "iu":
        words = f"an array of {choices.dtype} of shape {tuple(choices.shape)}"
        raise BrassError(f"choices are {games} whole numbers, one for each game, not {words}")
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
    """One thread's share of the games."""
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
    """The first game whose choice is not open, or -1."""
    for game in range(len(choices)):
        choice = int(choices[game])
        if choice < 0 or choice >= CHOICES or legal[game, choice] == 0:
            return game
    return -1
