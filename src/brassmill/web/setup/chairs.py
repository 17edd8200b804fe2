"""The seats of a new game: you, another person here, an invited friend, or a bot."""

from __future__ import annotations

import random
from collections.abc import Container
from dataclasses import dataclass
from typing import NamedTuple

from brassmill.bots.registry import BUILT_IN, find, is_bot, parse
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.notation.reader import name_problems
from brassmill.play.seating import Participant, seat
from brassmill.position.words import POSITION_KEYS, SEAT_NAMES
from brassmill.svg.panel import capital
from brassmill.web.setup.visible import has_blank, has_letter

YOU, PERSON, FRIEND = "you", "person", "friend"
LEVELS = tuple(kind.word.en for kind in BUILT_IN if ".levels:" in kind.factory)
USUAL_LEVEL = "apprentice"

# Names for bots: engineers and entrepreneurs of the mills, mines, canals and railways.
NAMES = (
    *("Arkwright", "Bateman", "Boulton", "Brindley", "Brunel", "Cartwright", "Crompton", "Darby"),
    *("Hargreaves", "Jessop", "Kay", "Maudslay", "Murdoch", "Newcomen", "Peel", "Rennie"),
    *("Stephenson", "Strutt", "Telford", "Trevithick", "Watt", "Wedgwood", "Whitworth"),
)


class LevelChoice(NamedTuple):
    """A level of bot to choose from."""

    name: str
    title: str
    meaning: str


def levels() -> list[LevelChoice]:
    """The five levels, in words."""
    kinds = [find(name) for name in LEVELS]
    return [
        LevelChoice(name, capital(kind.local_name), capital(_(kind.meaning).partition(": ")[2]))
        for name, kind in zip(LEVELS, kinds, strict=True)
    ]


def names_beside(taken: Container[str], number: int) -> list[str]:
    """Random period names that are not taken."""
    return random.sample([name for name in NAMES if name.casefold() not in taken], number)


@dataclass(frozen=True)
class Chair:
    """A seat in the new-game form: you, a person, a friend or a level, and an optional name."""

    number: int
    who: str
    name: str = ""
    fault: str = ""

    def seat(self) -> Participant:
        """The seat as chosen; an error says what is wrong with it."""
        letter = SEAT_NAMES[self.number]
        name = " ".join(self.name.split())
        if self.who in LEVELS:
            return Participant(self.who, letter, parse(self.who))
        if self.who == FRIEND:
            return Participant(FRIEND, "")  # the friend chooses a name on joining
        if self.who not in (YOU, PERSON):
            raise BrassError(_("Choose who plays this seat."))
        if not name:
            return Participant(YOU, "")
        if is_bot(name) or ":" in name or name.casefold() == YOU:
            raise BrassError(_("{name} is not allowed as a player's name.").format(name=name))
        for problem in name_problems([name], POSITION_KEYS):
            raise BrassError(capital(problem) + ".")
        if not has_letter(name):
            raise BrassError(_("A name needs at least one letter or digit."))
        if has_blank(name):
            raise BrassError(_("{name} is not allowed as a player's name.").format(name=name))
        return seat(name, letter)


def for_friends(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """The same seats, with friends in place of the bots."""
    return tuple(Chair(n, FRIEND) if n else chair for n, chair in enumerate(chairs))
