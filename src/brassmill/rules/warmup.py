"""Compile everything that Python calls, all at once, before the first call.

The first start on a machine is slow; with the cache of `rules/jit.py`, later ones are fast. A
function is compiled again for every further argument type. So no types are declared: they follow
from the names of the arguments, which mean the same in all rules. A name that is listed neither in
`RECORDS` nor in `NUMBERS` is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from pkgutil import resolve_name
from typing import Any

import numpy as np
from numba import int64, typeof
from numba.core.event import Listener, install_listener

from brassmill.rules import helper, jit
from brassmill.rules.helper import Progress
from brassmill.rules.layout import blank

# The modules whose entries every game needs. Others are compiled when they are first called, or
# earlier, if their modules are named.
MODULES = (
    "brassmill.core.deal",
    "brassmill.rules.income",
    "brassmill.rules.network",
    "brassmill.rules.setup",
    "brassmill.core.engine",
)

THINKING = ("brassmill.bots.brain",)  # for bots that judge positions
NETWORKS = ("brassmill.bots.policy",)  # for bots that ask a network
SEARCH = ("brassmill.bots.policy", "brassmill.bots.lookahead")  # and for those that search, too

# An argument with this name is one record or number of this type; with its plural, a plain array
# of them.
RECORDS = {
    "state": "brassmill.rules.layout:STATE",
    "board": "brassmill.rules.layout:BOARD",
    "work": "brassmill.rules.layout:WORK",
    "deal": "brassmill.rules.layout:DEAL",
    "menu": "brassmill.core.lister:MENU",
    "mind": "brassmill.bots.mind:MIND",
    "table": "brassmill.bots.selfplay:TABLE",
    "sample": "brassmill.bots.selfplay:SAMPLE",
    "weight": "numpy:float32",
    "score": "numpy:float32",
    "choice": "numpy:int64",
}

# An argument with this name is a whole number.
NUMBERS = {
    *("what", "number", "seat", "seed", "turns"),
    *("space", "industry", "start", "goal"),
    *("worlds", "inputs", "width", "blocks"),
}

LINKING = 0.3  # the time to link and optimise a rule, compared to compiling it


@cache
def type_of(name: str) -> Any:
    """The type of an argument, by its name."""
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
    """The entries that every game needs, and those of more modules; none in plain Python."""
    modules = (*MODULES, *more)
    for module in modules:
        import_module(module)
    return [
        function
        for function in jit.ENTRIES
        if function.__module__ in modules and hasattr(function, "compile")
    ]


def is_cached(more: tuple[str, ...] = ()) -> bool:
    """Is everything compiled and on disk?"""
    return not to_compile(entries(more))


def to_compile(functions: list[Any]) -> list[Any]:
    """The entries that are not on disk."""
    return [each for each in functions if not jit.is_kept(each, argument_types(each))]


def is_compiled(more: tuple[str, ...] = ()) -> bool:
    """Do these run compiled? Only where they start as plain Python can the answer be no."""
    return all(getattr(each, "is_compiled", True) for each in entries(more))


@cache
def ready(more: tuple[str, ...] = ()) -> None:
    """Compile on first use, logging a warning if nothing is cached.

    Rules that start as plain Python are ready for everything but a search.
    """
    if jit.starts_plain() and not {*more} - {*THINKING, *NETWORKS}:
        return
    if not is_cached(more):
        jit.log.warning("compiling the rules for this machine, once: it takes half a minute")
        warm_up(more=more)


def reached_from(functions: list[Any], known: Collection[Any] = ()) -> set[Any]:
    """These functions and all rules that they call, except those already known."""
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


def size_of(function: Any) -> float:
    """How long a function takes to compile, compared to others.

    An entry is also linked with everything it calls, and optimised.
    """
    size = len(function.py_func.__code__.co_code)
    linked = sum(len(each.py_func.__code__.co_code) for each in reached_from([function]))
    return size + LINKING * linked if function in jit.ENTRIES else size


class Count(Listener):
    """Counts the functions that Numba has compiled, and reports the share done."""

    def __init__(self, functions: Iterable[Any], progress: Progress) -> None:
        self.missing = {function: size_of(function) for function in functions}
        self.total = max(1, sum(self.missing.values()))
        self.progress = progress
        self.module = ""

    def begin(self, function: Any) -> None:
        """Numba begins to compile an entry and everything it calls."""
        self.module = function.__module__
        self.report()

    def on_start(self, event: Any) -> None:
        """Nothing to report yet."""

    def on_end(self, event: Any) -> None:
        if self.missing.pop(event.data["dispatcher"], None):
            self.report()

    def report(self) -> None:
        self.progress(1 - sum(self.missing.values()) / self.total, self.module)


def warm_up(progress: Progress | None = None, more: tuple[str, ...] = ()) -> None:
    """Load or compile the entries that every game needs, and those of more modules.

    While it compiles, `progress` is called with the share done. A process that has to compile
    holds the cache's lock all the time, so that others wait and then load what it has compiled.
    """
    progress = progress or (lambda share, module: None)
    functions = entries(more)
    missing = to_compile(functions)
    if missing and jit.starts_plain():
        with jit.writable_cache():
            helper.compile_elsewhere(progress, more)
            load(functions)
        return
    with jit.cache_folder().locked() if missing else nullcontext():
        missing = to_compile(missing)  # another process may have compiled them meanwhile
        kept = [function for function in functions if function not in missing]
        count = Count(reached_from(missing, kept), progress)
        with install_listener("numba:compile", count):
            for function in functions:
                if function in missing:
                    count.begin(function)
                function.compile(argument_types(function))


def load(functions: Iterable[Any]) -> None:
    """Load entries from the cache."""
    for function in functions:
        function.compile(argument_types(function))
