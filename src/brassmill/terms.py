"""The words for the things of the game, in the language of the context.

Events, views and editions have one plain English name for everything (`cotton`, `coal 2`,
`Dudley 2`, `canal`). It never changes, and the notation writes it. This module has the words that
people read. Where sentences need several forms of a word, each form has its own function. Towns
and lines have the same name in every language; people do not see the number of a space.

>>> from brassmill import terms
>>> from brassmill.language import speaking
>>> terms.tile("cotton 2"), terms.town("Dudley 2"), terms.era("canal")
('level II cotton mill', 'Dudley', 'canal era')
>>> with speaking("de"):
...     terms.tile("cotton 2"), terms.town("Dudley 2"), terms.era("canal")
('Baumwollspinnerei Level II', 'Dudley', 'Kanalperiode')
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from brassmill.language import N_, language, ngettext, pgettext
from brassmill.language import gettext as _

ROMAN = ("0", "I", "II", "III", "IV", "V", "VI", "VII", "VIII")  # levels, as on the tiles
SOFT_HYPHEN = "\u00ad"
NUMBER_AT_END = re.compile(r" \d+$")  # of a space

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
# As the object of a sentence: a player builds ...
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
A_TILE = {
    "cotton": N_("a level {level} cotton mill"),
    "coal": N_("a level {level} coal mine"),
    "iron": N_("a level {level} iron works"),
    "manufacturer": N_("a level {level} manufacturer"),
    "pottery": N_("a level {level} pottery"),
    "brewery": N_("a level {level} brewery"),
    "port": N_("a level {level} port"),
    "shipyard": N_("a level {level} shipyard"),
}
# As the object of a sentence: a player sells ...
THE_INDUSTRY = {
    "cotton": N_("the cotton mill"),
    "coal": N_("the coal mine"),
    "iron": N_("the iron works"),
    "manufacturer": N_("the manufacturer"),
    "pottery": N_("the pottery"),
    "brewery": N_("the brewery"),
    "port": N_("the port"),
    "shipyard": N_("the shipyard"),
}
# As the object of a sentence: overbuild ...
YOUR_INDUSTRY = {
    "cotton": N_("your cotton mill"),
    "coal": N_("your coal mine"),
    "iron": N_("your iron works"),
    "manufacturer": N_("your manufacturer"),
    "pottery": N_("your pottery"),
    "brewery": N_("your brewery"),
    "port": N_("your port"),
    "shipyard": N_("your shipyard"),
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
THE_CARDS = {
    "wild location": N_("the wild location card"),
    "wild industry": N_("the wild industry card"),
}
ERAS = {"canal": N_("canal era"), "rail": N_("rail era")}
# Sources of victory points other than industries.
SOURCES = {
    "links": N_("links"),
    "tiles": N_("tiles"),
    "bonus": N_("bonuses"),
    "cash": N_("money"),
    "income": N_("income"),
    "debt": N_("debt"),
}
# What money is paid for or comes from, after "for".
PURPOSES = {
    "tile": N_("the tile"),
    "link": N_("the link"),
    "coal": N_("the coal"),
    "iron": N_("the iron"),
    "loan": N_("the loan"),
    "bonus": N_("the bonus"),
    "tile given up": N_("the removed tile"),
    "debt": N_("the debt"),
}
PLACES = {"market": N_("the market"), "distant": N_("the distant market")}
TIE_BREAKS = {
    "income": N_("VP tied: the higher income wins."),
    "cash": N_("VP and income tied: the most money wins."),
    "order": N_("Everything tied: turn order decides."),
    "shared": N_("Everything tied: the win is shared."),
}
NUMBERS = {2: N_("two"), 3: N_("three")}


def industry(name: str) -> str:
    """`cotton`: cotton mill."""
    return breakable_industry(name).replace(SOFT_HYPHEN, "")


def breakable_industry(name: str) -> str:
    """The same for a narrow place: long words have soft hyphens where a line may end."""
    return _in_language(INDUSTRY, name)


def an_industry(name: str) -> str:
    """`cotton`: a cotton mill, as the object of a sentence (German: the accusative)."""
    return _in_language(AN_INDUSTRY, name)


def the_industry(name: str) -> str:
    """`cotton`: the cotton mill, as the object of a sentence."""
    return _in_language(THE_INDUSTRY, name)


def your_industry(name: str) -> str:
    """`cotton`: your cotton mill, as the object of a sentence."""
    return _in_language(YOUR_INDUSTRY, name)


def industries(name: str) -> str:
    """`cotton`: cotton mills."""
    return pgettext("several", "iron works") if name == "iron" else _in_language(INDUSTRIES, name)


def level(name: str) -> str:
    """`cotton 2`: II."""
    return ROMAN[int(name.rsplit(" ", 1)[1])]


def tile(name: str) -> str:
    """`cotton 2`: level II cotton mill."""
    kind, _blank, _level = name.rpartition(" ")
    return _("level {level} {industry}").format(level=level(name), industry=industry(kind))


def a_tile(name: str) -> str:
    """`cotton 2`: a level II cotton mill, as the object of a sentence."""
    kind, _blank, _level = name.rpartition(" ")
    return _(A_TILE[kind]).format(level=level(name))


def tiles(name: str, count: int) -> str:
    """`cotton 2`: two level II cotton mills."""
    if count == 1:
        return a_tile(name)
    kind, _blank, _level = name.rpartition(" ")
    words = _("{number} level {level} {industries}")
    return words.format(number=number(count), level=level(name), industries=industries(kind))


def town(name: str) -> str:
    """A space or a merchant without its number. `Dudley 2`: Dudley."""
    return NUMBER_AT_END.sub("", name)


def card(name: str) -> str:
    """`coal`: coal mine; `manufacturer/cotton`: both; `wild location`; towns keep their names."""
    if name in CARDS:
        return _in_language(CARDS, name)
    return "/".join(industry(part) for part in name.split("/"))


def the_card(name: str) -> str:
    """A card as the object of a sentence: a location card by its town, else the coal mine card."""
    if name in THE_CARDS:
        return _in_language(THE_CARDS, name)
    if any(part in INDUSTRY for part in name.split("/")):
        return _("the {card} card").format(card=card(name))
    return name


def goods(name: str) -> str:
    """What a merchant buys: `cotton`, `manufacturer`, `pottery`, `all` or `blank`."""
    return _in_language(GOODS, name)


def resource(name: str) -> str:
    """`coal`, `iron` or `beer`; a brewery gives beer."""
    return _in_language(RESOURCES, name)


def era(name: str) -> str:
    """`canal`: canal era."""
    return _in_language(ERAS, name)


def source(name: str) -> str:
    """A source of VP: `links`, `bonus`, `cash`, `income`, `debt`, or an industry."""
    return industries(name) if name in INDUSTRY else _in_language(SOURCES, name)


def purpose(name: str) -> str:
    """What money is for, after "for". `tile`: the tile."""
    return _in_language(PURPOSES, name)


def place(name: str) -> str:
    """`market`: the market. `distant`: the distant market. `port`: a port. Towns stay."""
    return pgettext("subject", "a port") if name == "port" else _in_language(PLACES, name)


def merchant(name: str) -> str:
    """The merchant of a place. `Oxford 2`: the Oxford merchant."""
    return _("the {place} merchant").format(place=town(name))


def tie_break(name: str) -> str:
    """What broke the tie, as a sentence; nothing if there was no tie."""
    return _(TIE_BREAKS[name]) if name in TIE_BREAKS else ""


def number(count: int) -> str:
    """A small number in words: two."""
    return _(NUMBERS[count]) if count in NUMBERS else str(count)


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


def _in_language(words: Mapping[str, str], name: str) -> str:
    return _(words[name]) if name in words else name


def bonus(kind: str, amount: int) -> str:
    """What a merchant gives for the use of its beer: `points`, `income`, `money` or `develop`."""
    said = {
        "points": _("{number} VP"),
        "develop": ngettext(
            "develop {number} tile without iron", "develop {number} tiles without iron", amount
        ),
        "income": ngettext(
            "{number} space on the income track", "{number} spaces on the income track", amount
        ),
        "money": "{money}",
    }[kind]
    return said.format(number=amount, money=pounds(amount))
