"""Reasons: what an action changes in the named terms of the judgement, in words.

Terms that a player would name in one breath are one reason: what they are worth together decides
whether it is told, and what has changed in them, which of its sayings is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from brassmill import terms
from brassmill.bots.mind import SEGMENTS, Term
from brassmill.coach.study import Choices, Study
from brassmill.core.engine import plain
from brassmill.language import N_, NN_, ngettext
from brassmill.language import gettext as _
from brassmill.rules.choices import is_loan
from brassmill.rules.layout import INDUSTRIES

MOST = 4  # reasons
LEAST = 0.25  # points that a reason is worth
SAME = 0.01  # so small a change is none

Forms = str | tuple[str, str]  # a sentence, or one for 1 and one for more


class Saying(NamedTuple):
    """What can be said about the change of some counts, where it is good and where it is bad."""

    counts: tuple[int, ...]  # terms
    good: Forms
    bad: Forms
    more_is_good: bool = True

    def forms(self, good: bool, change: Any) -> tuple[Forms, int] | None:
        """The words for a change, and the number in them, if they are true."""
        changed = float(change[list(self.counts)].sum())
        forms, number = self.good if good else self.bad, round(abs(changed))
        counted = isinstance(forms, tuple) or "{pounds}" in forms
        there_is = number > 0 if counted else abs(changed) > SAME
        fits = (changed > 0) == (good == self.more_is_good)
        return (forms, number) if there_is and fits else None


@dataclass(frozen=True)
class Reason:
    """Something that speaks for an action, or against it."""

    name: str  # in `REASONS`, or `loan`
    points: float  # what it is worth
    forms: Forms
    number: int
    income: int = 0  # pounds a round that a loan costs

    @property
    def words(self) -> str:
        """In the language of the context."""
        forms, number = self.forms, self.number
        words = _(forms) if isinstance(forms, str) else ngettext(*forms, number)
        pounds, income = terms.pounds(number), terms.pounds(self.income)
        return words.format(number=number, pounds=pounds, income=income)


def reasons_for(study: Study, compared: Sequence[Choices]) -> list[tuple[Reason, ...]]:
    """The reasons of each action.

    A whole action is compared with doing nothing; ways to go on are compared with each other,
    because what they have in common is decided already.
    """
    after = np.array([study.terms(choices) for choices in compared])
    before = study.terms() if study.is_whole or len(compared) == 1 else after.mean(axis=0)
    change = after - before
    weights = study.weights()
    return [
        main_reasons(row, weights, borrows=study.is_whole and plain(is_loan)(choices[0]))
        for row, choices in zip(change, compared, strict=True)
    ]


def main_reasons(change: Any, weights: Any, borrows: bool = False) -> tuple[Reason, ...]:
    """Those that are worth most, as far as something true can be said: first what speaks for it.

    Of a loan, what it brings and costs is always told.
    """
    found = []
    for name, sayings in REASONS.items():
        if borrows and name in BORROWED:
            continue
        points = worth(change, weights, name)
        said = filter(None, (saying.forms(points > 0, change) for saying in sayings))
        for forms, number in list(said)[:1]:
            found.append(Reason(name, points, forms, number))
    told = [reason for reason in found if abs(reason.points) >= LEAST]
    always = [loan(change, weights)] if borrows else []
    told = sorted(told, key=lambda reason: -abs(reason.points))[: MOST - len(always)]
    return tuple(sorted(always + told, key=lambda reason: -reason.points))


def loan(change: Any, weights: Any) -> Reason:
    """The money of a loan and the income that it costs: nobody weighs one without the other."""
    return Reason(
        name="loan",
        points=sum(worth(change, weights, name) for name in BORROWED),
        forms=LOAN,
        number=round(change[list(PURSE)].sum()),
        income=round(-change[Term.LEVEL]),
    )


def worth(change: Any, weights: Any, name: str) -> float:
    """What the terms of a reason are worth together, in points."""
    return float(sum((change * weights)[term] for term in terms_of(name)))


def terms_of(name: str) -> set[int]:
    """All terms that make up a reason."""
    return {term for saying in REASONS[name] for term in saying.counts}


def _row(first: Term, length: int = INDUSTRIES) -> tuple[int, ...]:
    return tuple(range(first, first + length))


LOAN = N_("brings {pounds} at once, and costs {income} of income a round")
BORROWED = ("money", "income")  # the reasons that it takes the place of

PURSE = _row(Term.CASH, len(SEGMENTS) + 1)
WAITING = (*_row(Term.READY_OF), *_row(Term.UNREADY_OF), Term.FADING_READY, Term.FADING_UNREADY)
FLIPPED = (Term.TILES, Term.TILES_AGAIN)

# The first saying that is true is told.
REASONS: dict[str, tuple[Saying, ...]] = {
    "points": (
        Saying(
            (Term.BANKED,),
            NN_("{number} point at once", "{number} points at once"),
            NN_("{number} point lost at once", "{number} points lost at once"),
        ),
    ),
    "tiles": (
        Saying(
            (Term.TILES_AGAIN,),
            NN_(
                "flips tiles that score {number} point twice",
                "flips tiles that score {number} points twice",
            ),
            NN_(
                "flipped tiles: {number} point less, twice",
                "flipped tiles: {number} points less, twice",
            ),
        ),
        Saying(
            (Term.TILES,),
            NN_("flips tiles for {number} point", "flips tiles for {number} points"),
            NN_(
                "flipped tiles: {number} point less",
                "flipped tiles: {number} points less",
            ),
        ),
        Saying(
            (*WAITING, *FLIPPED),  # a tile that flips is none that is lost
            NN_(
                "tiles that will flip: {number} point more",
                "tiles that will flip: {number} points more",
            ),
            NN_(
                "tiles that will flip: {number} point less",
                "tiles that will flip: {number} points less",
            ),
        ),
    ),
    "links": (
        Saying(
            (Term.LINKS,),
            NN_("links: {number} point more", "links: {number} points more"),
            NN_("links: {number} point less", "links: {number} points less"),
        ),
        Saying(
            (Term.LINK_HOPE, Term.LINK_ROOM),
            N_("own links can still gain points"),
            N_("own links have less to gain"),
        ),
    ),
    "income": (
        Saying(
            (Term.LEVEL,),
            N_("income: {pounds} a round more"),
            N_("income: {pounds} a round less"),
        ),
        Saying(
            (Term.GAIN_READY, Term.GAIN_UNREADY, Term.INCOME),
            N_("more income to come from tiles that will flip"),
            N_("less income to come from tiles that will flip"),
        ),
    ),
    "money": (
        Saying(
            (Term.ENDING,),
            NN_(
                "money and income at the end: {number} point more",
                "money and income at the end: {number} points more",
            ),
            NN_(
                "money and income at the end: {number} point less",
                "money and income at the end: {number} points less",
            ),
        ),
        Saying(
            PURSE,
            N_("{pounds} more to spend"),
            N_("{pounds} less to spend"),
        ),
    ),
    "debt": (
        Saying(
            (Term.DEBT,),
            N_("{pounds} less are missing when income is next taken"),
            N_("{pounds} more are missing when income is next taken"),
            more_is_good=False,
        ),
    ),
    "mat": (
        Saying(
            _row(Term.NEXT_OF),
            NN_(
                "the next tiles of the mat bring {number} point more",
                "the next tiles of the mat bring {number} points more",
            ),
            NN_(
                "the next tiles of the mat bring {number} point less",
                "the next tiles of the mat bring {number} points less",
            ),
        ),
        Saying(
            (Term.DEAD_TILES,),
            N_("clears the mat of tiles that are only for the canal era"),
            N_("tiles that are only for the canal era stay on the mat"),
            more_is_good=False,
        ),
        Saying(
            _row(Term.GONE_OF),
            N_("better tiles come nearer on the mat"),
            N_("better tiles stay farther off on the mat"),
        ),
    ),
    "survivors": (
        Saying(
            (Term.SURVIVORS,),
            N_("a tile that stays for the rail era"),
            N_("a tile less that stays for the rail era"),
        ),
    ),
    "hand": (
        Saying(
            (Term.CARD_WILD_LOCATION, Term.CARD_WILD_INDUSTRY),
            N_("wild cards in hand"),
            N_("gives up a wild card"),
        ),
        Saying(
            (Term.CARD_NEAR, Term.CARD_FAR, Term.CARD_USE, Term.CARD_IDLE),
            N_("the cards in hand open more"),
            N_("gives up a card that could be of use"),
        ),
        Saying(
            (Term.CARD_DEAD,),
            N_("gives up a card that opens nothing that the others do not"),
            N_("cards in hand that open nothing that the others do not"),
            more_is_good=False,
        ),
    ),
    "sites": (
        Saying(
            _row(Term.SITES_OF),
            N_("more sites to build on"),
            N_("fewer sites to build on"),
        ),
        Saying(
            (Term.PROSPECTS,),
            N_("sites for better tiles"),
            N_("no sites for the best tiles"),
        ),
    ),
    "lines": (
        Saying(
            (Term.BEST_LINE, Term.NEXT_LINES, Term.OPEN_LINES),
            N_("better lines to choose from next"),
            N_("fewer good lines left to choose from"),
        ),
    ),
    "beer": (
        Saying(
            (Term.OWN_BEER,),
            NN_("{number} own barrel more", "{number} own barrels more"),
            NN_("{number} own barrel less", "{number} own barrels less"),
        ),
        Saying(
            (Term.RIVAL_BEER, Term.MERCHANT_BEER),
            N_("more beer of others in reach"),
            N_("less beer of others in reach"),
        ),
        Saying(
            (Term.BEER_SHORT,),
            N_("less beer is lacking for what could be sold"),
            N_("beer is lacking for what could be sold"),
            more_is_good=False,
        ),
    ),
    "buyers": (
        Saying((Term.BUYERS,), N_("more buyers in reach"), N_("fewer buyers in reach")),
        Saying(
            (Term.DEMAND,),
            N_("the distant market pays more"),
            N_("the distant market pays less"),
            more_is_good=False,
        ),
    ),
    "coal": (
        Saying((Term.ACCESS,), N_("the network reaches a market"), N_("no market in reach")),
        Saying((Term.FREE_COAL,), N_("more free coal in reach"), N_("less free coal in reach")),
        Saying(
            (Term.COAL_PRICE,), N_("coal gets cheaper"), N_("coal gets dearer"), more_is_good=False
        ),
    ),
    "iron": (
        Saying((Term.FREE_IRON,), N_("more free iron in reach"), N_("less free iron in reach")),
        Saying(
            (Term.IRON_PRICE,), N_("iron gets cheaper"), N_("iron gets dearer"), more_is_good=False
        ),
    ),
    "order": (
        Saying(
            (Term.ORDER,),
            N_("earlier in the next order of play"),
            N_("later in the next order of play"),
            more_is_good=False,
        ),
    ),
    "rivals": (
        Saying(
            (Term.RIVALS_POINTS, Term.RIVALS_HOPE),
            N_("costs rivals points"),
            N_("brings rivals points"),
            more_is_good=False,
        ),
        Saying(
            (Term.RIVALS_INCOME,),
            N_("costs rivals income"),
            N_("brings rivals income"),
            more_is_good=False,
        ),
    ),
}
