"""The post: mails wait in the database and are sent by a thread, one process each.

A mail is written in the transaction of whatever it tells of, and is there with it or not at all.
Whoever sends it claims it first; if that fails it is tried again, later and later, and given up at
last.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db.models import F
from django.http import HttpRequest

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity import rate_limit
from brassmill.web.mail import addresses
from brassmill.web.models import Mail, Seat
from brassmill.web.server import database, mail_backend, metrics, periodic, site_url

ROUND = 3.0  # seconds between two rounds
MOST = 20  # mails of one round
ATTEMPTS = 8  # the last one is about a day after the first
PAUSE = timedelta(minutes=10)  # after the first attempt; then twice as long each time
KEPT = timedelta(days=7)  # so long a mail is kept that was sent or given up
LONGEST = 200  # letters of a subject
PROXIES = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP")  # add these

# Of a mail: a folder that cannot be written is a wrong configuration, a bad header a ValueError.
TROUBLES = (OSError, SMTPException, ValueError, ImproperlyConfigured)

log = logging.getLogger("brassmill.web")


def send(
    address: str,
    subject: str,
    text: str,
    language: str,
    *,
    kind: str = "other",
    stop: str = "",
    seat: Seat | None = None,
) -> None:
    """Let a mail be sent; `stop` is the link by which its reader gets no more of them.

    An invitation has the `seat` that it is for.
    """
    Mail.objects.create(
        address=address,
        subject=" ".join(subject.split())[:LONGEST],  # one line: no other headers can follow
        text=text,
        language=language,
        kind=kind,
        stop=stop,
        seat=seat,
        at=(now := database.now()),
        next_at=now,
    )


def address_in(typed: str) -> str:
    """An address as somebody typed it; an error says what is wrong with it."""
    address = typed.strip()
    try:
        validate_email(address)
    except ValidationError:
        words = _("This is not an e-mail address. It should look like name@example.org.")
        raise BrassError(words) from None
    if len(address) > 254:
        raise BrassError(_("This e-mail address is too long."))
    return address


def fate_of(mail: Mail) -> str:
    """What has become of a mail, in words."""
    if not (mail.sent or mail.next_at):
        words = _("could not be sent to {address}")
    elif mail_backend.folder():
        words = _("saved as a file for {address}")
    else:
        words = _("sent to {address}") if mail.sent else _("waiting to be sent to {address}")
    return words.format(address=mail.address)


def kept(request: HttpRequest) -> str:
    """That mails are files here, in words; nothing: they are sent."""
    if not mail_backend.folder():
        return ""
    is_own = site_url.is_local(request) and not rate_limit.address_of(request)
    by_proxy = any(name in request.headers for name in PROXIES)
    # Where they lie is nobody else's business.
    if settings.SITE or settings.NAMES or by_proxy or not is_own:
        return _("This server does not send e-mail; messages are saved as files.")
    words = _("This server does not send e-mail; messages are saved as files in {folder}.")
    return words.format(folder=mail_backend.folder())


# --- the thread ----------------------------------------------------------------------------------


def run() -> None:
    """Send what is to be sent; for ever."""
    periodic.repeat(send_due, ROUND)


def send_due() -> None:
    """Send the mails that are due, and forget old ones."""
    now = database.now()
    for mail in Mail.objects.filter(next_at__lte=now).order_by("next_at")[:MOST]:
        _try(mail)
    forgotten, _of_what = Mail.objects.filter(next_at=None, at__lt=now - KEPT).delete()
    if forgotten:
        mail_backend.forget(now - KEPT)


def _try(mail: Mail) -> None:
    """Send a mail, if no other process does, and if its reader has not said no since."""
    if addresses.is_refused(mail.address):
        Mail.objects.filter(pk=mail.pk).update(next_at=None)
        return
    is_last = mail.attempts + 1 >= ATTEMPTS
    again = None if is_last else database.now() + PAUSE * 2**mail.attempts
    mine = Mail.objects.filter(pk=mail.pk, next_at=mail.next_at, attempts=mail.attempts)
    if not mine.update(next_at=again, attempts=F("attempts") + 1):
        return
    headers = {"Content-Language": mail.language, "Auto-Submitted": "auto-generated"}
    if mail.stop:
        headers["List-Unsubscribe"] = f"<{mail.stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    try:
        EmailMessage(mail.subject, mail.text, to=[mail.address], headers=headers).send()
    except TROUBLES as error:
        metrics.mails.labels("failed").inc()
        fate = "it is given up" if is_last else "it is tried again"
        log.warning("a mail could not be sent, %s: %s", fate, error)
    else:
        metrics.mails.labels("sent").inc()
        Mail.objects.filter(pk=mail.pk).update(next_at=None, sent=database.now())
