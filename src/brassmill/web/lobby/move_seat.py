"""Move a seat to another browser of the same person, by a link that works once and expires soon."""

from __future__ import annotations

from django.db import transaction

from brassmill.web.mail import addresses, notifications
from brassmill.web.models import Message, Seat, Table, token
from brassmill.web.setup import programs
from brassmill.web.setup.seat_links import NoLink
from brassmill.web.table import sessions


def offer(seat: Seat) -> Seat:
    """Create a link that moves a seat; earlier ones become invalid."""
    seat.handover = token()
    Seat.objects.filter(pk=seat.pk).update(handover=seat.handover)
    return seat


def accept(seat: Seat, key: str, *, by_mail: bool = False) -> None:
    """Move a seat to another browser; the host stays the host.

    The e-mail address moves only if the link was sent to it. Any other link may be used by someone
    else, who must not see whom the host has invited either.
    """
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=seat.table_id)  # locks the table's seats
        moved = Seat.objects.filter(pk=seat.pk, holder=seat.holder, handover=seat.handover)
        if not moved.update(
            holder=key, former=seat.holder, handover="", program=programs.is_program(key)
        ):
            raise NoLink  # it has been used meanwhile
        said = Message.objects.filter(table=seat.table_id, seat=seat.number, author=seat.holder)
        said.update(author=key)
        if not Seat.objects.filter(table=seat.table_id, holder=seat.holder).exists():
            is_host = Table.objects.filter(pk=seat.table_id, host=seat.holder).update(host=key)
            if is_host and not by_mail:
                # Pending e-mails are still sent.
                notifications.forget_invited(seat.table, next_at=None)
        addresses.follow(seat.holder, key, with_address=by_mail)
        sessions.changed(seat.table_id)
