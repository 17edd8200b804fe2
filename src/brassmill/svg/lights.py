"""Which elements of a picture stand for the open choices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from brassmill.choice import MEANING, whole
from brassmill.errors import BrassError
from brassmill.rules.layout import SYMBOLS

ON_SPACES = frozenset({"SELL", "COAL_FROM", "IRON_FROM", "BEER_FROM", "SELL_TO_PORT", "GIVE_UP"})
ELSEWHERE = {
    "LINK": "line",
    "BARREL_OF": "merchant",
    "COAL_AT": "place",
    "CARD": "card",
    "TWO_CARDS": "two cards",
    "DEVELOP": "industry",
    "REMOVE": "industry",
    "SELL_FAR": "distant market",
}


class Lights:
    """The open choices by what they are about: spaces, lines, merchants, places, cards, ..."""

    def __init__(self, lit: Collection[int] = ()) -> None:
        self._choices: dict[tuple[str, int], list[int]] = defaultdict(list)
        for choice in sorted({whole("a choice", choice) for choice in lit}):
            if not 0 <= choice < len(MEANING):
                raise BrassError(f"there is no choice {choice}: they are 0 to {len(MEANING) - 1}")
            kind, offset = MEANING[choice]
            if kind == "BUILD":
                self._choices["space", offset // SYMBOLS].append(choice)
            elif kind in ON_SPACES:
                self._choices["space", offset].append(choice)
            elif kind in ELSEWHERE:
                self._choices[ELSEWHERE[kind], offset].append(choice)

    def of(self, what: str, *numbers: int) -> str | None:
        """The `data-choice` of a space, line, card, ...: numbers, or None if it is dark.

        Several things that are one choice (`numbers`) have each the choices of all.
        """
        choices = [choice for number in numbers for choice in self._choices.get((what, number), ())]
        return " ".join(map(str, choices)) or None
