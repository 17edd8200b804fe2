"""Links to seats: who has one may sit down there. They are signed, so nobody can make one up.

A link names its seat and a word that is kept with it: with another word the old links are dead.
"""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, Signer, TimestampSigner
from django.utils.crypto import constant_time_compare, salted_hmac

from brassmill.web.models import Seat

# The salts: a signature for one thing is none for another.
INVITATION, HANDOVER = "brassmill.web.invitation", "brassmill.web.handover"
MAILED, MAILED_TO = "brassmill.web.mailed", "brassmill.web.mailed-to"
LASTING = timedelta(minutes=15)  # for that long a seat can be moved by a link
MAILED_LASTING = timedelta(days=30)  # and by one in a mail to its person


class NoLink(LookupError):  # noqa: N818 (the name says what it is)
    """It leads to no seat, or no more."""


class Moved(NoLink):
    """It was good once; its seat is on another device since."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat


def invitation(seat: Seat) -> str:
    """What a friend's link says."""
    return _signer(INVITATION).sign_object([seat.pk, seat.invite])


def invited(token: str) -> Seat:
    """The seat that an invitation is for, whoever sits there now."""
    try:
        number, word = _signer(INVITATION).unsign_object(token)
    except BadSignature:
        raise NoLink from None
    return _seat(pk=number, invite=word)


def handover(seat: Seat) -> str:
    """What the link says that moves a seat to another device."""
    return _dated(HANDOVER).sign_object([seat.pk, seat.handover])


def handed_over(token: str) -> Seat:
    """The seat that such a link moves."""
    try:
        number, word = _dated(HANDOVER).unsign_object(token, max_age=LASTING)
    except BadSignature:  # or too old
        raise NoLink from None
    return _seat(pk=number, handover=word)


def mailed(seat: Seat) -> str:
    """What the link says that a mail brings to the person of a seat. It is dead when that moves."""
    return _dated(MAILED).sign_object([seat.pk, _holder(seat)])


def by_mail(token: str) -> Seat:
    """The seat that such a link opens."""
    try:
        number, holder = _dated(MAILED).unsign_object(token, max_age=MAILED_LASTING)
    except BadSignature:  # or too old
        raise NoLink from None
    seat = _seat(pk=number)
    if not constant_time_compare(holder, _holder(seat)):
        raise Moved(seat)
    return seat


def mailed_to(seat: Seat, address: str) -> str:
    """Says that the invitation to a seat was mailed to this address."""
    return _signer(MAILED_TO).sign_object([seat.pk, seat.invite, address])


def address_of(seat: Seat, token: str) -> str:
    """Where an invitation was mailed to, if this came with it."""
    try:
        number, word, address = _signer(MAILED_TO).unsign_object(token)
    except BadSignature:
        return ""
    return str(address) if [number, word] == [seat.pk, seat.invite] else ""


def _holder(seat: Seat) -> str:
    """Who holds a seat, in a word that tells nobody his key."""
    return salted_hmac(MAILED, seat.holder).hexdigest()[:16]


def _seat(**known: object) -> Seat:
    seat = Seat.objects.select_related("table").filter(**known).first()
    if seat is None:  # the link was used, or there is a newer one, or the table is gone
        raise NoLink
    return seat


def _signer(salt: str) -> Signer:
    return Signer(salt=salt, sep=".")  # a colon would not look like an address


def _dated(salt: str) -> TimestampSigner:
    return TimestampSigner(salt=salt, sep=".")
