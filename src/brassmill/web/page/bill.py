"""Bills and gains for the page, in the current language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from brassmill import terms
from brassmill.core.bill import Bill, BillItem, discards_words
from brassmill.core.gain import Gain
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.svg.panel import capital, signed, times

# Words for expenses and receipts; a tile goes by its name.
PAID = {
    "link": N_("building the link"),
    "coal": N_("coal"),
    "iron": N_("iron"),
    "debt": N_("debt"),
}
RECEIVED = {
    "coal": N_("Coal sold"),
    "iron": N_("Iron sold"),
    "loan": N_("Loan"),
    "bonus": N_("Merchant bonus"),
    "tile given up": N_("Removed tile"),
}


@dataclass(frozen=True)
class Amount:
    """A label and an amount, both in words."""

    label: str
    amount: str


@dataclass(frozen=True)
class SourceView:
    """Where coal, iron or beer comes from."""

    resource: str  # coal, iron or beer as in the notation, for its symbol
    label: str  # the resource and its source: "coal from your mine in Cannock"
    price: str  # "£3" or "free"; empty if there are several suppliers to choose from
    count: int


@dataclass(frozen=True)
class BillView:
    """What an action costs and earns at once."""

    total: str
    pounds: int  # the same as a number
    parts: tuple[Amount, ...]  # without bought cubes, which are in `sources`
    sources: tuple[SourceView, ...]
    wild: tuple[str, ...]  # the wild cards it discards, in words
    receipts: tuple[Amount, ...]
    bonuses: tuple[str, ...]  # of merchants, apart from money that is sure
    cash_left: str
    only_earns: bool  # it only earns money
    place: int  # in the turn order of the next round, as things stand
    next_round: str  # the same in words


def bill_view(bill: Bill) -> BillView:
    """A bill in words."""
    bought = {source.resource for source in bill.sources if source.pounds}
    return BillView(
        total=terms.pounds(bill.total),
        pounds=bill.total,
        parts=_amounts([part for part in bill.parts if part.label not in bought], PAID),
        sources=_sources(bill),
        wild=tuple(capital(discards_words(card)) for card in bill.wild),
        receipts=_amounts(bill.receipts, RECEIVED),
        bonuses=tuple(map(str, bill.bonuses_beside_money)),
        cash_left=terms.pounds(bill.cash_left),
        only_earns=bill.only_earns,
        place=bill.place,
        next_round=bill.next_round,
    )


def gain_view(gain: Gain) -> tuple[Amount, ...]:
    """What an action gains: VP if the era ended now, and income."""
    found = []
    if gain.points:
        words = _("{points} VP if the era ended now").format(points=signed(gain.points))
        found.append(Amount(words, ""))
    if gain.income:
        found.append(Amount(_("Income"), signed(gain.levels)))
    if found and gain.at_most:
        found.append(Amount(_("at most; a tile is revealed first"), ""))
    return tuple(found)


def _amounts(parts: Sequence[BillItem], labels: Mapping[str, str]) -> tuple[Amount, ...]:
    """The amounts of a bill, merging neighbours with the same label."""
    found = []
    for label, group in groupby(parts, lambda part: part.label):
        pounds = [part.pounds for part in group]
        words = _(labels[label]) if label in labels else terms.tile(label)
        count = f" {times(len(pounds))}" if len(pounds) > 1 else ""
        found.append(Amount(f"{words}{count}", terms.pounds(sum(pounds))))
    return tuple(found)


def _sources(bill: Bill) -> tuple[SourceView, ...]:
    """The sources, each place once."""
    found = []
    for (resource, suppliers), group in groupby(
        bill.sources, lambda source: (source.resource, source.words)
    ):
        sources = list(group)
        pounds = sum(source.pounds for source in sources)
        fields = {"resource": terms.resource(resource), "suppliers": suppliers}
        if len(sources[0].suppliers) > 1:
            label, price = _("{resource}: {suppliers}").format(**fields), ""
        else:
            label = _("{resource} from {suppliers}").format(**fields)
            price = terms.pounds(pounds) if pounds else _("free")
        found.append(SourceView(resource, label, price, len(sources)))
    return tuple(found)
