"""The last net under a position: the laws that every position of a game obeys."""

from __future__ import annotations

from typing import Any

from brassmill.editions.edition import Edition
from brassmill.engine import Engine
from brassmill.errors import InvalidPosition
from brassmill.rules.laws import Law, broken_thing_law
from brassmill.rules.layout import GAME_OVER, TURN_OVER


def check_laws(edition: Edition, seats: tuple[str, ...], state: Any) -> None:
    """`InvalidPosition` names the law that a position breaks."""
    engine = Engine(edition, seats, state.tobytes())
    law = Law(broken_thing_law(engine.state, edition.board, engine.work))
    resting = state.phase in (TURN_OVER, GAME_OVER)
    if law == Law.KEPT and not resting and not engine.legal():
        law = Law.CHOICE_EXISTS
    if law != Law.KEPT:
        raise InvalidPosition([f"it breaks a law that every position keeps: {law.name}"])
