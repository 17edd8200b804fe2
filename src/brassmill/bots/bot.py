"""What a bot is: somebody who is shown a view and a clock, and answers for its seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from brassmill.errors import BrassError

if TYPE_CHECKING:
    from brassmill.core.view import View

GRACE = 0.5  # seconds beyond the clock: an answer given in time may be under way

# A choice; the choices of an action one after the other; or an action as text.
Answer = int | Sequence[int] | str


@dataclass(frozen=True)
class Clock:
    """How much time there is for one answer; None: as much as it takes."""

    seconds: float | None = None


@runtime_checkable
class Bot(Protocol):
    """Somebody who plays.

    A bot that depends on its seed and the view alone plays the same game again, also one that was
    left in the middle.
    """

    name: str

    def choose(self, view: View, clock: Clock) -> Answer:
        """Answer the open question of `view.seat`; `view.legal` are the open choices."""

    def close(self) -> None:
        """The game is over: give back what is held."""


class BotError(BrassError):
    """A bot that does not exist, cannot be as it is described, or does not start."""


class AnswerError(BrassError):
    """An answer that is none, whatever the position."""
