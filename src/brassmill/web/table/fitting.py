"""Does a stored game fit the current rules?

A table stores the stamp of the rules that its log last fitted. If the stamp differs, the game is
replayed and compared: every check, then the outcome. If everything matches, it gets the new stamp
and continues. If not, it is set aside: it opens as a record (`unplayable.py`), and its bots and
clocks stop until the rules fit again.

Games older than the stamps have no checks: they are replayed once and get them. This happens when
a game is opened, and for all games when the server starts. It is not a migration because it needs
the rules, may fail for one game without harming the others, and must also run after an older
backup is restored. Several processes may do it at once: they write the same.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from django.db import transaction

from brassmill import editions
from brassmill.core.stamp import stamp_of
from brassmill.errors import BrassError
from brassmill.position.digest import digest_of
from brassmill.rules.version import RULES_VERSION
from brassmill.web.models import Archive, Entry, Table
from brassmill.web.table import archive, clock, leases
from brassmill.web.table.archive import Body

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

STANDSTILL: dict[str, Any] = {
    "bot_to_move": False, "leased_until": None, "awaited": None, "asked": None, "due": None,
    "tell_at": None, "warn_at": None,
}  # fmt: skip

log = logging.getLogger("brassmill.web")


class Misfit(BrassError):  # noqa: N818 (errors are named by what happened, as in errors.py)
    """The current rules play a game differently: where, and what differs."""


def stamp_for(table: Table) -> str:
    """The stamp of the current rules for a table."""
    try:
        return stamp_of(editions.edition(table.edition, table.players, **table.options))
    except BrassError:  # the edition or an option no longer exists
        return f"{RULES_VERSION}-"


def compare(session: TableSession, found: list[Body]) -> list[Body]:
    """Replay a log and compare it with what is stored; return the entries to store from now on."""
    edition = session.game.edition
    first = digest_of(edition, session.game.start)
    if session.archive.first_check not in ("", first) and not session.table.gathering:
        raise Misfit("the first position differs")
    session.archive.first_check = first
    proven = []
    session.expect(found)
    for number, body in enumerate(found, 1):
        since = session.actions_before_turn
        session.play_stored(body)
        kept = archive.written(edition, session.log[-1])
        if "end" in body:
            kept = {**kept, **archive.proof_of(session.game, since)}
            if "check" in body and body["check"] != kept["check"]:
                raise Misfit(f"the position after entry {number} differs")
        proven.append(kept)
    _compare_outcome(session)
    return proven


def _compare_outcome(session: TableSession) -> None:
    outcome = session.outcome
    if session.table.over != session.over:
        raise Misfit("it does not end at the same point")
    if outcome is None or session.is_void:
        return
    kept, summary = session.archive.outcome, session.table.summary.get("result")
    if kept is not None and kept != archive.outcome_data(outcome):
        raise Misfit("the outcome differs")
    if summary is not None and summary != session.summary["result"]:
        raise Misfit("the result differs")


def settle(session: TableSession, stamp: str, found: list[Body], proven: list[Body]) -> None:
    """Store the stamp of a game that fits, and whatever it lacked."""
    table, was_aside = session.table, bool(session.table.misfit)
    changes: dict[str, Any] = {"rules": stamp, "misfit": ""}
    with transaction.atomic():
        Table.objects.select_for_update().only("pk").get(pk=table.pk)
        _keep_entries(table, found, proven)
        keep_archive(session)
        if was_aside and not session.over:
            changes |= leases.after_entry(session.mover_is_bot) | clock.ask_again(session)
        Table.objects.filter(pk=table.pk).update(**changes)
    vars(table).update(changes)


def _keep_entries(table: Table, found: list[Body], proven: list[Body]) -> None:
    changed = {
        n: new for n, (old, new) in enumerate(zip(found, proven, strict=True), 1) if old != new
    }
    if not changed:
        return
    entries = list(Entry.objects.filter(table=table, number__in=list(changed)))
    for entry in entries:
        entry.body = changed[entry.number]
    Entry.objects.bulk_update(entries, ["body"], batch_size=500)


def keep_archive(session: TableSession) -> None:
    """Store the deal of a game, and its record and outcome once it has a result.

    An existing record is kept: it names the rules the game was played with.
    """
    kept, game = session.archive, session.game
    if kept.deal is None and not kept.position:
        deal = game.deal.to_dict(game.edition)
        deal.pop("seed", None)
        kept.deal = deal
    outcome = session.outcome
    if outcome is None:
        kept.record, kept.outcome = "", None
    elif not kept.record:
        kept.record = archive.record_text(session)
        kept.outcome = archive.outcome_data(outcome)
    values = {
        "deal": kept.deal,
        "first_check": kept.first_check,
        "record": kept.record,
        "outcome": kept.outcome,
    }
    Archive.objects.update_or_create(pk=session.table.pk, defaults=values)


def set_aside(table: Table, stamp: str, why: BaseException) -> None:
    """Stop a game that does not fit."""
    if table.misfit == stamp:
        return  # already known
    log.warning("table %s was played with different rules, opens as a record: %s", table.pk, why)
    Table.objects.filter(pk=table.pk).update(misfit=stamp, **STANDSTILL)
