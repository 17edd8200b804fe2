"""Spaces and merchants in words: the town, with a hint only where a town has different ones."""

from __future__ import annotations

from brassmill import terms
from brassmill.core.engine import Engine
from brassmill.editions.edition import Edition
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.vocabulary import say


def exact_space(edition: Edition, space: int) -> str:
    """A space with a hint that distinguishes it in its town: `Cannock, the coal space`."""
    row = edition.spaces[space]
    town, spaces = edition.place_name(row.place), edition.place_spaces[row.place]
    if len(spaces) == 1:
        return town
    alike = [other for other in spaces if edition.spaces[other].symbols == row.symbols]
    fields = {
        "town": town,
        "industries": "/".join(say(name, language()) for name in row.symbols),
        "number": alike.index(space) + 1,
        "count": len(alike),
    }
    if len(alike) > 1:
        return _("{town}, the {industries} space ({number} of {count})").format(**fields)
    return _("{town}, the {industries} space").format(**fields)


def exact_merchant(engine: Engine, merchant: int) -> str:
    """A merchant with a hint that distinguishes it: `the Oxford merchant (cotton)`."""
    edition, bought = engine.edition, engine.state.merchant
    place = edition.merchants[merchant]
    there = [n for n, other in enumerate(edition.merchants) if other == place]
    if len(there) == 1:
        return terms.merchant(place)
    alike = [n for n in there if bought[n] == bought[merchant]]
    fields = {
        "merchant": terms.merchant(place),
        "goods": terms.goods(edition.goods_name(int(bought[merchant]))),
        "number": alike.index(merchant) + 1,
        "count": len(alike),
    }
    if len(alike) > 1:
        return _("{merchant} ({goods}, {number} of {count})").format(**fields)
    return _("{merchant} ({goods})").format(**fields)
