"""Replay stored games and compare everything that is stored about them. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db import transaction

from brassmill import record as records
from brassmill.core.outcome import Outcome
from brassmill.web.models import Archive, DailyDeal, Table
from brassmill.web.table import archive, fitting
from brassmill.web.table.archive import Body
from brassmill.web.table.session import TableSession


class Verified(NamedTuple):
    """What was found at a table."""

    table: str
    entries: int
    problem: str = ""  # empty: everything matches


def verified(table_ids: Iterable[str]) -> Iterator[Verified]:
    """Verify these games, one after the other; a deleted one is left out."""
    for table_id in table_ids:
        bodies: list[Body] = []
        try:
            with transaction.atomic():  # the table and its log at one moment
                session, bodies, gaps = _read(table_id)
                transaction.set_rollback(True)
            _verify(session, bodies, gaps)
        except Table.DoesNotExist:
            continue
        except Exception as error:  # a damaged game may fail in any way
            yield Verified(table_id, len(bodies), str(error) or type(error).__name__)
        else:
            yield Verified(table_id, len(bodies))


def _read(table_id: str) -> tuple[TableSession, list[Body], bool]:
    """A game as dealt, its log, and whether entries are missing."""
    table = Table.objects.get(pk=table_id)
    rows = list(table.entries.order_by("number").values_list("number", "body"))
    numbers = [number for number, _body in rows]
    has_gaps = numbers != list(range(1, len(rows) + 1))
    return TableSession(table, table.seats.all()), [body for _number, body in rows], has_gaps


def _verify(session: TableSession, bodies: list[Body], has_gaps: bool) -> None:
    if has_gaps:
        raise fitting.Misfit("log entries are missing")
    proven = fitting.compare(session, bodies)
    for number, (body, known) in enumerate(zip(bodies, proven, strict=True), 1):
        if "done" in body and body["done"] != known["done"]:
            raise fitting.Misfit(f"the actions up to entry {number} differ")
    _verify_record(session)
    _verify_day(session)


def _verify_day(session: TableSession) -> None:
    """Compare a table that has the deal of a day with that deal."""
    day = session.table.day
    if day is None:
        return
    deal = DailyDeal.objects.filter(pk=day).first()
    if deal is None:
        raise fitting.Misfit(f"the deal of {day} is missing")
    kept = session.archive
    if (kept.deal, kept.bot_key) != (deal.deal, deal.bot_key):
        raise fitting.Misfit(f"its deal is not the deal of {day}")


def _verify_record(session: TableSession) -> None:
    """Compare the stored record of a finished game."""
    if session.outcome is None or session.is_void:
        return
    kept = Archive.objects.filter(pk=session.table.pk).first()
    if kept is None or not kept.record or kept.outcome is None:
        if session.table.rules:  # otherwise it is older than stored records, and gets one later
            raise fitting.Misfit("the stored record or outcome is missing")
        return
    if kept.record == archive.record_text(session):
        return
    # Perhaps an earlier version wrote it in other words: then it must play the same game.
    record = records.loads(kept.record)
    game = record.game()
    found = record.outcome_of(game)
    if (
        found is None
        or _standings(found) != _standings(session.outcome)
        or game.engine.snapshot() != session.game.engine.snapshot()
    ):
        raise fitting.Misfit("the stored record is of another game")


def _standings(outcome: Outcome) -> list[tuple[int, int]]:
    """The rank and the VP of every seat."""
    return [(result.rank, result.total) for result in outcome.results]
