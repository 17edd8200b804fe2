"""E-mail addresses: one for each person, confirmed by its reader, who can also refuse e-mails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.core.signing import BadSignature, Signer, TimestampSigner
from django.db import transaction
from django.http import HttpRequest

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Account, Contact, Mail, Refusal
from brassmill.web.server import database

CONFIRMING, STOPPING = "brassmill.web.confirming", "brassmill.web.stopping"  # salts
DAY = timedelta(days=1)
LASTING = 7 * DAY  # lifetime of a confirmation link
OWN = ("confirmation", "password")  # asked for by the person who typed the address
UNASKED = ("invitation", *OWN)  # sent to unconfirmed addresses
# Sent to confirmed ones. Counted apart, so that rematches cannot use up password resets.
AGAIN = ("again",)
MOST = 5  # of each group a day, whoever asks


class NoToken(LookupError):  # noqa: N818 (the name says what it is)
    """The token is forged or has expired."""


def of(key: str) -> Contact:
    """Return what is known about a visitor."""
    return Contact.objects.filter(visitor=key).first() or Contact(visitor=key)


def confirmed(key: str) -> Contact | None:
    """Return the contact of a visitor who reads their e-mails, or None if that is not known."""
    found = Contact.objects.filter(visitor=key, confirmed=True).first() if key else None
    return None if found is None or is_refused(found.address) else found


def is_confirmed(key: str, address: str) -> bool:
    """Has the visitor confirmed this address?"""
    known = of(key)
    return known.confirmed and known.address.lower() == address.lower()


def reached(key: str) -> Contact | None:
    """Return the contact to notify about games, or None if the visitor has not agreed to it."""
    found = confirmed(key)
    return found if found and found.wants_mail else None


def resets_password(key: str) -> bool:
    """May the address reset a password? Then only that password can change it."""
    return Account.objects.filter(key=key).exclude(user__email="").exists()


def may_write_words(request: HttpRequest) -> bool:
    """May this visitor add their own words to an e-mail? Only an account that can be reached."""
    return account_of(request) is not None and confirmed(visitor(request)) is not None


def may_become(key: str, address: str) -> bool:
    """May this address, just read by the visitor, become the one for e-mails about their games?

    Not if they get them already, or if another address resets their password.
    """
    if not address or reached(key):
        return False
    return not resets_password(key) or of(key).address.lower() == address.lower()


def keep(key: str, address: str, *, confirmed: bool = False, wants_mail: bool = True) -> Contact:
    """Store the address and language of a visitor."""
    values = {"address": address, "confirmed": confirmed, "wants_mail": wants_mail}
    values["language"] = language()
    contact, _made = Contact.objects.update_or_create(visitor=key, defaults=values)
    return contact


def change(key: str, address: str, *, wants_mail: bool) -> None:
    """Change the address of an account and what it is for; it stays confirmed if it is the same."""
    keep(key, address, confirmed=is_confirmed(key, address), wants_mail=wants_mail)


def stop(key: str) -> None:
    """Send a visitor no more e-mails about games; their address is kept."""
    Contact.objects.filter(visitor=key).update(wants_mail=False)


def confirm(key: str, address: str) -> None:
    """Note that a visitor reads the e-mails to this address, if it is theirs."""
    own = Contact.objects.filter(visitor=key, address__iexact=address)
    own.exclude(address="").update(confirmed=True)


def forget(key: str) -> None:
    """Remove the address; a vacation continues."""
    Contact.objects.filter(visitor=key).update(address="", confirmed=False)


@transaction.atomic
def erase(key: str) -> None:
    """Remove everything about a visitor, including e-mails to them."""
    for contact in Contact.objects.filter(visitor=key).exclude(address=""):
        mails = Mail.objects.filter(address__iexact=contact.address)
        # Others may be for another person, who reads this address.
        (mails if contact.confirmed else mails.filter(kind__in=OWN)).delete()
    Contact.objects.filter(visitor=key).delete()


@transaction.atomic
def move(old: str, new: str) -> None:
    """Move a person's contact to another key; the old key keeps nothing."""
    if Contact.objects.filter(visitor=new).exists():
        follow(old, new, with_address=True)
        Contact.objects.filter(visitor=old).delete()
    else:  # a link to confirm the address stays valid
        Contact.objects.filter(visitor=old).update(visitor=new)


@transaction.atomic
def follow(old: str, new: str, *, with_address: bool) -> None:
    """Give a person's second key the same vacation, so that its allowance is not doubled."""
    known = Contact.objects.filter(visitor=old).first()
    if known is None:
        return
    own = Contact.objects.filter(visitor=new).first() or Contact(visitor=new)
    is_same = own.address.lower() == known.address.lower()
    if with_address and (not own.address or (is_same and known.confirmed)):
        own.address, own.confirmed, own.language = known.address, known.confirmed, known.language
        own.wants_mail = known.wants_mail
    both, year = (known, own), max(known.away_year, own.away_year)
    own.away_until = max((each.away_until for each in both if each.away_until), default=None)
    own.away_days = max(each.away_days for each in both if each.away_year == year)
    own.away_year = year
    own.save()


# --- consent -------------------------------------------------------------------------------------


def confirmation(contact: Contact) -> str:
    """Return the token of the link that confirms an address."""
    return _dated().sign_object([contact.pk, contact.address])


def to_confirm(token: str) -> Contact:
    """Return the contact that a confirmation token is for."""
    try:
        number, address = _dated().unsign_object(token, max_age=LASTING)
    except BadSignature:  # forged or expired
        raise NoToken from None
    contact = Contact.objects.filter(pk=number, address=address).first()
    if contact is None:  # the address has changed since
        raise NoToken
    return contact


def stopping(address: str) -> str:
    """Return the token of the link that stops e-mails to an address."""
    return _signer().sign_object(address)


def to_stop(token: str) -> str:
    """Return the address that such a token is for."""
    try:
        address: str = _signer().unsign_object(token)
    except BadSignature:
        raise NoToken from None
    return address


def refuse(address: str) -> None:
    """Stop all e-mails to this address."""
    Refusal.objects.get_or_create(address=address.lower())


def allow(address: str) -> None:
    """Allow e-mails again."""
    Refusal.objects.filter(address=address.lower()).delete()


def is_refused(address: str) -> bool:
    return Refusal.objects.filter(address=address.lower()).exists()


def check_unasked(address: str, kinds: Sequence[str] = UNASKED) -> None:
    """Check that an address may get an e-mail its owner has not asked for."""
    if is_refused(address):
        raise BrassError(_("This address has unsubscribed from our e-mails."))
    recent = Mail.objects.filter(
        address__iexact=address, kind__in=kinds, at__gt=database.now() - DAY
    )
    if recent.count() >= MOST:
        raise BrassError(_("No more e-mails can be sent to this address today."))


def _dated() -> TimestampSigner:
    return TimestampSigner(salt=CONFIRMING, sep=".")


def _signer() -> Signer:
    return Signer(salt=STOPPING, sep=".")
