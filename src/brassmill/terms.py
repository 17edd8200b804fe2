"""What the things of the game are called, in the language of the context.

Events, views and editions have one plain English name for everything (`cotton`, `coal 2`,
`wild location`, `canal`): it never changes, and it is what the notation writes. Here are the words
for people. Where sentences need several forms of a word, each form has a function; towns and lines
have no other names.

>>> from brassmill import terms
>>> from brassmill.language import speaking
>>> terms.tile("cotton 2"), terms.era("canal")
('cotton mill 2', 'canal era')
>>> with speaking("de"):
...     terms.tile("cotton 2"), terms.era("canal")
('Baumwollspinnerei 2', 'Kanalperiode')
"""

from __future__ import annotations

from collections.abc import Mapping

from brassmill.language import N_, language, pgettext
from brassmill.language import gettext as _

INDUSTRY = {
    "cotton": N_("cotton mill"),
    "coal": N_("coal mine"),
    "iron": N_("iron works"),
    "manufacturer": N_("manufacturer"),
    "pottery": N_("pottery"),
    "brewery": N_("brewery"),
    "port": N_("port"),
    "shipyard": N_("shipyard"),
}
# As the object of a sentence: somebody builds ...
AN_INDUSTRY = {
    "cotton": N_("a cotton mill"),
    "coal": N_("a coal mine"),
    "iron": N_("an iron works"),
    "manufacturer": N_("a manufacturer"),
    "pottery": N_("a pottery"),
    "brewery": N_("a brewery"),
    "port": N_("a port"),
    "shipyard": N_("a shipyard"),
}
INDUSTRIES = {  # English has one form of "iron works": see `industries`
    "cotton": N_("cotton mills"),
    "coal": N_("coal mines"),
    "manufacturer": N_("manufacturers"),
    "pottery": N_("potteries"),
    "brewery": N_("breweries"),
    "port": N_("ports"),
    "shipyard": N_("shipyards"),
}
GOODS = {
    "cotton": N_("cotton"),
    "manufacturer": N_("manufactured goods"),
    "pottery": N_("pots"),
    "all": N_("all goods"),
    "blank": N_("nothing"),
}
RESOURCES = {"coal": N_("coal"), "iron": N_("iron"), "beer": N_("beer"), "brewery": N_("beer")}
CARDS = {"wild location": N_("wild location"), "wild industry": N_("wild industry")}
ERAS = {"canal": N_("canal era"), "rail": N_("rail era")}
# Where points come from; an industry is the other source.
SOURCES = {
    "links": N_("links"),
    "tiles": N_("tiles"),
    "bonus": N_("bonuses"),
    "cash": N_("money"),
    "income": N_("income"),
    "debt": N_("debt"),
}
# What money is paid for or comes from: after "for".
PURPOSES = {
    "tile": N_("the tile"),
    "link": N_("the link"),
    "coal": N_("the coal"),
    "iron": N_("the iron"),
    "loan": N_("the loan"),
    "bonus": N_("the bonus"),
    "tile given up": N_("the tile given up"),
    "debt": N_("the debt"),
}
PLACES = {"market": N_("the market"), "distant": N_("the distant market")}
TIE_BREAKS = {
    "income": N_("Equal points: the higher income decides."),
    "cash": N_("Equal points and income: the money decides."),
    "order": N_("Equal in everything: the order of play decides."),
    "shared": N_("Equal in everything: the win is shared."),
}


def industry(name: str) -> str:
    """`cotton`: cotton mill."""
    return _said(INDUSTRY, name)


def an_industry(name: str) -> str:
    """`cotton`: a cotton mill, as somebody builds it (German: the accusative)."""
    return _said(AN_INDUSTRY, name)


def industries(name: str) -> str:
    """`cotton`: cotton mills."""
    return pgettext("several", "iron works") if name == "iron" else _said(INDUSTRIES, name)


def tile(name: str) -> str:
    """`cotton 2`: cotton mill 2."""
    kind, level = name.rsplit(" ", 1)
    return f"{industry(kind)} {level}"


def a_tile(name: str) -> str:
    """`cotton 2`: a cotton mill of level 2, as somebody builds it."""
    kind, level = name.rsplit(" ", 1)
    return _("{an_industry} of level {level}").format(an_industry=an_industry(kind), level=level)


def card(name: str) -> str:
    """`coal`: coal mine; `manufacturer/cotton`: both; `wild location`; towns keep their names."""
    if name in CARDS:
        return _said(CARDS, name)
    return "/".join(industry(part) for part in name.split("/"))


def goods(name: str) -> str:
    """What a merchant buys: `cotton`, `manufacturer`, `pottery`, `all` or `blank`."""
    return _said(GOODS, name)


def resource(name: str) -> str:
    """`coal`, `iron` or `beer`; a brewery gives beer."""
    return _said(RESOURCES, name)


def era(name: str) -> str:
    """`canal`: canal era."""
    return _said(ERAS, name)


def source(name: str) -> str:
    """Where points come from: `links`, `bonus`, `cash`, `income`, `debt`, or the industry."""
    return industries(name) if name in INDUSTRY else _said(SOURCES, name)


def purpose(name: str) -> str:
    """What money is for, as it stands after "for": `tile`: the tile."""
    return _said(PURPOSES, name)


def place(name: str) -> str:
    """`market`, `distant`, `port`: the market, the distant market, a port; towns stay."""
    return pgettext("subject", "a port") if name == "port" else _said(PLACES, name)


def tie_break(name: str) -> str:
    """What decided between equal points, as a sentence; nothing where no points were equal."""
    return _(TIE_BREAKS[name]) if name in TIE_BREAKS else ""


def ordinal(number: int) -> str:
    """2: 2nd."""
    if language() == "de":
        return f"{number}."
    if language() == "fr":
        return f"{number}er" if number == 1 else f"{number}e"
    teen = 10 < number % 100 < 14
    return f"{number}" + ("th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th"))


def pounds(number: int) -> str:
    """An amount of money, as the language writes it."""
    amount = _("£{number}").format(number=abs(number))
    return f"\N{MINUS SIGN}{amount}" if number < 0 else amount


def _said(words: Mapping[str, str], name: str) -> str:
    return _(words[name]) if name in words else name
