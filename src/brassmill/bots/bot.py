"""The interface of a bot: given a view and a clock, it answers for its seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from brassmill.errors import BrassError

if TYPE_CHECKING:
    from brassmill.core.view import View

GRACE = 0.5  # seconds beyond the clock, for an answer that is on its way

# A choice; the choices of an action in order; or an action as text.
Answer = int | Sequence[int] | str


@dataclass(frozen=True)
class Clock:
    """The time for one answer; None means unlimited."""

    seconds: float | None = None


@runtime_checkable
class Bot(Protocol):
    """A player.

    A bot that depends only on its seed and the view repeats its games exactly, even one that was
    interrupted and resumed.
    """

    name: str

    def choose(self, view: View, clock: Clock) -> Answer:
        """Answer the open question of `view.seat`; `view.legal` lists the legal choices."""

    def close(self) -> None:
        """Release all resources: the game is over."""


class BotError(BrassError):
    """A bot that does not exist, has invalid parameters, or fails to start."""


class AnswerError(BrassError):
    """An answer that is invalid in any position."""
