"""Legal choices in words, as on a button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from brassmill import terms
from brassmill.core.choice import ABOUT, MEANING
from brassmill.core.engine import Engine
from brassmill.language import N_
from brassmill.rules.choices import Subject
from brassmill.rules.layout import SYMBOLS
from brassmill.words.places import exact_merchant, exact_space
from brassmill.words.refusals import lowest_tile
from brassmill.words.sentences import say

CHOICES: dict[str, str] = {
    "BUILD": N_("build {a_tile} in {place}"),
    "LINK": N_("link {line}"),
    "SELL": N_("sell {the_industry} in {place}"),
    "DEVELOP": N_("develop {a_tile}"),
    "LOAN": N_("take a {pounds} loan"),
    "SCOUT": N_("scout: discard three cards for two wild cards"),
    "PASS": N_("pass"),
    "CARD": N_("discard {the_cards}"),
    "TWO_CARDS": N_("discard any two cards (both actions)"),
    "COAL_FROM": N_("take coal from {owner}'s mine in {place}"),
    "IRON_FROM": N_("take iron from {owner}'s works in {place}"),
    "BEER_FROM": N_("take beer from {owner}'s brewery in {place}"),
    "BARREL_OF": N_("take beer from {merchant}"),
    "COAL_AT": N_("take the coal at {place}"),
    "SELL_TO_PORT": N_("sell through {owner}'s port in {place}"),
    "SELL_FAR": N_("sell to the distant market"),
    "REMOVE": N_("remove {a_tile} from your mat"),
    "GIVE_UP": N_("remove {your_industry} in {place}"),
    "DONE": N_("done"),
}
DEVELOP_SEVERAL = N_("develop {tiles}")
OVERBUILD_RIVAL = N_("overbuild {owner}'s {industry} in {place} (level {old_level} to {level})")
# For the player's own tiles.
OWN: dict[str, str] = {
    "BUILD": N_("overbuild {your_industry} in {place} (level {old_level} to {level})"),
    "COAL_FROM": N_("take coal from your mine in {place}"),
    "IRON_FROM": N_("take iron from your works in {place}"),
    "BEER_FROM": N_("take beer from your brewery in {place}"),
    "SELL_TO_PORT": N_("sell through your port in {place}"),
}


def choice_words(engine: Engine, choice: int, *, exact: bool = False) -> str:
    """A legal choice in the language of the context, without capital and full stop.

    Towns are named without the numbers of their spaces. `exact` adds a hint where a town has
    several spaces, or a place several merchants.
    """
    subject, offset = ABOUT[choice]
    kind = MEANING[choice][0]
    fields = _fields(engine, subject, offset, exact)
    return say(_sentence(engine, kind, subject, offset), fields)


def develop_words(tiles: Sequence[str]) -> str:
    """All tiles that an action develops, as one choice."""
    return say(DEVELOP_SEVERAL, {"tiles": tuple(Counter(tiles).items())})


def _sentence(engine: Engine, kind: str, subject: Subject, offset: int) -> str:
    """The sentence for a choice; own tiles and overbuilding have their own sentences."""
    state = engine.state
    space = offset // SYMBOLS if subject == Subject.SITE else offset
    if kind not in OWN or not state.tile[space]:
        return CHOICES[kind]
    if int(state.owner[space]) == engine.seat:
        return OWN[kind]
    return OVERBUILD_RIVAL if subject == Subject.SITE else CHOICES[kind]


def _fields(engine: Engine, subject: Subject, offset: int, exact: bool) -> dict[str, Any]:
    """The plain names of what a choice is about; places in words."""
    edition, seat = engine.edition, engine.seat
    match subject:
        case Subject.SITE | Subject.SPACE:
            space = offset // SYMBOLS if subject == Subject.SITE else offset
            place = edition.place_name(edition.spaces[space].place)
            fields: dict[str, Any] = {"place": exact_space(edition, space) if exact else place}
            fields |= _standing(engine, space)
            if subject == Subject.SITE:
                industry = int(edition.board.symbol[space, offset % SYMBOLS])
                fields["tile"] = edition.tile_name(lowest_tile(engine, seat, industry))
                fields["industry"] = edition.industry_name(industry)
            return fields
        case Subject.INDUSTRY:
            return {"tile": edition.tile_name(lowest_tile(engine, seat, offset))}
        case Subject.LINE:
            return {"line": edition.line_name(offset)}
        case Subject.SIZE:
            return {"pounds": 10 * (offset + 1)}
        case Subject.CARD:
            return {"card": edition.card_name(offset)}
        case Subject.MERCHANT:
            merchant = terms.merchant(edition.merchant_name(offset))
            return {"merchant": exact_merchant(engine, offset) if exact else merchant}
        case Subject.PLACE:
            return {"place": edition.place_name(offset)}
    return {}


def _standing(engine: Engine, space: int) -> dict[str, Any]:
    """The tile on a space, if there is one."""
    edition, state = engine.edition, engine.state
    tile = int(state.tile[space])
    if not tile:
        return {}
    return {
        "standing": edition.tile_name(tile),
        "industry": edition.tile[tile].industry,
        "owner": engine.seats[int(state.owner[space])],
    }
