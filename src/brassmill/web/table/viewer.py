"""As whom the table is shown to a visitor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Table
from brassmill.web.table.pace import PACES

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.web.table.session import Desk

SHOWN = "shown"  # in the session
MOST = 20  # tables of which the session knows whose hand is shown


@dataclass(frozen=True)
class Viewer:
    """A visitor at a desk."""

    desk: Desk
    held: tuple[int, ...]  # the seats of this visitor
    seat: int | None  # as whom the page is shown; None: as a spectator
    cover: int | None = None  # who is to uncover his hand first

    @cached_property
    def view(self) -> View:
        """What the page may show."""
        return self.desk.view(self.seat)

    @property
    def is_to_move(self) -> bool:
        """Is it this visitor who must choose now, with the hand in sight?"""
        desk = self.desk
        return self.seat is not None and self.seat == desk.to_move and not desk.mover_is_bot

    @property
    def others(self) -> dict[int, View]:
        """The views of the other seats, where all play with open hands."""
        if self.seat is None or self.desk.table.hands != Table.OPEN:
            return {}
        seats = range(len(self.desk.seats))
        return {seat: self.desk.view(seat) for seat in seats if seat != self.seat}

    @property
    def can_cover(self) -> bool:
        """Is a hand in sight that others at this screen must not see?"""
        return self.seat is not None and is_shared(self.desk, self.held)

    @property
    def pace(self) -> str:
        """The pace of the bots by its name."""
        return next((name for name, wait in PACES.items() if wait == self.desk.table.pace), "")

    @property
    def stamp(self) -> str:
        """What the page shows, in a word."""
        return self.desk.stamp(self.held)


def held_by(desk: Desk, key: str) -> tuple[int, ...]:
    """The seats that a visitor holds."""
    return tuple(seat.number for seat in desk.seats if key and seat.holder == key)


def viewer_of(request: HttpRequest, desk: Desk) -> Viewer:
    """As whom the visitor sees the table.

    Where several people sit at one screen with covered hands, nobody's hand is in sight until the
    one whose turn it is uncovers it. Nor is one in sight before the game has begun: who has seen
    the cards cannot think better of it.
    """
    held = held_by(desk, visitor(request))
    mover = None if desk.mover_is_bot else desk.to_move  # a bot may stand in for the visitor
    if not held or desk.table.gathering:
        return Viewer(desk, held, None)
    if is_shared(desk, held):
        if mover not in held:
            return Viewer(desk, held, None)
        if shown(request.session, desk) != mover:
            return Viewer(desk, held, None, cover=mover)
    if mover in held:
        return Viewer(desk, held, mover)
    last = next((c.seat for c in reversed(desk.story) if c.seat in held), held[0])
    return Viewer(desk, held, last)


# --- covered hands -------------------------------------------------------------------------------


def is_shared(desk: Desk, held: Sequence[int]) -> bool:
    """Do several people sit at one screen, whose hands are not for each other's eyes?"""
    return len(held) > 1 and desk.table.hands == Table.COVERED and not desk.is_revealed


def shown(session: SessionBase, desk: Desk) -> int | None:
    """Whose hand is in sight in this turn."""
    seat, turn = session.get(SHOWN, {}).get(desk.table.id, (None, None))
    return seat if turn == desk.turns else None


def show(session: SessionBase, desk: Desk, seat: int) -> None:
    """Uncover the hand of a seat until its turn is over."""
    known = session.get(SHOWN, {})
    known.pop(desk.table.id, None)
    recent = list(known.items())[1 - MOST :]
    session[SHOWN] = {**dict(recent), desk.table.id: [seat, desk.turns]}


def cover(session: SessionBase, desk: Desk) -> None:
    """Cover the hands again."""
    session[SHOWN] = {
        table: value for table, value in session.get(SHOWN, {}).items() if table != desk.table.id
    }
