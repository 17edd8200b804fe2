"""A limit for the clicks of one turn: each stays in the log, even if it is undone.

Nobody needs hundreds of clicks for a turn. After these, a player can go on clicking slowly, so that
no turn gets stuck. Undo and the end of the turn are not limited: they need clicks before them.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest

from brassmill.web.identity import rate_limit
from brassmill.web.table.archive import Body
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import viewer_of

FREE = 400  # clicks and undos of a turn


def is_over_limit(request: HttpRequest, session: TableSession) -> bool:
    """Must the visitor, who is to move, wait before the next click?"""
    with session.lock:
        # Anyone else is refused as always: how much the mover clicks is secret.
        if has_few_clicks(session.log) or not viewer_of(request, session).is_to_move:
            return False
    return not rate_limit.is_allowed(request, rate_limit.CLICKS)


def has_few_clicks(log: Sequence[Body]) -> bool:
    """Is the number of clicks since the last turn ended within what is free?"""
    clicks = 0
    for body in reversed(log):
        if clicks == FREE:
            return False
        if "end" in body or "rewind" in body:
            break
        clicks += "choose" in body or "back" in body
    return clicks < FREE
