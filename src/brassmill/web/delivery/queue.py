"""The queue of push messages and webhooks.

As with e-mails, a notification is written in the transaction of its event, claimed by one process
before it is sent, tried again at growing intervals and finally abandoned. What is no longer true by
then is not sent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, IntegerField, Q, QuerySet, Value

from brassmill.language import N_, speaking
from brassmill.web.delivery import choices, hooks, push
from brassmill.web.delivery.notice import Notice
from brassmill.web.delivery.outgoing import Failed, Unsendable
from brassmill.web.models import Delivery, PushSubscription, Seat, Table, Webhook
from brassmill.web.server import database, metrics, periodic

ROUND = 3.0  # seconds between two rounds
MOST = 60  # sent in each round
AT_ONCE = 6  # at the same time
SLOW = 2.0  # seconds: receivers that take longer wait for one another, and nobody for them
MOST_SLOW = 5000  # of these receivers are known
ATTEMPTS = 6  # the last one is some six hours after the first
PAUSE = timedelta(minutes=1)  # after the first attempt, four times as long after each
KEPT = timedelta(days=7)  # how long one is kept once sent or abandoned
BREATH = timedelta(seconds=20)  # time for every process to report who has the page open
PRESENT = timedelta(seconds=40)  # seen within this time: the page is open
HOURLY = 60  # to one browser or webhook
CHATTER = timedelta(minutes=10)  # at most one notification of a chat in this time
TEST = "test"
# Not for a player who has the page open.
ABSENT = (choices.TURN, choices.CHAT, choices.MENTION)
ABOUT_A_TURN = (choices.TURN, choices.TIME)
REFUSED = N_("it refused the message")

# Receivers that were slow the last time: browsers and webhooks.
_slow: dict[str, set[int]] = {"push": set(), "webhook": set()}

log = logging.getLogger("brassmill.web")


# --- writing -------------------------------------------------------------------------------------


def announce(
    event: str,
    table: Table,
    seat: Seat,
    words: Callable[[], Notice],
    *,
    asked: datetime | None = None,
) -> None:
    """Queue an event for the player of a seat, by the ways they have chosen."""
    key = seat.holder
    if not (settings.OUTGOING and key and _reaches(Q(visitor=key, table=None), key)):
        return
    chosen, now = choices.of(key), database.now()
    begins = now + BREATH if event in ABSENT else now
    # A reminder that would come too late is not held back.
    held = choices.quiet_until(chosen, begins)
    if held and not (event == choices.TIME and table.due and table.due <= held):
        begins = held
    fields = {"visitor": key, "table": table, "seat": seat.number, "event": event}
    fields |= {"asked": asked, "next_at": begins, "at": now}
    if choices.wants(chosen, event, choices.PUSH):
        for browser in PushSubscription.objects.filter(visitor=key):
            _write(words, browser.language, push=browser, **fields)
    if choices.wants(chosen, event, choices.WEBHOOK):
        for hook in Webhook.objects.filter(visitor=key, table=None, is_on=True):
            _write(words, hook.language, webhook=hook, **fields)


def announce_to_all(
    event: str, table: Table, seat: int | None, words: Callable[[], Notice], **fields: object
) -> None:
    """Queue an event for the webhooks of a table."""
    if not settings.OUTGOING:
        return
    for hook in Webhook.objects.filter(table=table, is_on=True):
        values = {"visitor": hook.visitor, "table": table, "seat": seat, "event": event}
        now = database.now()
        _write(words, hook.language, webhook=hook, at=now, next_at=now, **values, **fields)


def test(hook: Webhook, notice: Notice) -> None:
    """Queue a message that shows whether a webhook works."""
    now = database.now()
    fields = {"visitor": hook.visitor, "table": hook.table, "event": TEST, "at": now}
    _write(lambda: notice, hook.language, webhook=hook, next_at=now, **fields)


def reaches(table: Table, holder: str) -> bool:
    """Does anyone want to be notified of a turn here? One statement, usually with nothing found."""
    return bool(settings.OUTGOING) and _reaches(
        Q(visitor=holder, table=None) | Q(table=table), holder
    )


def _reaches(which: Q, key: str) -> bool:
    found = Webhook.objects.filter(which, is_on=True).order_by()
    browsers = PushSubscription.objects.filter(visitor=key).order_by()
    one = Value(1, output_field=IntegerField())
    return found.values_list(one).union(browsers.values_list(one)).exists()


def _write(words: Callable[[], Notice], code: str, **fields: Any) -> None:
    """Write a notification in a language, unless there have been too many."""
    now, event = fields["at"], fields["event"]
    same = Delivery.objects.filter(push=fields.get("push"), webhook=fields.get("webhook"))
    if same.filter(at__gt=now - timedelta(hours=1)).count() >= HOURLY:
        return
    if event in (choices.CHAT, choices.MENTION):
        chatted = same.filter(table=fields["table"], event=event, at__gt=now - CHATTER)
        if chatted.exists():
            return
    with speaking(code):
        Delivery.objects.create(body=words().as_dict(), **fields)


# --- the thread ----------------------------------------------------------------------------------


def run(to_slow: bool = False) -> None:
    """Send notifications as they become due, for ever: to slow receivers, or to all others."""
    with ThreadPoolExecutor(AT_ONCE, "delivery") as senders:
        periodic.repeat(lambda: send_due(lambda due: _together(senders, due), to_slow), ROUND)


def _together(senders: ThreadPoolExecutor, due: Iterable[Delivery]) -> None:
    def work(delivery: Delivery) -> None:
        try:
            attempt(delivery)
        finally:
            connection.close()

    list(senders.map(work, due))


def _one_by_one(due: Iterable[Delivery]) -> None:
    for delivery in due:
        attempt(delivery)


def send_due(
    work: Callable[[Iterable[Delivery]], None] = _one_by_one, to_slow: bool = False
) -> None:
    """Send what is due to slow receivers or to all others, and delete what is old."""
    now = database.now()
    if settings.OUTGOING:
        slow = Q(push__in=list(_slow["push"])) | Q(webhook__in=list(_slow["webhook"]))
        due = waiting().filter(slow if to_slow else ~slow, next_at__lte=now)
        work(list(due.order_by("next_at")[:MOST]))
    Delivery.objects.filter(next_at=None, at__lt=now - KEPT).delete()


def waiting() -> QuerySet[Delivery]:
    """Everything still to be sent, except held e-mails (`mail/held.py`)."""
    found = Delivery.objects.filter(next_at__isnull=False)
    found = found.filter(Q(push__isnull=False) | Q(webhook__isnull=False))
    return found.select_related("push", "webhook", "table")


def tables_to_watch(soon: datetime) -> QuerySet[Delivery, Any]:
    """The tables where it matters soon who has the page open."""
    found = Delivery.objects.filter(event__in=ABSENT, next_at__lte=soon)
    return found.order_by().values("table")


def attempt(delivery: Delivery) -> None:
    """Send a notification, unless another process does or it is no longer true."""
    mine = Delivery.objects.filter(
        pk=delivery.pk, next_at=delivery.next_at, attempts=delivery.attempts
    )
    now = database.now()
    if is_stale(delivery, now):
        mine.update(next_at=None)
        return
    is_last = delivery.attempts + 1 >= ATTEMPTS
    again = None if is_last else now + PAUSE * 4**delivery.attempts
    if not mine.update(next_at=again, attempts=F("attempts") + 1):
        return
    connection.close()  # there are few, and sending may take seconds
    began = monotonic()
    fault, is_final = _sent(delivery)
    _note_speed(delivery, monotonic() - began)
    metrics.deliveries.labels("failed" if fault else "sent").inc()
    if delivery.webhook:
        hooks.note(delivery.webhook, fault, is_final)
    row = Delivery.objects.filter(pk=delivery.pk)
    if not fault:
        row.update(next_at=None, sent=now)
    elif is_final:
        row.update(next_at=None)


def _sent(delivery: Delivery) -> tuple[str, bool]:
    """Send it; return what went wrong, and whether another attempt is useless."""
    try:
        if delivery.push:
            body = {key: str(delivery.body[key]) for key in ("title", "text", "path")}
            topic = f"{delivery.event} {delivery.table_id}"
            status = push.send(delivery.push, {**body, "tag": topic}, topic)
        elif delivery.webhook and delivery.webhook.is_on:
            status = hooks.send(delivery.webhook, delivery)
        else:
            return REFUSED, True
    except Unsendable as fault:
        return str(fault), True
    except Failed as fault:
        return str(fault), False
    if 200 <= status < 300:
        return "", False
    if delivery.push and status in push.GONE:
        delivery.push.delete()
        return REFUSED, True
    if 300 <= status < 400:
        return hooks.REDIRECTED, True
    is_final = status == hooks.GONE or (400 <= status < 500 and status not in (408, 425, 429))
    return f"{status}", is_final


def _note_speed(delivery: Delivery, seconds: float) -> None:
    """Remember whether the receiver is slow."""
    way, receiver = (
        ("push", delivery.push_id) if delivery.push_id else ("webhook", delivery.webhook_id)
    )
    if receiver is None:
        return
    if seconds <= SLOW:
        _slow[way].discard(receiver)
    elif len(_slow[way]) < MOST_SLOW:
        _slow[way].add(receiver)


def is_stale(delivery: Delivery, now: datetime) -> bool:
    """Is it no longer true, or does the player see it anyway?"""
    if delivery.event in ABOUT_A_TURN:
        table = Table.objects.filter(pk=delivery.table_id).first()
        if table is None or table.over or table.awaited != delivery.seat:
            return True
        if delivery.asked is not None and table.asked != delivery.asked:
            return True
    is_own = delivery.webhook is None or delivery.webhook.table_id is None
    if is_own and delivery.event in ABSENT:
        here = Seat.objects.filter(table=delivery.table_id, number=delivery.seat or 0)
        return here.filter(seen__gt=now - PRESENT).exists()
    return False
