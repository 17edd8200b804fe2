"""Errors. Every message says what would be right."""

# ruff: noqa: N818 (the names say what happened, as users of python-chess expect)

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from brassmill.language import N_, either, language
from brassmill.language import gettext as _
from brassmill.vocabulary import say

if TYPE_CHECKING:
    from brassmill.rules.reasons import Reason


class BrassError(ValueError):
    """Anything the package refuses."""

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process boundaries, although their arguments are not their messages.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[BrassError], args: tuple[object, ...], fields: dict[str, object]) -> object:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


class IllegalAction(BrassError):
    """The rules do not allow it; `reason` says why, if a rule does."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class AmbiguousAction(BrassError):
    """Several actions fit a text; `ways` lists them as text."""

    def __init__(self, message: str, ways: Iterable[str] = ()) -> None:
        self.ways = list(ways)
        if self.ways:
            message = _("{message}: {ways}").format(message=message, ways=" | ".join(self.ways))
        super().__init__(message)


# The kinds of names.
KINDS = (
    N_("action"), N_("card"), N_("distant market"), N_("edition"), N_("extra part"),
    N_("industry"), N_("line"), N_("loan"), N_("merchant"), N_("merchant tile"), N_("option"),
    N_("pair of places"), N_("parameter"), N_("part"), N_("part after ..."), N_("place"),
    N_("seat"), N_("space"), N_("tile"), N_("town"),
)  # fmt: skip

# The kinds whose names are words of the notation, except towns.
WORDS = ("card", "industry", "merchant tile", "tile")


class UnknownName(BrassError):
    """There is no such place, line, card, ...; `known` lists what exists, or what `owner` has."""

    def __init__(
        self,
        kind: str,
        name: str,
        known: Sequence[str],
        ambiguous: bool = False,
        owner: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.known = list(known)
        words = [_word(each) for each in known] if kind in WORDS else self.known
        close = _close(name, dict(zip(self.known, words, strict=True)))
        if not name.strip():
            problem = _("the {kind} is missing")
        elif ambiguous:
            problem = _("ambiguous {kind} {name!r}")
        elif owner:
            problem = _("{owner} has no {kind} {name!r}")
        else:
            problem = _("unknown {kind} {name!r}")
        if close and not ambiguous and len(close) < len(self.known):
            message = _("{problem}; did you mean {close}? Choose one of: {known}")
        elif close and not ambiguous:
            message = _("{problem}; did you mean {close}?")
        elif self.known:
            message = _("{problem}; choose one of: {known}")
        else:
            message = "{problem}"
        message = message.format(
            problem=problem.format(kind=_(kind), name=name, owner=owner),
            close=either(close) if close else "",
            known=", ".join(words),
        )
        super().__init__(message)


def _word(name: str) -> str:
    """A name of the notation in the user's language: `Kohle 2`."""
    word, blank, level = name.partition(" ")
    if level.isdigit():
        return f"{say(word, language())}{blank}{level}"
    return "/".join(say(word, language()) for word in name.split("/"))


def _close(name: str, words: Mapping[str, str]) -> list[str]:
    """Names similar to a name, in English or in the language of the context."""
    spelled = {word.casefold(): word for word in words.values()}
    spelled |= {known.casefold(): word for known, word in words.items()}
    near = get_close_matches(name.casefold(), spelled, 3, 0.7)
    return list(dict.fromkeys(spelled[word] for word in near))


class InvalidOption(BrassError):
    """An edition, option, value or number of players that does not exist or does not fit."""


# The most common system errors about files; others keep the system's message.
SYSTEM = {
    FileNotFoundError: N_("no such file"),
    FileExistsError: N_("it already exists"),
    IsADirectoryError: N_("this is a folder, not a file"),
    NotADirectoryError: N_("no such folder"),
    PermissionError: N_("permission denied"),
}


def system_words(error: OSError) -> str:
    """A system error about a file, in the language of the context."""
    return _(SYSTEM[type(error)]) if type(error) in SYSTEM else error.strerror or str(error)


def error_text(error: BaseException) -> str:
    """The message of our own error, or the name and message of any other."""
    return str(error) if isinstance(error, BrassError) else f"{type(error).__name__}: {error}"


class InvalidPosition(BrassError):
    """An impossible position or deal; `problems` lists everything wrong with it."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(self.problems))
