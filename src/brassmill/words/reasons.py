"""Reasons in words: the tables.

The sentences have named fields (`sentences.py`); the English ones are what the catalogues
translate. A refusal says what is missing and what would help.
"""

from __future__ import annotations

from brassmill.language import N_
from brassmill.rules.reasons import Reason

# Fields: what (the choice), place (a town), line, space, industry (also an_industry, its goods or
# resource), tile (the next of that industry on the mat), standing (the tile on the space) and its
# owner, card, hand, cash, missing (an amount) or short (money), era, other_era, access (what leads
# to the market), buyers (merchants), loans, question, part (of a text), edition, sold (the
# industries that are), unsold (the player's tiles that could be), takes (the industries of a town).
REASONS: dict[Reason, str] = {
    Reason.OK: N_("{what}: this is legal."),
    Reason.GAME_IS_OVER: N_("The game is over."),
    Reason.NOT_ASKED_NOW: N_("{what}: this is not asked now. The open question: {question}?"),
    Reason.NOT_IN_THIS_GAME: N_("{what}: {edition} has no such thing."),
    Reason.ACTION_UNFINISHED: N_(
        "{what}: the action in progress must be completed first. The open question: {question}?"
    ),
    Reason.NOT_IN_HAND: N_("{what}: there is no such card in hand. In hand: {hand}."),
    Reason.NO_CARD_FOR_IT: N_(
        "{place}: no card in hand lets you build {an_industry} there. It takes the location card"
        " {place}, or a card that shows {industry} if {place} is in your network."
    ),
    Reason.CARD_NAMES_ANOTHER_TOWN: N_(
        "The location card {card} is good for {card} only, not for {place}."
    ),
    Reason.CARD_SHOWS_ANOTHER_INDUSTRY: N_(
        "The card {card} does not let you build {an_industry}. It takes a card that shows"
        " {industry}, or the location card {place}."
    ),
    Reason.NOT_IN_NETWORK: N_(
        "{place} is not in your network. A tile of yours there, or a link of yours that touches"
        " it, would make it so."
    ),
    Reason.NEEDS_LOCATION_CARD: N_(
        "{space} is taken. While you have nothing on the map, an industry card opens empty spaces"
        " only; the location card {place} would do."
    ),
    Reason.FARM_NEEDS_INDUSTRY_CARD: N_(
        "{place} is no town: no location card is good for it, not even a wild one. It takes a"
        " brewery card or a wild industry card."
    ),
    Reason.NEEDS_BOTH_ACTIONS: N_(
        "Two cards build anywhere, but they take the whole turn: it must be the first and only"
        " thing in a turn of two actions."
    ),
    Reason.NEEDS_TWO_CARDS: N_("That takes two cards. In hand: {hand}."),
    Reason.NEEDS_THREE_CARDS: N_("Scouting takes three cards. In hand: {hand}."),
    Reason.HOLDS_WILD_CARD: N_("You hold a wild card: use it before you scout again."),
    Reason.NO_TILE_LEFT: N_("There is no {industry} tile left on your mat."),
    Reason.WRONG_ERA: N_(
        "The tile {tile} is not built in the {era}. Developing it away makes room for the next"
        " tile."
    ),
    Reason.NEVER_BUILT: N_(
        "The tile {tile} is never built. Developing it away makes room for the next tile."
    ),
    Reason.WRONG_INDUSTRY_FOR_SPACE: N_("{place} has no space for {an_industry}."),
    Reason.SAME_AS_EARLIER_SPACE: N_(
        "{space} is equal to an earlier empty space of the town: leave the number out."
    ),
    Reason.SINGLE_SPACE_FIRST: N_(
        "{space} takes another industry too. The empty space for {industry} alone comes first."
    ),
    Reason.NOT_HIGHER_LEVEL: N_(
        "{space}: {tile} does not go over {standing}. It takes a tile of a higher level."
    ),
    Reason.SPACE_TAKEN: N_(
        "{space} is taken: {tile} cannot be built over {standing} of {owner}. Only the same"
        " industry is built over: your own, or coal mines and iron works of rivals."
    ),
    Reason.RIVAL_STILL_SUPPLIED: N_(
        "{space}: {standing} of {owner} can be built over only when no {resource} is left on any"
        " tile and in the market."
    ),
    Reason.ONE_TILE_PER_TOWN: N_(
        "{place}: you have a tile there already, and the canal era allows one in each town. Only a"
        " tile of the same industry and a higher level can be built over it."
    ),
    Reason.NO_COAL_IN_REACH: N_(
        "{place}: no coal in reach. A coal mine with coal, {access} must be connected to {place}."
    ),
    Reason.CANNOT_AFFORD: N_("{what}: {short} more would be needed. You have {cash}."),
    Reason.NO_COAL_MINE: N_(
        "{space}: there is no coal mine with coal. Coal comes from the nearest connected one."
    ),
    Reason.NOT_CONNECTED: N_(
        "{space} is not connected: a chain of links, whoever owns them, must lead there."
    ),
    Reason.NOT_NEAREST: N_(
        "{space}: another coal mine is nearer, and the nearest gives its coal first."
    ),
    Reason.NO_IRON_WORKS: N_("{space}: there is no iron works with iron."),
    Reason.NO_BREWERY: N_("{space}: there is no brewery with beer."),
    Reason.NO_BARREL: N_("{space}: the beer of that merchant is gone."),
    Reason.MERCHANT_BUYS_OTHER_GOODS: N_("{space}: that merchant does not buy {goods}."),
    Reason.ONE_MERCHANT_BARREL_A_SALE: N_(
        "A sale goes to one merchant, and only one barrel is his. A brewery must give the other."
    ),
    Reason.NO_MERCHANT_BEER_FOR_RAILS: N_(
        "{space}: the beer of merchants is for sales. Rails take that of a brewery."
    ),
    Reason.NOT_AN_END: N_("{place} is not an end of {line}."),
    Reason.LINE_TAKEN: N_("{line}: there is a link already."),
    Reason.NO_LINK_LEFT: N_("All your link tiles are on the map."),
    Reason.NO_BEER_IN_REACH: N_(
        "{what}: not enough beer. It comes from your own breweries, from rivals' breweries that are"
        " connected, and for a sale from the merchant."
    ),
    Reason.NOT_DEVELOPABLE: N_(
        "The tile {tile} carries a lightbulb: it can be built, not developed away."
    ),
    Reason.NOTHING_TO_SELL: N_("{space}: there is no tile of yours that could be sold."),
    Reason.ALREADY_FLIPPED: N_("{space}: {standing} has flipped already."),
    Reason.NO_BUYER: N_(
        "{place}: no merchant who buys {goods} is connected. {place} must be connected to {buyers}."
    ),
    Reason.NO_PORT: N_("{space}: there is no port."),
    Reason.DISTANT_MARKET_CLOSED: N_(
        "The distant market is closed until the era ends. A port that has not flipped must be"
        " connected."
    ),
    Reason.NO_SUCH_LOAN: N_("{what}: {edition} has no loan of that size. There is: {loans}."),
    Reason.INCOME_TOO_LOW: N_(
        "{what}: your income would fall {missing} below the lowest level, which is -10."
    ),
    Reason.LOANS_HAVE_ENDED: N_("There are no loans in the rail era once the deck is empty."),
    Reason.NOT_YOUR_TILE: N_("{space}: no tile of yours is there."),
    Reason.TILE_WORTH_NOTHING: N_("{space}: {standing} would bring no money."),
}

