"""Compile everything that Python calls, together and ahead of the first call.

The first start on a machine takes long; with the cache of `rules/jit.py` every later one is short.
Every further argument type would compile a function again, so the types are not written down
anywhere: they follow from the names of the arguments, which mean the same in all rules. A name that
is listed neither in `RECORDS` nor in `NUMBERS` is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from pkgutil import resolve_name
from typing import Any

import numpy as np
from numba import int64, typeof
from numba.core.event import Listener, install_listener

from brassmill.rules import jit
from brassmill.rules.layout import blank

# Where the entries are that every game needs; others are compiled when they are first called, or
# before, by naming their modules.
MODULES = (
    "brassmill.core.deal",
    "brassmill.rules.income",
    "brassmill.rules.network",
    "brassmill.rules.setup",
    "brassmill.core.engine",
)

THINKING = ("brassmill.bots.brain",)  # for bots that judge positions

# An argument of that name is one record, in the plural a plain array of them.
RECORDS = {
    "state": "brassmill.rules.layout:STATE",
    "board": "brassmill.rules.layout:BOARD",
    "work": "brassmill.rules.layout:WORK",
    "deal": "brassmill.rules.layout:DEAL",
    "mind": "brassmill.bots.mind:MIND",
    "table": "brassmill.bots.selfplay:TABLE",
    "sample": "brassmill.bots.selfplay:SAMPLE",
}

# An argument of that name is a whole number.
NUMBERS = {
    *("what", "number", "seat", "seed", "turns"),
    *("space", "industry", "start", "goal"),
}

# Called with the share done, and the module being compiled for Python.
Progress = Callable[[float, str], None]


@cache
def type_of(name: str) -> Any:
    """What an argument of that name is."""
    word = name.removesuffix("s")
    if name in NUMBERS:
        return int64
    if word not in RECORDS:
        raise TypeError(
            f"the warm-up does not know arguments called {name!r}: see RECORDS, NUMBERS"
        )
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
        for function in jit.ENTRIES
        if function.__module__ in modules and hasattr(function, "compile")
    ]


def is_cached(more: tuple[str, ...] = ()) -> bool:
    """Would a warm-up find everything on disk?"""
    return not to_compile(entries(more))


def to_compile(functions: list[Any]) -> list[Any]:
    """Those of the entries that are not on disk."""
    return [each for each in functions if not jit.is_kept(each, argument_types(each))]


@cache
def ready(more: tuple[str, ...] = ()) -> None:
    """Before the first use in a process: compile aloud, if it must be done."""
    if not is_cached(more):
        jit.log.warning("compiling the rules for this machine, once: it takes a minute or two")
        warm_up(more=more)


def reached_from(functions: list[Any], known: Collection[Any] = ()) -> set[Any]:
    """These functions and all rules that they call, as far as they are not known already."""
    reached: set[Any] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        is_new = function not in reached and function not in known
        if is_new and hasattr(function, "py_func"):
            reached.add(function)
            code, names = function.py_func.__code__, function.py_func.__globals__
            waiting += [names[name] for name in code.co_names if name in names]
    return reached


def size_of(function: Any) -> int:
    """How much is compiled with a function: it is optimised together with all that it calls."""
    return sum(len(each.py_func.__code__.co_code) for each in reached_from([function]))


class Count(Listener):
    """Notified by Numba of each compiled function; reports how much is done."""

    def __init__(self, functions: Iterable[Any], progress: Progress) -> None:
        self.missing = {function: size_of(function) for function in functions}
        self.total = max(1, sum(self.missing.values()))
        self.progress = progress
        self.module = ""

    def begin(self, function: Any) -> None:
        """It is the turn of an entry and all that it calls."""
        self.module = function.__module__
        self.tell()

    def on_start(self, event: Any) -> None:
        """Nothing is done yet."""

    def on_end(self, event: Any) -> None:
        if self.missing.pop(event.data["dispatcher"], None):
            self.tell()

    def tell(self) -> None:
        self.progress(1 - sum(self.missing.values()) / self.total, self.module)


def warm_up(progress: Progress | None = None, more: tuple[str, ...] = ()) -> None:
    """Load or compile the entries that every game needs, and those of more modules.

    While it compiles, `progress` is called with the share done. A process that has to compile
    holds the cache's lock for the whole time, so that another one waits and then loads what this
    one has compiled.
    """
    functions = entries(more)
    missing = to_compile(functions)
    with jit.cache_folder().locked() if missing else nullcontext():
        missing = to_compile(missing)  # another process may have been at it until now
        kept = [function for function in functions if function not in missing]
        count = Count(reached_from(missing, kept), progress or (lambda share, module: None))
        with install_listener("numba:compile", count):
            for function in functions:
                if function in missing:
                    count.begin(function)
                function.compile(argument_types(function))
