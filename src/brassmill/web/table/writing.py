"""Writing an entry of the log: in one transaction, and only after the last entry of the session."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.mail import notifications
from brassmill.web.models import Entry, Seat, Table
from brassmill.web.server import database, metrics, notify
from brassmill.web.table import (
    agreements,
    archive,
    archived,
    clock,
    fitting,
    leases,
    planning,
    rated,
)
from brassmill.web.table.agreements import Request
from brassmill.web.table.archive import Body

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

# A table, and its log from the last entry of a session on. Written out, because Django took an
# eighth of a click's time to compose it.
LOCKED = """
    SELECT web_table.*, web_entry.body {announcing}
    FROM web_table
    LEFT JOIN web_entry ON web_entry.table_id = web_table.id AND web_entry.number >= %s
    WHERE web_table.id = %s
    ORDER BY web_entry.number LIMIT 2 {locking}
"""

MOVED_ON = N_("The table has changed in the meantime. This is how it stands now.")


class Stale(BrassError):  # noqa: N818 (the name says what happened)
    """The table has changed since the page was rendered."""


class Overtaken(Exception):  # noqa: N818
    """Another process has written an entry first, or changed the seats."""


def write(session: TableSession, body: Body, request: Request | None) -> None:
    """Write and apply an entry, together with what lists show of the table."""
    now, table_id = timezone.now(), session.table.id
    waiting, absences, was_over = session.waiting, list(session.absences), session.over
    turn_ends = list(session.turn_ends)
    with transaction.atomic():
        # Lock the table first, as every change of seats does: that avoids deadlocks.
        session.table = _locked(session)
        agreements.check_stands(session.table, request)
        number = session.length + 1
        stored = archive.written(session.game.edition, body)
        entry = Entry.objects.create(table=session.table, number=number, body=stored, at=now)
        published, since = session.published, session.actions_before_turn
        session.apply(body)
        if "seat" in body or "rewind" in body:  # the bots may have changed
            Seat.objects.bulk_update(session.seats, ["bot"])
        changes: dict[str, Any] = {
            "over": session.over,
            "summary": session.summary,
            **leases.after_entry(session.mover_is_bot),
            **clock.after_entry(session, waiting, absences, turn_ends, body),
            **agreements.after_entry(session, waiting, body),
            **planning.after_entry(session, waiting, body),
            **archived.after_entry(session, was_over),
            **rated.after_entry(session, was_over, body),
        }
        if session.published != published:  # or others could count the clicks of a draft
            changes["touched"] = now
        Table.objects.filter(pk=table_id).update(**changes)
        if "banks" in body or "end" in body:
            added = {key: body[key] for key in ("banks", "left") if key in body}  # by the clock
            proof = archive.proof_of(session.game, since) if "end" in body else {}
            entry.body = {**entry.body, **added, **proof}
            entry.save(update_fields=["body"])
        if session.over != was_over:
            session.archive.record = ""  # another process may have stored one
            fitting.keep_archive(session)
        notifications.after_entry(session, was_over, body)
        if changes.get("awaited") is not None:
            notifications.turn_begins(session.table, session.seats, changes)
    vars(session.table).update(changes)
    metrics.finished.inc(session.over and not was_over)


def _locked(session: TableSession) -> Table:
    """The row of the table, locked; the same statement announces the entry to come.

    Raises `Overtaken` if anything is stored that this session has not seen. It may still miss
    an entry of the process that held the lock before: then ours has the same number.
    """
    table_id = session.table.id
    announcing, values = notify.as_column(notify.MOVED, table_id)
    locking = "FOR UPDATE OF web_table" if database.is_shared() else ""
    statement = LOCKED.format(announcing=announcing, locking=locking)
    found = [*Table.objects.raw(statement, [*values, session.length, table_id])]
    if not found:
        raise Table.DoesNotExist
    stored = [json.loads(body) for row in found if (body := vars(row)["body"]) is not None]
    if session.log:
        _check_last(session, stored[0] if stored else None)
    is_behind = len(stored) > bool(session.log)
    if is_behind or found[0].revision != session.table.revision:
        raise Overtaken
    return found[0]


def missed(session: TableSession) -> list[Body]:
    """The stored entries after our last one; `Stale` if the log is a different one now."""
    entries = Entry.objects.filter(table=session.table, number__gte=session.length)
    found = list(entries.values_list("body", flat=True))
    if not session.log:
        return found
    _check_last(session, found[0] if found else None)
    return found[1:]


def _check_last(session: TableSession, stored: Body | None) -> None:
    """Compare our last entry with the stored one; `Stale` if the log is a different one now."""
    # The stored wording may have changed, but not its meaning.
    last = [] if stored is None else [archive.read(session.game.edition, stored)]
    if last != session.log[-1:]:  # restored from a backup
        session.lose()
        raise Stale(_(MOVED_ON))
