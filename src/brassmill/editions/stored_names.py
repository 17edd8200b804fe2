"""The names by which stored games know the parts of an edition. They never change.

If a rulebook renames a town, an industry or a card, its name in the edition's table changes, and
`STORED_NAMES` keeps the first one; `docs/contribute/when-a-rule-changes.md` lists the steps. The
way names are put together (`Preston 2`, `cotton/manufacturer`) is frozen here too.
"""

from __future__ import annotations

from brassmill.editions.edition import INDUSTRY, WILD_CARDS, Edition
from brassmill.rules.layout import LEVELS, PLACES

# Today's name of a place, an industry or a card, and the one it had when it was first stored.
STORED_NAMES: dict[str, str] = {}


def stored_name(name: str) -> str:
    """The first name of a place, an industry or a card."""
    return STORED_NAMES.get(name, name)


INDUSTRIES = tuple(map(stored_name, INDUSTRY))


def goods_name(goods: int) -> str:
    """A merchant tile, given as bits of goods."""
    names = [name for number, name in enumerate(INDUSTRIES) if goods >> number & 1]
    return "all" if len(names) > 1 else next(iter(names), "blank")


class StoredNames:
    """The stored names of an edition's parts, by their numbers."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def place(self, place: int) -> str:
        return stored_name(self.edition.places[place].name)

    def space(self, space: int) -> str:
        row = self.edition.spaces[space]
        only = len(self.edition.places[row.place].spaces) == 1
        return self.place(row.place) if only else f"{self.place(row.place)} {row.number}"

    def line(self, line: int) -> str:
        return "-".join(map(stored_name, self.edition.lines[line].ends[:2]))

    def tile(self, kind: int) -> str:
        return f"{INDUSTRIES[(kind - 1) // LEVELS]} {(kind - 1) % LEVELS}"

    def card(self, card: int) -> str:
        if card < PLACES:
            return self.place(card)
        if card in WILD_CARDS:
            return stored_name(WILD_CARDS[card][0])
        return "/".join(map(stored_name, self.edition.card_symbols[card]))

    def merchant(self, merchant: int) -> str:
        places = self.edition.merchants
        place = places[merchant]
        number = merchant - places.index(place) + 1
        return stored_name(place) if places.count(place) == 1 else f"{stored_name(place)} {number}"
