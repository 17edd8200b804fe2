"""How the games are played, in a few words: enough to begin, the table explains the rest."""

from __future__ import annotations

from typing import NamedTuple

from brassmill.language import N_
from brassmill.language import gettext as _

BIRMINGHAM, CLASSIC = "birmingham", "classic"


class Section(NamedTuple):
    """Something to know, with its sign."""

    sign: str  # of `svg.glyphs`
    title: str
    words: str


AIM = Section(
    "points",
    N_("The aim"),
    N_(
        "There are two eras, of canals and of railways. At the end of each, links and flipped"
        " tiles bring victory points. Whoever has most at the end wins."
    ),
)
TURN = Section(
    "cards",
    N_("Your turn"),
    N_(
        "You have two actions, in the very first round one. Each action costs you a card. The era"
        " is over when all cards are played."
    ),
)
BUILD = Section(
    "cotton",
    N_("Build"),
    N_(
        "Lay the lowest tile of an industry on a free space with its sign. The card says where: a"
        " town in that town, an industry anywhere in your network, which is where your tiles lie"
        " and your links lead. In the canal era a town holds one tile of yours."
    ),
)
LINK = Section(
    "link",
    N_("Link"),
    N_(
        "Links grow from your network. A canal costs £3, a railway £5 and a coal; two railways at"
        " once cost £15 and a coal each."
    ),
)
LINK_WITH_BEER = LINK._replace(
    words=N_(
        "Links grow from your network. A canal costs £3, a railway £5 and a coal; two railways at"
        " once cost £15, a coal each and a beer."
    )
)
GOODS = Section(
    "coal",
    N_("Coal and iron"),
    N_(
        "They cost nothing from a mine or works, whoever owns it; only when there is none do you"
        " buy at the market. Coal must be connected by links to where it is used, iron need not."
        " What you build sells its cubes to the market when it is connected to it (iron always),"
        " and you are paid."
    ),
)
BEER = Section(
    "brewery",
    N_("Beer"),
    N_(
        "You may drink from your own breweries wherever they are, from those of others that are"
        " connected, and when you sell from the barrel of the merchant, who adds a bonus."
    ),
)
SELL_GOODS = Section(
    "manufacturer",
    N_("Sell"),
    N_(
        "Cotton mills, manufacturers and potteries flip when they are sold to a merchant who wants"
        " them and is connected. Most sales need beer. One action may sell several."
    ),
)
SELL_COTTON = Section(
    "port",
    N_("Sell"),
    N_(
        "Cotton mills flip when they are sold: through a connected port, which flips too, or to the"
        " distant market, where demand falls with each sale until it is gone. One action may sell"
        " several."
    ),
)
FLIP = Section(
    "income",
    N_("Tiles that flip"),
    N_(
        "A tile counts for nothing until it flips: mines, iron works and breweries when they are"
        " used up, by whomever. Then it raises your income at once and brings its points at the"
        " end of the era."
    ),
)
FLIP_SHIPS = FLIP._replace(
    words=N_(
        "A tile counts for nothing until it flips: mines and iron works when they are used up, by"
        " whomever, shipyards as soon as they are built. Then it raises your income at once and"
        " brings its points at the end of the era."
    )
)
DEVELOP = Section(
    "develop",
    N_("Develop"),
    N_(
        "For an iron each, throw away one or two of your lowest tiles, to reach the better ones"
        " beneath."
    ),
)
LOAN = Section(
    "money",
    N_("Loan"),
    N_("£30 at once; your income falls by three levels. Nobody wins without borrowing early."),
)
LOANS = LOAN._replace(
    words=N_(
        "£10, £20 or £30 at once; your income falls by one, two or three levels. Nobody wins"
        " without borrowing early."
    )
)
SCOUT = Section(
    "bulb",
    N_("Scout"),
    N_("Give up three cards for two wild ones: any town, and any industry."),
)
ROUND = Section(
    "money",
    N_("After each round"),
    N_("Whoever spent least plays first in the next. Everybody gets his income, or pays it."),
)
ERA = Section(
    "points",
    N_("After the canal era"),
    N_(
        "All links go, and all tiles of level I. Higher ones stay, and count again at the end of"
        " the game. An introductory game ends here."
    ),
)
HERE = Section(
    "link",
    N_("At this table"),
    N_(
        "Whatever is lit in brass can be chosen; point at anything else and hear why not. Prices"
        " are shown before you pay, everything can be taken back until you end your turn, and Hint"
        " asks a coach."
    ),
)


def guide(edition: str) -> list[Section]:
    """What to know of a game before the first turn, in the language of the context."""
    if edition == BIRMINGHAM:
        middle = [LINK_WITH_BEER, GOODS, BEER, SELL_GOODS, FLIP, DEVELOP, LOAN, SCOUT]
    else:
        middle = [LINK, GOODS, SELL_COTTON, FLIP_SHIPS, DEVELOP, LOANS]
    sections = [AIM, TURN, BUILD, *middle, ROUND, ERA, HERE]
    if edition == CLASSIC:  # it has no introductory game
        last = N_("All links go, and all tiles of level I. Higher ones stay, and count again.")
        sections[sections.index(ERA)] = ERA._replace(words=last)
    return [Section(part.sign, _(part.title), _(part.words)) for part in sections]
