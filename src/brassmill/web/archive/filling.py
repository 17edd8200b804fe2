"""Filling the archive: a thread looks at games that have ended and are not in it yet.

It finds a game that has just ended as well as one that ended before there was an archive. A game
that must not be public yet is left for later. Several processes may do it at once: of two that have
looked at the same game, one writes.
"""

from __future__ import annotations

import logging
from time import sleep

from django.db import transaction

from brassmill import record as records
from brassmill.errors import BrassError
from brassmill.web.archive.events import GameFacts, facts_of
from brassmill.web.archive.public import finished, is_public
from brassmill.web.models import Archive, ArchivedGame, ArchivedSeat, Table
from brassmill.web.models.archive import EVENTS
from brassmill.web.server import periodic
from brassmill.web.table.archived import seat_rows

ROUND = 3.0  # seconds between rounds
AT_A_TIME = 200
PAUSE = 0.02  # seconds after each game: players who wait for SQLite's lock come first

log = logging.getLogger("brassmill.web")


def run() -> None:
    """Fill the archive, forever."""
    periodic.repeat(fill, ROUND)


def fill() -> None:
    """Look at all games that wait for it."""
    while sum(map(_looked_at, waiting := _waiting())) == len(waiting) == AT_A_TIME:
        pass  # there may be more


def _looked_at(table_id: str) -> bool:
    done = look_at(table_id)
    sleep(PAUSE)
    return done


def _waiting() -> list[str]:
    """Games to look at; those from before records were stored wait until they have one."""
    tables = Table.objects.filter(finished(), archived=False).exclude(rules="", misfit="")
    return list(tables.order_by("touched").values_list("pk", flat=True)[:AT_A_TIME])


def look_at(table_id: str) -> bool:
    """Put a game into the archive if it is public and has a record; False: look again later."""
    kept = Archive.objects.filter(pk=table_id).values_list("record", flat=True).first() or ""
    facts = _facts(table_id, kept) if kept else None
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        if table is None or table.archived or not table.over:
            return False  # deleted, done by another process, or it goes on
        if Archive.objects.filter(pk=table_id).exclude(record=kept).exists():
            return False  # it went on and ended again: the next round looks at that
        ArchivedGame.objects.filter(table=table).delete()
        if facts and is_public(table):
            put(table, facts)
        Table.objects.filter(pk=table_id).update(archived=True)
    return True


def _facts(table_id: str, text: str) -> GameFacts | None:
    try:
        return facts_of(records.loads(text))
    except BrassError as fault:  # from other rules, or damaged: `brass admin verify` says more
        log.warning("table %s cannot be archived: %s", table_id, fault)
        return None


def put(table: Table, facts: GameFacts) -> None:
    """Write the rows of a game."""
    game = row_of(table, facts)
    game.save()
    ArchivedSeat.objects.bulk_create(seat_rows(game, list(table.seats.all())))


def row_of(table: Table, facts: GameFacts) -> ArchivedGame:
    """The row of a game, as it should be."""
    vp = [points for _seat, _rank, points in table.summary["result"]]
    last = table.entries.order_by("-number").values_list("at", flat=True).first()
    first_action, second_action, *_more = [*facts.opening, "", ""]
    return ArchivedGame(
        table=table,
        edition=table.edition,
        players=table.players,
        options=" ".join(f"{name}={value}" for name, value in sorted(table.options.items())),
        finished=last or table.touched,
        winner_vp=vp[0],
        margin=abs(vp[0] - vp[1]),
        actions=facts.actions,
        rounds=facts.rounds,
        first_action=first_action,
        second_action=second_action,
        **{event: event in facts.events for event in EVENTS},
    )
