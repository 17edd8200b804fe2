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
from pkgutil import resolve_name
from typing import Any

import numpy as np
from numba import int64, typeof
from numba.core.event import Listener, install_listener

from brassmill.rules.jit import ENTRIES, cache_folder, is_kept, log
from brassmill.rules.layout import blank

# Where the entries are that every game needs; others are compiled when they are first called, or
# before, by who names their modules.
MODULES = (
    "brassmill.deal",
    "brassmill.rules.income",
    "brassmill.rules.network",
    "brassmill.rules.setup",
    "brassmill.engine",
)

THINKING = ("brassmill.bots.brain",)  # for bots that judge positions

# An argument of that name is one record, in the plural a plain array of them; every other one is a
# number.
RECORDS = {
    "state": "brassmill.rules.layout:STATE",
    "board": "brassmill.rules.layout:BOARD",
    "work": "brassmill.rules.layout:WORK",
    "deal": "brassmill.rules.layout:DEAL",
    "mind": "brassmill.bots.mind:MIND",
    "table": "brassmill.bots.selfplay:TABLE",
    "sample": "brassmill.bots.selfplay:SAMPLE",
}

Progress = Callable[[int, int, str], None]


@cache
def type_of(name: str) -> Any:
    """What an argument of that name is."""
    word = name.removesuffix("s")
    if word not in RECORDS:
        return int64
    dtype = resolve_name(RECORDS[word])
    return typeof(blank(dtype)[0] if name == word else np.zeros(1, dtype))


def argument_types(function: Any) -> tuple[Any, ...]:
    """The types an entry is called with."""
    code = function.py_func.__code__
    return tuple(map(type_of, code.co_varnames[: code.co_argcount]))


def entries(more: tuple[str, ...] = ()) -> list[Any]:
    """The entries that every game needs, and those of more modules; none when uncompiled."""
    modules = (*MODULES, *more)
    for module in modules:
        import_module(module)
    return [
        function
        for function in ENTRIES
        if function.__module__ in modules and hasattr(function, "compile")
    ]


def is_cached(more: tuple[str, ...] = ()) -> bool:
    """Would a warm-up find everything on disk?"""
    return all(is_kept(function, argument_types(function)) for function in entries(more))


@cache
def ready(more: tuple[str, ...] = ()) -> None:
    """Before the first use in a process: compile aloud, if it must be done."""
    if not is_cached(more):
        log.warning("compiling the rules for this machine, once: it takes a minute or two")
        warm_up(more=more)


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


def warm_up(progress: Progress | None = None, more: tuple[str, ...] = ()) -> None:
    """Load or compile the entries that every game needs, and those of more modules.

    While it compiles, `progress` is told after each function how many are done, of how many, and
    its name. A process that has to compile holds the cache's lock for the whole time, so that
    another one waits and then loads what this one has compiled.
    """
    functions = entries(more)
    with nullcontext() if is_cached(more) else cache_folder().locked():
        count = Count(functions, progress or (lambda done, total, name: None))
        with install_listener("numba:compile", count):
            for function in functions:
                function.compile(argument_types(function))
