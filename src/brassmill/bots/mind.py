"""The data a bot thinks with: the named terms of its judgement, their weights, scratch memory.

The value of a position is a sum over *terms*, each a number of pounds, VP, cards or places that a
player could count, times its *weight* in VP. A weight belongs to an era and changes with the
actions that the seat still has in it: `weight[era, term, 0]` at the end of the era, plus
`weight[era, term, 1]` times the share of the era's actions still to come.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from brassmill.editions.edition import INDUSTRY
from brassmill.rules.jit import rule
from brassmill.rules.layout import CARDS, CHOICES_MAX, INDUSTRIES, LINES, PLACES, SEATS

ENDS = 3  # places that one line joins, at most
BEST_LINES = 4  # unbuilt lines that are counted
SEGMENTS = (8, 12, 20)  # pounds: the more there are, the less the next ones are worth


class Term(IntEnum):
    """What is counted; a name ending in _OF stands for eight terms in a row, one per industry."""

    BANKED = 0  # VP scored so far
    LINKS = 1  # VP of own links if the era ended now
    TILES = 2  # VP of own flipped tiles at the end of the era
    TILES_AGAIN = 3  # those that will score a second time
    LINK_HOPE = 4  # link symbols of unflipped tiles beside own links
    LINK_ROOM = 5  # empty spaces beside own links
    READY_OF = 6  # VP of unflipped tiles that can be sold now, or by the share used up
    UNREADY_OF = 14  # VP of the others
    FADING_READY = 22  # the same for tiles removed at the end of the canal era
    FADING_UNREADY = 23
    GAIN_READY = 24  # income spaces of unflipped tiles, times the payments to come, in tens
    GAIN_UNREADY = 25
    CASH = 26  # pounds, by segment: the first 8, the next 12, the next 20, the rest
    ENDING = 30  # VP for money and income if the game ended now
    INCOME = 31  # pounds of income to come, in tens
    DEBT = 32  # pounds missing when income is next taken (DEBT-1)
    LEVEL = 33  # income level
    GONE_OF = 34  # tiles that have left the mat
    NEXT_OF = 42  # VP of the next tile on the mat, as often as it can score
    DEAD_TILES = 50  # tiles on the mat that block building in the rail era
    CARD_NEAR = 51  # location cards of towns in the network with an empty space
    CARD_FAR = 52  # ... outside it
    CARD_DEAD = 53  # cards that allow nothing, and second copies
    CARD_USE = 54  # industry cards with a site in the network
    CARD_IDLE = 55  # ... without
    CARD_WILD_LOCATION = 56
    CARD_WILD_INDUSTRY = 57
    SITES_OF = 58  # empty spaces in the network for the next tile, two at most
    BEST_LINE = 66  # VP of the best unbuilt line at the network
    NEXT_LINES = 67  # of the next three
    OPEN_LINES = 68  # unbuilt lines at the network, at most eight
    PROSPECTS = 69  # VP of the next tiles that have a site
    OWN_BEER = 70  # barrels
    RIVAL_BEER = 71  # opponents' barrels in reach of the network, at most two
    MERCHANT_BEER = 72  # merchants' barrels in reach
    BEER_SHORT = 73  # barrels still missing for all tiles that are ready
    BUYERS = 74  # goods that find a merchant from the network
    FREE_COAL = 75  # coal on tiles in reach of the network, at most two
    FREE_IRON = 76  # iron on tiles, at most four
    ACCESS = 77  # the network reaches a market
    COAL_PRICE = 78
    IRON_PRICE = 79
    SURVIVORS = 80  # own tiles that stay after the canal era
    ORDER = 81  # opponents who have spent less this round
    DEMAND = 82  # steps of the distant market towards its end
    CONSTANT = 83  # 1
    RIVALS_POINTS = 84  # opponents' average VP if the era ended now
    RIVALS_HOPE = 85  # VP of their unflipped tiles
    RIVALS_INCOME = 86  # pounds of income to come, in tens


TERMS = int(Term.RIVALS_INCOME) + 1


def names_of_terms() -> list[str]:
    """A name for each term: `links`, `ready cotton`, `cash 1`, ..."""
    names = [""] * TERMS
    for term in Term:
        name = term.name.lower().replace("_", " ")
        if name.endswith(" of"):
            for number, industry in enumerate(INDUSTRY):
                names[term + number] = f"{name.removesuffix(' of')} {industry}"
        elif term == Term.CASH:
            for number in range(len(SEGMENTS) + 1):
                names[term + number] = f"cash {number + 1}"
        else:
            names[term] = name
    return names


FIRST, SECOND, MORE = range(3)  # the first action of a turn, the second, more of the same action
LISTS = 3

MIND = np.dtype(
    [
        ("weight", "f8", (2, TERMS, 2)),
        ("line_end", "i8", (LINES, ENDS)),  # the places of a line, -1 = none
        # Scratch memory for judging one position.
        ("term", "f8", TERMS),
        ("worth", "f8", TERMS),  # the weight of each term at this stage of the game
        ("symbols", "f8", PLACES),  # link symbols of a place now
        ("hope", "f8", PLACES),  # those of its unflipped tiles
        ("room", "f8", PLACES),  # its empty spaces
        ("sites", "f8", INDUSTRIES),  # spaces for the next tile
        ("standing", "f8", (SEATS, 3)),  # VP now, VP expected, income to come
        ("best_lines", "f8", BEST_LINES),  # VP of the best unbuilt lines
        ("missed", "f8", CARDS),  # what a card is worth keeping for
        # Scratch memory for planning a turn, one row per legal choice.
        ("first", "f8", CHOICES_MAX),  # value after the first action
        ("whole", "f8", CHOICES_MAX),  # value after the best turn that starts with it
        ("future", "f8", CHOICES_MAX),  # sum of its values in the simulated worlds
        ("lists", "i8", (LISTS, CHOICES_MAX)),  # choices of questions that contain other questions
    ],
    align=True,
)


@rule
def weight_of(mind, era, term, share):  # type: ignore[no-untyped-def]
    """The weight of a term when this share of the era's actions is still to come."""
    return mind.weight[era, term, 0] + share * mind.weight[era, term, 1]


def make_mind(board: Any, weight: Any) -> Any:
    """A mind for one edition with these weights."""
    minds = np.zeros(1, MIND)
    minds["weight"][0] = weight
    minds["line_end"] = -1
    for line, ends in enumerate(board.line_ends[: int(board.lines)].tolist()):
        places = [place for place in range(PLACES) if ends >> place & 1]
        minds["line_end"][0, line, : len(places)] = places
    return minds
