"""Taking back a turn after it was ended, among friends.

Everyone who has acted since must agree (`agreements.py`). The game returns to the moment before the
turn was ended, by an entry of the log that jumps back: the player's actions are a draft again, and
cards drawn since return to their places in the deck. Nothing that was revealed to everyone can be
hidden again, so a turn stays once a distant market tile was turned or the era ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from brassmill.errors import BrassError
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession


class TurnEnd(NamedTuple):
    """The end of a turn: where it is in the log."""

    entry: int  # its number
    seat: int
    by_bot: bool
    parts: int  # of the history before the consequences: income, the end of an era


def turn_of(session: TableSession, seat: int) -> TurnEnd | None:
    """The last turn of a seat, if its player ended it; None: a bot did, or there is none."""
    last = next((turn for turn in reversed(session.turn_ends) if turn.seat == seat), None)
    return None if last is None or last.by_bot else last


def acted_since(session: TableSession, turn: TurnEnd) -> set[int]:
    """The people who have ended a turn since, and the one to move, who may have begun."""
    since = {each.seat for each in session.turn_ends if each.entry > turn.entry and not each.by_bot}
    mover = session.to_move
    return since | ({mover} if mover is not None and not session.bots[mover] else set())


def checked_turn(session: TableSession, seat: int) -> TurnEnd:
    """The turn that a player may ask to take back; an error says why there is none."""
    turn = None if session.over else turn_of(session, seat)
    if turn is None or session.bots[seat]:
        raise BrassError(_("You have no turn to take back."))
    if any("seat" in body for body in session.log[turn.entry :]):
        raise BrassError(
            _(
                "A player has left or come back since then, so you can no longer take back this "
                "turn."
            )
        )
    kinds = {event.kind for part in session.history[turn.parts :] for event in part.events}
    if "distant_tile" in kinds:
        raise BrassError(
            _(
                "A distant market tile has been revealed since then, so you can no longer take "
                "back this turn."
            )
        )
    if "era_ended" in kinds:
        raise BrassError(
            _("The era has ended since then, so you can no longer take back this turn.")
        )
    return turn
