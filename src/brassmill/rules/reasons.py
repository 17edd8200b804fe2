"""The reasons for refusals, chapter by chapter of the rulebook."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """Why a choice is refused, with the id of the rule or a note."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    OK = 0
    # Outside the rulebook.
    GAME_IS_OVER = 1
    NOT_ASKED_NOW = 2  # another question is open
    NOT_IN_THIS_GAME = 3  # such a space, line, card or action does not exist in this edition
    ACTION_UNFINISHED = 4  # the action in progress cannot stop here
    # Cards (BLD-1 to BLD-3, SCT-1).
    NOT_IN_HAND = 10  # the seat has no such card
    NO_CARD_FOR_IT = 11  # no card in hand allows this build
    CARD_NAMES_ANOTHER_TOWN = 12
    CARD_SHOWS_ANOTHER_INDUSTRY = 13
    NOT_IN_NETWORK = 14  # with an industry card, or for a link (NET-1, LNK-2)
    NEEDS_LOCATION_CARD = (
        15  # with nothing on the map, an industry card allows empty spaces only (BLD-2)
    )
    FARM_NEEDS_INDUSTRY_CARD = 16  # WILD-1
    NEEDS_BOTH_ACTIONS = 17  # BLD-3
    NEEDS_TWO_CARDS = 18  # BLD-3
    NEEDS_THREE_CARDS = 19  # SCT-1
    HOLDS_WILD_CARD = 20  # SCT-1
    # The tile (BLD-4).
    NO_TILE_LEFT = 30
    WRONG_ERA = 31  # the tile, or the line (LNK-1), belongs to the other era
    NEVER_BUILT = 32  # shipyard 0
    # The space (BLD-5, BLD-6, OVR).
    WRONG_INDUSTRY_FOR_SPACE = 40
    SAME_AS_EARLIER_SPACE = 41  # use the first of two equal empty spaces in the town
    SINGLE_SPACE_FIRST = 42  # BLD-5
    NOT_HIGHER_LEVEL = 43  # OVR-1
    SPACE_TAKEN = (
        44  # by another industry, or by an opponent's tile that is never overbuilt (OVR-1, OVR-3)
    )
    RIVAL_STILL_SUPPLIED = 45  # there are cubes on the map or in the market (OVR-3)
    ONE_TILE_PER_TOWN = 46  # BLD-6
    # Resources and money (BLD-7, BLD-8).
    NO_COAL_IN_REACH = 50  # COAL-5
    CANNOT_AFFORD = 51  # BLD-8, LNK-6
    # Sources.
    NO_COAL_MINE = 60  # no unflipped mine with coal there (COAL-3)
    NOT_CONNECTED = 61
    NOT_NEAREST = 62  # COAL-3
    NO_IRON_WORKS = 63  # IRON-2
    NO_BREWERY = 64  # 6.2
    NO_BARREL = 65
    MERCHANT_BUYS_OTHER_GOODS = 66  # SELC-1
    ONE_MERCHANT_BARREL_A_SALE = 67  # SELC-2
    NO_MERCHANT_BEER_FOR_RAILS = 68  # 6.3
    NOT_AN_END = 69  # A-COAL
    # Links (LNK).
    LINE_TAKEN = 70  # MAP-3
    NO_LINK_LEFT = 71  # SUP-1
    NO_BEER_IN_REACH = 72  # 6.2, 6.3
    # Develop (DEV).
    NOT_DEVELOPABLE = 80  # lightbulb
    # Sell (SELC, SELL).
    NOTHING_TO_SELL = 90  # no own tile there of an industry that sells
    ALREADY_FLIPPED = 91
    NO_BUYER = 92  # no connected merchant buys it; no port and no distant market
    NO_PORT = 93  # no port tile there (SELL-2)
    DISTANT_MARKET_CLOSED = 94  # SELL-4
    # Loan (LOAN).
    NO_SUCH_LOAN = 100  # LOAN-1
    INCOME_TOO_LOW = 101  # LOAN-2
    LOANS_HAVE_ENDED = 102  # LOAN-3
    # Debt (DEBT).
    NOT_YOUR_TILE = 110
    TILE_WORTH_NOTHING = 111
