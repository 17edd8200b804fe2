"""Drawings kept by what they depend on: most of a table stays the same for many clicks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from brassmill.language import language

Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")


def kept(most: int) -> Callable[[Callable[Given, Drawn]], Callable[Given, Drawn]]:
    """Keep the last results of a function of its arguments and the current language.

    Equal arguments give equal results, so what was drawn for one viewer shows nothing to another
    that their own view would not.
    """

    def decorate(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
        found: Any = lru_cache(most)(lambda _language, *args, **options: draw(*args, **options))

        @wraps(draw)
        def drawn(*args: Given.args, **options: Given.kwargs) -> Drawn:
            return cast(Drawn, found(language(), *args, **options))

        return drawn

    return decorate
