"""Everything wrong with a position, gathered while it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from brassmill.errors import BrassError, InvalidPosition

Found = TypeVar("Found")

MOST = 9999  # pounds or VP that nobody ever has


class Problems:
    """A list of sentences, and readers that add to it instead of stopping."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def add(self, words: str) -> None:
        if words not in self.words:
            self.words.append(words)

    def stop_if_any(self) -> None:
        if self.words:
            raise InvalidPosition(self.words)

    def find(self, what: str, search: Callable[..., Found], *arguments: Any) -> Found | None:
        """What a search by name finds; None and a problem if there is no such thing."""
        try:
            return search(*arguments)
        except BrassError as error:
            self.add(f"{what}: {error}")
            return None

    def number(self, what: str, value: Any, low: int, high: int, default: int) -> int:
        """A whole number within bounds, from an int or a text; the default if it is none."""
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
        """A mapping, or an empty one with a problem."""
        if value is None or value == "":
            return {}
        if not isinstance(value, Mapping):
            self.add(f"{what} is {show(value)}: it must be a mapping")
            return {}
        return value

    def texts(self, what: str, value: Any) -> list[str]:
        """A list of texts; one text alone is a list of one."""
        if value is None or value == "":
            return []
        entries = value if isinstance(value, list | tuple) else [value]
        for entry in entries:
            if not isinstance(entry, str | int):
                self.add(f"{what}: {show(entry)} is not plain text")
        return [str(entry) for entry in entries if isinstance(entry, str | int)]

    def keys(self, what: str, value: Iterable[str], known: Iterable[str]) -> None:
        """A problem for every key that does not exist."""
        known = list(known)
        for key in value:
            if key not in known:
                self.add(f"{what} has no key {show(key)}; choose one of: {', '.join(known)}")


def show(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)
