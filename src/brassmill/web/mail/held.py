"""E-mails held back until the quiet hours end, or for the digest of a day."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from django.db import transaction
from django.urls import reverse

from brassmill.language import ngettext, speaking
from brassmill.web.delivery import choices
from brassmill.web.delivery import queue as deliveries
from brassmill.web.mail import addresses, queue
from brassmill.web.mail.texts import MailText
from brassmill.web.models import Delivery, NotificationChoices, Seat, Table

DIGEST = "digest"  # a kind of e-mail


def write(
    site: str, address: str, mail_text: MailText, code: str, seat: Seat | None = None
) -> None:
    """Queue an e-mail with its unsubscribe link."""
    stop = site + reverse("stop", args=[addresses.stopping(address)])
    kind, subject, text = mail_text.kind, mail_text.subject, mail_text.signed(stop)
    queue.send(address, subject, text, code, kind=kind, stop=stop, seat=seat)


def until(chosen: NotificationChoices, event: str, table: Table, now: datetime) -> datetime | None:
    """Return until when an e-mail is held back, or None if it is sent at once."""
    if event != choices.TIME and (digest := choices.digest_at(chosen, now)):
        return digest
    quiet = choices.quiet_until(chosen, now)
    # A reminder that would come too late is not held back.
    if quiet and event == choices.TIME and table.due and table.due <= quiet:
        return None
    return quiet


def hold(
    table: Table, seat: Seat, event: str, mail_text: MailText, site: str, moment: datetime
) -> None:
    """Keep an e-mail for later."""
    Delivery.objects.create(
        visitor=seat.holder,
        table=table,
        seat=seat.number,
        asked=table.asked if event in deliveries.ABOUT_A_TURN else None,
        event=event,
        body={**mail_text._asdict(), "site": site},
        next_at=moment,
    )


def release(now: datetime) -> None:
    """Send the e-mails whose time has come, those of a visitor together."""
    due = Delivery.objects.filter(push=None, webhook=None, next_at__lte=now).order_by("pk")
    of_visitors = defaultdict(list)
    for delivery in due[: deliveries.MOST]:
        of_visitors[delivery.visitor].append(delivery)
    for key, held in of_visitors.items():
        with transaction.atomic():
            _send(key, [each for each in held if _claim(each, now)], now)


def _claim(delivery: Delivery, now: datetime) -> bool:
    """Take it, unless another process has."""
    mine = Delivery.objects.filter(pk=delivery.pk, next_at__isnull=False)
    return bool(mine.update(next_at=None, sent=now))


def _send(key: str, held: list[Delivery], now: datetime) -> None:
    contact = addresses.reached(key)
    true = [each for each in held if not deliveries.is_stale(each, now)]
    if contact is None or not true:
        return
    mails = [MailText(*(each.body[name] for name in MailText._fields)) for each in true]
    with speaking(contact.language):
        site = true[-1].body["site"]
        write(site, contact.address, _together(mails), contact.language)


def _together(mails: list[MailText]) -> MailText:
    if len(mails) == 1:
        return mails[0]
    subject = ngettext("{n} message from Brassmill", "{n} messages from Brassmill", len(mails))
    text = "\n\n\n".join(f"{mail.subject}\n\n{mail.text}" for mail in mails)
    return MailText(DIGEST, subject.format(n=len(mails)), text)
