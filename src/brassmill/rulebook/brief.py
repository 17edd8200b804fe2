"""A game in brief: enough to start. The pages of the rules and the player aids begin with it."""

from __future__ import annotations

from typing import NamedTuple

from brassmill.editions import edition as edition_of
from brassmill.language import N_
from brassmill.language import gettext as _

BIRMINGHAM, CLASSIC = "birmingham", "classic"


class Section(NamedTuple):
    """A paragraph with its symbol."""

    symbol: str  # an icon of `web/page/symbols.py`, or a symbol of the game
    title: str
    words: str


AIM = Section(
    "goal",
    N_("The goal"),
    N_(
        "The game has two eras: canals, then railways. At the end of each, your links and "
        "flipped tiles score victory points (VP). Money scores only in an introductory game. "
        "The most VP at the end wins."
    ),
)
AIM_WITH_MONEY = AIM._replace(
    words=N_(
        "The game has two eras: canals, then railways. At the end of each, your links and "
        "flipped tiles score victory points (VP). At the end of the game, every full £10 you "
        "have left also scores 1 VP. The most VP at the end wins."
    )
)
TURN = Section(
    "turn",
    N_("Your turn"),
    N_(
        "Take two actions a turn, but only one in the very first round. Discard a card for "
        "each action. An era ends when all cards have been played."
    ),
)
BUILD = Section(
    "build",
    N_("Build"),
    N_(
        "Place your lowest-level tile of an industry on an empty space with its symbol. The "
        "card says where: a location card in that town, an industry card anywhere in your "
        "network (where you have tiles or links). With no tiles and no links on the board, an "
        "industry card builds in any town. You may also replace your own tile with a higher level "
        "of the same industry. In the canal era you may have only one tile in each town."
    ),
)
LINK = Section(
    "network",
    N_("Network"),
    N_(
        "Links extend your network. A canal costs £3, a railway £5 and a coal. Two railways in "
        "one action cost £15 and a coal each."
    ),
)
LINK_WITH_BEER = LINK._replace(
    words=N_(
        "Links extend your network. A canal costs £3, a railway £5 and a coal. Two railways in "
        "one action cost £15, a coal each and a beer."
    )
)
GOODS = Section(
    "goods",
    N_("Coal and iron"),
    N_(
        "Cubes from a mine or iron works are free, whoever owns it. Only when there are none "
        "do you buy from the market. Coal must be connected to where you need it, whether from "
        "a mine or from the market; iron need not be. When you build a mine connected to the "
        "market, or any iron works, it sells cubes to the market at once and you get the money."
    ),
)
BEER = Section(
    "ale",
    N_("Beer"),
    N_(
        "Use beer from your own breweries anywhere, from other players' breweries if "
        "connected, or, when you sell, from the merchant's barrel, which also gives a bonus."
    ),
)
SELL_GOODS = Section(
    "sell",
    N_("Sell"),
    N_(
        "Cotton mills, manufacturers and potteries flip when you sell them to a connected "
        "merchant who wants them. Most sales need beer. One action may sell several tiles."
    ),
)
SELL_COTTON = Section(
    "sell",
    N_("Sell"),
    N_(
        "Cotton mills flip when you sell them. Sell through a connected port that has not "
        "flipped, which flips too. Or, if the mill is connected to any port or market "
        "place, sell to the distant market, where demand can fall with each sale until it "
        "is gone. One action may sell several mills."
    ),
)
FLIP = Section(
    "flipped",
    N_("Flipping tiles"),
    N_(
        "A tile scores nothing until it flips. Mines, iron works and breweries flip when they "
        "are empty, whoever used them. Flipping raises your income at once and scores VP at "
        "the end of the era."
    ),
)
FLIP_SHIPS = FLIP._replace(
    words=N_(
        "A tile scores nothing until it flips. Mines and iron works flip when they are empty, "
        "whoever used them; shipyards flip when built. Flipping raises your income at once and "
        "scores VP at the end of the era."
    )
)
DEVELOP = Section(
    "develop",
    N_("Develop"),
    N_("Remove one or two of your lowest-level tiles, for one iron each, to reach better ones."),
)
LOAN = Section(
    "loan",
    N_("Loan"),
    N_("Take £30 at once; your income falls by three levels. Most winners take a loan early."),
)
LOANS = LOAN._replace(
    words=N_(
        "Take £10, £20 or £30 at once; your income falls by one, two or three levels. Most "
        "winners take a loan early."
    )
)
SCOUT = Section(
    "scout",
    N_("Scout"),
    N_("Discard three cards to take two wild cards: one for any town, one for any industry."),
)
ROUND = Section(
    "round",
    N_("End of the round"),
    N_(
        "Whoever spent least goes first next round. Then all players collect their income, or "
        "pay it if it is negative."
    ),
)
ERA = Section(
    "era",
    N_("End of the canal era"),
    N_(
        "All links and all level I tiles leave the board. Higher tiles stay and score again at "
        "the end of the game. An introductory game ends here and then scores more: 1 VP for "
        "every £4 (up to 15 VP), your income level, and flipped tiles above level I once more."
    ),
)
HERE = Section(
    "table",
    N_("At this table"),
    N_(
        "Click anything highlighted. Hover over anything else to see why not. You see every "
        "price before you pay and can undo until you end your turn. Hint asks a coach."
    ),
)


def in_brief(edition: str, at_table: bool = True) -> list[Section]:
    """What to know before the first turn, in the current language.

    Without `at_table` it says nothing of the table in the browser.
    """
    if edition == BIRMINGHAM:
        middle = [LINK_WITH_BEER, GOODS, BEER, SELL_GOODS, FLIP, DEVELOP, LOAN, SCOUT]
    else:
        middle = [LINK, GOODS, SELL_COTTON, FLIP_SHIPS, DEVELOP, LOANS]
    aim = AIM_WITH_MONEY if edition_of(edition).traits.cash_scores else AIM
    sections = [aim, TURN, BUILD, *middle, ROUND, ERA]
    sections += [HERE] if at_table else []
    if edition == CLASSIC:  # it has no introductory game
        last = N_(
            "All links and all level I tiles leave the board. Higher tiles stay and score again."
        )
        sections[sections.index(ERA)] = ERA._replace(words=last)
    return [Section(part.symbol, _(part.title), _(part.words)) for part in sections]
