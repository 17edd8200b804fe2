"""A seat goes from one browser to another of the same person: by a link, once, and soon."""

from __future__ import annotations

from django.db import transaction

from brassmill.web.mail import addresses, notifications
from brassmill.web.models import Message, Seat, Table, token
from brassmill.web.setup.seat_links import NoLink
from brassmill.web.table import sessions


def offer(seat: Seat) -> Seat:
    """Let a seat be moved; earlier links to do so are dead."""
    seat.handover = token()
    Seat.objects.filter(pk=seat.pk).update(handover=seat.handover)
    return seat


def accept(seat: Seat, key: str, *, by_mail: bool = False) -> None:
    """Bring a seat to another browser. Who set the table up is its host there too.

    The address comes along only for who has read a mail to it: any other link may be another's,
    who shall not read either whom the host has written to.
    """
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=seat.table_id)  # nobody else changes its seats
        moved = Seat.objects.filter(pk=seat.pk, holder=seat.holder, handover=seat.handover)
        if not moved.update(holder=key, former=seat.holder, handover=""):
            raise NoLink  # it was used meanwhile
        said = Message.objects.filter(table=seat.table_id, seat=seat.number, author=seat.holder)
        said.update(author=key)
        if not Seat.objects.filter(table=seat.table_id, holder=seat.holder).exists():
            is_host = Table.objects.filter(pk=seat.table_id, host=seat.holder).update(host=key)
            if is_host and not by_mail:
                notifications.forget_invited(seat.table, next_at=None)  # what waits is sent
        addresses.follow(seat.holder, key, with_address=by_mail)
    sessions.changed(seat.table_id)
