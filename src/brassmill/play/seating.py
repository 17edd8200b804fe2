"""The participants of a game, seat by seat: people, and bots by their specs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from brassmill.bots import BotError, Spec, divide, parse
from brassmill.bots.registry import is_bot, slip_for
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.position.words import SEAT_NAMES
from brassmill.vocabulary import Word

LONGEST = 20  # characters of a name
OPPONENT = "beginner"  # unless another is named

YOU = Word("you", "du", "vous")  # a person without a name; all three are understood


@dataclass(frozen=True)
class Participant:
    """A person or a bot that takes a seat."""

    text: str  # as typed: you, the name of a person, or the spec of a bot
    name: str  # in the game
    bot: Spec | None = None

    @property
    def is_person(self) -> bool:
        return self.bot is None


def default_seats(players: int) -> str:
    """You against the usual opponents."""
    return ",".join(["you", *[OPPONENT] * (players - 1)])


def seats_in_words(text: str, by: str = ", ") -> str:
    """Seats in the language of the context, as they would be typed."""
    return by.join(_localized(word) for word in divide(text))


def _localized(word: str) -> str:
    if word == YOU.en:
        return getattr(YOU, language())  # type: ignore[no-any-return]
    with suppress(BotError):  # of a package that is no longer installed
        return parse(word).local_text if _is_spec(word) else word
    return word


def read_seats(text: str) -> tuple[Participant, ...]:
    """`you,beginner`, `Ada,Ben,planner:2s`: you, a name or a bot for each seat.

    People use their names; you and the bots use the letters of the seats.
    """
    words = divide(text)
    if len(words) > len(SEAT_NAMES):
        raise BrassError(
            _("at most {most} seats, not {number}: {text}").format(
                most=len(SEAT_NAMES), number=len(words), text=text
            )
        )
    seats = tuple(seat(word, letter) for word, letter in zip(words, SEAT_NAMES, strict=False))
    if not any(seat.is_person for seat in seats):
        raise BrassError(
            _("at least one seat must be a person: {example}").format(
                example=default_seats(max(2, len(seats)))
            )
        )
    return seats


def seat(word: str, letter: str) -> Participant:
    """Read one seat."""
    if not word:
        raise BrassError(
            _("a seat is empty: write you, {bots} or a name, separated by commas").format(
                bots=seats_in_words(OPPONENT)
            )
        )
    if word.casefold() in (YOU.en, YOU.de, YOU.fr):
        return Participant(YOU.en, letter)
    if _is_spec(word):
        bot = parse(word)
        return Participant(bot.text, letter, bot)
    word = " ".join(word.split())
    if close := slip_for(word):
        raise BrassError(
            _(
                "{name} is not a bot: did you mean {bot}? That is too close to be a person's name"
            ).format(name=word, bot=close)
        )
    if len(word) > LONGEST:
        raise BrassError(
            _("{name} is too long for a name: at most {longest} characters").format(
                name=word, longest=LONGEST
            )
        )
    return Participant(word, word)


def _is_spec(word: str) -> bool:
    """Is it a bot? A colon is found only in the spec of a bot."""
    return ":" in word or is_bot(word)


def seats_text(seats: Sequence[Participant]) -> str:
    """The text that `read_seats` reads."""
    return ",".join(seat.text for seat in seats)
