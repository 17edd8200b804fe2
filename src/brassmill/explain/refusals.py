"""Refusals: a reason, and what the position has to say about it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from brassmill.choice import MEANING
from brassmill.editions.edition import INDUSTRY, MARKET_PLACE, Edition
from brassmill.engine import Engine
from brassmill.errors import IllegalAction
from brassmill.events import ERAS
from brassmill.explain.reasons import REASONS, RULES, SPECIAL
from brassmill.explain.sentences import Fields, needed, say
from brassmill.rules.choices import CHOICES
from brassmill.rules.layout import BUILDING, CARDS, PORT, SYMBOLS, TURN_OVER
from brassmill.rules.reasons import Reason

# Where a cube or barrel can come from, by the reason that something else cannot give it.
SOURCES = {
    Reason.NO_COAL_MINE: "COAL_FROM",
    Reason.NO_IRON_WORKS: "IRON_FROM",
    Reason.NO_BREWERY: "BEER_FROM",
}


@dataclass(frozen=True)
class Refusal:
    """Why not: the name of the reason, and words for people."""

    reason: Reason
    sentence: str  # in English, with fields
    fields: Fields = field(default_factory=dict, hash=False, repr=False)

    @property
    def words(self) -> str:
        """The sentence in the language of the context: in whichever it is asked for."""
        return say(self.sentence, self.fields)

    @property
    def rule(self) -> str:
        """The rules that say so, by their names in the rules' specification; or nothing."""
        return RULES.get(self.reason, "")

    def error(self, text: str = "") -> IllegalAction:
        """The refusal, of something that was said, as an error."""
        words = self.words
        said = f"{text}: " if text and not words.startswith(text) else ""
        rule = f" ({self.rule})" if self.rule else ""
        return IllegalAction(f"{said}{words}{rule}", self.reason)

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return f"<{self.reason.name}: {self.words}>"


def refusal(engine: Engine, choice: int, reason: Reason) -> Refusal:
    """A refusal that the rules have just given."""
    kind = MEANING[choice][0] if 0 <= choice < CHOICES else ""
    fields = _fields(engine, choice)
    for situation in (*_situations(engine, fields), kind or "NO CHOICE"):
        if (reason, situation) in SPECIAL:
            return _refusal(reason, SPECIAL[reason, situation], fields)
    return _refusal(reason, REASONS[reason], fields)


def refusal_of_nothing(engine: Engine, reason: Reason) -> Refusal:
    """A refusal of something that is no choice at all."""
    fields: dict[str, Any] = {"phase": engine.phase}
    situation = "TURN OVER, NO CHOICE" if engine.phase == TURN_OVER else ""
    if reason in SOURCES:
        fields["sources"] = _sources(engine, SOURCES[reason])
        situation = "SOURCES" if fields["sources"] else ""
    plain = SPECIAL.get((reason, ""), REASONS[reason])
    return _refusal(reason, SPECIAL.get((reason, situation), plain), fields)


def refusal_of_rest(part: str) -> Refusal:
    """A refusal of what a text says beyond the end of an action."""
    return Refusal(Reason.NOT_ASKED_NOW, SPECIAL[Reason.NOT_ASKED_NOW, "REST"], {"part": part})


def _refusal(reason: Reason, sentence: str, fields: Fields) -> Refusal:
    """A refusal with what its sentence needs, and no more: equal ones say the same."""
    names = needed(sentence)
    return Refusal(reason, sentence, {name: fields[name] for name in names if name in fields})


def _situations(engine: Engine, fields: Fields) -> list[str]:
    """What is special about a position and the choice that is refused."""
    edition = engine.edition
    facts = {
        "TURN OVER": engine.phase == TURN_OVER,
        "FARM": fields.get("farm"),
        "EARLY": fields.get("early"),
        "NO SYMBOL": fields.get("no_symbol"),
        "PORTS": PORT in edition.industries,
        "UNWANTED": not fields.get("buyers"),
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
        fields.update(hand=_hand(engine, seat), cash=int(state.cash[seat]))
    if 0 <= choice < CHOICES:
        with suppress(IndexError, KeyError):  # the vocabulary is larger than this edition
            _name_subject(engine, fields, *MEANING[choice])
    return fields


def _name_subject(engine: Engine, fields: dict[str, Any], kind: str, offset: int) -> None:
    """The fields that follow from what a choice is about."""
    edition, state = engine.edition, engine.state
    match kind:
        case "BUILD":
            space, symbol = divmod(offset, SYMBOLS)
            _name_space(engine, fields, space)
            if symbol < len(edition.spaces[space].symbols):
                _name_industry(engine, fields, int(edition.board.symbol[space, symbol]))
            else:
                fields.update(no_symbol=True)
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
            fields.update(line=edition.line_name(offset))
        case "COAL_AT":
            fields.update(place=edition.place_name(offset))
            fields.update(line=edition.line_name(int(state.line)))
        case "BARREL_OF":
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
            industry=industry,
            buyers=_buyers(engine, industry),
        )


def _name_industry(engine: Engine, fields: dict[str, Any], industry: int) -> None:
    """An industry, and the tile of it that is lowest on the mat."""
    fields.update(industry=engine.edition.industry_name(industry))
    tile = lowest_tile(engine, engine.seat, industry)
    if tile:
        fields.update(tile=engine.edition.tile_name(tile))
        fields.update(early=engine.edition.tile[tile].buildable == (False, True))


def lowest_tile(engine: Engine, seat: int, industry: int) -> int:
    """The lowest tile of an industry on a mat, 0 if none is left."""
    board, gone = engine.edition.board, int(engine.state.gone[seat, industry])
    return int(board.stack[industry, gone]) if gone < board.stack_size[industry] else 0


def _hand(engine: Engine, seat: int) -> dict[str, int]:
    """How many of each card a hand holds."""
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
    return [edition.merchant_name(n) for n in merchants if int(engine.state.merchant[n]) & bit]


def _sources(engine: Engine, kind: str) -> list[str]:
    """What can be chosen as a source now."""
    meanings = [MEANING[choice] for choice in engine.legal()]
    return [engine.edition.space_name(offset) for found, offset in meanings if found == kind]
