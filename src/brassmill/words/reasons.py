"""Reasons in words: the tables.

The sentences have named fields (`sentences.py`); the catalogues translate the English ones. A
refusal says what is missing and what would help.
"""

from __future__ import annotations

from brassmill.language import N_
from brassmill.rules.reasons import Reason

# Fields: what (the choice), place or town, space (with its number), line, industry (also
# an_industry, its goods or resource), tile (the next of that industry on the mat), standing (the
# tile on the space) and its owner, card, hand, cash, price (in all), supplies (what is bought with
# it), missing (an amount; short: in pounds), era, other_era, access (what leads to the market),
# buyers (merchants), loans, to_choose (the open question), part (of a text), edition, sold (the
# industries that are), unsold (the player's tiles that could be), takes (the industries of a town
# or space).
REASONS: dict[Reason, str] = {
    Reason.OK: N_("{what}: that move is legal."),
    Reason.GAME_IS_OVER: N_("The game is over."),
    Reason.NOT_ASKED_NOW: N_("{what}: not now. First choose {to_choose}."),
    Reason.NOT_IN_THIS_GAME: N_("{what}: this does not exist in {edition}."),
    Reason.ACTION_UNFINISHED: N_("First choose {to_choose}."),
    Reason.NOT_IN_HAND: N_("{what}: you do not have that card. Your hand: {hand}."),
    Reason.NO_CARD_FOR_IT: N_(
        "{place}: none of your cards lets you build {an_industry} there. You need the {place} card,"
        " or a card that shows {industry} if {place} is in your network."
    ),
    Reason.CARD_NAMES_ANOTHER_TOWN: N_("The {card} card is for {card} only, not for {place}."),
    Reason.CARD_SHOWS_ANOTHER_INDUSTRY: N_(
        "The {card} card does not let you build {an_industry}. You need a card that shows"
        " {industry}, or the {place} card."
    ),
    Reason.NOT_IN_NETWORK: N_(
        "{place} is not in your network. You need a tile there, or a link to it."
    ),
    Reason.NEEDS_LOCATION_CARD: N_(
        "That space in {place} is taken. While you have nothing on the board, an industry card is"
        " for empty spaces only; you could use the {place} card."
    ),
    Reason.FARM_NEEDS_INDUSTRY_CARD: N_(
        "{place} has no location card, and a wild location card cannot be used there. You need a"
        " brewery card or a wild industry card."
    ),
    Reason.NEEDS_BOTH_ACTIONS: N_(
        "Two cards let you build in any town, but this uses both actions: it must come first "
        "in a turn with two actions."
    ),
    Reason.NEEDS_TWO_CARDS: N_("That takes two cards. Your hand: {hand}."),
    Reason.NEEDS_THREE_CARDS: N_("Scouting takes three cards. Your hand: {hand}."),
    Reason.HOLDS_WILD_CARD: N_("You have a wild card: use it before you scout again."),
    Reason.NO_TILE_LEFT: N_("You have no {industry} left on your mat."),
    Reason.WRONG_ERA: N_(
        "Your next tile, {tile}, cannot be built in the {era}. Develop to remove it."
    ),
    Reason.NEVER_BUILT: N_("Your next tile, {tile}, cannot be built. Develop to remove it."),
    Reason.WRONG_INDUSTRY_FOR_SPACE: N_("{place} has no space for {an_industry}."),
    Reason.SAME_AS_EARLIER_SPACE: N_(
        "{space} is the same as an earlier empty space: leave out the number."
    ),
    Reason.SINGLE_SPACE_FIRST: N_(
        "{place} has an empty space for {industry} only: that one must be used first."
    ),
    Reason.NOT_HIGHER_LEVEL: N_(
        "{place}: you can overbuild the {standing} only with a higher level. Your next tile:"
        " {tile}."
    ),
    Reason.SPACE_TAKEN: N_(
        "{place}: {owner} has {a_standing} on that space. You can overbuild only the same "
        "industry: your own, or an opponent's coal mine or iron works."
    ),
    Reason.RIVAL_STILL_SUPPLIED: N_(
        "{place}: you can overbuild {owner}'s {standing} only when no {resource} is left on "
        "the board or in the market."
    ),
    Reason.ONE_TILE_PER_TOWN: N_(
        "{place}: you already have a tile there, and the canal era allows one in each town. You can"
        " only overbuild it with a higher level."
    ),
    Reason.NO_COAL_IN_REACH: N_(
        "{place}: no coal available. {place} must be connected to a coal mine with coal, {access}."
    ),
    Reason.CANNOT_AFFORD: N_("{what}: you need {short} more (you have {cash})."),
    Reason.NO_COAL_MINE: N_(
        "{town} has no coal mine with coal. Coal comes from the nearest connected one."
    ),
    Reason.NOT_CONNECTED: N_("{town} is not connected. A chain of anyone's links must lead there."),
    Reason.NOT_NEAREST: N_("{town}: another coal mine is nearer, and the nearest must be used."),
    Reason.NO_IRON_WORKS: N_("{town} has no iron works with iron."),
    Reason.NO_BREWERY: N_("{town} has no brewery with beer."),
    Reason.NO_BARREL: N_("{town}: that merchant has no beer left."),
    Reason.MERCHANT_BUYS_OTHER_GOODS: N_("{town}: that merchant does not buy {goods}."),
    Reason.ONE_MERCHANT_BARREL_A_SALE: N_(
        "You sell to one merchant, who has only one beer. The second must come from a brewery."
    ),
    Reason.NO_MERCHANT_BEER_FOR_RAILS: N_(
        "{town}: merchant beer is for selling only. A second railway needs beer from a brewery."
    ),
    Reason.NOT_AN_END: N_("{place} is not an end of {line}."),
    Reason.LINE_TAKEN: N_("{line} already has a link."),
    Reason.NO_LINK_LEFT: N_("All your link tiles are on the board."),
    Reason.NO_BEER_IN_REACH: N_(
        "{what}: not enough beer. Use your own breweries, opponents' breweries that are "
        "connected or, to sell, the merchant's beer."
    ),
    Reason.NOT_DEVELOPABLE: N_("Your next tile, {tile}, has a lightbulb: it cannot be developed."),
    Reason.NOTHING_TO_SELL: N_("You have nothing to sell in {town}."),
    Reason.ALREADY_FLIPPED: N_("{town}: the {industry} has already flipped."),
    Reason.NO_BUYER: N_(
        "{place}: no merchant who buys {goods} is connected. {place} must be connected to {buyers}."
    ),
    Reason.NO_PORT: N_("{town} has no port."),
    Reason.DISTANT_MARKET_CLOSED: N_(
        "The distant market is closed until the end of the era. The mill must be connected to "
        "a port that has not flipped."
    ),
    Reason.NO_SUCH_LOAN: N_("{what}: {edition} has no such loan. Choose one of: {loans}."),
    Reason.INCOME_TOO_LOW: N_(
        "{what}: the lowest income level is \N{MINUS SIGN}10,"
        " and this would take you {missing} below it."
    ),
    Reason.LOANS_HAVE_ENDED: N_("No loans in the rail era once the deck is empty."),
    Reason.NOT_YOUR_TILE: N_("You have no tile on that space in {town}."),
    Reason.TILE_WORTH_NOTHING: N_("{town}: removing the {industry} would bring in no money."),
}

