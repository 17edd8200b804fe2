"""What a visitor wants to be notified of, by which way, and when."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.db import transaction
from django.db.models import Q

from brassmill.errors import BrassError
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.web.models import (
    Account,
    Contact,
    Delivery,
    NotificationChoices,
    PushSubscription,
    Seat,
    Webhook,
)
from brassmill.web.server import database

TURN, TIME, BOT, OVER, AGAIN = "turn", "time", "bot", "over", "again"
MENTION, CHAT, TOURNAMENT = "mention", "chat", "tournament"
MAIL, PUSH, WEBHOOK = "mail", "push", "webhook"
WAYS = {MAIL: N_("E-mail"), PUSH: N_("Push message"), WEBHOOK: N_("Webhook")}
EVENTS = {
    TURN: N_("It is your turn"),
    TIME: N_("Your time is running out"),
    BOT: N_("A bot has taken over for you"),
    AGAIN: N_("Someone invites you to play again"),
    OVER: N_("A game is over"),
    TOURNAMENT: N_("A round or a tournament of yours begins or is over"),
    MENTION: N_("Someone writes your name in the chat"),
    CHAT: N_("Someone writes in the chat"),
}
USUAL = {
    **dict.fromkeys((TURN, TIME, BOT, AGAIN, OVER, TOURNAMENT), (MAIL, PUSH, WEBHOOK)),
    MENTION: (PUSH, WEBHOOK),
    CHAT: (),
}
DAY = timedelta(days=1)
IDLE_KEPT = 30 * DAY  # ways to reach visitors without an account or a seat
IDLE_CHOICES = 10_000  # of such visitors
MINUTES = 24 * 60


def of(key: str) -> NotificationChoices:
    """Return the choices of a visitor, perhaps the usual ones."""
    return NotificationChoices.objects.filter(visitor=key).first() or NotificationChoices(
        visitor=key
    )


def wants(choices: NotificationChoices, event: str, way: str) -> bool:
    return way in choices.ways.get(event, USUAL.get(event, ()))


def table_of(choices: NotificationChoices) -> dict[str, list[str]]:
    """The ways of every event."""
    return {event: [way for way in WAYS if wants(choices, event, way)] for event in EVENTS}


def store(key: str, **changes: Any) -> NotificationChoices:
    """Store what a visitor has chosen."""
    changes["language"] = language()
    found, _made = NotificationChoices.objects.update_or_create(visitor=key, defaults=changes)
    return found


def ways_in(marked: Iterable[str]) -> dict[str, list[str]]:
    """Read the marked boxes of the page, each an event and a way."""
    boxes = set(marked)
    return {event: [way for way in WAYS if f"{event} {way}" in boxes] for event in EVENTS}


def minutes_in(typed: str) -> int:
    """Read a time of the day."""
    try:
        at = datetime.strptime(typed.strip(), "%H:%M")
    except ValueError:
        raise BrassError(_("This is not a time. It should look like 22:30.")) from None
    return at.hour * 60 + at.minute


@cache
def zones() -> Collection[str]:
    """The names of all time zones, in order; finding them reads hundreds of files."""
    return sorted(available_timezones())


def zone_in(typed: str) -> str:
    """Read the name of a time zone."""
    name = typed.strip()
    if name not in zones():
        raise BrassError(_("This time zone is unknown. It should look like Europe/Berlin."))
    return name


# --- when ----------------------------------------------------------------------------------------


def zone_of(choices: NotificationChoices) -> tzinfo:
    """Their time zone; UTC if this machine does not know it, or nobody could move at their tables.

    It may come from another machine, or have been renamed.
    """
    try:
        return ZoneInfo(choices.zone)
    except (LookupError, ValueError, OSError):
        return UTC


def quiet_until(choices: NotificationChoices, now: datetime) -> datetime | None:
    """Return when the quiet hours end, or None outside them."""
    begins, ends = choices.quiet_from, choices.quiet_until
    if begins == ends:
        return None
    here = now.astimezone(zone_of(choices))
    minute = here.hour * 60 + here.minute
    is_quiet = begins <= minute < ends if begins < ends else minute >= begins or minute < ends
    return _next(here, ends) if is_quiet else None


def digest_at(choices: NotificationChoices, now: datetime) -> datetime | None:
    """Return when the next digest is sent, or None if there is none."""
    if choices.digest is None:
        return None
    return _next(now.astimezone(zone_of(choices)), choices.digest * 60)


def _next(here: datetime, minute: int) -> datetime:
    """The next time that the clock on this wall shows a time of the day."""
    at = time(minute // 60, minute % 60, tzinfo=here.tzinfo)
    found = datetime.combine(here.date(), at)
    return found if found > here else datetime.combine(here.date() + DAY, at)


# --- the calendar's address ----------------------------------------------------------------------


def renew_calendar(key: str) -> str:
    """Make a new secret for the calendar; the former address stops working."""
    return store(key, calendar=secrets.token_urlsafe(32)).calendar


def owner_of(calendar: str) -> NotificationChoices | None:
    return NotificationChoices.objects.filter(calendar=calendar).first() if calendar else None


# --- a person's keys -----------------------------------------------------------------------------


@transaction.atomic
def move(old: str, new: str) -> int:
    """Give everything to another key of the same person; what it has chosen itself stays."""
    moved = 0
    for model in (PushSubscription, Webhook, Delivery):
        moved += model._default_manager.filter(visitor=old).update(visitor=new)
    if not NotificationChoices.objects.filter(visitor=new).exists():
        moved += NotificationChoices.objects.filter(visitor=old).update(visitor=new)
    NotificationChoices.objects.filter(visitor=old).delete()
    return moved


@transaction.atomic
def erase(key: str) -> None:
    """Remove everything about a visitor."""
    for model in (PushSubscription, Webhook, Delivery, NotificationChoices):
        model._default_manager.filter(visitor=key).delete()


def forget_old() -> None:
    """Delete settings of visitors without an account who have no seat: nothing notifies them."""
    known = Q(visitor__in=Account.objects.values("key")) | Q(
        visitor__in=Seat.objects.values("holder")
    )
    old = database.now() - IDLE_KEPT
    PushSubscription.objects.exclude(known).filter(at__lt=old).delete()
    Webhook.objects.exclude(known).filter(at__lt=old, table=None).delete()
    chosen = NotificationChoices.objects.exclude(known)
    for last in chosen.order_by("-pk").values_list("pk", flat=True)[IDLE_CHOICES:][:1]:
        chosen.filter(pk__lte=last).delete()
    vacations = Contact.objects.exclude(known).filter(address="")
    vacations.filter(Q(away_until=None) | Q(away_until__lt=database.now())).delete()


def export(key: str) -> dict[str, Any]:
    """Return all of it as plain data."""
    found = of(key)
    return {
        "events": table_of(found),
        "quiet": [found.quiet_from, found.quiet_until],
        "zone": found.zone,
        "digest": found.digest,
        "calendar": found.calendar,
        "browsers": [
            {"address": one.address, "at": one.at.isoformat(timespec="seconds")}
            for one in PushSubscription.objects.filter(visitor=key).order_by("pk")
        ],
        "webhooks": [
            {"form": one.form, "address": one.address, "chat": one.chat, "game": one.table_id}
            for one in Webhook.objects.filter(visitor=key).order_by("pk")
        ],
    }
