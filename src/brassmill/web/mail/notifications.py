"""Notices: who is told what by mail. Only confirmed addresses get any, and each thing once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.urls import reverse

from brassmill.errors import BrassError
from brassmill.language import language, speaking
from brassmill.web.mail import addresses, queue, texts
from brassmill.web.mail.texts import MailText
from brassmill.web.models import Contact, Entry, Mail, Seat, Table
from brassmill.web.server import site_url
from brassmill.web.setup import seat_links

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession


def your_turn(table: Table, seat: Seat, now: datetime) -> None:
    """It is somebody's turn, and he is not here."""
    left = table.due - now if table.due else None
    _tell(table, seat, lambda: texts.your_turn(table, seat, seat_link(table, seat), left))


def running_out(table: Table, seat: Seat, now: datetime) -> None:
    """Somebody's time runs out."""
    if table.due:
        left = table.due - now
        _tell(table, seat, lambda: texts.running_out(table, seat, seat_link(table, seat), left))


def after_entry(session: TableSession, was_over: bool, body: dict[str, Any]) -> None:
    """What an entry brings about that people want to know; with the entry or not at all."""
    table = session.table
    if body.get("bot") and body.get("why") != Entry.LEFT:  # who wanted it himself needs no mail
        seat, why = session.seats[body["seat"]], body.get("why", "")
        _tell(table, seat, lambda: texts.stood_in(table, seat, seat_link(table, seat), why))
    if session.over and not was_over:
        _tell_all_that_it_is_over(session)


def _tell_all_that_it_is_over(session: TableSession) -> None:
    table = session.table
    names = {seat.number: seat.name for seat in session.seats}
    people = {seat.holder: seat for seat in session.seats if seat.holder}
    if len(people) < 2:
        return  # whoever plays alone was there
    link = site_url.of_table(table) + reverse("result", args=[table.id])
    result = session.summary.get("result", [])
    for seat in people.values():
        _tell(table, seat, lambda: texts.over(table, names, result, link))


def plays_again(table: Table, seats: Iterable[Seat], host: str) -> None:
    """Tell the others of a game that its host plays again; each has the seat that he had."""
    places = {place.number: place for place in table.seats.all()}
    name = next(place.name for place in places.values() if place.holder == host)
    others = {seat.holder: seat for seat in seats if places[seat.number].is_open}
    for seat in others.values():
        contact = reached_at(table, seat.holder)
        if contact is None:
            continue
        link = _invitation(table, places[seat.number], contact.address)
        with speaking(contact.language), suppress(BrassError):  # it may have enough mails
            addresses.check_unasked(contact.address, addresses.AGAIN)
            mail_text = texts.again(table, name, link)
            _write(site_url.of_table(table), contact.address, mail_text, contact.language)


# --- to people who may not be known yet ----------------------------------------------------------


def invite(table: Table, seat: Seat, host: str, address: str, words: str) -> None:
    """Ask a friend to come; an error says why not. His link says which address it was sent to."""
    addresses.check_unasked(address)
    mail_text = texts.invitation(table, host, _invitation(table, seat, address), words)
    _write(site_url.of_table(table), address, mail_text, language(), seat)


def invited(seat: Seat) -> tuple[str, ...]:
    """To whom the link of a seat was mailed, in words, for as long as those mails are kept."""
    mails = _invitations(seat).order_by("pk")
    return tuple({mail.address: queue.fate_of(mail) for mail in mails}.values())


def forget_invited(table: Table, **which: object) -> None:
    """Let nobody read any more to whom links were mailed: another may be host from now on."""
    for seat in table.seats.all():
        if seat.is_open:
            _invitations(seat).filter(**which).delete()


def forget_links(seats: Iterable[Seat]) -> None:
    """The links that were mailed to these seats are dead: there are others by now."""
    Mail.objects.filter(seat__in=[seat.pk for seat in seats]).update(seat=None)


def _invitations(seat: Seat) -> QuerySet[Mail]:
    return Mail.objects.filter(kind=texts.INVITATION, seat=seat)


def confirm(site: str, contact: Contact, table: str = "") -> None:
    """Ask whether an address is the one of who gave it, at a table or elsewhere."""
    addresses.check_unasked(contact.address)
    link = site + reverse("confirm", args=[addresses.confirmation(contact)])
    link += f"?table={table}" if table else ""
    _write(site, contact.address, texts.confirmation(link), contact.language)


def renew_passwords(site: str, address: str, links: Mapping[str, str]) -> None:
    """Send an address the links to its accounts, by their names, unless it has enough mails."""
    with suppress(BrassError):
        addresses.check_unasked(address)
        _write(site, address, texts.new_passwords(links), language())


# --- how ---------------------------------------------------------------------------------------


def seat_link(table: Table, seat: Seat) -> str:
    """The link that opens a seat, wherever its person reads the mail."""
    return site_url.of_table(table) + reverse("seat", args=[seat_links.mailed(seat)])


def _invitation(table: Table, seat: Seat, address: str) -> str:
    """The link to a free seat, for who reads this address."""
    path = reverse("join", args=[seat_links.invitation(seat)])
    return f"{site_url.of_table(table)}{path}?to={seat_links.mailed_to(seat, address)}"


def reached_at(table: Table, key: str) -> Contact | None:
    """How somebody is told what happens at a table; None: he is not."""
    is_told = site_url.of_table(table) and table.notice != Table.NEVER
    return addresses.reached(key) if is_told else None


def _tell(table: Table, seat: Seat, mail_text: Callable[[], MailText]) -> None:
    """Write to the person of a seat, in his language, if he wants it."""
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
