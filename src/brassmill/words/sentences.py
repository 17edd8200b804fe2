"""Sentences with named fields, in the language of the context.

Fields hold plain names (`cotton 2`, `canal`). They become words only when the sentence is shown, so
the same sentence can be shown in several languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from string import Formatter
from typing import Any

from brassmill import terms
from brassmill.core.choice import MEANING, choice_text
from brassmill.editions.edition import Edition
from brassmill.language import N_, either, language, ngettext, together
from brassmill.language import gettext as _
from brassmill.words.reasons import PARTS

# One sentence; or one for a single thing and one for several.
Sentence = str | tuple[str, str]
Fields = Mapping[str, Any]

# The open question, by phase (`rules/layout.py`), without its question mark. Nothing is asked when
# the turn or the game is over.
QUESTIONS = (
    N_("what would you like to do"),
    N_("discard which card"),
    N_("take coal from which mine"),
    N_("take iron from which works"),
    N_("take the coal at which end"),
    N_("add a second railway"),
    N_("use whose beer"),
    N_("remove which tile for the bonus"),
    N_("sell more"),
    N_("sell the cotton where"),
    N_("develop a second tile"),
    N_("remove which tile to pay the debt"),
)
# The same after "First choose".
TO_CHOOSE = (
    N_("what to do"),
    N_("which card to discard"),
    N_("which coal mine to use"),
    N_("which iron works to use"),
    N_("at which end to take the coal"),
    N_("whether to add a second railway"),
    N_("whose beer to use"),
    N_("which tile to remove for the bonus"),
    N_("whether to sell more"),
    N_("where to sell the cotton"),
    N_("whether to develop a second tile"),
    N_("which tile to remove to pay the debt"),
)


TIMES = "\N{MULTIPLICATION SIGN}"


def question_words(phase: int) -> str:
    """The open question, without its question mark."""
    return _(QUESTIONS[phase])


def hand_words(hand: Mapping[str, int]) -> str:
    """A hand as a list, with the number of each card."""
    names = [
        terms.card(name) + (f"{TIMES}{count}" if count > 1 else "") for name, count in hand.items()
    ]
    return ", ".join(names) or _("nothing")


def _named_choice(choice: tuple[Edition, int]) -> str:
    """A choice in the notation, without the number of a space."""
    edition, number = choice
    words = choice_text(edition, number, language())
    kind, offset = MEANING[number] if 0 <= number < len(MEANING) else ("", 0)
    if kind == "GIVE_UP" and offset < len(edition.spaces):
        place = edition.place_name(edition.spaces[offset].place)
        return _("remove your tile in {place}").format(place=place)
    return terms.town(words) if kind in NUMBERED else words


# The kinds of choice whose text ends in the name of a space or a merchant.
NUMBERED = ("BUILD", "SELL", "COAL_FROM", "IRON_FROM", "BEER_FROM", "BARREL_OF", "SELL_TO_PORT")

# How fields become words: from which fields, and how. Others are shown unchanged.
SAID: dict[str, tuple[str, Callable[[Any], str]]] = {
    "what": ("choice", _named_choice),
    "to_choose": ("phase", lambda phase: _(TO_CHOOSE[phase])),
    "part": ("part", lambda part: _(PARTS[part])),
    "industry": ("industry", terms.industry),
    "an_industry": ("industry", terms.an_industry),
    "the_industry": ("industry", terms.the_industry),
    "your_industry": ("industry", terms.your_industry),
    "industries": ("industry", terms.industries),
    "sold": ("sold", lambda names: together([terms.industries(name) for name in names])),
    "takes": ("takes", lambda names: together([terms.industries(name) for name in names])),
    "unsold": ("unsold", ", ".join),
    "town": ("space", terms.town),
    "source": ("source", terms.town),
    "port": ("port", terms.town),
    "goods": ("industry", terms.goods),
    "resource": ("industry", terms.resource),
    "tile": ("tile", terms.tile),
    "a_tile": ("tile", terms.a_tile),
    "tiles": ("tiles", lambda tiles: together([terms.tiles(*each) for each in tiles])),
    "level": ("tile", terms.level),
    "standing": ("standing", terms.tile),
    "a_standing": ("standing", terms.a_tile),
    "old_level": ("standing", terms.level),
    "card": ("card", terms.card),
    "the_cards": ("card", lambda cards: together(list(map(terms.the_card, cards.split(", "))))),
    "hand": ("hand", hand_words),
    "era": ("era", terms.era),
    "other_era": ("other_era", terms.era),
    "access": ("access", lambda names: either([terms.place(name) for name in names])),
    "buyers": ("buyers", either),
    "sources": ("sources", either),
    "loans": ("loans", lambda loans: either([terms.pounds(loan) for loan in loans])),
    "purpose": ("purpose", terms.purpose),
    "pounds": ("pounds", terms.pounds),
    "cash": ("cash", terms.pounds),
    "spent": ("spent", terms.pounds),
    "ordinal": ("turn", terms.ordinal),
    "price": ("price", terms.pounds),
    "short": ("missing", terms.pounds),
    "supplies": ("supplies", lambda names: together([terms.resource(name) for name in names])),
    "owed": ("pounds", lambda pounds: terms.pounds(-pounds)),
}


SEAT = re.compile(r"\{seat\}\s?:?\s")  # at the beginning of a sentence


def say(sentence: Sentence, fields: Fields, number: int = 1, *, without_seat: bool = False) -> str:
    """A sentence in the language of the context, with or without the seat at its start."""
    words = _(sentence) if isinstance(sentence, str) else ngettext(*sentence, number)
    if without_seat and (seat := SEAT.match(words)):
        words = words[seat.end() :]
    return words.format_map(_Said(fields))


@cache
def needed(sentence: str) -> frozenset[str]:
    """The plain names that the fields of a sentence need."""
    names = [name for _text, name, _spec, _conversion in Formatter().parse(sentence) if name]
    return frozenset(SAID.get(name, (name,))[0] for name in names)


UNSAID = "\N{HORIZONTAL ELLIPSIS}"  # a field that does not apply; no sentence should have one


class _Said(dict[str, str]):
    """Fields in words."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self.fields = fields

    def __missing__(self, name: str) -> str:
        plain, said = SAID.get(name, (name, str))
        return said(self.fields[plain]) if plain in self.fields else UNSAID
