"""Finding things by name with forgiving spelling.

Case, accents, hyphens, spaces, `&`, `and` and `the` do not matter, and a unique beginning of a name
is enough. Proper names come first: other names can be abbreviated only if no proper name begins
the same way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product

from brassmill.errors import UnknownName

_IGNORED = {"the", "and", "und", "et"}
_DASH = re.compile(r"\s+(?:to|nach|bis|à)\s+|\s*<?[-\u2010-\u2015\u2212]+>?\s*", re.IGNORECASE)
_NUMBER = re.compile(
    r"(.*?) ?(?:space|slot|level|platz|feld|stufe|emplacement|niveau)? ?#? ?(?<!\d)(\d{1,9})",
    re.IGNORECASE,
)


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(" " if not c.isalnum() else c for c in plain if not unicodedata.combining(c))
    return [word for word in letters.split() if word not in _IGNORED]


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """A spelling reduced to what matters."""
    return "".join(_words(text))


@lru_cache(maxsize=4096)
def slug(text: str) -> str:
    """A name as one word: `stoke_on_trent`."""
    return "_".join(_words(text))


def join(spellings: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """All ways to name several things together, in any order."""
    return tuple(
        "-".join(names)
        for size in range(2, len(spellings) + 1)
        for chosen in permutations(spellings, size)
        for names in product(*chosen)
    )


def split_number(text: str) -> tuple[str, int | None]:
    """Split `Preston 2` into a name and a number; `Preston` has no number."""
    match = _NUMBER.fullmatch(" ".join(text.split()))
    return (match[1], int(match[2])) if match else (text, None)


def split_line(text: str) -> Iterator[list[str]]:
    """All ways to read a text as the ends of a line; names may contain dashes."""
    parts = _DASH.split(text.strip())
    for cut in range(1, len(parts)):
        yield ["-".join(parts[:cut]), "-".join(parts[cut:])]


class NameTable:
    """The names of one kind of thing; an abbreviation needs at least `shortest` letters."""

    def __init__(
        self, kind: str, rows: Iterable[tuple[str, Iterable[str], int]], shortest: int = 2
    ) -> None:
        self.kind = kind
        self.shortest = shortest
        self.proper: dict[int, str] = {}
        self._folded: dict[str, int] = {}
        for name, others, number in rows:
            self.proper[number] = name
            self._folded[fold(name)] = number
            for other in others:
                # A proper name takes precedence over another thing's other name.
                self._folded.setdefault(fold(other), number)

    def exact(self, text: str) -> int | None:
        """The number of exactly this name."""
        return self._folded.get(fold(text))

    def beginning(self, text: str) -> list[int]:
        """The numbers of the names that begin like this: proper names, or else others."""
        start = fold(text)
        if len(start) < self.shortest:
            return []
        proper = [n for n, name in self.proper.items() if fold(name).startswith(start)]
        return proper or sorted({n for name, n in self._folded.items() if name.startswith(start)})

    def get(self, text: str) -> int | None:
        """The number of a name; None if it is unknown or ambiguous."""
        number = self.exact(text)
        if number is None:
            candidates = self.beginning(text)
            number = candidates[0] if len(candidates) == 1 else None
        return number

    def find(self, text: str) -> int:
        """The number of a name; else an error that lists the known names."""
        number = self.get(text)
        if number is None:
            several = self.beginning(text)
            known = [self.proper[n] for n in several or self.proper]
            raise UnknownName(self.kind, text, known, ambiguous=bool(several))
        return number
