"""Results of tournament tables, taken over from the games.

They are those that move ratings (`table/rated.py`): a player who has left, conceded or run out of
time and not come back is ranked behind all others. Here such a player gets no points either. If
they have not ended a single turn, they have not appeared.
"""

from __future__ import annotations

from typing import NamedTuple

from brassmill.web.models import Table, TournamentSeat
from brassmill.web.table import rated, sessions
from brassmill.web.table.session import BrokenLog


class TakenResult(NamedTuple):
    """How a seat did."""

    rank: int
    vp: int = 0
    why: str = ""


def results_at(table: Table | None, seats: int) -> list[TakenResult] | None:
    """The result of a game by seat, or None while it goes on.

    Without a result, because an operator has ended or deleted the game, all share the first place.
    """
    nothing = [TakenResult(1, why=TournamentSeat.VOID)] * seats
    if table is None:
        return nothing
    if not table.over:
        return None
    try:
        session = sessions.get(table.pk)
    except Table.DoesNotExist:
        return nothing
    except BrokenLog:  # other rules: what everyone saw of the end still counts
        rows = sorted(table.summary.get("result", []))
        return [TakenResult(rank, vp) for _seat, rank, vp in rows] or nothing
    if session.outcome is None or session.is_void:
        return nothing if session.over else None
    appeared = {turn.seat for turn in session.turn_ends if not turn.by_bot}
    return [
        TakenResult(each.rank, each.vp, _why(each.seat in appeared) if each.left else "")
        for each in sorted(rated.results_of(session))
    ]


def _why(has_appeared: bool) -> str:
    return TournamentSeat.AWAY if has_appeared else TournamentSeat.NO_SHOW
