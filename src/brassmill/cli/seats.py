"""Who sits where: people, and bots by their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.position.words import SEAT_NAMES

if TYPE_CHECKING:
    from brassmill.view import View

LONGEST = 12  # letters of a name
YOU = ("you", "du", "vous")  # the same person in three languages

# A bot is shown what its seat may know, and picks one of the open choices.
Bot = Callable[["View", Random], int]


def at_random(view: View, chance: Random) -> int:
    """Any open choice."""
    return chance.choice(view.legal)


BOTS: dict[str, Bot] = {"random": at_random}


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    who: str  # as it was given: you, the name of a person or of a bot
    name: str  # in the game
    bot: Bot | None

    @property
    def is_person(self) -> bool:
        return self.bot is None


def default_seats(players: int) -> str:
    """You against random opponents."""
    return ",".join(["you", *["random"] * (players - 1)])


def read_seats(text: str) -> tuple[Seat, ...]:
    """`you,random`, `Ada,Ben,random`: one word or name for each seat.

    A person goes by his name; you and the bots go by the letter of the seat.
    """
    words = [" ".join(word.split()) for word in text.split(",")]
    if len(words) > len(SEAT_NAMES):
        raise BrassError(
            _("there are {most} seats at most, not {number}: {text}").format(
                most=len(SEAT_NAMES), number=len(words), text=text
            )
        )
    seats = tuple(seat(word, letter) for word, letter in zip(words, SEAT_NAMES, strict=False))
    if not any(seat.is_person for seat in seats):
        raise BrassError(
            _("somebody must play: {example}").format(example=default_seats(max(2, len(seats))))
        )
    return seats


def seat(word: str, letter: str) -> Seat:
    """One seat."""
    if not word:
        raise BrassError(
            _("a seat is empty: write you, {bots} or a name, with commas between").format(
                bots=", ".join(BOTS)
            )
        )
    folded = word.casefold()
    if folded in BOTS:
        return Seat(folded, letter, BOTS[folded])
    if folded in YOU:
        return Seat("you", letter, None)
    if len(word) > LONGEST:
        raise BrassError(
            _("{name} is too long for a name: {longest} letters at most").format(
                name=word, longest=LONGEST
            )
        )
    return Seat(word, word, None)


def seats_text(seats: Sequence[Seat]) -> str:
    """As `read_seats` reads it."""
    return ",".join(seat.who for seat in seats)