# The rules behind the reasons; those without one are no matter of the rules.
RULES: dict[Reason, str] = {
    Reason.NOT_IN_HAND: "BLD-1, TURN-4",
    Reason.NO_CARD_FOR_IT: "BLD-1",
    Reason.CARD_NAMES_ANOTHER_TOWN: "BLD-1",
    Reason.CARD_SHOWS_ANOTHER_INDUSTRY: "BLD-1",
    Reason.NOT_IN_NETWORK: "NET-1, LNK-2",
    Reason.NEEDS_LOCATION_CARD: "BLD-2",
    Reason.FARM_NEEDS_INDUSTRY_CARD: "WILD-1, FARM-1",
    Reason.NEEDS_BOTH_ACTIONS: "BLD-3",
    Reason.NEEDS_TWO_CARDS: "BLD-3",
    Reason.NEEDS_THREE_CARDS: "SCT-1",
    Reason.HOLDS_WILD_CARD: "SCT-1",
    Reason.NO_TILE_LEFT: "BLD-4, DEV-1",
    Reason.WRONG_ERA: "BLD-4, LNK-1",
    Reason.NEVER_BUILT: "BLD-4",
    Reason.WRONG_INDUSTRY_FOR_SPACE: "BLD-5",
    Reason.SINGLE_SPACE_FIRST: "BLD-5",
    Reason.NOT_HIGHER_LEVEL: "OVR-1",
    Reason.SPACE_TAKEN: "OVR-1, OVR-3",
    Reason.RIVAL_STILL_SUPPLIED: "OVR-3",
    Reason.ONE_TILE_PER_TOWN: "BLD-6",
    Reason.NO_COAL_IN_REACH: "COAL-5",
    Reason.CANNOT_AFFORD: "BLD-8, LNK-6, DEV-2",
    Reason.NO_COAL_MINE: "COAL-3",
    Reason.NOT_CONNECTED: "NET-2",
    Reason.NOT_NEAREST: "COAL-3",
    Reason.NO_IRON_WORKS: "IRON-2",
    Reason.NO_BREWERY: "6.2",
    Reason.NO_BARREL: "6.2",
    Reason.MERCHANT_BUYS_OTHER_GOODS: "SELC-1",
    Reason.ONE_MERCHANT_BARREL_A_SALE: "SELC-2",
    Reason.NO_MERCHANT_BEER_FOR_RAILS: "6.3",
    Reason.NOT_AN_END: "A-COAL",
    Reason.LINE_TAKEN: "MAP-3",
    Reason.NO_LINK_LEFT: "SUP-1",
    Reason.NO_BEER_IN_REACH: "6.2, 6.3",
    Reason.NOT_DEVELOPABLE: "DEV-3",
    Reason.NOTHING_TO_SELL: "SELC-1, SELL-1",
    Reason.ALREADY_FLIPPED: "SELC-1, SELL-1",
    Reason.NO_BUYER: "SELC-1, SELL-1",
    Reason.NO_PORT: "SELL-2",
    Reason.DISTANT_MARKET_CLOSED: "SELL-4",
    Reason.NO_SUCH_LOAN: "LOAN-1",
    Reason.INCOME_TOO_LOW: "LOAN-2",
    Reason.LOANS_HAVE_ENDED: "LOAN-3",
    Reason.NOT_YOUR_TILE: "DEBT-2",
    Reason.TILE_WORTH_NOTHING: "X-12",
}

