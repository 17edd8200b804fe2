"""The last check of a position: the laws that every position of a game obeys."""

from __future__ import annotations

from typing import Any

from brassmill.core.engine import Engine
from brassmill.editions.edition import Edition
from brassmill.errors import InvalidPosition
from brassmill.position.progress import problems_of_progress
from brassmill.rules.laws import Law, broken_thing_law
from brassmill.rules.layout import GAME_OVER, TURN_OVER

SENTENCES = {
    Law.CARDS_CONSERVED: "the cards in hands, deck, discards and set aside are not the whole deck",
    Law.HANDS_COUNTED: "a hand has at most eight cards",
    Law.WILD_CARDS_SINGLE: "nobody holds two wild cards of a kind",
    Law.TILES_CONSERVED: "a tile on the map has not left its owner's mat",
    Law.TILE_FITS_SPACE: "a tile lies on a space that does not take it",
    Law.ONE_TILE_PER_TOWN: "in the canal era a seat has one tile in a town at most",
    Law.TILE_OF_ITS_ERA: "a tile lies on the map that does not belong to the era",
    Law.CUBES_WITHIN_TILE: "a tile holds more than it can",
    Law.EMPTY_MEANS_FLIPPED: "a mine, works or brewery flips with its last cube, and no sooner",
    Law.LINKS_LIMITED: "a seat has more links than there are link tiles",
    Law.LINK_OF_ITS_ERA: "a link lies on a line that is not used in the era",
    Law.MARKETS_BOUNDED: "a market has more or less than it can hold",
    Law.BARRELS_BOUNDED: "a merchant has one barrel at most, and a blank one has none",
    Law.MONEY_NOT_NEGATIVE: "nobody has negative money",
    Law.INCOME_ON_TRACK: "an income marker is not on the track",
    Law.POINTS_ADD_UP: "the VP of a seat do not add up",
    Law.ORDER_IS_PERMUTATION: "the order must name every seat once",
    Law.NOTHING_IN_PROGRESS: "between two actions nothing is in progress",
    Law.CHOICE_EXISTS: "the open question has no answer",
}


def check_laws(edition: Edition, seats: tuple[str, ...], state: Any) -> None:
    """Raise `InvalidPosition` with the law that a position breaks, or what its action violates."""
    engine = Engine(edition, seats, state.tobytes())
    law = Law(broken_thing_law(engine.state, edition.board, engine.work))
    if law != Law.KEPT:
        raise InvalidPosition([SENTENCES[law]])
    problems = problems_of_progress(engine)
    resting = state.phase in (TURN_OVER, GAME_OVER)
    if not problems and not resting and not engine.legal():
        problems = [SENTENCES[Law.CHOICE_EXISTS]]
    if problems:
        raise InvalidPosition(problems)
