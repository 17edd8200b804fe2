"""Reasons and events in words.

The words of a language are tables of sentences with named fields, so that another language is
another set of tables. A refusal says what is missing and what would help.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from brassmill.choice import MEANING, choice_text
from brassmill.engine import Engine
from brassmill.errors import IllegalAction
from brassmill.events import ERAS, Event
from brassmill.rules.choices import CHOICES
from brassmill.rules.layout import BUILDING, CARDS, PORT, SYMBOLS
from brassmill.rules.reasons import Reason

# The open question, by phase (`rules/layout.py`).
QUESTIONS = (
    "what to do",
    "which card to give up",
    "which mine gives the coal",
    "which works gives the iron",
    "at which end the rail takes its coal",
    "a second rail, or done",
    "which barrel to use",
    "which tile the bonus removes",
    "what to sell next, or done",
    "where to sell the mill",
    "a second tile to develop, or done",
    "which tile to give up for the debt",
    "none: the turn is over and must be passed on",
    "none: the game is over",
)

# Fields: what (the choice), place (a town, or a line), space, industry, tile (the next of that
# industry on the mat), standing (the tile on the space) and its owner, card, hand, cash, missing,
# era, other_era, market, question, edition.
REASONS: dict[Reason, str] = {
    Reason.OK: "{what}: this is legal.",
    Reason.GAME_IS_OVER: "The game is over.",
    Reason.NOT_ASKED_NOW: "{what}: this is not asked now. The open question is {question}.",
    Reason.NOT_IN_THIS_GAME: "{what}: {edition} has no such thing.",
    Reason.ACTION_UNFINISHED: "{what}: the action in progress comes first; it asks {question}.",
    Reason.NOT_IN_HAND: "{what}: there is no such card in hand. There is: {hand}.",
    Reason.NO_CARD_FOR_IT: (
        "{place}: no card in hand allows {industry} there. It takes the card of the town, or a card"
        " that shows {industry} if {place} is in your network."
    ),
    Reason.CARD_NAMES_ANOTHER_TOWN: "The card {card} is good for {card} only, not for {place}.",
    Reason.CARD_SHOWS_ANOTHER_INDUSTRY: "The card {card} does not show {industry}.",
    Reason.NOT_IN_NETWORK: (
        "{place} is not in your network. An own tile there, or an own link that touches it, would"
        " make it so."
    ),
    Reason.NEEDS_LOCATION_CARD: (
        "{space} is taken. With nothing on the map, an industry card opens empty spaces only; the"
        " card of the town would do."
    ),
    Reason.FARM_NEEDS_INDUSTRY_CARD: (
        "{place} is no town: the card {card} does not name it. It takes a brewery card or a wild"
        " industry card."
    ),
    Reason.NEEDS_BOTH_ACTIONS: (
        "Two cards build anywhere only as the first and only thing in a turn of two actions."
    ),
    Reason.NEEDS_TWO_CARDS: "It takes two cards. In hand: {hand}.",
    Reason.NEEDS_THREE_CARDS: "Scouting takes three cards. In hand: {hand}.",
    Reason.HOLDS_WILD_CARD: "Nobody scouts with a wild card in hand: use it first.",
    Reason.NO_TILE_LEFT: "There is no {industry} tile left on your mat.",
    Reason.WRONG_ERA: (
        "{tile} is not built in the {era} era. Developing it away makes room for the next tile."
    ),
    Reason.NEVER_BUILT: "{tile} is never built. Developing it away makes room for the next tile.",
    Reason.WRONG_INDUSTRY_FOR_SPACE: "{place} has no such space: {industry} is not built there.",
    Reason.SAME_AS_EARLIER_SPACE: (
        "{space} is equal to an earlier empty space of the town: leave the number out."
    ),
    Reason.SINGLE_SPACE_FIRST: (
        "{space} takes other industries too. The empty space for {industry} alone comes first."
    ),
    Reason.NOT_HIGHER_LEVEL: (
        "{space}: {tile} does not go over {standing}. It takes a tile of a higher level."
    ),
    Reason.SPACE_TAKEN: "{space} is taken: {owner}'s {standing} cannot be built over with {tile}.",
    Reason.RIVAL_STILL_SUPPLIED: (
        "{space}: a rival's {standing} can be built over only when there is no {industry} on any"
        " tile and none in the market."
    ),
    Reason.ONE_TILE_PER_TOWN: (
        "{place}: you have a tile there already, and the canal era allows one in each town. That"
        " tile itself can be built over."
    ),
    Reason.NO_COAL_IN_REACH: (
        "{place}: no coal in reach. A coal mine with coal, or {market}, must be connected to"
        " {place}."
    ),
    Reason.CANNOT_AFFORD: "{what}: £{missing} more would be needed. You have £{cash}.",
    Reason.NO_COAL_MINE: "{space}: there is no unflipped coal mine with coal.",
    Reason.NOT_CONNECTED: (
        "{space} is not connected: a chain of links of any owner must lead there."
    ),
    Reason.NOT_NEAREST: (
        "{space}: another coal mine is nearer, and the nearest gives its coal first."
    ),
    Reason.NO_IRON_WORKS: "{space}: there is no unflipped iron works with iron.",
    Reason.NO_BREWERY: "{space}: there is no unflipped brewery with beer.",
    Reason.NO_BARREL: "{space}: the merchant's barrel is gone.",
    Reason.MERCHANT_BUYS_OTHER_GOODS: "{space}: that merchant does not buy {industry}.",
    Reason.ONE_MERCHANT_BARREL_A_SALE: "A sale goes to one merchant: only one barrel is his.",
    Reason.NO_MERCHANT_BEER_FOR_RAILS: (
        "{space}: merchants' beer is for sales. Rails take a brewery's."
    ),
    Reason.NOT_AN_END: "{place} is not an end of that rail.",
    Reason.LINE_TAKEN: "{place}: there is a link already.",
    Reason.NO_LINK_LEFT: "All your link tiles are on the map.",
    Reason.NO_BEER_IN_REACH: (
        "{what}: not enough beer. It comes from own breweries, from rivals' breweries that are"
        " connected, and for a sale from the merchant's barrel."
    ),
    Reason.NOT_DEVELOPABLE: "{tile} carries a lightbulb: it can be built, not developed away.",
    Reason.NOTHING_TO_SELL: "{space}: no tile of yours there is for sale.",
    Reason.ALREADY_FLIPPED: "{space}: {standing} has flipped already.",
    Reason.NO_BUYER: "{place}: nobody who buys {industry} is connected.",
    Reason.NO_PORT: "{space}: there is no port.",
    Reason.DISTANT_MARKET_CLOSED: (
        "The distant market is closed until the era ends. An unflipped port must be connected."
    ),
    Reason.NO_SUCH_LOAN: "{what}: {edition} has no loan of that size.",
    Reason.INCOME_TOO_LOW: (
        "{what}: your income would fall {missing} below the lowest level, which is -10."
    ),
    Reason.LOANS_HAVE_ENDED: "There are no loans in the rail era once the deck is empty.",
    Reason.NOT_YOUR_TILE: "{space}: no tile of yours is there.",
    Reason.TILE_WORTH_NOTHING: "{standing} in {space} brings no money.",
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

# Where the kind of choice changes what must be said.
SPECIAL: dict[tuple[Reason, str], str] = {
    (Reason.NOT_IN_NETWORK, "LINK"): (
        "{place} does not touch your network: an own tile or link at one of its ends would."
    ),
    (Reason.WRONG_ERA, "LINK"): "{place} is a line of the {other_era} era only.",
    (Reason.NO_CARD_FOR_IT, "FARM"): (
        "{place}: no card in hand allows {industry} there. It takes a card that shows {industry},"
        " and {place} in your network."
    ),
    (Reason.NEEDS_LOCATION_CARD, "FARM"): (
        "{space} is taken. With nothing on the map, an industry card opens empty spaces only."
    ),
    (Reason.NOT_IN_HAND, "PASS"): "Passing takes a card, and there is none in hand.",
    # What is named is no choice at all.
    (Reason.NOT_ASKED_NOW, ""): "this does not answer the open question, which is {question}.",
    (Reason.ACTION_UNFINISHED, ""): "the action in progress comes first; it asks {question}.",
    (Reason.NOT_ASKED_NOW, "REST"): "the action is complete, and nothing in it asks for {part}.",
    (Reason.WRONG_INDUSTRY_FOR_SPACE, ""): "no space there takes that industry.",
    (Reason.NO_COAL_MINE, ""): (
        "no unflipped coal mine with coal is there; the market sells only if none is in reach."
    ),
    (Reason.NO_IRON_WORKS, ""): (
        "no unflipped iron works with iron is there; the market sells only if there is none at all."
    ),
    (Reason.NO_BREWERY, ""): "no unflipped brewery with beer is there.",
    (Reason.NO_PORT, ""): "no port is there.",
    (Reason.NOTHING_TO_SELL, ""): "no tile of yours there is for sale.",
    (Reason.NOT_YOUR_TILE, ""): "no such tile of yours is there.",
}

# The parts of a text.
PARTS = {
    "targets": "another link, sale or tile",
    "cards": "another card",
    "two_cards": "two cards",
    "coal": "that coal",
    "iron": "that iron",
    "beer": "that beer",
    "ends": "the end of a rail",
    "removes": "a tile to remove",
    "buyer": "that buyer",
    "done": "a last word",
}

MARKETS = ("a market place", "a port or a market place")  # what gives access to the market

EVENTS: dict[str, str] = {
    "discarded": "{seat} gives up {card}",
    "built": "{seat} builds {tile} in {space}",
    "overbuilt": "{tile} of {owner} in {space} is built over",
    "linked": "{seat} links {line}",
    "paid": "{seat} pays {pounds} for the {purpose}",
    "received": "{seat} gets {pounds} for the {purpose}",
    "coal_used": "{seat} takes coal from {source}",
    "iron_used": "{seat} takes iron from {source}",
    "beer_used": "{seat} takes beer from {source}",
    "barrel_used": "{seat} takes the beer of the merchant in {merchant}",
    "delivered": "{space} delivers to the market for {pounds}",
    "flipped": "{tile} of {owner} in {space} flips",
    "income_moved": "{seat}'s income moves from {before} to {after}",
    "sold": "{seat} sells {tile} in {space}",
    "sold_to_port": "{seat} sells from {space} to the port in {port}",
    "distant_tile": "{seat} turns a distant tile: the marker falls {steps} to {marker}",
    "developed": "{seat} develops {industry} {level}",
    "bonus": "{seat} gets the bonus of {place}: {amount}",
    "borrowed": "{seat} borrows {pounds}, and the income level falls by {levels}",
    "scouted": "{seat} takes two wild cards",
    "passed": "{seat} passes",
    "drew": "{seat} draws {cards}",
    "round_began": "round {round} of the {era} era begins",
    "order_set": "{seat} moves in place {turn}, having spent {spent}",
    "income_paid": "{seat}'s income: {pounds}",
    "gave_up": "{seat} gives up {tile} in {space}",
    "vp_lost": "{seat} loses {points} points for an unpaid debt",
    "era_ended": "the {era} era ends",
    "link_scored": "{seat} scores {points} for {line}",
    "tile_scored": "{seat} scores {points} for {space}",
    "cash_scored": "{seat} scores {points} for money",
    "income_scored": "{seat} scores {points} for income",
    "removed": "{tile} of {owner} in {space} leaves the map",
    "game_ended": "the game is over",
}


@dataclass(frozen=True)
class Refusal:
    """Why not: the name of the reason, and words for people."""

    reason: Reason
    words: str

    @property
    def rule(self) -> str:
        """The rules that say so, by their names in the rules' specification; or nothing."""
        return RULES.get(self.reason, "")

    def error(self, text: str = "") -> IllegalAction:
        """The refusal, of something that was said, as an error."""
        said = f"{text}: " if text and not self.words.startswith(text) else ""
        rule = f" ({self.rule})" if self.rule else ""
        return IllegalAction(f"{said}{self.words}{rule}", self.reason)

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return f"<{self.reason.name}: {self.words}>"


