"""Contacts: the address of a person, confirmed by who reads it, and who wants no mails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.core.signing import BadSignature, Signer, TimestampSigner
from django.db import transaction

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.web.models import Contact, Mail, Refusal
from brassmill.web.server import database

CONFIRMING, STOPPING = "brassmill.web.confirming", "brassmill.web.stopping"  # the salts
DAY = timedelta(days=1)
LASTING = 7 * DAY  # of a link that confirms an address
UNASKED = ("invitation", "confirmation", "password")  # to an address whose owner has not said yes
AGAIN = ("again",)  # to who has; but others bring it about, and it must not use up a password's
MOST = 5  # of either in a day, whoever asks for them


class NoToken(LookupError):  # noqa: N818 (the name says what it is)
    """It was not made here, or it is too old."""


def of(key: str) -> Contact:
    """What is known of a visitor."""
    return Contact.objects.filter(visitor=key).first() or Contact(visitor=key)


def reached(key: str) -> Contact | None:
    """How a visitor is told something; None: he has not said that he wants it."""
    found = Contact.objects.filter(visitor=key, confirmed=True).first() if key else None
    return None if found is None or is_refused(found.address) else found


def keep(key: str, address: str, *, confirmed: bool = False) -> Contact:
    """Remember the address of a visitor, who speaks this language."""
    values = {"address": address, "confirmed": confirmed, "language": language()}
    contact, _made = Contact.objects.update_or_create(visitor=key, defaults=values)
    return contact


def forget(key: str) -> None:
    """Forget the address; vacation goes on."""
    Contact.objects.filter(visitor=key).update(address="", confirmed=False)


@transaction.atomic
def erase(key: str) -> None:
    """Keep nothing of a visitor, nor the mails to him."""
    for contact in Contact.objects.filter(visitor=key).exclude(address=""):
        Mail.objects.filter(address=contact.address).delete()
    Contact.objects.filter(visitor=key).delete()


@transaction.atomic
def move(old: str, new: str) -> None:
    """A person goes on with another key, and the old one is nobody's."""
    if Contact.objects.filter(visitor=new).exists():
        follow(old, new, with_address=True)
        Contact.objects.filter(visitor=old).delete()
    else:  # a link that is to confirm the address stays good
        Contact.objects.filter(visitor=old).update(visitor=new)


@transaction.atomic
def follow(old: str, new: str, *, with_address: bool) -> None:
    """A person has another key as well: vacation is for both, and there is no second helping."""
    known = Contact.objects.filter(visitor=old).first()
    if known is None:
        return
    own = Contact.objects.filter(visitor=new).first() or Contact(visitor=new)
    if with_address and not own.address:
        own.address, own.confirmed, own.language = known.address, known.confirmed, known.language
    both, year = (known, own), max(known.away_year, own.away_year)
    own.away_until = max((each.away_until for each in both if each.away_until), default=None)
    own.away_days = max(each.away_days for each in both if each.away_year == year)
    own.away_year = year
    own.save()


# --- who said yes, who said no -------------------------------------------------------------------


def confirmation(contact: Contact) -> str:
    """What the link says that confirms an address."""
    return _dated().sign_object([contact.pk, contact.address])


def to_confirm(token: str) -> Contact:
    """The contact that such a link is for."""
    try:
        number, address = _dated().unsign_object(token, max_age=LASTING)
    except BadSignature:  # or too old
        raise NoToken from None
    contact = Contact.objects.filter(pk=number, address=address).first()
    if contact is None:  # it has another address by now
        raise NoToken
    return contact


def stopping(address: str) -> str:
    """What the link says by which an address gets no more mails."""
    return _signer().sign_object(address)


def to_stop(token: str) -> str:
    """The address that such a link is for."""
    try:
        address: str = _signer().unsign_object(token)
    except BadSignature:
        raise NoToken from None
    return address


def refuse(address: str) -> None:
    """No more mails to this address."""
    Refusal.objects.get_or_create(address=address.lower())


def allow(address: str) -> None:
    """Mails may come again."""
    Refusal.objects.filter(address=address.lower()).delete()


def is_refused(address: str) -> bool:
    return Refusal.objects.filter(address=address.lower()).exists()


def check_unasked(address: str, kinds: Sequence[str] = UNASKED) -> None:
    """Whether an address may get a mail that its owner has not asked for."""
    if is_refused(address):
        raise BrassError(_("This address does not want e-mails from us."))
    recent = Mail.objects.filter(
        address__iexact=address, kind__in=kinds, at__gt=database.now() - DAY
    )
    if recent.count() >= MOST:
        raise BrassError(_("This address has received enough e-mails for today."))


def _dated() -> TimestampSigner:
    return TimestampSigner(salt=CONFIRMING, sep=".")


def _signer() -> Signer:
    return Signer(salt=STOPPING, sep=".")
