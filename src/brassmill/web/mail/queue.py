"""The mail queue: e-mails wait in the database and a thread in each process sends them.

An e-mail is written in the transaction of the event it reports: both are stored or neither. A
process claims an e-mail before sending it. A failed one is retried at growing intervals and finally
abandoned.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db.models import F

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.mail import addresses
from brassmill.web.models import Mail, Seat
from brassmill.web.server import database, mail_backend, metrics, periodic
from brassmill.web.server.database import TROUBLE

ROUND = 3.0  # seconds between two rounds
MOST = 20  # e-mails sent in each round
ATTEMPTS = 8  # the last one is about a day after the first
PAUSE = timedelta(minutes=10)  # after the first attempt, doubled each time
KEPT = timedelta(days=7)  # how long an e-mail is kept once sent or abandoned
LONGEST = 200  # characters of a subject
PERMANENT = 500  # SMTP replies from here on mean that another attempt is useless

# Errors of sending: ImproperlyConfigured for a folder that cannot be written, ValueError for a bad
# header.
SEND_ERRORS = (OSError, SMTPException, ValueError, ImproperlyConfigured)

log = logging.getLogger("brassmill.web")

_waiting: deque[tuple[Context, Callable[[], None]]] = deque()  # e-mails to be written


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
    """Queue an e-mail; `stop` is its unsubscribe link.

    An invitation names its `seat`.
    """
    Mail.objects.create(
        address=address,
        subject=" ".join(subject.split())[:LONGEST],  # one line, so that no header can be injected
        text=text,
        language=language,
        kind=kind,
        stop=stop,
        seat=seat,
        at=(now := database.now()),
        next_at=now,
    )


def write_later(write: Callable[[], None]) -> None:
    """Let the thread write e-mails.

    A request that does so takes as long as one without e-mails, so its time reveals nothing.
    """
    _waiting.append((copy_context(), write))


def write_waiting() -> None:
    """Write the e-mails that were left for later."""
    while _waiting:
        context, write = _waiting.popleft()
        try:
            context.run(write)  # in the language of the request
        except TROUBLE:
            _waiting.append((context, write))
            raise


def address_in(typed: str) -> str:
    """Validate an address as typed; raise an error if it is invalid."""
    address = typed.strip()
    try:
        validate_email(address)
        address.partition("@")[0].encode("ascii")  # others look like somebody else's
    except (ValidationError, UnicodeEncodeError):
        words = _("This is not an e-mail address. It should look like name@example.org.")
        raise BrassError(words) from None
    if len(address) > 254:
        raise BrassError(_("This e-mail address is too long."))
    return address


def fate_of(mail: Mail) -> str:
    """Say what became of an e-mail."""
    if not (mail.sent or mail.next_at):
        words = _("could not be sent to {address}")
    elif mail_backend.folder():
        words = _("saved as a file for {address}")
    else:
        words = _("sent to {address}") if mail.sent else _("waiting to be sent to {address}")
    return words.format(address=mail.address)


def kept() -> str:
    """Say that e-mails are written to files here; nothing if they are sent.

    Where they are is for the operator, who finds it in the log.
    """
    if not mail_backend.folder():
        return ""
    return _("This server does not send e-mail; messages are saved as files.")


# --- the thread ----------------------------------------------------------------------------------


def run() -> None:
    """Send e-mails as they become due, for ever."""
    periodic.repeat(send_due, ROUND)


def send_due() -> None:
    """Send the e-mails that are due, and delete old ones."""
    write_waiting()
    now = database.now()
    for mail in Mail.objects.filter(next_at__lte=now).order_by("next_at")[:MOST]:
        _try(mail)
    Mail.objects.filter(next_at=None, at__lt=now - KEPT).delete()
    mail_backend.forget(KEPT)  # even if their rows are gone, with an account for example


def _try(mail: Mail) -> None:
    """Send an e-mail, unless another process does or its reader has unsubscribed since."""
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
    except SEND_ERRORS as error:
        metrics.mails.labels("failed").inc()
        if is_final := is_last or _is_permanent(error):
            Mail.objects.filter(pk=mail.pk).update(next_at=None)
        fate = "giving up" if is_final else "will retry"
        reason = str(error).replace(mail.address, "its address")  # which is nobody's business
        log.warning("could not send an e-mail, %s: %s", fate, reason)
    else:
        metrics.mails.labels("sent").inc()
        Mail.objects.filter(pk=mail.pk).update(next_at=None, sent=database.now())


def _is_permanent(error: Exception) -> bool:
    """Was the address refused for good, because it does not exist for example?"""
    return isinstance(error, SMTPRecipientsRefused) and all(
        code >= PERMANENT for code, _text in error.recipients.values()
    )
