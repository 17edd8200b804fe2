"""Links to seats: who has one may sit down there. They are signed, so nobody can make one up.

A link names its seat and a word that is kept with it: with another word the old links are dead.
"""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, Signer, TimestampSigner

from brassmill.web.models import Seat

# The salts: a signature for one thing is none for another.
INVITATION, HANDOVER = "brassmill.web.invitation", "brassmill.web.handover"
LASTING = timedelta(minutes=15)  # for that long a seat can be moved by a link


class NoLink(LookupError):  # noqa: N818 (the name says what it is)
    """It leads to no seat, or no more."""


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


def _seat(**known: object) -> Seat:
    seat = Seat.objects.select_related("table").filter(**known).first()
    if seat is None:  # the link was used, or there is a newer one, or the table is gone
        raise NoLink
    return seat


def _signer(salt: str) -> Signer:
    return Signer(salt=salt, sep=".")  # a colon would not look like an address


def _dated(salt: str) -> TimestampSigner:
    return TimestampSigner(salt=salt, sep=".")
