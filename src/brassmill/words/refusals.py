"""Refusals: a reason with the facts of the position."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

from brassmill.core.choice import ABOUT, MEANING
from brassmill.core.engine import Engine, plain
from brassmill.core.events import ERAS
from brassmill.editions.edition import INDUSTRY, MARKET_PLACE, Edition, TileRow
from brassmill.errors import IllegalAction
from brassmill.language import gettext as _
from brassmill.rules.choices import CHOICES, SELL_FAR, Subject
from brassmill.rules.layout import (
    BREWERY,
    BUILDING,
    CARDS,
    COAL,
    IRON,
    PORT,
    SHIPYARD,
    SYMBOLS,
    TURN_OVER,
)
from brassmill.rules.reasons import Reason
from brassmill.rules.sell import is_sold
from brassmill.words.reasons import REASONS, RULES, SPECIAL
from brassmill.words.sentences import Fields, needed, say

# Where a cube or barrel can come from, by the reason why a source is refused.
SOURCES = {
    Reason.NO_COAL_MINE: "COAL_FROM",
    Reason.NO_IRON_WORKS: "IRON_FROM",
    Reason.NO_BREWERY: "BEER_FROM",
    Reason.NO_PORT: "SELL_TO_PORT",
}

# How industries that are not sold flip.
FLIPS = {COAL: "USED UP", IRON: "USED UP", BREWERY: "USED UP", PORT: "BUYS"}
FLIPS[SHIPYARD] = "FLIPPED AT ONCE"

sold: Callable[[int], bool] = plain(is_sold)


@dataclass(frozen=True)
class Refusal:
    """Why something is refused: the name of the reason, and a sentence for people."""

    reason: Reason
    sentence: str  # in English, with fields
    fields: Fields = field(default_factory=dict, hash=False, repr=False)

    @property
    def words(self) -> str:
        """The sentence in the language of the context."""
        return say(self.sentence, self.fields)

    @property
    def briefly(self) -> str:
        """The sentence without the name of what is refused, for use next to it."""
        if not self.sentence.startswith("{what}"):
            return self.words
        what = say("{what}", self.fields)
        rest = self.words.removeprefix(what).lstrip().removeprefix(":").lstrip()
        return rest[:1].upper() + rest[1:]

    @property
    def rule(self) -> str:
        """The ids of the rules behind it (`docs/reference/ids.md`); empty if there are none."""
        return RULES.get(self.reason, "")

    def error(self, text: str = "") -> IllegalAction:
        """The refusal of a text as an error.

        The text is left out if the sentence already begins with its subject.
        """
        words = f"{self.words} ({self.rule})" if self.rule else self.words
        if text and not self.sentence.startswith("{"):
            words = _("{text}: {refusal}").format(text=text, refusal=words)
        return IllegalAction(words, self.reason)

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return f"<{self.reason.name}: {self.words}>"


def refusal(engine: Engine, choice: int, reason: Reason) -> Refusal:
    """The refusal for the reason that the rules have just given."""
    kind = MEANING[choice][0] if 0 <= choice < CHOICES else ""
    fields = _fields(engine, choice)
    for situation in (*_situations(engine, fields), kind or "NO CHOICE"):
        if (reason, situation) in SPECIAL:
            return _refusal(reason, SPECIAL[reason, situation], fields)
    return _refusal(reason, REASONS[reason], fields)


def refusal_of_nothing(
    engine: Engine,
    reason: Reason,
    place: int | None = None,
    number: int | None = None,
    industry: int | None = None,
) -> Refusal:
    """The refusal of something that is not a choice at all, by whatever was named.

    That may be a place, the number of a space there, or an industry.
    """
    fields: dict[str, Any] = {"phase": engine.phase, "sold": _sold(engine.edition)}
    facts: list[str] = []  # the most informative first
    if reason in SOURCES and (sources := _sources(engine, SOURCES[reason])):
        fields["sources"] = sources
        facts.append("SOURCES")
    elif reason == Reason.NOTHING_TO_SELL and (unsold := _unsold(engine)):
        fields["unsold"] = unsold
        facts.append("UNSOLD")
    if place is not None:
        fields.update(_named_place(engine.edition, place, number))
        is_space = number is not None and reason == Reason.WRONG_INDUSTRY_FOR_SPACE
        facts.append("SPACE" if is_space else "PLACE")
    if industry is not None:
        fields["industry"] = engine.edition.industry_name(industry)
        facts.append("INDUSTRY")
        if reason == Reason.NOTHING_TO_SELL and not sold(industry):
            return _refusal(reason, SPECIAL[reason, FLIPS[industry]], fields)
    if engine.phase == TURN_OVER:
        facts = ["TURN OVER, NO CHOICE"]
    return _refusal(reason, _most_telling(reason, facts), fields)


def _most_telling(reason: Reason, facts: list[str]) -> str:
    """The sentence that uses the most facts."""
    for size in range(len(facts), -1, -1):
        for chosen in combinations(facts, size):
            if (sentence := SPECIAL.get((reason, ", ".join(chosen)))) is not None:
                return sentence
    return REASONS[reason]


def refusal_of_rest(part: str) -> Refusal:
    """The refusal of the rest of a text after a complete action."""
    return Refusal(Reason.NOT_ASKED_NOW, SPECIAL[Reason.NOT_ASKED_NOW, "REST"], {"part": part})


def _refusal(reason: Reason, sentence: str, fields: Fields) -> Refusal:
    """A refusal with only the fields that its sentence needs, so that equality works."""
    names = needed(sentence)
    return Refusal(reason, sentence, {name: fields[name] for name in names if name in fields})


def _situations(engine: Engine, fields: Fields) -> list[str]:
    """What is special about the position and the refused choice."""
    edition, has_nothing_on_board = engine.edition, not engine.work.presence
    facts = {
        "TURN OVER": engine.phase == TURN_OVER,
        "NO NETWORK": "line" in fields and has_nothing_on_board,
        "EMPTY BOARD, FARM": has_nothing_on_board and fields.get("farm"),
        "EMPTY BOARD": has_nothing_on_board,
        "SUPPLIES": fields.get("supplies"),
        "FARM": fields.get("farm"),
        "EARLY": fields.get("early"),
        "NO SYMBOL": fields.get("no_symbol"),
        "PORTS": PORT in edition.industries,
        "UNWANTED": not fields.get("buyers"),
        fields.get("flips", ""): fields.get("flips"),
        "RIVAL": fields.get("rival"),
    }
    return [fact for fact, holds in facts.items() if holds]


def _fields(engine: Engine, choice: int) -> dict[str, Any]:
    edition, state, seat = engine.edition, engine.state, engine.seat
    fields: dict[str, Any] = {
        "choice": (edition, choice),
        "edition": edition.title,
        "phase": engine.phase,
        "missing": engine.details[1],
        "era": ERAS[int(state.era)],
        "other_era": ERAS[1 - int(state.era)],
        "access": _access(edition),
        "loans": edition.loans,
    }
    if seat >= 0:
        cash = int(state.cash[seat])
        fields.update(hand=_hand(engine, seat), cash=cash, price=cash + int(engine.details[1]))
    if 0 <= choice < CHOICES:
        with suppress(IndexError, KeyError):  # this edition does not use the whole vocabulary
            _name_subject(engine, fields, choice)
    return fields


def _name_subject(engine: Engine, fields: dict[str, Any], choice: int) -> None:
    """The fields that follow from what a choice is about."""
    edition, state = engine.edition, engine.state
    subject, offset = ABOUT[choice]
    match subject:
        case Subject.SITE:
            space, symbol = divmod(offset, SYMBOLS)
            _name_space(engine, fields, space)
            if symbol < len(edition.spaces[space].symbols):
                _name_industry(engine, fields, int(edition.board.symbol[space, symbol]))
            else:
                fields.update(no_symbol=True)
        case Subject.SPACE:
            _name_space(engine, fields, offset)
        case Subject.NOTHING if choice == SELL_FAR and state.space >= 0:
            _name_space(engine, fields, int(state.space))
        case Subject.CARD:
            fields.update(card=edition.card_name(offset))
            if state.doing == BUILDING:
                _name_space(engine, fields, int(state.space))
                _name_industry(engine, fields, int(state.industry))
        case Subject.INDUSTRY:
            _name_industry(engine, fields, offset)
        case Subject.LINE:
            fields.update(line=edition.line_name(offset))
        case Subject.PLACE:
            fields.update(place=edition.place_name(offset))
            fields.update(line=edition.line_name(int(state.line)))
        case Subject.MERCHANT:
            if state.space >= 0:
                _name_space(engine, fields, int(state.space))
            fields.update(space=edition.merchant_name(offset))


def _name_space(engine: Engine, fields: dict[str, Any], space: int) -> None:
    edition, state = engine.edition, engine.state
    place = edition.spaces[space].place
    fields.update(space=edition.space_name(space), place=edition.place_name(place))
    fields.update(farm=not int(edition.board.towns) >> place & 1)
    tile = int(state.tile[space])
    if tile:
        industry = edition.tile[tile].industry
        fields.update(
            standing=edition.tile_name(tile),
            owner=engine.seats[int(state.owner[space])],
            rival=int(state.owner[space]) != engine.seat,
            industry=industry,
            flips=FLIPS.get(INDUSTRY.index(industry), ""),
            buyers=_buyers(engine, industry),
        )


def _name_industry(engine: Engine, fields: dict[str, Any], industry: int) -> None:
    """An industry and its lowest tile on the mat."""
    fields.update(industry=engine.edition.industry_name(industry))
    tile = lowest_tile(engine, engine.seat, industry)
    if tile:
        fields.update(tile=engine.edition.tile_name(tile))
        fields.update(early=engine.edition.tile[tile].buildable == (False, True))
        if fields.get("price", 0) > engine.edition.tile[tile].cost:
            fields.update(supplies=_supplies(engine.edition.tile[tile]))


def lowest_tile(engine: Engine, seat: int, industry: int) -> int:
    """The lowest tile of an industry on a mat, 0 if none is left."""
    board, gone = engine.edition.board, int(engine.state.gone[seat, industry])
    return int(board.stack[industry, gone]) if gone < board.stack_size[industry] else 0


def _supplies(tile: TileRow) -> list[str]:
    """What a tile needs besides money."""
    needs = {"coal": tile.coal, "iron": tile.iron}
    return [name for name, number in needs.items() if number]


def _hand(engine: Engine, seat: int) -> dict[str, int]:
    """The number of each card in a hand."""
    hand = engine.state.hand[seat].tolist()
    return {engine.edition.card_name(card): hand[card] for card in range(CARDS) if hand[card]}


def _access(edition: Edition) -> list[str]:
    """What leads to the market (NET-4)."""
    ports = ["port"] if PORT in edition.industries else []
    return ports + [place.name for place in edition.places if place.kind == MARKET_PLACE]


def _buyers(engine: Engine, industry: str) -> list[str]:
    """The merchants who buy the goods of an industry."""
    edition, bit = engine.edition, 1 << INDUSTRY.index(industry)
    merchants = range(len(edition.merchants))
    found = [edition.merchants[n] for n in merchants if int(engine.state.merchant[n]) & bit]
    return list(dict.fromkeys(found))


def _named_place(edition: Edition, place: int, number: int | None) -> Fields:
    """A place or one of its spaces, and the industries it accepts."""
    spaces = edition.place_spaces[place]
    if number is not None:
        spaces = (edition.space_at(place, number),)
    symbols = [edition.spaces[space].symbols for space in spaces]
    return {"place": edition.place_name(place), "takes": list(dict.fromkeys(chain(*symbols)))}


def _sold(edition: Edition) -> list[str]:
    """The industries that flip by being sold."""
    return [INDUSTRY[number] for number in edition.industries if sold(number)]


def _unsold(engine: Engine) -> list[str]:
    """The towns of the player's tiles that can be sold and are not flipped."""
    edition, state = engine.edition, engine.state
    towns = [
        edition.place_name(edition.spaces[space].place)
        for space in range(len(edition.spaces))
        if (tile := int(state.tile[space]))
        and state.owner[space] == engine.seat
        and not state.flipped[space]
        and sold(int(edition.board.industry_of[tile]))
    ]
    return list(dict.fromkeys(towns))


def _sources(engine: Engine, kind: str) -> list[str]:
    """The towns that can be chosen as a source now."""
    edition = engine.edition
    spaces = [MEANING[choice][1] for choice in engine.legal() if MEANING[choice][0] == kind]
    return list(dict.fromkeys(edition.place_name(edition.spaces[n].place) for n in spaces))
