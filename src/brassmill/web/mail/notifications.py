"""Notifications by e-mail. Only confirmed addresses get them, and each event is sent once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Protocol

from django.db.models import QuerySet
from django.urls import reverse

from brassmill.errors import BrassError
from brassmill.language import language, speaking
from brassmill.web.mail import addresses, queue, texts
from brassmill.web.mail.texts import MailText
from brassmill.web.models import Contact, Entry, Mail, Seat, Table
from brassmill.web.server import site_url
from brassmill.web.setup import seat_links


class TableInPlay(Protocol):
    """What notifications need to know about a game; a `TableSession` knows it."""

    @property
    def table(self) -> Table: ...

    @property
    def seats(self) -> Sequence[Seat]: ...

    @property
    def over(self) -> bool: ...

    @property
    def summary(self) -> Mapping[str, Any]: ...


def your_turn(table: Table, seat: Seat, now: datetime) -> None:
    """Notify a player who is away that it is their turn."""
    left = table.due - now if table.due else None
    _notify(table, seat, lambda: texts.your_turn(table, seat, seat_link(table, seat), left))


def running_out(table: Table, seat: Seat, now: datetime) -> None:
    """Notify a player that their time is running out."""
    if table.due:
        left = table.due - now
        _notify(table, seat, lambda: texts.running_out(table, seat, seat_link(table, seat), left))


def after_entry(session: TableInPlay, was_over: bool, body: dict[str, Any]) -> None:
    """Queue the notifications for a log entry, in the transaction of the entry."""
    table = session.table
    # A player who left or conceded needs no e-mail about it.
    if body.get("bot") and body.get("why") not in (Entry.LEFT, Entry.CONCEDED):
        seat, why = session.seats[body["seat"]], body.get("why", "")
        _notify(table, seat, lambda: texts.stood_in(table, seat, seat_link(table, seat), why))
    if session.over and not was_over:
        _notify_all_of_the_end(session)


def _notify_all_of_the_end(session: TableInPlay) -> None:
    table = session.table
    names = {seat.number: seat.name for seat in session.seats}
    people = {seat.holder: seat for seat in session.seats if seat.holder}
    if len(people) < 2:
        return  # a solo player was there
    link = site_url.of_table(table) + reverse("result", args=[table.id])
    result = session.summary.get("result", [])
    for seat in people.values():
        _notify(table, seat, lambda: texts.over(table, names, result, link))


def plays_again(table: Table, seats: Iterable[Seat], host: str) -> None:
    """Invite the others of a game to play again, each to the seat they had."""
    places = {place.number: place for place in table.seats.all()}
    name = next(place.name for place in places.values() if place.holder == host)
    others = {seat.holder: seat for seat in seats if places[seat.number].is_open}
    for seat in others.values():
        contact = reached_at(table, seat.holder)
        if contact is None:
            continue
        link = _invitation(table, places[seat.number], contact.address)
        # The address may have reached its daily limit.
        with speaking(contact.language), suppress(BrassError):
            addresses.check_unasked(contact.address, addresses.AGAIN)
            mail_text = texts.again(table, name, link)
            _write(site_url.of_table(table), contact.address, mail_text, contact.language)


# --- to addresses that may not be confirmed yet --------------------------------------------------


def invite(table: Table, seat: Seat, host: str, address: str, words: str) -> None:
    """Invite a friend by e-mail, or raise an error. The link names the address it was sent to."""
    addresses.check_unasked(address)
    mail_text = texts.invitation(table, host, _invitation(table, seat, address), words)
    _write(site_url.of_table(table), address, mail_text, language(), seat)


def invited(seat: Seat) -> tuple[str, ...]:
    """Return where a seat's link was mailed, and its status, while those e-mails are kept."""
    mails = _invitations(seat).order_by("pk")
    return tuple({mail.address: queue.fate_of(mail) for mail in mails}.values())


def forget_invited(table: Table, **which: object) -> None:
    """Forget where links were mailed: a new host must not see the addresses."""
    for seat in table.seats.all():
        if seat.is_open:
            _invitations(seat).filter(**which).delete()


def forget_links(seats: Iterable[Seat]) -> None:
    """Detach old e-mails from these seats: the links in them no longer work."""
    Mail.objects.filter(seat__in=[seat.pk for seat in seats]).update(seat=None)


def _invitations(seat: Seat) -> QuerySet[Mail]:
    return Mail.objects.filter(kind=texts.INVITATION, seat=seat)


def confirm(site: str, contact: Contact, table: str = "") -> None:
    """Ask the reader of an address to confirm it, from a table or from the settings."""
    addresses.check_unasked(contact.address)
    link = site + reverse("confirm", args=[addresses.confirmation(contact)])
    link += f"?table={table}" if table else ""
    _write(site, contact.address, texts.confirmation(link), contact.language)


def renew_passwords(site: str, address: str, links: Mapping[str, str]) -> None:
    """Send an address the reset links of its accounts, by name, unless it has reached its limit."""
    with suppress(BrassError):
        addresses.check_unasked(address)
        _write(site, address, texts.new_passwords(links), language())


# --- delivery ------------------------------------------------------------------------------------


def seat_link(table: Table, seat: Seat) -> str:
    """Return the link that opens a seat on any device of its player."""
    return site_url.of_table(table) + reverse("seat", args=[seat_links.mailed(seat)])


def _invitation(table: Table, seat: Seat, address: str) -> str:
    """Return the link to a free seat, tied to this address."""
    path = reverse("join", args=[seat_links.invitation(seat)])
    return f"{site_url.of_table(table)}{path}?to={seat_links.mailed_to(seat, address)}"


def reached_at(table: Table, key: str) -> Contact | None:
    """Return the contact to notify about a table, or None."""
    is_enabled = site_url.of_table(table) and table.notice != Table.NEVER
    return addresses.reached(key) if is_enabled else None


def _notify(table: Table, seat: Seat, mail_text: Callable[[], MailText]) -> None:
    """E-mail the player of a seat in their language, if they want it."""
    contact = reached_at(table, seat.holder)
    if contact:
        with speaking(contact.language):
            _write(site_url.of_table(table), contact.address, mail_text(), contact.language)


def _write(
    site: str, address: str, mail_text: MailText, code: str, seat: Seat | None = None
) -> None:
    stop = site + reverse("stop", args=[addresses.stopping(address)])
    kind, subject, text = mail_text.kind, mail_text.subject, mail_text.signed(stop)
    queue.send(address, subject, text, code, kind=kind, stop=stop, seat=seat)