def refusal(engine: Engine, choice: int, reason: Reason) -> Refusal:
    """A refusal that the rules have just given, in words."""
    kind = MEANING[choice][0] if 0 <= choice < CHOICES else ""
    fields = _fields(engine, choice)
    special = SPECIAL.get((reason, kind))
    if "farm" in fields:
        special = SPECIAL.get((reason, "FARM"), special)
    return Refusal(reason, (special or REASONS[reason]).format_map(fields))


def refusal_of_nothing(engine: Engine, reason: Reason) -> Refusal:
    """A refusal of something that is no choice at all."""
    sentence = SPECIAL.get((reason, ""), REASONS[reason])
    return Refusal(reason, sentence.format_map(_Fields(question=QUESTIONS[engine.phase])))


def refusal_of_rest(part: str) -> Refusal:
    """A refusal of what a text says beyond the end of an action."""
    sentence = SPECIAL[Reason.NOT_ASKED_NOW, "REST"]
    return Refusal(Reason.NOT_ASKED_NOW, sentence.format(part=PARTS[part]))


def event_words(event: Event, seats: Sequence[str]) -> str:
    """An event as a sentence."""
    fields = event.as_dict()
    for who in ("seat", "owner"):
        if who in fields:
            fields[who] = seats[fields[who]]
    if event.kind == "order_set":
        fields["turn"] += 1
    return EVENTS[event.kind].format_map(fields)


