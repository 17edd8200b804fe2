"""Writing an entry of the log: in one transaction, and only after the last entry of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.mail import notifications
from brassmill.web.models import Entry, Seat, Table
from brassmill.web.server import metrics, notify
from brassmill.web.table import agreements, archive, clock, fitting, leases, planning
from brassmill.web.table.agreements import Request
from brassmill.web.table.archive import Body

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

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
    vars(session.table).update(changes)
    metrics.finished.inc(session.over and not was_over)


def _locked(session: TableSession) -> Table:
    """The row of the table, locked; the same statement announces the entry to come.

    Raises `Overtaken` if anything is stored that this session has not seen. It may still miss
    an entry of the process that held the lock before: then ours has the same number.
    """
    row: Table
    table_id = session.table.id
    if session.log:
        log = Entry.objects.filter(table=table_id, number__gte=session.length)
        log = log.select_related("table").select_for_update(of=("table",))
        [*found] = notify.sending(log, notify.MOVED, table_id)[:2]
        if not found:
            Table.objects.get(pk=table_id)  # raises an error if it is gone
        _check_last(session, found[0].body if found else None)
        row, is_behind = found[0].table, len(found) > 1
    else:
        rows = Table.objects.select_for_update().filter(pk=table_id)
        row, is_behind = notify.sending(rows, notify.MOVED, table_id).get(), False
    if is_behind or row.revision != session.table.revision:
        raise Overtaken
    return row


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
