"""Brass (2007): the map, tiles and cards of Lancashire, and the rules of its first edition."""

from __future__ import annotations

from collections.abc import Mapping

from brassmill.editions.edition import Aside, Edition, Option, Traits, Value
from brassmill.editions.lancashire import (
    DISTANT,
    DISTANT_BONUS,
    LINES,
    LOANS,
    MARKET,
    PLACES,
    SUMS,
    TILES,
    card_tables,
)
from brassmill.language import N_

NAME = "classic"
TITLE = "Brass"
MEANING = N_("the first edition of 2007, three or four players")
PLAYERS = (3, 4)

OPTIONS = (
    Option(
        "rail_coal",
        ("nearest", "chosen_end"),
        N_(
            "a railway takes coal from the mine nearest to either end,"
            " or to the end that the builder chooses"
        ),
    ),
    Option(
        "virtual_both_ways",
        (False, True),
        N_(
            "industry cards also work from Birkenhead to Liverpool, not only from Liverpool to "
            "Birkenhead"
        ),
    ),
    Option(
        "income_tie",
        ("level", "space"),
        N_("what breaks a VP tie: the income level or the space on the income track"),
    ),
)

DECK = "2007"
SET_ASIDE = {
    3: (Aside(9, "after deal"), Aside(6, "after deal")),
    4: (Aside(6, "after deal"), Aside(2, "after deal")),
}
ROUNDS = {3: 10, 4: 8}


def build(players: int, options: Mapping[str, Value]) -> Edition:
    """The edition for this number of players and these options."""
    location_cards, industry_cards, sums = card_tables(DECK)
    ferry = ("Liverpool", "Birkenhead")
    return Edition(
        name=NAME,
        title=TITLE,
        players=players,
        options=options,
        places=PLACES,
        lines=LINES,
        tiles=TILES,
        location_cards=location_cards,
        industry_cards=industry_cards,
        set_aside=SET_ASIDE[players],
        rounds=ROUNDS[players],
        start_cash=30,
        coal_market=MARKET,
        iron_market=MARKET,
        loans=LOANS,
        distant=DISTANT[DECK],
        distant_bonus=DISTANT_BONUS,
        virtual_links=(ferry, ferry[::-1]) if options["virtual_both_ways"] else (ferry,),
        traits=Traits(
            links_need_presence=True,
            two_cards_build=True,
            loans_end_with_deck=True,
            income_first=True,
            refill_together=True,
            clockwise_start=True,
            coal_at_chosen_end=options["rail_coal"] == "chosen_end",
            cash_scores=True,
            income_tie_by_space=options["income_tie"] == "space",
            order_breaks_ties=True,
        ),
        sums={**SUMS, **sums},
    )