# The rules behind the reasons; the others do not come from the rulebook.
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

# More precise sentences: by the kind of choice, or by what `refusals.py` finds.
SPECIAL: dict[tuple[Reason, str], str] = {
    (Reason.NOT_IN_NETWORK, "NO NETWORK"): N_(
        "{line} is not connected to your network: you have nothing on the board yet. Build a tile"
        " first."
    ),
    (Reason.NOT_IN_NETWORK, "LINK"): N_(
        "{line} is not connected to your network. You need a tile or a link at one of its ends."
    ),
    (Reason.WRONG_ERA, "LINK"): N_("{line} is for the {other_era} only."),
    (Reason.WRONG_ERA, "EARLY"): N_(
        "Your next tile, {tile}, cannot be built before the {other_era}."
    ),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, "NO SYMBOL"): N_("{place} has no space for that."),
    (Reason.NO_COAL_IN_REACH, "LINK"): N_(
        "{line}: no coal available. One of its ends must be connected to a coal mine with coal,"
        " {access}."
    ),
    (Reason.CANNOT_AFFORD, "SUPPLIES"): N_(
        "{what}: you need {short} more (it costs {price} including {supplies}, and you have"
        " {cash})."
    ),
    (Reason.NO_CARD_FOR_IT, "EMPTY BOARD, FARM"): N_(
        "{place}: none of your cards lets you build {an_industry} there. You need a card that "
        "shows {industry}."
    ),
    (Reason.NO_CARD_FOR_IT, "EMPTY BOARD"): N_(
        "{place}: none of your cards lets you build {an_industry} there. You need the {place} card,"
        " or a card that shows {industry}."
    ),
    (Reason.NO_CARD_FOR_IT, "FARM"): N_(
        "{place}: none of your cards lets you build {an_industry} there. You need a card that "
        "shows {industry}, and {place} must be in your network."
    ),
    (Reason.CARD_SHOWS_ANOTHER_INDUSTRY, "FARM"): N_(
        "The {card} card does not let you build {an_industry}. You need a card that shows"
        " {industry}."
    ),
    (Reason.NEEDS_LOCATION_CARD, "FARM"): N_(
        "{place} is taken. While you have nothing on the board, an industry card is for empty"
        " spaces only."
    ),
    (Reason.NOT_IN_HAND, "PASS"): N_("Passing takes a card, and you have none."),
    (Reason.NO_BUYER, "PORTS"): N_(
        "{place}: no buyer is connected. {place} must be connected to {access}."
    ),
    (Reason.NO_BUYER, "UNWANTED"): N_("{place}: no merchant in this game buys {goods}."),
    (Reason.NOT_ASKED_NOW, "TURN OVER"): N_("{what}: your actions are done. End your turn first."),
    # For something that is not a choice at all.
    (Reason.NOT_ASKED_NOW, ""): N_("Not now. First choose {to_choose}."),
    (Reason.NOT_ASKED_NOW, "TURN OVER, NO CHOICE"): N_(
        "Your actions are done. End your turn first."
    ),
    (Reason.NOT_ASKED_NOW, "REST"): N_("The action is complete without {part}."),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, "PLACE, INDUSTRY"): N_(
        "{place} has no space for {an_industry}; it takes {takes}."
    ),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, "SPACE, INDUSTRY"): N_(
        "That space in {place} is not for {an_industry}; it takes {takes}."
    ),
    (Reason.WRONG_INDUSTRY_FOR_SPACE, ""): N_("No town on this board has a space for that."),
    (Reason.NO_COAL_MINE, "PLACE"): N_(
        "{place} has no coal mine with coal. Coal comes from the nearest connected coal mine, and"
        " from the market only if there is none."
    ),
    (Reason.NO_COAL_MINE, "SOURCES, PLACE"): N_(
        "You cannot use coal from {place} here. The nearest coal mine comes first: {sources}."
    ),
    (Reason.NO_COAL_MINE, "SOURCES"): N_(
        "You cannot buy coal here. The nearest coal mine comes first: {sources}."
    ),
    (Reason.NO_COAL_MINE, ""): N_("You cannot buy coal here."),
    (Reason.NO_IRON_WORKS, "PLACE"): N_(
        "{place} has no iron works with iron. Iron comes from any iron works, and from the market"
        " only if none has iron."
    ),
    (Reason.NO_IRON_WORKS, "SOURCES, PLACE"): N_(
        "You cannot use iron from {place} here. Choose from: {sources}."
    ),
    (Reason.NO_IRON_WORKS, "SOURCES"): N_(
        "You cannot buy iron here. Iron works come first: {sources}."
    ),
    (Reason.NO_IRON_WORKS, ""): N_("You cannot buy iron here."),
    (Reason.NO_BREWERY, "PLACE"): N_("{place} has no brewery with beer."),
    (Reason.NO_BREWERY, "SOURCES, PLACE"): N_(
        "You cannot use beer from {place} here. Choose from: {sources}."
    ),
    (Reason.NO_BREWERY, ""): N_("Beer cannot be bought: it comes from breweries."),
    (Reason.NO_PORT, "PLACE"): N_("{place} has no port. Sell cotton through a connected port."),
    (Reason.NO_PORT, "SOURCES, PLACE"): N_("{place} has no port. Choose from: {sources}."),
    (Reason.NO_PORT, ""): N_("There is no such port."),
    # Industries that flip without being sold.
    (Reason.NOTHING_TO_SELL, "USED UP"): N_(
        "You do not sell {industries}: they flip when their {resource} is used up."
    ),
    (Reason.NOTHING_TO_SELL, "BUYS"): N_(
        "You do not sell {industries}: they flip when cotton is sold through them."
    ),
    (Reason.NOTHING_TO_SELL, "FLIPPED AT ONCE"): N_(
        "You do not sell {industries}: they flip as soon as they are built."
    ),
    (Reason.NOTHING_TO_SELL, "RIVAL"): N_(
        "{town}: the {industry} is {owner}'s. You can sell only your own tiles."
    ),
    (Reason.NOTHING_TO_SELL, "UNSOLD, PLACE, INDUSTRY"): N_(
        "You have no {industry} to sell in {place}. Not sold yet: {unsold}."
    ),
    (Reason.NOTHING_TO_SELL, "PLACE, INDUSTRY"): N_("You have no {industry} to sell in {place}."),
    (Reason.NOTHING_TO_SELL, "UNSOLD, PLACE"): N_(
        "You have nothing to sell in {place}. Not sold yet: {unsold}."
    ),
    (Reason.NOTHING_TO_SELL, "PLACE"): N_("You have nothing to sell in {place}."),
    (Reason.NOTHING_TO_SELL, "INDUSTRY"): N_("You have no {industry} to sell on the board."),
    (Reason.NOTHING_TO_SELL, ""): N_(
        "You have nothing to sell on the board. You can sell: {sold}."
    ),
    (Reason.NOT_YOUR_TILE, "PLACE, INDUSTRY"): N_("You have no {industry} in {place}."),
    (Reason.NOT_YOUR_TILE, "PLACE"): N_("You have no tile in {place}."),
    (Reason.NOT_YOUR_TILE, "INDUSTRY"): N_("You have no {industry} on the board."),
    (Reason.NOT_YOUR_TILE, ""): N_("You have no tile on the board."),
}

# The parts of a text, after "complete without".
PARTS = {
    "targets": N_("another link, sale or tile"),
    "cards": N_("another card"),
    "two_cards": N_("two cards"),
    "coal": N_("that coal"),
    "iron": N_("that iron"),
    "beer": N_("that beer"),
    "ends": N_("the end of a railway"),
    "removes": N_("a tile to remove"),
    "buyer": N_("that buyer"),
    "done": N_("a final done"),
}
