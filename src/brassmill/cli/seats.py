"""Who sits where: people, and bots by their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random
from typing import TYPE_CHECKING

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.position.words import SEAT_NAMES
from brassmill.vocabulary import Word

if TYPE_CHECKING:
    from brassmill.view import View

LONGEST = 12  # letters of a name
TYPO = 0.8  # how much a name must be like that of a bot to be taken for a slip

# A bot is shown what its seat may know, and picks one of the open choices.
Bot = Callable[["View", Random], int]


def at_random(view: View, chance: Random) -> int:
    """Any open choice."""
    return chance.choice(view.legal)


BOTS: dict[str, Bot] = {"random": at_random}

# Who has no name of his own, in three languages that are all understood.
YOU = Word("you", "du", "vous")
BOT_NAMES = (Word("random", "Zufall", "hasard"),)
_KNOWN = {
    spelling.casefold(): word.en
    for word in (YOU, *BOT_NAMES)
    for spelling in (word.en, word.de, word.fr)
}


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


def seats_in_words(text: str, by: str = ", ") -> str:
    """Seats in the language of the context; it can be typed too."""
    words = {word.en: getattr(word, language()) for word in (YOU, *BOT_NAMES)}
    return by.join(words.get(who, who) for who in text.split(","))


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
    known = _KNOWN.get(word.casefold())
    if known:
        return Seat(known, letter, BOTS.get(known))
    bots = [spelling for spelling, who in _KNOWN.items() if who in BOTS]
    for close in get_close_matches(word.casefold(), bots, 1, TYPO):
        raise BrassError(
            _("{name}: did you mean {bot}? A person may be called anything else").format(
                name=word, bot=seats_in_words(_KNOWN[close])
            )
        )
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
