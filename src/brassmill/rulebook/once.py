"""What takes long to make is made once, however many ask at the same moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def made_once(make: Callable[P, T]) -> Callable[P, T]:
    """Like `functools.cache`, but threads that ask for the same thing wait for the first one."""
    made: dict[Hashable, T] = {}
    making: dict[Hashable, Lock] = {}

    @wraps(make)
    def kept(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(sorted(kwargs.items())))
        if key not in made:
            with making.setdefault(key, Lock()):
                if key not in made:
                    made[key] = make(*args, **kwargs)
        return made[key]

    return kept
