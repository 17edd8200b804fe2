"""Compile everything that Python calls, together and ahead of the first call.

The first start on a machine takes long; with the cache of `rules/jit.py` every later one is short.
Every further argument type would compile a function again, so the types are not written down
anywhere: they follow from the names of the arguments, which mean the same in all rules.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numba import int64, typeof
from numba.core.event import Listener, install_listener

from brassmill.rules.jit import ENTRIES, cache_folder, is_kept, log
from brassmill.rules.layout import BOARD, DEAL, STATE, WORK, blank

# Where the entries are that every game needs; others are compiled when they are first called.
MODULES = (
    "brassmill.deal",
    "brassmill.rules.income",
    "brassmill.rules.network",
    "brassmill.rules.setup",
    "brassmill.engine",
)

# One record, or a plain array of records; every other argument is a number.
EXAMPLES = {
    name: example
    for word, dtype in (("state", STATE), ("board", BOARD), ("work", WORK), ("deal", DEAL))
    for name, example in ((word, blank(dtype)[0]), (f"{word}s", np.zeros(1, dtype)))
}

Progress = Callable[[int, int, str], None]


def argument_types(function: Any) -> tuple[Any, ...]:
    """The types an entry is called with."""
    code = function.py_func.__code__
    names = code.co_varnames[: code.co_argcount]
    return tuple(typeof(EXAMPLES[name]) if name in EXAMPLES else int64 for name in names)


def entries() -> list[Any]:
    """The entries every game needs; none when the rules run uncompiled."""
    for module in MODULES:
        import_module(module)
    return [
        function
        for function in ENTRIES
        if function.__module__ in MODULES and hasattr(function, "compile")
    ]


def is_cached() -> bool:
    """Would a warm-up find everything on disk?"""
    return all(is_kept(function, argument_types(function)) for function in entries())


@cache
def ready() -> None:
    """Before the first game of a process: compile aloud, if it must be done."""
    if not is_cached():
        log.warning("compiling the rules for this machine, once: it takes about a minute")
        warm_up()


def reached_from(functions: list[Any]) -> set[Any]:
    """These functions and all rules that they call."""
    reached: set[Any] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in reached and hasattr(function, "py_func"):
            reached.add(function)
            code, names = function.py_func.__code__, function.py_func.__globals__
            waiting += [names[name] for name in code.co_names if name in names]
    return reached


class Count(Listener):  # type: ignore[misc]
    """Hears from Numba which function has been compiled, and passes it on."""

    def __init__(self, functions: list[Any], progress: Progress) -> None:
        self.missing = reached_from(functions)
        self.total = len(self.missing)
        self.progress = progress

    def on_start(self, event: Any) -> None:
        """Nothing is done yet."""

    def on_end(self, event: Any) -> None:
        function = event.data["dispatcher"]
        if function in self.missing:
            self.missing.remove(function)
            self.progress(self.total - len(self.missing), self.total, function.__name__)


def warm_up(progress: Progress | None = None) -> None:
    """Load or compile all entries.

    While it compiles, `progress` is told after each function how many are done, of how many, and
    its name. A process that has to compile holds the cache's lock for the whole time, so that
    another one waits and then loads what this one has compiled.
    """
    functions = entries()
    with nullcontext() if is_cached() else cache_folder().locked():
        count = Count(functions, progress or (lambda done, total, name: None))
        with install_listener("numba:compile", count):
            for function in functions:
                function.compile(argument_types(function))
