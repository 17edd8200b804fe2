"""All problems of a position, collected while it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from brassmill.errors import BrassError, InvalidPosition

Found = TypeVar("Found")

MOST = 9999  # more pounds or VP than any game reaches


class Problems:
    """A list of problems, and methods that read values and add to it instead of raising."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def add(self, words: str) -> None:
        if words not in self.words:
            self.words.append(words)

    def stop_if_any(self) -> None:
        if self.words:
            raise InvalidPosition(self.words)

    def find(self, what: str, search: Callable[..., Found], *arguments: Any) -> Found | None:
        """The result of a search by name; None, and a problem, if it finds nothing."""
        try:
            return search(*arguments)
        except BrassError as error:
            self.add(f"{what}: {error}")
            return None

    def number(self, what: str, value: Any, low: int, high: int, default: int) -> int:
        """A whole number within bounds, from an int or a text; else the default and a problem."""
        if value is None:
            return default
        number = self.whole(what, value)
        if number is None:
            return default
        if not low <= number <= high:
            if low == high:
                self.add(f"{what} is {number}: it must be {low}")
            elif high == MOST:
                self.add(f"{what} is {number}: it must be {low} or more")
            else:
                self.add(f"{what} is {number}: it must be from {low} to {high}")
            return default
        return number

    def whole(self, what: str, value: Any) -> int | None:
        try:
            return int(str(value).replace("\u2212", "-"))
        except ValueError:
            self.add(f"{what} is {show(value)}: it must be a whole number")
            return None

    def mapping(self, what: str, value: Any) -> Mapping[str, Any]:
        """A mapping; else an empty one and a problem."""
        if value is None or value == "":
            return {}
        if not isinstance(value, Mapping):
            self.add(f"{what} is {show(value)}: it must be a mapping")
            return {}
        return value

    def texts(self, what: str, value: Any) -> list[str]:
        """A list of texts; a single text counts as a list of one."""
        if value is None or value == "":
            return []
        entries = value if isinstance(value, list | tuple) else [value]
        for entry in entries:
            if not isinstance(entry, str | int):
                self.add(f"{what}: {show(entry)} is not plain text")
        return [str(entry) for entry in entries if isinstance(entry, str | int)]

    def keys(self, what: str, value: Iterable[str], known: Iterable[str]) -> None:
        """Add a problem for every unknown key."""
        known = list(known)
        for key in value:
            if key not in known:
                self.add(f"{what} has no key {show(key)}; choose one of: {', '.join(known)}")


def show(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)
