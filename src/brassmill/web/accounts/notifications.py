"""What the settings page shows and stores about notifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.delivery import choices, hooks, push, queue
from brassmill.web.delivery.calendar import Deadline
from brassmill.web.delivery.notice import Notice
from brassmill.web.models import PushSubscription, Seat, Table, Webhook
from brassmill.web.page.game_list import title_of
from brassmill.web.server import site_url

ROOM = 1000  # deadlines in a calendar


def panels(request: HttpRequest, key: str) -> dict[str, Any]:
    """Everything that the page shows besides the address and the vacation."""
    chosen = choices.of(key)
    calendar = reverse("calendar", args=[chosen.calendar]) if chosen.calendar else ""
    return {
        "events": {event: _(words) for event, words in choices.EVENTS.items()},
        "ways": {way: _(words) for way, words in choices.WAYS.items()},
        "marked": choices.table_of(chosen),
        "quiet": chosen.quiet_from != chosen.quiet_until,
        "quiet_from": _clock(chosen.quiet_from, chosen, "22:00"),
        "quiet_until": _clock(chosen.quiet_until, chosen, "07:00"),
        "zone": chosen.zone,
        "zones": choices.zones(),
        "digest": chosen.digest,
        "has_choices": chosen.pk is not None,
        "outgoing": bool(settings.OUTGOING),
        "push_key": push.public_key() if push.is_enabled() else "",
        "browsers": [
            {"id": one.pk, "service": urlsplit(one.address).hostname or "", "at": one.at}
            for one in PushSubscription.objects.filter(visitor=key).order_by("pk")
        ],
        "webhooks": [_webhook(one) for one in _webhooks(key)],
        "forms": hooks.FORMS,
        "hosted": [
            {"id": table.pk, "title": title_of(table.edition), "began": table.began}
            for table in hosted(key)
        ],
        "calendar": site_url.of_request(request) + calendar if calendar else "",
    }


def as_data(request: HttpRequest, key: str) -> dict[str, Any]:
    """The same for programs, without what only the page needs."""
    found = panels(request, key)
    for name in ("zones", "events", "ways", "push_key", "has_choices", "forms", "outgoing"):
        del found[name]
    return found


def _webhooks(key: str) -> Sequence[Webhook]:
    return list(Webhook.objects.filter(visitor=key).select_related("table").order_by("pk"))


def _webhook(one: Webhook) -> dict[str, Any]:
    fault = one.fault if one.fault.isdigit() or not one.fault else _(one.fault)
    return {
        "id": one.pk,
        "service": urlsplit(one.address).hostname or "",
        "form": hooks.FORMS[one.form],
        "table": one.table_id,
        "game": title_of(one.table.edition) if one.table else "",
        "secret": one.secret if one.form == Webhook.JSON else "",
        "is_on": one.is_on,
        "fault": _("answer {status}").format(status=fault) if fault.isdigit() else fault,
    }


def _clock(minutes: int, chosen: Any, usual: str) -> str:
    if chosen.quiet_from == chosen.quiet_until:
        return usual
    return f"{minutes // 60:02}:{minutes % 60:02}"


def hosted(key: str) -> Sequence[Table]:
    """The running games that a visitor hosts."""
    return list(Table.objects.filter(host=key, over=False).order_by("-began")[:50])


# --- changes -------------------------------------------------------------------------------------


def choose(key: str, sent: QueryDict) -> None:
    """Store the events and ways, the quiet hours and the digest."""
    begins = ends = 0
    if "quiet" in sent:
        begins = choices.minutes_in(sent.get("from", ""))
        ends = choices.minutes_in(sent.get("until", ""))
    digest = sent.get("digest", "")
    hour = int(digest) if digest.isascii() and digest.isdigit() and len(digest) < 3 else None
    choices.store(
        key,
        ways=choices.ways_in(sent.getlist("way")),
        quiet_from=begins,
        quiet_until=ends,
        zone=choices.zone_in(sent.get("zone", "")),
        digest=hour if hour is not None and hour < 24 else None,
    )


def add_webhook(key: str, sent: QueryDict) -> None:
    """Store a webhook for all games of a visitor, or for one that they host."""
    table = None
    if wanted := sent.get("table", ""):
        table = next((one for one in hosted(key) if one.pk == wanted), None)
        if table is None:
            raise BrassError(_("Only the host of a running game can do that."))
    hooks.add(key, sent.get("form", ""), sent.get("address", ""), sent.get("chat", ""), table)


def try_webhook(request: HttpRequest, key: str, number: int) -> None:
    """Send a message to a webhook."""
    hook = Webhook.objects.filter(visitor=key, pk=number, is_on=True).first()
    if hook:
        words = _("This is how a notification will look.")
        page, site = reverse("notifications"), site_url.of_request(request)
        queue.test(hook, Notice("Brassmill", words, page, site))


# --- the calendar --------------------------------------------------------------------------------


def deadlines(key: str, site: str) -> list[Deadline]:
    """The turns that wait for a player."""
    seats = Seat.objects.filter(holder=key, table__over=False, table__awaited__isnull=False)
    found = []
    for seat in seats.select_related("table").order_by("table__due", "pk")[:ROOM]:
        table = seat.table
        if table.awaited != seat.number:
            continue
        title = _("Your turn: {title}").format(title=title_of(table.edition))
        rest = table.seats.exclude(pk=seat.pk).values_list("name", flat=True)
        words = _("With {names}").format(names=", ".join(rest))
        link = site + reverse("table", args=[table.pk])
        found.append(Deadline(table.pk, title, words, link, table.due))
    return found
