"""Short names: the shortest beginning of a name that is unique in the edition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby

from brassmill.editions.edition import INDUSTRY, INDUSTRY_NAMES, WILD_CARDS, Edition
from brassmill.editions.names import slug

SHORTEST = 3  # letters of a code; a name with one more is never cut


@cache
def codes(edition: Edition) -> dict[str, str]:
    """The code of each place, industry and wild card."""
    names = [place.name.removeprefix("The ") for place in edition.places]
    names += [INDUSTRY[number] for number in edition.industries]
    names += [name.replace(" ", "-") for name, *_ in WILD_CARDS.values()]
    return {name: _shortest(name, [other for other in names if other != name]) for name in names}


def _shortest(name: str, others: Sequence[str]) -> str:
    size = len(name) if len(name) == SHORTEST + 1 else SHORTEST
    while size < len(name) and any(
        other.casefold().startswith(name[:size].casefold()) for other in others
    ):
        size += 1
    return name[:size]


def code_of(edition: Edition, name: str) -> str:
    """The code of a name, or the name if it has none; a card with two industries uses the first."""
    key = name.partition("/")[0].removeprefix("The ").replace("wild ", "wild-")
    return codes(edition).get(key, name)


def cards_text(edition: Edition, cards: Sequence[str]) -> str:
    """Cards in order, with equal neighbours grouped: `Bury coal*2`."""
    words = []
    for card, run in groupby(cards):
        code, count = code_of(edition, card), len(list(run))
        words.append(code if count == 1 else f"{code}*{count}")
    return " ".join(words)


@cache
def long_names(edition: Edition) -> set[str]:
    """The names of cards that have several words."""
    names = [name for place in edition.places for name in (place.name, *place.other_names)]
    names += [name for number in edition.industries for name in INDUSTRY_NAMES[INDUSTRY[number]]]
    names += [name for spellings in WILD_CARDS.values() for name in spellings]
    return {slug(name) for name in names if "_" in slug(name)}
