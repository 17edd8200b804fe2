"""How a game ended, in words: who won, and by how much."""

from __future__ import annotations

from brassmill import terms
from brassmill.core.outcome import Outcome
from brassmill.language import ngettext, together


def headline_words(outcome: Outcome) -> str:
    """Who won."""
    names = [outcome.results[seat].name for seat in outcome.winners]
    words = ngettext("{names} wins", "{names} win", len(names))
    return words.format(names=together(names))


def decided_words(outcome: Outcome) -> str:
    """By how many VP the game was won, or which tie-break decided it."""
    if outcome.tie_break != "none":
        return terms.tie_break(outcome.tie_break)
    first, second, *others = outcome.ranking
    if second.seat in outcome.conceded:
        names = [result.name for result in (second, *others)]
        return ngettext("{names} conceded", "{names} conceded", len(names)).format(
            names=together(names)
        )
    ahead = first.total - second.total
    words = ngettext("{number} VP ahead of {name}", "{number} VP ahead of {name}", ahead)
    return words.format(number=ahead, name=second.name)
