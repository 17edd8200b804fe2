"""Rated games: what an entry of the log means for the ratings.

The end of a rated game stores its result (`ratings/results.py`). A player who has left, conceded or
run out of time and does not return is ranked behind all others, whatever the bot scores for them;
who left later ranks better. An end by agreement has no result that counts. A game that an operator
changes is casual from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction

from brassmill.web.models import Entry, RatedGame, Table
from brassmill.web.ratings import counting, results
from brassmill.web.ratings.results import RatedResult
from brassmill.web.table.archive import Body

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession


def after_entry(session: TableSession, was_over: bool, body: Body) -> dict[str, Any]:
    """The column that an entry changes; the result is stored when the game is over."""
    if not session.table.rated:
        return {}
    if is_by_operator(body):
        unrate(session.table.pk)
        return {"rated": False}
    has_ended = session.over and not was_over and not session.is_agreed
    if has_ended and results.keep(session.table, session.table.seats.all(), results_of(session)):
        transaction.on_commit(partial(count, session.table.pk), robust=True)
    return {}


def is_by_operator(body: Body) -> bool:
    """Does an operator change the game by this entry? Players give a reason, or come back."""
    if "seat" in body:
        why = body.get("why", "")
        return why == Entry.OFFERED or bool(body["bot"] and not why)
    return "void" in body or ("rewind" in body and "by" not in body)


def unrate(table_id: str) -> None:
    """Make a game casual, and its result count no longer."""
    Table.objects.filter(pk=table_id, rated=True).update(rated=False)
    results.withdraw(table_id)


def count(table_id: str) -> None:
    """Count a game that has just ended; if this fails, it is done later (`due.py`)."""
    game = RatedGame.objects.filter(table=table_id).first()
    if game:
        counting.count(game.ladder_id)


# --- the result ----------------------------------------------------------------------------------


def results_of(session: TableSession) -> list[RatedResult]:
    """How every seat did, by seat."""
    outcome = session.outcome
    assert outcome is not None
    absent = absent_since(session.log)
    keys = {
        result.seat: (1, -absent[result.seat]) if result.seat in absent else (0, result.rank)
        for result in outcome.results
    }
    return [
        RatedResult(
            result.seat,
            1 + sum(other < keys[result.seat] for other in keys.values()),
            result.total,
            result.seat in absent,
        )
        for result in outcome.results
    ]


def absent_since(log: Sequence[Body]) -> dict[int, int]:
    """The seats whose players are away at the end of the log, and the entry by which they left."""
    absent: dict[int, int] = {}
    for number, body in enumerate(log, 1):
        if "seat" in body:
            if body["bot"]:
                absent.setdefault(body["seat"], number)
            else:
                absent.pop(body["seat"], None)
    return absent
