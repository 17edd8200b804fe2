"""What tiles, merchants, markets and cards show, in words: for tooltips and screen readers.

Everything comes from the tables of the edition.
"""

from __future__ import annotations

from functools import lru_cache

from brassmill import terms
from brassmill.core.view import DistantView, MarketView, MerchantView
from brassmill.editions.edition import WILD_CARDS, Edition, Market, Place, TileRow
from brassmill.language import N_, language, ngettext
from brassmill.language import gettext as _
from brassmill.rules.layout import PLACES, WILD_LOCATION
from brassmill.svg.panel import capital, signed, times

WHEN = {
    "canal": N_("canal era only"),
    "rail": N_("rail era only"),
    "never": N_("cannot be built, only developed"),
}


# --- tiles ---------------------------------------------------------------------------------------


def tile_words(row: TileRow, count: int, era: int) -> str:
    """A tile on a mat: everything printed on it."""
    return ", ".join(_printed(row, count, era))


def _printed(row: TileRow, count: int, era: int) -> list[str]:
    parts = [
        f"{terms.tile(row.name)} {times(count)}",
        _("costs {price}").format(price=terms.pounds(row.cost)),
        *(
            f"{needed} {terms.resource(name)}"
            for name, needed in (("coal", row.coal), ("iron", row.iron))
            if needed
        ),
    ]
    if row.beer:
        parts.append(_("{number} beer to sell it").format(number=row.beer))
    elif row.contents[era]:
        goods = terms.resource(row.industry)
        parts.append(_("holds {number} {goods}").format(number=row.contents[era], goods=goods))
    parts.append(once_flipped(row, language()))
    if not row.developable:
        parts.append(_("cannot be developed"))
    if not row.buildable[era]:
        parts.append(_(WHEN[row.eras]))
    return parts


@lru_cache(1_000)
def once_flipped(row: TileRow, language: str) -> str:
    """What a tile will give, in the current language."""
    gives = [
        _("{number} VP").format(number=row.vp),
        _("income {spaces}").format(spaces=signed(row.income)),
        *_for_links(row.icons),
    ]
    return _("once flipped: {gives}").format(gives=", ".join(gives))


@lru_cache(1_000)
def flipped(row: TileRow, language: str) -> str:
    """What a flipped tile scores, in the current language."""
    return ", ".join([_("{number} VP").format(number=row.vp), *_for_links(row.icons)])


def for_links(icons: int) -> str:
    """What the link symbols of a place score."""
    return "".join(_for_links(icons))


def _for_links(icons: int) -> list[str]:
    return [_("{number} VP for each link here").format(number=icons)] if icons else []


# --- merchants and markets -----------------------------------------------------------------------


def merchant_words(place: Place, merchant: MerchantView) -> str:
    """What a merchant buys, and what its beer brings."""
    fields = {
        "place": place.name,
        "goods": terms.goods(merchant.goods),
        "bonus": terms.bonus(place.bonus, place.bonus_amount) if place.bonus else "",
    }
    if merchant.goods == "blank":
        return _("{place}: no merchant here").format(**fields)
    if not merchant.barrel:
        return _("{place} buys {goods}; its beer is used up").format(**fields)
    return _("{place} buys {goods}; bonus for using its beer: {bonus}").format(**fields)


def bonus_words(place: Place) -> str:
    """The bonus of a place on the map."""
    said = _("{place}: bonus for using a merchant's beer: {bonus}").format(
        place=place.name, bonus=terms.bonus(place.bonus, place.bonus_amount)
    )
    return "; ".join([said, *_for_links(place.icons)])


def market_words(name: str, shown: MarketView, market: Market) -> str:
    """A market: its cubes, the price of the next, and what the empty spaces pay."""
    cubes = ngettext(
        "{market}: {number} cube, the next costs {price}",
        "{market}: {number} cubes, the next costs {price}",
        shown.cubes,
    ).format(
        market=capital(terms.resource(name)),
        number=shown.cubes,
        price=terms.pounds(shown.price),
    )
    empty = market.prices[: len(market.prices) - shown.cubes]
    if not empty:
        return _("{cubes}; no empty space").format(cubes=cubes)
    # The dearest empty space is filled first.
    prices = ", ".join(terms.pounds(price) for price in reversed(empty))
    return ngettext(
        "{cubes}; {number} empty space, which pays {prices} when a new tile delivers there",
        "{cubes}; {number} empty spaces, which pay {prices} when new tiles deliver there",
        len(empty),
    ).format(cubes=cubes, number=len(empty), prices=prices)


def distant_words(shown: DistantView) -> str:
    """The distant market: its income now, and the tiles that may still lower it."""
    heading = capital(_("distant market"))
    if shown.closed:
        return _("{market}: closed until the era ends").format(market=heading)
    tiles = ngettext("{number} tile face down", "{number} tiles face down", shown.left).format(
        number=shown.left
    )
    return _(
        "{market}: demand is at income {income}; a sale reveals a tile, which lowers it; {tiles}"
    ).format(market=heading, income=signed(shown.bonus), tiles=tiles)


# --- cards ---------------------------------------------------------------------------------------


def card_words(edition: Edition, card: int, label: str) -> str:
    """What a card lets you build; any other action takes any card."""
    if card == WILD_LOCATION:
        return _("{card}: build in any town").format(card=label)
    if card in WILD_CARDS:
        return _("{card}: build any industry in your network").format(card=label)
    if card < PLACES:
        return _("{card}: build in this town, even outside your network").format(card=label)
    return _("{card}: build this anywhere in your network").format(card=label)
