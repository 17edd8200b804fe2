"""Reasons: what an action changes in the named terms of the evaluation, in words.

Related terms form one reason. Their total value decides whether the reason is given; how they have
changed decides which of its sayings is true.
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
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.rules.choices import is_loan
from brassmill.rules.layout import INDUSTRIES

MOST = 4  # reasons
LEAST = 0.25  # VP that a reason must be worth
SAME = 0.01  # a change this small does not count


class Saying(NamedTuple):
    """What to say about a change in some terms, good or bad."""

    counts: tuple[int, ...]  # terms
    good: str
    bad: str
    more_is_good: bool = True

    def sentence(self, good: bool, change: Any) -> tuple[str, int] | None:
        """The sentence for a change and its number, if the sentence is true."""
        changed = float(change[list(self.counts)].sum())
        sentence, number = self.good if good else self.bad, round(abs(changed))
        counted = "{number}" in sentence or "{pounds}" in sentence
        there_is = number > 0 if counted else abs(changed) > SAME
        fits = (changed > 0) == (good == self.more_is_good)
        return (sentence, number) if there_is and fits else None


@dataclass(frozen=True)
class AdviceReason:
    """A reason for or against an action."""

    name: str  # in `REASONS`, or `loan`
    points: float  # what it is worth, in VP
    sentence: str
    number: int
    income: int = 0  # pounds a round that a loan costs

    @property
    def words(self) -> str:
        """In the language of the context."""
        return _(self.sentence).format(
            number=self.number,
            pounds=terms.pounds(self.number),
            income=terms.pounds(self.income),
        )


def reasons_for(study: Study, compared: Sequence[Choices]) -> list[tuple[AdviceReason, ...]]:
    """The reasons of each action.

    A whole action is compared with doing nothing. Ways to continue are compared with each other,
    because what they have in common is already decided.
    """
    after = np.array([study.terms(choices) for choices in compared])
    before = study.terms() if study.is_whole or len(compared) == 1 else after.mean(axis=0)
    change = after - before
    weights = study.weights()
    return [
        main_reasons(row, weights, borrows=study.is_whole and plain(is_loan)(choices[0]))
        for row, choices in zip(change, compared, strict=True)
    ]


def main_reasons(
    change: Any, weights: Any, borrows: bool = False, without: Sequence[str] = ()
) -> tuple[AdviceReason, ...]:
    """The most valuable reasons that have a true sentence, those in favour first.

    The money and the cost of a loan are always among them; those named in `without` never are.
    """
    found = []
    for name, sayings in REASONS.items():
        if name in without or (borrows and name in BORROWED):
            continue
        points = worth(change, weights, name)
        said = filter(None, (saying.sentence(points > 0, change) for saying in sayings))
        for sentence, number in list(said)[:1]:
            found.append(AdviceReason(name, points, sentence, number))
    given = [reason for reason in found if abs(reason.points) >= LEAST]
    always = [loan(change, weights)] if borrows else []
    given = sorted(given, key=lambda reason: -abs(reason.points))[: MOST - len(always)]
    return tuple(sorted(always + given, key=lambda reason: -reason.points))


def loan(change: Any, weights: Any) -> AdviceReason:
    """The money of a loan and the income it costs, as one reason."""
    return AdviceReason(
        name="loan",
        points=sum(worth(change, weights, name) for name in BORROWED),
        sentence=LOAN,
        number=round(change[list(PURSE)].sum()),
        income=round(-change[Term.LEVEL]),
    )


def worth(change: Any, weights: Any, name: str) -> float:
    """The total value of the terms of a reason, in VP."""
    return float(sum((change * weights)[term] for term in terms_of(name)))


def terms_of(name: str) -> set[int]:
    """All terms that make up a reason."""
    return {term for saying in REASONS[name] for term in saying.counts}


def _row(first: Term, length: int = INDUSTRIES) -> tuple[int, ...]:
    return tuple(range(first, first + length))


LOAN = N_("{pounds} now, for {income} less income a round")
BORROWED = ("money", "income")  # the reasons that a loan replaces

PURSE = _row(Term.CASH, len(SEGMENTS) + 1)
WAITING = (*_row(Term.READY_OF), *_row(Term.UNREADY_OF), Term.FADING_READY, Term.FADING_UNREADY)
FLIPPED = (Term.TILES, Term.TILES_AGAIN)

# The first saying that is true is used.
REASONS: dict[str, tuple[Saying, ...]] = {
    "points": (
        Saying((Term.BANKED,), N_("+{number} VP now"), N_("\N{MINUS SIGN}{number} VP now")),
    ),
    "tiles": (
        Saying(
            (Term.TILES_AGAIN,),
            N_("flips tiles that score twice: +{number} VP each time"),
            N_("fewer flipped tiles that score twice: \N{MINUS SIGN}{number} VP each time"),
        ),
        Saying(
            (Term.TILES,),
            N_("flips tiles: +{number} VP"),
            N_("fewer flipped tiles: \N{MINUS SIGN}{number} VP"),
        ),
        Saying(
            (*WAITING, *FLIPPED),  # a tile that flips is not lost
            N_("tiles likely to flip: +{number} VP"),
            N_("tiles likely to flip: \N{MINUS SIGN}{number} VP"),
        ),
    ),
    "links": (
        Saying((Term.LINKS,), N_("links: +{number} VP"), N_("links: \N{MINUS SIGN}{number} VP")),
        Saying(
            (Term.LINK_HOPE, Term.LINK_ROOM),
            N_("your links can still gain VP"),
            N_("your links have less to gain"),
        ),
    ),
    "income": (
        Saying(
            (Term.LEVEL,),
            N_("income: +{pounds} a round"),
            N_("income: \N{MINUS SIGN}{pounds} a round"),
        ),
        Saying(
            (Term.GAIN_READY, Term.GAIN_UNREADY, Term.INCOME),
            N_("more income when your tiles flip"),
            N_("less income when your tiles flip"),
        ),
    ),
    "money": (
        Saying(
            (Term.ENDING,),
            N_("money and income at the end: +{number} VP"),
            N_("money and income at the end: \N{MINUS SIGN}{number} VP"),
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
            N_("next income: {pounds} less debt"),
            N_("next income: {pounds} more debt"),
            more_is_good=False,
        ),
    ),
    "mat": (
        Saying(
            _row(Term.NEXT_OF),
            N_("better tiles next: +{number} VP"),
            N_("worse tiles next: \N{MINUS SIGN}{number} VP"),
        ),
        Saying(
            (Term.DEAD_TILES,),
            N_("clears canal-era-only tiles from your mat"),
            N_("leaves canal-era-only tiles on your mat"),
            more_is_good=False,
        ),
        Saying(
            _row(Term.GONE_OF),
            N_("closer to better tiles on your mat"),
            N_("further from better tiles on your mat"),
        ),
    ),
    "survivors": (
        Saying(
            (Term.SURVIVORS,),
            N_("a tile that stays for the rail era"),
            N_("one tile fewer for the rail era"),
        ),
    ),
    "hand": (
        Saying(
            (Term.CARD_WILD_LOCATION, Term.CARD_WILD_INDUSTRY),
            N_("wild cards in hand"),
            N_("discards a wild card"),
        ),
        Saying(
            (Term.CARD_NEAR, Term.CARD_FAR, Term.CARD_USE, Term.CARD_IDLE),
            N_("more useful cards in hand"),
            N_("discards a useful card"),
        ),
        Saying(
            (Term.CARD_DEAD,),
            N_("discards a card you don't need"),
            N_("keeps cards you don't need"),
            more_is_good=False,
        ),
    ),
    "sites": (
        Saying(
            _row(Term.SITES_OF),
            N_("more spaces to build on"),
            N_("fewer spaces to build on"),
        ),
        Saying(
            (Term.PROSPECTS,),
            N_("spaces for better tiles"),
            N_("no spaces for your best tiles"),
        ),
    ),
    "lines": (
        Saying(
            (Term.BEST_LINE, Term.NEXT_LINES, Term.OPEN_LINES),
            N_("better links to build next"),
            N_("fewer good links left to build"),
        ),
    ),
    "beer": (
        Saying(
            (Term.OWN_BEER,),
            N_("your beer: +{number}"),
            N_("your beer: \N{MINUS SIGN}{number}"),
        ),
        Saying(
            (Term.RIVAL_BEER, Term.MERCHANT_BEER),
            N_("more of others' beer within reach"),
            N_("less of others' beer within reach"),
        ),
        Saying(
            (Term.BEER_SHORT,),
            N_("closer to the beer your sales need"),
            N_("short of beer to sell"),
            more_is_good=False,
        ),
    ),
    "buyers": (
        Saying((Term.BUYERS,), N_("more buyers within reach"), N_("fewer buyers within reach")),
        Saying(
            (Term.DEMAND,),
            N_("the distant market pays more"),
            N_("the distant market pays less"),
            more_is_good=False,
        ),
    ),
    "coal": (
        Saying((Term.ACCESS,), N_("connects you to a market"), N_("no market within reach")),
        Saying(
            (Term.FREE_COAL,),
            N_("more free coal within reach"),
            N_("less free coal within reach"),
        ),
        Saying(
            (Term.COAL_PRICE,),
            N_("coal gets cheaper"),
            N_("coal gets more expensive"),
            more_is_good=False,
        ),
    ),
    "iron": (
        Saying(
            (Term.FREE_IRON,),
            N_("more free iron within reach"),
            N_("less free iron within reach"),
        ),
        Saying(
            (Term.IRON_PRICE,),
            N_("iron gets cheaper"),
            N_("iron gets more expensive"),
            more_is_good=False,
        ),
    ),
    "order": (
        Saying(
            (Term.ORDER,),
            N_("earlier in turn order next round"),
            N_("later in turn order next round"),
            more_is_good=False,
        ),
    ),
    "rivals": (
        Saying(
            (Term.RIVALS_POINTS, Term.RIVALS_HOPE),
            N_("costs opponents VP"),
            N_("gives opponents VP"),
            more_is_good=False,
        ),
        Saying(
            (Term.RIVALS_INCOME,),
            N_("costs opponents income"),
            N_("gives opponents income"),
            more_is_good=False,
        ),
    ),
}
