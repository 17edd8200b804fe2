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
    from brassmill.web.table.session import TableSession

SHOWN = "shown"  # in the session
MOST = 20  # tables of which the session knows whose hand is shown


@dataclass(frozen=True)
class Viewer:
    """A visitor at a session."""

    session: TableSession
    held: tuple[int, ...]  # the seats of this visitor
    seat: int | None  # as whom the page is shown; None: as a spectator
    cover: int | None = None  # who is to uncover his hand first

    @cached_property
    def view(self) -> View:
        """What the page may show."""
        return self.session.view(self.seat)

    @property
    def is_to_move(self) -> bool:
        """Is it this visitor who must choose now, with the hand in sight?"""
        session = self.session
        return self.seat is not None and self.seat == session.to_move and not session.mover_is_bot

    @property
    def others(self) -> dict[int, View]:
        """The views of the other seats, where all play with open hands."""
        if self.seat is None or self.session.table.hands != Table.OPEN:
            return {}
        seats = range(len(self.session.seats))
        return {seat: self.session.view(seat) for seat in seats if seat != self.seat}

    @property
    def can_cover(self) -> bool:
        """Is a hand in sight that others at this screen must not see?"""
        return self.seat is not None and is_shared(self.session, self.held)

    @property
    def pace(self) -> str:
        """The pace of the bots by its name."""
        return next((name for name, wait in PACES.items() if wait == self.session.table.pace), "")

    @property
    def stamp(self) -> str:
        """What the page shows, in a word."""
        return self.session.stamp(self.held)


def held_by(session: TableSession, key: str) -> tuple[int, ...]:
    """The seats that a visitor holds."""
    return tuple(seat.number for seat in session.seats if key and seat.holder == key)


def viewer_of(request: HttpRequest, session: TableSession) -> Viewer:
    """As whom the visitor sees the table.

    Where several people sit at one screen with covered hands, nobody's hand is in sight until the
    one whose turn it is uncovers it. Nor is one in sight before the game has begun: who has seen
    the cards cannot think better of it.
    """
    held = held_by(session, visitor(request))
    mover = None if session.mover_is_bot else session.to_move  # a bot may stand in for the visitor
    if not held or session.table.gathering:
        return Viewer(session, held, None)
    if is_shared(session, held):
        if mover not in held:
            return Viewer(session, held, None)
        if shown(request.session, session) != mover:
            return Viewer(session, held, None, cover=mover)
    if mover in held:
        return Viewer(session, held, mover)
    last = next((c.seat for c in reversed(session.story) if c.seat in held), held[0])
    return Viewer(session, held, last)


# --- covered hands -------------------------------------------------------------------------------


def is_shared(session: TableSession, held: Sequence[int]) -> bool:
    """Do several people sit at one screen, whose hands are not for each other's eyes?"""
    return len(held) > 1 and session.table.hands == Table.COVERED and not session.is_revealed


def shown(cookie: SessionBase, session: TableSession) -> int | None:
    """Whose hand is in sight in this turn."""
    seat, turn = cookie.get(SHOWN, {}).get(session.table.id, (None, None))
    return seat if turn == session.turns else None


def show(cookie: SessionBase, session: TableSession, seat: int) -> None:
    """Uncover the hand of a seat until its turn is over."""
    known = cookie.get(SHOWN, {})
    known.pop(session.table.id, None)
    recent = list(known.items())[1 - MOST :]
    cookie[SHOWN] = {**dict(recent), session.table.id: [seat, session.turns]}


def cover(cookie: SessionBase, session: TableSession) -> None:
    """Cover the hands again."""
    cookie[SHOWN] = {
        table: value for table, value in cookie.get(SHOWN, {}).items() if table != session.table.id
    }
