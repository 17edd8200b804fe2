"""Which log entries a session accepts: every kind, and why one is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brassmill.core.engine import Engine
from brassmill.errors import BrassError, IllegalAction
from brassmill.language import gettext as _
from brassmill.notation import matching
from brassmill.rules.reasons import Reason
from brassmill.web.models import Entry
from brassmill.web.table import take_back
from brassmill.web.table.archive import Body

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession


def check(session: TableSession, body: Body) -> None:
    """Check that an entry can be applied; an error says why not."""
    game = session.game
    if session.is_void and "rewind" not in body:
        raise game_is_over()
    if session.is_agreed and not ("rewind" in body or "void" in body):
        raise game_is_over()
    match body:
        case {"choose": [*ids]} if ids:
            refusal = matching.why_not_all(game.engine, ids)
            if refusal:
                raise refusal.error()
        case {"end": True}:
            if game.over:
                raise game_is_over()
            if game.question != "turn over":
                raise IllegalAction(_("Your turn is not over."), Reason.ACTION_UNFINISHED)
        case {"back": int(moves)}:
            if not 0 < moves <= session.undoable:
                raise IllegalAction(_("There is nothing to undo."))
        case {"seat": int(seat), "bot": str(bot)}:
            check_seat(session, seat, bot, body.get("why") == Entry.CONCEDED)
        case {"agree": [*_seats]}:
            check_agreed_end(session)
        case {"rewind": int(length), "by": int(seat)}:
            turn = take_back.turn_of(session, seat)
            if turn is None or turn.entry != length + 1:
                raise BrassError(f"seat {seat} cannot take back entry {length + 1}")
        case {"rewind": int(length)}:
            if not 0 <= length < session.length:
                raise BrassError(f"no entry {length}: the log has {session.length} entries")
        case {"void": True}:
            pass
        case _:
            raise BrassError(f"unknown log entry {body!r}")


def check_seat(session: TableSession, seat: int, bot: str, concedes: bool) -> None:
    """Check that a seat can change hands."""
    if not 0 <= seat < len(session.seats):
        raise BrassError(f"seat {seat} cannot change: there is no such seat")
    if seat in session.conceded and (concedes or not bot):
        raise BrassError(_("{name} has conceded.").format(name=session.seats[seat].name))
    if concedes and session.over:
        raise game_is_over()
    if session.bots[seat] == bot and not concedes:
        raise BrassError(f"seat {seat} cannot change to {bot or 'a person'!r}")


def check_agreed_end(session: TableSession) -> None:
    """Check that the position can be scored: no part of an action may be public."""
    if session.over:
        raise game_is_over()
    game = session.game
    if Engine(game.edition, game.seats, game.view().position).in_progress:
        raise IllegalAction(_("First finish the action in progress."))


def game_is_over() -> IllegalAction:
    return IllegalAction(_("The game is over."), Reason.GAME_IS_OVER)
