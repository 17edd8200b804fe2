"""Bills and gains for the page, in the language of the context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from brassmill import terms
from brassmill.core.bill import Bill, Part
from brassmill.core.gain import Gain
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.svg.panel import signed, times

# What money is paid for, and what it comes from; a tile goes by its name.
PAID = {
    "link": N_("building the link"),
    "coal": N_("coal"),
    "iron": N_("iron"),
    "debt": N_("debt"),
}
RECEIVED = {
    "coal": N_("coal sold"),
    "iron": N_("iron sold"),
    "loan": N_("loan"),
    "bonus": N_("bonus of the merchant"),
    "tile given up": N_("tile given up"),
}


@dataclass(frozen=True)
class Amount:
    """Something with its number, both in words."""

    label: str
    amount: str


@dataclass(frozen=True)
class SourceView:
    """Where coal, iron or beer comes from."""

    resource: str  # coal, iron or beer: the plain name, for its sign
    label: str  # the same in words
    place: str  # in words
    price: str  # in words; nothing: it is free
    count: int


@dataclass(frozen=True)
class BillView:
    """What an action costs and brings at once."""

    total: str
    pounds: int  # the same as a number
    parts: tuple[Amount, ...]  # but for what is bought: that is told with its source
    sources: tuple[SourceView, ...]
    receipts: tuple[Amount, ...]
    cash_left: str
    place: int  # in the next order, as things stand
    place_words: str


def bill_view(bill: Bill) -> BillView:
    """A bill in words."""
    bought = {source.resource for source in bill.sources if source.pounds}
    return BillView(
        total=terms.pounds(bill.total),
        pounds=bill.total,
        parts=_amounts([part for part in bill.parts if part.label not in bought], PAID),
        sources=_sources(bill),
        receipts=_amounts(bill.receipts, RECEIVED),
        cash_left=terms.pounds(bill.cash_left),
        place=bill.place,
        place_words=_("place {number} in the next order").format(number=bill.place),
    )


def gain_view(gain: Gain) -> tuple[Amount, ...]:
    """What an action brings: points if the era ended now, and income."""
    found = []
    if gain.points:
        found.append(Amount(_("points if the era ended now"), signed(gain.points)))
    if gain.income:
        levels = ngettext("{number} level", "{number} levels", abs(gain.levels)).format(
            number=signed(gain.levels)
        )
        found.append(Amount(_("income"), f"{signed(gain.income)} ({levels})"))
    if found and gain.at_most:
        found.append(Amount(_("at most; a tile is revealed first"), ""))
    return tuple(found)


def _amounts(parts: Sequence[Part], labels: Mapping[str, str]) -> tuple[Amount, ...]:
    """The amounts of a bill; equal ones that follow each other are one."""
    found = []
    for label, group in groupby(parts, lambda part: part.label):
        pounds = [part.pounds for part in group]
        words = _(labels[label]) if label in labels else terms.tile(label)
        count = f" {times(len(pounds))}" if len(pounds) > 1 else ""
        found.append(Amount(f"{words}{count}", terms.pounds(sum(pounds))))
    return tuple(found)


def _sources(bill: Bill) -> tuple[SourceView, ...]:
    """Where everything comes from; what comes from the same place is told once."""
    found = []
    for (resource, place), group in groupby(
        bill.sources, lambda source: (source.resource, source.words)
    ):
        pounds = [source.pounds for source in group]
        price = terms.pounds(sum(pounds)) if sum(pounds) else ""
        found.append(SourceView(resource, terms.resource(resource), place, price, len(pounds)))
    return tuple(found)
