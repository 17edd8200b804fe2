"""Which seat's view of the table a visitor sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Table
from brassmill.web.table.pace import PACES
from brassmill.web.table.planning import PlannedTurn, can_plan

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.web.table.session import TableSession

SHOWN = "shown"  # key in the visitor's cookie
MOST = 20  # tables for which the cookie remembers whose hand is shown


@dataclass(frozen=True)
class Viewer:
    """A visitor at a table."""

    session: TableSession
    held: tuple[int, ...]  # this visitor's seats
    seat: int | None  # whose view the page shows; None: a spectator's
    cover: int | None = None  # the seat that must uncover its hand first
    plan: PlannedTurn | None = None  # while the visitor plans their next turn

    @cached_property
    def view(self) -> View:
        """The view that the page may show."""
        return self.plan.view if self.plan else self.session.view(self.seat)

    @property
    def is_to_move(self) -> bool:
        """Must this visitor move now, with the hand visible?"""
        session = self.session
        is_mover = self.seat is not None and self.seat == session.to_move
        return is_mover and not session.mover_is_bot

    @property
    def others(self) -> dict[int, View]:
        """The views of the other seats, in a game with open hands."""
        if self.seat is None or self.session.table.hands != Table.OPEN:
            return {}
        seats = range(len(self.session.seats))
        return {seat: self.session.view(seat) for seat in seats if seat != self.seat}

    @property
    def can_cover(self) -> bool:
        """Is a hand visible that others at this screen must not see?"""
        return self.seat is not None and is_shared(self.session, self.held)

    @property
    def pace(self) -> str:
        """The name of the bots' pace."""
        return next((name for name, wait in PACES.items() if wait == self.session.table.pace), "")

    @property
    def stamp(self) -> str:
        """A token for what the page shows."""
        return self.session.stamp(self.held)


def held_by(session: TableSession, key: str) -> tuple[int, ...]:
    """A visitor's seats."""
    return tuple(seat.number for seat in session.seats if key and seat.holder == key)


def viewer_of(request: HttpRequest, session: TableSession) -> Viewer:
    """Which seat's view a visitor sees.

    When players share a screen with covered hands, no hand is visible until the player to move
    uncovers it. Nor is any hand visible before the game starts: nobody may back out after seeing
    their cards.
    """
    held = held_by(session, visitor(request))
    mover = None if session.mover_is_bot else session.to_move  # a bot may play the visitor's seat
    if not held or session.table.gathering:
        return Viewer(session, held, None)
    if is_shared(session, held):
        if mover not in held:
            return Viewer(session, held, None)
        if shown(request.session, session) != mover:
            return Viewer(session, held, None, cover=mover)
    if mover in held:
        return Viewer(session, held, mover)
    last = next((part.seat for part in reversed(session.history) if part.seat in held), held[0])
    return Viewer(session, held, last)


def planner_of(request: HttpRequest, session: TableSession) -> Viewer:
    """A visitor who plans their next turn; an error says why they cannot."""
    viewer = viewer_of(request, session)
    if viewer.seat is None or not can_plan(session, viewer.seat):
        raise BrassError(_("You cannot plan a turn now."))
    return replace(viewer, plan=PlannedTurn(session, viewer.seat))


# --- covered hands -------------------------------------------------------------------------------


def is_shared(session: TableSession, held: Sequence[int]) -> bool:
    """Do several players share this screen and hide their hands from each other?"""
    return len(held) > 1 and session.table.hands == Table.COVERED and not session.is_revealed


def shown(cookie: SessionBase, session: TableSession) -> int | None:
    """The seat whose hand is visible this turn."""
    seat, turn = cookie.get(SHOWN, {}).get(session.table.id, (None, None))
    return seat if turn == session.turns else None


def show(cookie: SessionBase, session: TableSession, seat: int) -> None:
    """Uncover a seat's hand until its turn ends."""
    known = cookie.get(SHOWN, {})
    known.pop(session.table.id, None)
    recent = list(known.items())[1 - MOST :]
    cookie[SHOWN] = {**dict(recent), session.table.id: [seat, session.turns]}


def cover(cookie: SessionBase, session: TableSession) -> None:
    """Cover the hands again."""
    cookie[SHOWN] = {
        table: value for table, value in cookie.get(SHOWN, {}).items() if table != session.table.id
    }
