"""Links that let their owner take a seat. They are signed, so they cannot be forged.

A link names its seat and a token stored with it: a new token invalidates the old links.
"""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, Signer, TimestampSigner
from django.utils.crypto import constant_time_compare, salted_hmac

from brassmill.web.models import Seat

# The salts keep a signature for one purpose from working for another.
INVITATION, HANDOVER = "brassmill.web.invitation", "brassmill.web.handover"
MAILED, MAILED_TO = "brassmill.web.mailed", "brassmill.web.mailed-to"
LASTING = timedelta(minutes=15)  # how long a link to another device works
MAILED_LASTING = timedelta(days=30)  # how long a link in a turn e-mail works


class NoLink(LookupError):  # noqa: N818 (the name says what it is)
    """The link leads to no seat, or has expired."""


class Moved(NoLink):
    """The link used to work, but its seat has moved to another device."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat


def invitation(seat: Seat) -> str:
    """The token of an invitation link."""
    return _signer(INVITATION).sign_object([seat.pk, seat.invite])


def invited(token: str) -> Seat:
    """The seat an invitation is for, even if it is taken."""
    try:
        number, word = _signer(INVITATION).unsign_object(token)
    except BadSignature:
        raise NoLink from None
    return _seat(pk=number, invite=word)


def handover(seat: Seat) -> str:
    """The token of a link that moves a seat to another device."""
    return _dated(HANDOVER).sign_object([seat.pk, seat.handover])


def handed_over(token: str) -> Seat:
    """The seat that such a link moves to this device."""
    try:
        number, word = _dated(HANDOVER).unsign_object(token, max_age=LASTING)
    except BadSignature:  # or too old
        raise NoLink from None
    return _seat(pk=number, handover=word)


def mailed(seat: Seat) -> str:
    """The token of a link e-mailed to a seat's player; it expires when the seat moves."""
    return _dated(MAILED).sign_object([seat.pk, _holder(seat)])


def by_mail(token: str) -> Seat:
    """The seat that such an e-mailed link opens."""
    try:
        number, holder = _dated(MAILED).unsign_object(token, max_age=MAILED_LASTING)
    except BadSignature:  # or too old
        raise NoLink from None
    seat = _seat(pk=number)
    if not constant_time_compare(holder, _holder(seat)):
        raise Moved(seat)
    return seat


def mailed_to(seat: Seat, address: str) -> str:
    """A token proving that the invitation to a seat was e-mailed to this address."""
    return _signer(MAILED_TO).sign_object([seat.pk, seat.invite, address])


def address_of(seat: Seat, token: str) -> str:
    """The address in such a token; empty if it is not valid for this seat."""
    try:
        number, word, address = _signer(MAILED_TO).unsign_object(token)
    except BadSignature:
        return ""
    return str(address) if [number, word] == [seat.pk, seat.invite] else ""


def _holder(seat: Seat) -> str:
    """A hash of the holder's key, which must stay secret."""
    return salted_hmac(MAILED, seat.holder).hexdigest()[:16]


def _seat(**known: object) -> Seat:
    seat = Seat.objects.select_related("table").filter(**known).first()
    if seat is None:  # the link was used or replaced, or the table is gone
        raise NoLink
    return seat


def _signer(salt: str) -> Signer:
    return Signer(salt=salt, sep=".")  # a colon would look odd in a URL


def _dated(salt: str) -> TimestampSigner:
    return TimestampSigner(salt=salt, sep=".")
