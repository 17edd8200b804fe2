"""Whether a stored game fits the rules of today.

A table knows the stamp of the rules that its log was last found to fit. Another stamp says nothing
by itself: the game is played again and compared, check by check, with its outcome at the end. If
all is as it was, it gets the new stamp and plays on. If not, it is set aside: it opens as a record
(`unplayable.py`) and neither bots nor clocks go on, until the rules fit it again.

Games from before there were stamps have no checks: they are played once, and get them. That is done
when they are opened and for all of them when a server starts, not in a migration: it takes the
rules, it may fail for one game without harm to the others, and it comes after a back-up of an older
version was restored too. Several processes may do it at once: they write the same.
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
    """The rules of today do not play a game as it was played: where, and what differs."""


def stamp_for(table: Table) -> str:
    """The stamp of the rules that a table would be played by today."""
    try:
        return stamp_of(editions.edition(table.edition, table.players, **table.options))
    except BrassError:  # there is no such edition or option any more
        return f"{RULES_VERSION}-"


def compare(session: TableSession, found: list[Body]) -> list[Body]:
    """Play a log and compare it with what is stored: its entries as they are stored from now on."""
    edition = session.game.edition
    first = digest_of(edition, session.game.start)
    if session.archive.first_check not in ("", first) and not session.table.gathering:
        raise Misfit("it begins in another position")
    session.archive.first_check = first
    proven = []
    for number, body in enumerate(found, 1):
        since = session.actions_before_turn
        session.play_stored(body)
        kept = archive.written(edition, session.log[-1])
        if "end" in body:
            kept = {**kept, **archive.proof_of(session.game, since)}
            if "check" in body and body["check"] != kept["check"]:
                raise Misfit(f"entry {number} leads to another position")
        proven.append(kept)
    _compare_outcome(session)
    return proven


def _compare_outcome(session: TableSession) -> None:
    outcome = session.game.outcome()
    if session.table.over != session.over:
        raise Misfit("it is not over where it was")
    if outcome is None or session.is_void:
        return
    kept, summary = session.archive.outcome, session.table.summary.get("result")
    if kept is not None and kept != archive.outcome_data(outcome):
        raise Misfit("it ends with another outcome")
    if summary is not None and summary != session.summary["result"]:
        raise Misfit("it ends with another result")


def settle(session: TableSession, stamp: str, found: list[Body], proven: list[Body]) -> None:
    """A game fits: keep what it lacks, and the stamp."""
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
    """Keep the deal of a game, and its record and outcome when it has a result.

    A record that is there stays: it says by which rules the game was played.
    """
    kept, game = session.archive, session.game
    if kept.deal is None:
        deal = game.deal.to_dict(game.edition)
        deal.pop("seed", None)
        kept.deal = deal
    outcome = game.outcome()
    if outcome is None:
        kept.record, kept.outcome = "", None
    elif not kept.record:
        kept.record = archive.record_text(game, session.table.began)
        kept.outcome = archive.outcome_data(outcome)
    values = {
        "deal": kept.deal,
        "first_check": kept.first_check,
        "record": kept.record,
        "outcome": kept.outcome,
    }
    Archive.objects.update_or_create(pk=session.table.pk, defaults=values)


def set_aside(table: Table, stamp: str, why: BaseException) -> None:
    """A game does not fit: nobody goes on with it."""
    if table.misfit == stamp:
        return  # that is known
    log.warning("the game %s was played by other rules and opens as a record: %s", table.pk, why)
    Table.objects.filter(pk=table.pk).update(misfit=stamp, **STANDSTILL)
