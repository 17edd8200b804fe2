"""Sentences with named fields, said in the language of the context.

Fields are kept as the plain names of things (`cotton 2`, `canal`) and put into words when the
sentence is said, so that one sentence can be said in several languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from string import Formatter
from typing import Any

from brassmill import terms
from brassmill.core.choice import choice_text
from brassmill.language import N_, either, language, ngettext, together
from brassmill.language import gettext as _
from brassmill.words.reasons import PARTS

# One sentence; or one for a single thing and one for several.
Sentence = str | tuple[str, str]
Fields = Mapping[str, Any]

# The open question, by phase (`rules/layout.py`), without its question mark. When the turn or the
# game is over, nothing is asked.
QUESTIONS = (
    N_("what to do"),
    N_("which card to give up"),
    N_("which coal mine gives the coal"),
    N_("which iron works gives the iron"),
    N_("at which end the rail takes its coal"),
    N_("a second rail, or done"),
    N_("whose beer to use"),
    N_("which tile the bonus removes"),
    N_("what to sell next, or done"),
    N_("where to sell the cotton"),
    N_("a second tile to develop, or done"),
    N_("which tile to give up for the debt"),
)


TIMES = "\N{MULTIPLICATION SIGN}"


def question_words(phase: int) -> str:
    """The open question, without its question mark."""
    return _(QUESTIONS[phase])


def hand_words(hand: Mapping[str, int]) -> str:
    """A hand, how many there are of each card, as a list."""
    names = [
        terms.card(name) + (f"{TIMES}{count}" if count > 1 else "") for name, count in hand.items()
    ]
    return ", ".join(names) or _("nothing")


# How fields are said: what a field is made from, and how. The others are said as they are.
SAID: dict[str, tuple[str, Callable[[Any], str]]] = {
    "what": ("choice", lambda choice: choice_text(choice[0], choice[1], language())),
    "question": ("phase", question_words),
    "part": ("part", lambda part: _(PARTS[part])),
    "industry": ("industry", terms.industry),
    "an_industry": ("industry", terms.an_industry),
    "industries": ("industry", terms.industries),
    "sold": ("sold", lambda names: together([terms.industries(name) for name in names])),
    "takes": ("takes", lambda names: together([terms.industries(name) for name in names])),
    "unsold": ("unsold", ", ".join),
    "goods": ("industry", terms.goods),
    "resource": ("industry", terms.resource),
    "tile": ("tile", terms.tile),
    "a_tile": ("tile", terms.a_tile),
    "standing": ("standing", terms.tile),
    "card": ("card", lambda cards: ", ".join(map(terms.card, cards.split(", ")))),
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
    "short": ("missing", terms.pounds),
    "owed": ("pounds", lambda pounds: terms.pounds(-pounds)),
}


def say(sentence: Sentence, fields: Fields, number: int = 1, *, without: str = "") -> str:
    """A sentence in the language of the context; one that begins with `without` goes without it."""
    words = _(sentence) if isinstance(sentence, str) else ngettext(*sentence, number)
    return words.removeprefix(without).format_map(_Said(fields))


@cache
def needed(sentence: str) -> frozenset[str]:
    """The plain names from which the fields of a sentence are made."""
    names = [name for _text, name, _spec, _conversion in Formatter().parse(sentence) if name]
    return frozenset(SAID.get(name, (name,))[0] for name in names)


UNSAID = "\N{HORIZONTAL ELLIPSIS}"  # a field that does not apply; no sentence should have one


class _Said(dict[str, str]):
    """Fields as they are said."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self.fields = fields

    def __missing__(self, name: str) -> str:
        plain, said = SAID.get(name, (name, str))
        return said(self.fields[plain]) if plain in self.fields else UNSAID
