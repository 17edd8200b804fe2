"""What can go wrong when somebody asks for something: every error says what would be right."""

# ruff: noqa: N818 (the names say what happened, as users of python-chess expect)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from brassmill.language import N_, either
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.rules.reasons import Reason


class BrassError(ValueError):
    """Anything the package refuses."""

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process boundaries although their arguments are not their messages.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[BrassError], args: tuple[object, ...], fields: dict[str, object]) -> object:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


class IllegalAction(BrassError):
    """The rules do not allow it; `reason` names the rule, if one does."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class AmbiguousAction(BrassError):
    """Several choices fit what was asked; `ways` lists them as text."""

    def __init__(self, message: str, ways: Iterable[str] = ()) -> None:
        self.ways = list(ways)
        super().__init__(f"{message}: {' | '.join(self.ways)}" if self.ways else message)


# What can be named.
KINDS = (
    N_("action"), N_("card"), N_("distant market"), N_("edition"), N_("further part"),
    N_("industry"), N_("line"), N_("loan"), N_("merchant"), N_("merchant tile"),
    N_("pair of places"), N_("part"), N_("part after ..."), N_("place"), N_("seat"), N_("space"),
    N_("tile"), N_("town"),
)  # fmt: skip


class UnknownName(BrassError):
    """There is no such place, line, card, ...; `known` lists what exists."""

    def __init__(self, kind: str, name: str, known: Sequence[str], ambiguous: bool = False) -> None:
        self.kind = kind
        self.name = name
        self.known = list(known)
        close = self._close()
        if ambiguous:
            message = _("{kind} {name!r} could be any of these: {known}")
        elif close and len(close) < len(self.known):
            message = _("there is no {kind} {name!r}; did you mean {close}? there is: {known}")
        elif close:
            message = _("there is no {kind} {name!r}; did you mean {close}?")
        elif self.known:
            message = _("there is no {kind} {name!r}; there is: {known}")
        else:
            message = _("there is no {kind} {name!r}")
        message = message.format(
            kind=_(kind),
            name=name,
            close=either(close) if close else "",
            known=", ".join(self.known),
        )
        super().__init__(message)

    def _close(self) -> list[str]:
        spelled = {known.casefold(): known for known in self.known}
        return [spelled[near] for near in get_close_matches(self.name.casefold(), spelled, 3, 0.7)]


class InvalidOption(BrassError):
    """An edition, option, value or number of players that does not exist or does not fit."""


class InvalidPosition(BrassError):
    """A position or deal that cannot be; `faults` lists everything wrong with it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__("; ".join(self.faults))
