"""Report a player to the operators, who answer; the player is not notified."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.chat.chat import without_controls
from brassmill.web.models import PlayerReport, Table
from brassmill.web.server import database

REASONS = {
    "insults": N_("insults or harasses others"),
    "cheating": N_("cheats: several accounts, or players who help each other"),
    "program": N_("lets a program play that is not marked as one"),
    "stalling": N_("stalls, or leaves games again and again"),
    "name": N_("has an offensive name"),
    "other": N_("something else"),
}
MOST_OPEN = 10  # reports of one visitor that wait for an answer


def report(key: str, about: str, name: str, table: Table | None, reason: str, text: str) -> None:
    """Report a player; an error says why not."""
    words = without_controls(text)
    if reason not in REASONS:
        raise BrassError(_("Choose a reason."))
    if reason == "other" and not words:
        raise BrassError(_("Say what has happened."))
    if len(words) > PlayerReport.LONGEST:
        raise BrassError(_("At most {most} characters.").format(most=PlayerReport.LONGEST))
    waiting = own(key).filter(state=PlayerReport.OPEN)
    if waiting.filter(about=about).exists():
        raise BrassError(
            _("You have reported this player already: the operator has yet to answer.")
        )
    if waiting.count() >= MOST_OPEN:
        raise BrassError(_("Too many of your reports wait for an answer."))
    PlayerReport.objects.create(
        visitor=key, about=about, name=name, table=table, reason=reason, text=words
    )


def answer(made: PlayerReport, state: str, words: str) -> None:
    """Close a report: resolved or dismissed, with a note to who reported."""
    made.state, made.answer = state, without_controls(words)[: PlayerReport.LONGEST]
    made.answered, made.read = database.now(), False
    made.save(update_fields=["state", "answer", "answered", "read"])


def own(key: str) -> QuerySet[PlayerReport]:
    """The reports that a visitor has made."""
    return PlayerReport.objects.filter(visitor=key)


def has_news(key: str) -> bool:
    """Is there an answer that this visitor has not read?"""
    return own(key).filter(read=False).exists()


def read_all(key: str) -> list[PlayerReport]:
    """A visitor's reports, newest first; from now on they have read the answers."""
    with transaction.atomic():
        found = list(own(key).order_by("-pk"))
        own(key).filter(pk__in=[one.pk for one in found if not one.read]).update(read=True)
    return found


def export(key: str) -> list[dict[str, Any]]:
    """A visitor's reports, as plain data."""
    return [
        {"about": one.name, "game": one.table_id, "reason": one.reason, "text": one.text}
        | {"at": one.at.isoformat(timespec="seconds"), "state": one.state, "answer": one.answer}
        for one in own(key)
    ]


def erase(key: str) -> None:
    """Delete the reports that a visitor made, and those about them."""
    PlayerReport.objects.filter(Q(visitor=key) | Q(about=key)).delete()
