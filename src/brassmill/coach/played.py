"""Why an opponent's action makes sense, from what another seat sees of it.

The named terms are counted before and after the action, in two views of the seat that asks. Hidden
cards are blank there, so the reasons cannot depend on them. They are about the action alone: no
alternative is considered, and nothing is said about the hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from brassmill.bots.brain import Brain
from brassmill.bots.plan import ROOT
from brassmill.bots.weights import weights_for
from brassmill.coach.reasons import AdviceReason, main_reasons
from brassmill.core.engine import plain
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.language import N_
from brassmill.rules.choices import is_loan
from brassmill.rules.layout import STATE

KEPT_BACK = ("hand",)  # reasons that are about the cards of the player

# What `reasons.py` says to the player who acts, said of another player.
OF_ANOTHER = {
    "your links can still gain VP": N_("their links can still gain VP"),
    "your links have less to gain": N_("their links have less to gain"),
    "more income when your tiles flip": N_("more income when their tiles flip"),
    "less income when your tiles flip": N_("less income when their tiles flip"),
    "clears canal-era-only tiles from your mat": N_("clears canal-era-only tiles from their mat"),
    "leaves canal-era-only tiles on your mat": N_("leaves canal-era-only tiles on their mat"),
    "closer to better tiles on your mat": N_("closer to better tiles on their mat"),
    "further from better tiles on your mat": N_("further from better tiles on their mat"),
    "no spaces for your best tiles": N_("no spaces for their best tiles"),
    "your beer: +{number}": N_("their beer: +{number}"),
    "your beer: \N{MINUS SIGN}{number}": N_("their beer: \N{MINUS SIGN}{number}"),
    "closer to the beer your sales need": N_("closer to the beer their sales need"),
    "connects you to a market": N_("connects them to a market"),
}


def reasons_for_played(
    edition: Edition, before: View, after: View, seat: int, choice: int
) -> tuple[AdviceReason, ...]:
    """The reasons of the action with which a seat went from one view to the other.

    Both views are those of the seat that asks; `choice` is the first choice of the action.
    """
    counter = _Counter(edition, seat)
    old, weights = counter.count(before)
    new, _weights = counter.count(after)
    found = main_reasons(new - old, weights, borrows=plain(is_loan)(choice), without=KEPT_BACK)
    return tuple(
        replace(reason, sentence=OF_ANOTHER.get(reason.sentence, reason.sentence))
        for reason in found
    )


class _Counter(Brain):
    """Counts the terms of a seat in positions as others see them, without filling in the blanks."""

    def __init__(self, edition: Edition, seat: int) -> None:
        super().__init__(edition, weights_for(edition))
        self.seat = seat

    def count(self, view: View) -> tuple[Any, Any]:
        """The terms of a view, and what one of each is worth in VP."""
        self._states[ROOT : ROOT + 1] = np.frombuffer(view.position, STATE)
        self.judge()
        return self.mind.term.copy(), self.mind.worth.copy()
