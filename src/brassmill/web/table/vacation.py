"""Vacation: for some days a year, a player's clock stands still in games played over days."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import language, ngettext
from brassmill.web.models import Contact, Table
from brassmill.web.server import database
from brassmill.web.setup.clocks import LONG
from brassmill.web.table import sessions

MOST = 21  # days a year


def days_left(contact: Contact, now: datetime) -> int:
    """The vacation days left this year."""
    return MOST - (contact.away_days if contact.away_year == now.year else 0)


def is_away(contact: Contact, now: datetime) -> bool:
    return contact.away_until is not None and contact.away_until > now


def leave(key: str, days: int) -> None:
    """Start a vacation now; an error says why not."""
    with transaction.atomic():
        now, contact = database.now(), _locked(key)
        if is_away(contact, now):
            raise BrassError(_("You are already on vacation: end it first."))
        left = days_left(contact, now)
        if not 1 <= days <= left:
            words = ngettext(
                "You can take {n} more day of vacation this year.",
                "You can take {n} more days of vacation this year.",
                left,
            )
            raise BrassError(words.format(n=left))
        contact.away_until = now + timedelta(days=days)
        contact.away_year, contact.away_days = now.year, MOST - left + days
        contact.save()
        _shift(key, contact.away_until - now)
    _show(key)


def come_back(key: str) -> None:
    """End a vacation early; the whole days left can be taken later."""
    with transaction.atomic():
        now, contact = database.now(), _locked(key)
        if contact.away_until is None or contact.away_until <= now:
            return
        left = contact.away_until - now
        contact.away_until = None
        if contact.away_year == now.year:
            contact.away_days -= min(left.days, contact.away_days)
        contact.save()
        _shift(key, -left)
    _show(key)


def _locked(key: str) -> Contact:
    """The contact of a visitor, locked for update."""
    Contact.objects.get_or_create(visitor=key, defaults={"language": language()})
    return Contact.objects.select_for_update().get(visitor=key)


def _shift(key: str, time: timedelta) -> None:
    """Shift the deadlines at tables that are waiting for this player."""
    # Locked first: a turn may be ending, and the next player's deadline must not move.
    waiting = Table.objects.select_for_update(of=("self",)).filter(
        clock__in=LONG, due__isnull=False, seats__holder=key, seats__number=F("awaited")
    )
    tables = Table.objects.filter(pk__in=[table.pk for table in waiting])
    tables.update(due=F("due") + time)
    tables.filter(warn_at__isnull=False).update(warn_at=F("warn_at") + time)


def _show(key: str) -> None:
    """Show the change at this player's tables."""
    tables = Table.objects.filter(clock__in=LONG, over=False, seats__holder=key)
    for table_id in tables.values_list("pk", flat=True).distinct():
        sessions.changed(table_id)