# Where more must be said: by the kind of choice, or by what `_situation` finds.
SPECIAL: dict[tuple[Reason, str], str] = {
    (Reason.NOT_IN_NETWORK, "NO NETWORK"): N_(
        "{line} does not touch your network: you have nothing on the map yet. Build a tile first."
    ),
    (Reason.NOT_IN_NETWORK, "LINK"): N_(
        "{line} does not touch your network: a tile or a link of yours at one of its ends would."
    ),
    (Reason.WRONG_ERA, "LINK"): N_("{line} is a line of the {other_era} only."),
    (Reason.WRONG_ERA, "EARLY"): N_("The tile {tile} is not built before the {other_era}."),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, "NO SYMBOL"): N_("{place} has no space for that."),
    (Reason.NO_COAL_IN_REACH, "LINK"): N_(
        "{line}: no coal in reach. A coal mine with coal, {access} must be connected to one of its"
        " ends."
    ),
    (Reason.NO_CARD_FOR_IT, "FARM"): N_(
        "{place}: no card in hand lets you build {an_industry} there. It takes a card that shows"
        " {industry}, and {place} in your network."
    ),
    (Reason.CARD_SHOWS_ANOTHER_INDUSTRY, "FARM"): N_(
        "The card {card} does not let you build {an_industry}. It takes a card that shows"
        " {industry}."
    ),
    (Reason.NEEDS_LOCATION_CARD, "FARM"): N_(
        "{space} is taken. While you have nothing on the map, an industry card opens empty spaces"
        " only."
    ),
    (Reason.NOT_IN_HAND, "PASS"): N_("Passing takes a card, and there is none in hand."),
    (Reason.NO_BUYER, "PORTS"): N_(
        "{place}: no buyer is connected. {place} must be connected to {access}."
    ),
    (Reason.NO_BUYER, "UNWANTED"): N_("{place}: no merchant of this game buys {goods}."),
    (Reason.NOT_ASKED_NOW, "TURN OVER"): N_("{what}: the turn is over. It must be ended first."),
    # What is named is no choice at all.
    (Reason.NOT_ASKED_NOW, ""): N_("This does not answer the open question: {question}?"),
    (Reason.NOT_ASKED_NOW, "TURN OVER, NO CHOICE"): N_("The turn is over. It must be ended first."),
    (Reason.ACTION_UNFINISHED, ""): N_(
        "The action in progress must be completed first. The open question: {question}?"
    ),
    (Reason.NOT_ASKED_NOW, "REST"): N_(
        "The action is complete, and nothing in it asks for {part}."
    ),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, "PLACE, INDUSTRY"): N_(
        "{place} has no space for {an_industry}; it takes {takes}."
    ),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, ""): N_("No town of this map has a space for that."),
    (Reason.NO_COAL_MINE, "PLACE"): N_(
        "{place} has no coal mine with coal. Coal comes from the nearest connected coal mine, and"
        " from the market only if there is none."
    ),
    (Reason.NO_COAL_MINE, "SOURCES, PLACE"): N_(
        "{place} gives no coal here. The nearest coal mine comes first: {sources}."
    ),
    (Reason.NO_COAL_MINE, "SOURCES"): N_(
        "The market gives no coal here. The nearest coal mine comes first: {sources}."
    ),
    (Reason.NO_COAL_MINE, ""): N_("The market gives no coal here."),
    (Reason.NO_IRON_WORKS, "PLACE"): N_(
        "{place} has no iron works with iron. Iron comes from any iron works, and from the market"
        " only if none has iron."
    ),
    (Reason.NO_IRON_WORKS, "SOURCES, PLACE"): N_(
        "{place} gives no iron here. Iron works come first: {sources}."
    ),
    (Reason.NO_IRON_WORKS, "SOURCES"): N_(
        "The market gives no iron here. Iron works come first: {sources}."
    ),
    (Reason.NO_IRON_WORKS, ""): N_("The market gives no iron here."),
    (Reason.NO_BREWERY, "PLACE"): N_("{place} has no brewery with beer."),
    (Reason.NO_BREWERY, "SOURCES, PLACE"): N_(
        "{place} has no brewery that gives beer here. These do: {sources}."
    ),
    (Reason.NO_BREWERY, ""): N_("There is no market for beer: breweries give it."),
    (Reason.NO_PORT, "PLACE"): N_("{place} has no port. Cotton is sold to one that is connected."),
    (Reason.NO_PORT, "SOURCES, PLACE"): N_("{place} has no port. These can be chosen: {sources}."),
    (Reason.NO_PORT, ""): N_("There is no such port."),
    # What flips in another way than by being sold.
    (Reason.NOTHING_TO_SELL, "USED UP"): N_(
        "You do not sell {industries}: they flip when their {resource} is used up."
    ),
    (Reason.NOTHING_TO_SELL, "BUYS"): N_(
        "You do not sell {industries}: they flip when cotton is sold to them."
    ),
    (Reason.NOTHING_TO_SELL, "FLIPPED AT ONCE"): N_(
        "You do not sell {industries}: they flip as soon as they are built."
    ),
    (Reason.NOTHING_TO_SELL, "RIVAL"): N_(
        "{space}: {standing} belongs to {owner}. You sell from your own tiles only."
    ),
    (Reason.NOTHING_TO_SELL, "UNSOLD, PLACE, INDUSTRY"): N_(
        "You have no {industry} in {place} that could be sold. Not sold yet: {unsold}."
    ),
    (Reason.NOTHING_TO_SELL, "PLACE, INDUSTRY"): N_(
        "You have no {industry} in {place} that could be sold."
    ),
    (Reason.NOTHING_TO_SELL, "UNSOLD, PLACE"): N_(
        "You have no tile in {place} that could be sold. Not sold yet: {unsold}."
    ),
    (Reason.NOTHING_TO_SELL, "PLACE"): N_("You have no tile in {place} that could be sold."),
    (Reason.NOTHING_TO_SELL, "INDUSTRY"): N_(
        "You have no {industry} on the map that could be sold."
    ),
    (Reason.NOTHING_TO_SELL, ""): N_(
        "You have no tile on the map that could be sold. Tiles to sell: {sold}."
    ),
    (Reason.NOT_YOUR_TILE, "PLACE, INDUSTRY"): N_("You have no {industry} tile in {place}."),
    (Reason.NOT_YOUR_TILE, "PLACE"): N_("You have no tile in {place}."),
    (Reason.NOT_YOUR_TILE, "INDUSTRY"): N_("You have no {industry} tile on the map."),
    (Reason.NOT_YOUR_TILE, ""): N_("You have no tile on the map."),
}

# The parts of a text.
PARTS = {
    "targets": N_("another link, sale or tile"),
    "cards": N_("another card"),
    "two_cards": N_("two cards"),
    "coal": N_("that coal"),
    "iron": N_("that iron"),
    "beer": N_("that beer"),
    "ends": N_("the end of a rail"),
    "removes": N_("a tile to remove"),
    "buyer": N_("that buyer"),
    "done": N_("a last word"),
}
