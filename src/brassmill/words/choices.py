"""Open choices in words: what a player would do, as a label says it."""

from __future__ import annotations

from typing import Any

from brassmill.core.choice import ABOUT, MEANING
from brassmill.core.engine import Engine
from brassmill.language import N_
from brassmill.rules.choices import Subject
from brassmill.rules.layout import SYMBOLS
from brassmill.words.refusals import lowest_tile
from brassmill.words.sentences import say

CHOICES: dict[str, str] = {
    "BUILD": N_("build {a_tile} in {place}"),
    "LINK": N_("link {line}"),
    "SELL": N_("sell from {standing} in {space}"),
    "DEVELOP": N_("develop {tile}"),
    "LOAN": N_("borrow {pounds}"),
    "SCOUT": N_("scout: three cards for both wild cards"),
    "PASS": N_("pass"),
    "CARD": N_("give up the card {card}"),
    "TWO_CARDS": N_("any two cards, and both actions"),
    "COAL_FROM": N_("take coal of {owner} in {space}"),
    "IRON_FROM": N_("take iron of {owner} in {space}"),
    "BEER_FROM": N_("take beer of {owner} in {space}"),
    "BARREL_OF": N_("take the beer of the merchant in {merchant}"),
    "COAL_AT": N_("bring the coal to {place}"),
    "SELL_TO_PORT": N_("sell to the port of {owner} in {space}"),
    "SELL_FAR": N_("sell to the distant market"),
    "REMOVE": N_("remove {tile}"),
    "GIVE_UP": N_("give up {standing} in {space}"),
    "DONE": N_("done"),
}
# Where a tile of a rival is built over.
OVER_RIVAL = N_("build {a_tile} in {place} over {standing} of {owner}")
# Where the tile is the player's own.
OWN: dict[str, str] = {
    "BUILD": N_("build {a_tile} in {place} over your {standing}"),
    "COAL_FROM": N_("take your own coal in {space}"),
    "IRON_FROM": N_("take your own iron in {space}"),
    "BEER_FROM": N_("take your own beer in {space}"),
    "SELL_TO_PORT": N_("sell to your own port in {space}"),
}


def choice_words(engine: Engine, choice: int, *, exact: bool = False) -> str:
    """An open choice in the language of the context, without a capital and a full stop.

    `exact` names the space of a build, where the town has another for the same industry.
    """
    kind, offset = MEANING[choice]
    subject = ABOUT[choice][0]
    space = offset // SYMBOLS if subject == Subject.SITE else offset
    fields: dict[str, Any] = {}
    sentence = CHOICES[kind]
    if subject in (Subject.SITE, Subject.SPACE):
        fields = _standing(engine, space)
    if fields and kind in OWN and int(engine.state.owner[space]) == engine.seat:
        sentence = OWN[kind]
    elif fields and subject == Subject.SITE:
        sentence = OVER_RIVAL
    fields |= _fields(engine, subject, offset)
    if exact and subject == Subject.SITE:
        fields["place"] = engine.edition.space_name(space)
    return say(sentence, fields)


def _standing(engine: Engine, space: int) -> dict[str, Any]:
    """The tile on a space, if there is one."""
    edition, state = engine.edition, engine.state
    tile = int(state.tile[space])
    if not tile:
        return {}
    return {
        "space": edition.space_name(space),
        "standing": edition.tile_name(tile),
        "owner": engine.seats[int(state.owner[space])],
    }


def _fields(engine: Engine, subject: Subject, offset: int) -> dict[str, Any]:
    """The plain names of what else a choice is about."""
    edition = engine.edition
    match subject:
        case Subject.SITE:
            space, symbol = divmod(offset, SYMBOLS)
            industry = int(edition.board.symbol[space, symbol])
            tile = edition.tile_name(lowest_tile(engine, engine.seat, industry))
            return {"place": edition.place_name(edition.spaces[space].place), "tile": tile}
        case Subject.INDUSTRY:
            return {"tile": edition.tile_name(lowest_tile(engine, engine.seat, offset))}
        case Subject.LINE:
            return {"line": edition.line_name(offset)}
        case Subject.SIZE:
            return {"pounds": 10 * (offset + 1)}
        case Subject.CARD:
            return {"card": edition.card_name(offset)}
        case Subject.MERCHANT:
            return {"merchant": edition.merchant_name(offset)}
        case Subject.PLACE:
            return {"place": edition.place_name(offset)}
    return {}