def hand_words(engine: Engine, seat: int) -> str:
    """A hand as a list of cards."""
    hand = engine.state.hand[seat]
    names = [
        engine.edition.card_name(card) + (f" x{hand[card]}" if hand[card] > 1 else "")
        for card in range(CARDS)
        if hand[card]
    ]
    return ", ".join(names) or "nothing"


class _Fields(dict[str, Any]):
    """The names a sentence may use; one that does not apply is kept vague."""

    def __missing__(self, key: str) -> str:
        return "that"


def _fields(engine: Engine, choice: int) -> _Fields:
    edition, state, seat = engine.edition, engine.state, engine.seat
    fields = _Fields(
        what=choice_text(edition, choice),
        edition=edition.title,
        question=QUESTIONS[engine.phase],
        missing=engine.details[1],
        era=ERAS[int(state.era)],
        other_era=ERAS[1 - int(state.era)],
        market=MARKETS[PORT in edition.industries],
    )
    if seat >= 0:
        fields.update(hand=hand_words(engine, seat), cash=int(state.cash[seat]))
    if 0 <= choice < CHOICES:
        with suppress(IndexError, KeyError):  # the vocabulary is larger than this edition
            _name_subject(engine, fields, *MEANING[choice])
    return fields


def _name_subject(engine: Engine, fields: _Fields, kind: str, offset: int) -> None:
    """The fields that follow from what a choice is about."""
    edition, state = engine.edition, engine.state
    match kind:
        case "BUILD":
            space, symbol = divmod(offset, SYMBOLS)
            _name_space(engine, fields, space)
            _name_industry(engine, fields, int(edition.board.symbol[space, symbol]))
        case "SELL" | "COAL_FROM" | "IRON_FROM" | "BEER_FROM" | "SELL_TO_PORT" | "GIVE_UP":
            _name_space(engine, fields, offset)
        case "SELL_FAR" if state.space >= 0:
            _name_space(engine, fields, int(state.space))
        case "CARD":
            fields.update(card=edition.card_name(offset))
            if state.doing == BUILDING:
                _name_space(engine, fields, int(state.space))
                _name_industry(engine, fields, int(state.industry))
        case "DEVELOP" | "REMOVE":
            _name_industry(engine, fields, offset)
        case "LINK":
            fields.update(place=edition.line_name(offset))
        case "COAL_AT":
            fields.update(place=edition.place_name(offset))
        case "BARREL_OF":
            if state.space >= 0:
                _name_space(engine, fields, int(state.space))
            fields.update(space=edition.merchant_name(offset))


def _name_space(engine: Engine, fields: _Fields, space: int) -> None:
    edition, state = engine.edition, engine.state
    place = edition.spaces[space].place
    fields.update(space=edition.space_name(space), place=edition.place_name(place))
    if not int(edition.board.towns) >> place & 1:
        fields.update(farm=fields["place"])
    tile = int(state.tile[space])
    if tile:
        fields.update(
            standing=edition.tile_name(tile),
            owner=engine.seats[int(state.owner[space])],
            industry=edition.tile[tile].industry,
        )


def _name_industry(engine: Engine, fields: _Fields, industry: int) -> None:
    """An industry, and the tile of it that is lowest on the mat."""
    fields.update(industry=engine.edition.industry_name(industry))
    tile = lowest_tile(engine, engine.seat, industry)
    fields.update(tile=engine.edition.tile_name(tile) if tile else fields["industry"])


def lowest_tile(engine: Engine, seat: int, industry: int) -> int:
    """The lowest tile of an industry on a mat, 0 if none is left."""
    board, gone = engine.edition.board, int(engine.state.gone[seat, industry])
    return int(board.stack[industry, gone]) if gone < board.stack_size[industry] else 0
