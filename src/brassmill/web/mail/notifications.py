"""Notifications of what happens at a table, by every way that its players have chosen.

Only confirmed addresses get e-mails, and each event is sent once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from datetime import datetime
from typing import Any, Protocol

from django.db.models import QuerySet
from django.urls import reverse

from brassmill.errors import BrassError
from brassmill.language import language, speaking
from brassmill.web.delivery import choices
from brassmill.web.delivery import queue as deliveries
from brassmill.web.delivery.notice import Notice
from brassmill.web.mail import addresses, held, queue, texts
from brassmill.web.mail.held import write
from brassmill.web.mail.texts import MailText
from brassmill.web.models import Contact, Entry, Mail, Seat, Table
from brassmill.web.server import database, site_url
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
    """E-mail a player who is away that it is their turn."""
    left = table.due - now if table.due else None
    link = seat_link(table, seat)
    _by_mail(table, seat, choices.TURN, lambda: texts.your_turn(table, seat, link, left))


def turn_begins(table: Table, seats: Sequence[Seat], changes: Mapping[str, Any]) -> None:
    """Queue what is sent when a turn begins: push messages and webhooks, but no e-mail yet."""
    if len({seat.holder for seat in seats if seat.holder}) < 2:
        return
    seat = seats[changes["awaited"]]
    if not deliveries.reaches(table, seat.holder):
        return
    now = copy(table)  # as this entry leaves it
    vars(now).update(changes)
    left = now.due - now.asked if now.due and now.asked else None
    link = seat_link(now, seat)
    own = _notice(now, seat, lambda: texts.your_turn(now, seat, link, left), link)
    everyone = _notice(now, seat, lambda: texts.public_turn(now, seat))
    deliveries.announce(choices.TURN, now, seat, own, asked=now.asked)
    deliveries.announce_to_all(choices.TURN, now, seat.number, everyone, asked=now.asked)


def running_out(table: Table, seat: Seat, now: datetime) -> None:
    """Notify a player that their time is running out."""
    if table.due:
        left, link = table.due - now, seat_link(table, seat)
        _notify(
            *(table, seat, choices.TIME),
            lambda: texts.running_out(table, seat, link, left),
            link,
        )


def after_entry(session: TableInPlay, was_over: bool, body: dict[str, Any]) -> None:
    """Queue the notifications for a log entry, in the transaction of the entry."""
    table = session.table
    # A player who left or conceded need not be notified of it.
    if body.get("bot") and body.get("why") not in (Entry.LEFT, Entry.CONCEDED):
        seat, why = session.seats[body["seat"]], body.get("why", "")
        link = seat_link(table, seat)
        _notify(*(table, seat, choices.BOT), lambda: texts.stood_in(table, seat, link, why), link)
    if session.over and not was_over:
        _notify_all_of_the_end(session)


def _notify_all_of_the_end(session: TableInPlay) -> None:
    table = session.table
    if table.held:
        return  # others still play the same cards: nobody learns the result yet
    names = {seat.number: seat.name for seat in session.seats}
    people = {seat.holder: seat for seat in session.seats if seat.holder}
    if len(people) < 2:
        return  # a solo player was there
    path = reverse("result", args=[table.id])
    link = site_url.of_table(table) + path
    result = session.summary.get("result", [])

    def words() -> MailText:
        return texts.over(table, names, result, link)

    for seat in people.values():
        _notify(table, seat, choices.OVER, words, link, path)
    notice = _notice(table, None, words, link, path)
    deliveries.announce_to_all(choices.OVER, table, None, notice)


def said(table: Table, author: Seat, words: str) -> None:
    """Notify the others of a message in the chat, and those whose names are in it."""
    others = {
        seat.holder: seat
        for seat in table.seats.all()
        if seat.holder not in ("", author.holder) and not seat.is_open
    }
    for seat in others.values():
        name = re.escape(seat.name)
        is_named = bool(re.search(rf"(?<!\w){name}(?!\w)", words, re.IGNORECASE))
        _notify_of_chat(table, seat, author, is_named)


def _notify_of_chat(table: Table, seat: Seat, author: Seat, is_named: bool) -> None:
    link = seat_link(table, seat)
    event = choices.MENTION if is_named else choices.CHAT
    _notify(*(table, seat, event), lambda: texts.said(table, seat, author, link, is_named), link)


def plays_again(table: Table, seats: Iterable[Seat], host: str) -> None:
    """Invite the others of a game to play again, each to the seat they had."""
    places = {place.number: place for place in table.seats.all()}
    name = next(place.name for place in places.values() if place.holder == host)
    others = {seat.holder: seat for seat in seats if places[seat.number].is_open}
    for seat in others.values():
        path = reverse("result", args=[seat.table_id])  # which offers the seat to this player
        notice = _notice(table, seat, lambda: texts.again(table, name, ""), "", path)
        deliveries.announce(choices.AGAIN, table, seat, notice)
        contact = reached_at(table, seat.holder)
        if contact is None:
            continue
        if not choices.wants(choices.of(seat.holder), choices.AGAIN, choices.MAIL):
            continue
        link = _invitation(table, places[seat.number], contact.address)
        # The address may have reached its daily limit.
        with speaking(contact.language), suppress(BrassError):
            addresses.check_unasked(contact.address, addresses.AGAIN)
            mail_text = texts.again(table, name, link)
            write(site_url.of_table(table), contact.address, mail_text, contact.language)


def round_begins(tournament: str, number: int, table: Table, seat: Seat) -> None:
    """Notify a player that their game in a round of a tournament has begun."""
    link = seat_link(table, seat)

    def words() -> MailText:
        return texts.round_begins(tournament, number, table, seat, link)

    _notify(table, seat, choices.TOURNAMENT, words, link)


def tournament_over(
    tournament: str, path: str, standing: tuple[int, int], table: Table, seat: Seat
) -> None:
    """Notify a player that a tournament is over; table and seat are their last."""
    link = site_url.of_table(table) + path

    def words() -> MailText:
        return texts.tournament_over(tournament, *standing, link)

    _notify(table, seat, choices.TOURNAMENT, words, link, path)


# --- to addresses that may not be confirmed yet --------------------------------------------------


def invite(table: Table, seat: Seat, host: str, address: str, words: str) -> None:
    """Invite a friend by e-mail, or raise an error. The link names the address it was sent to."""
    addresses.check_unasked(address)
    mail_text = texts.invitation(table, host, _invitation(table, seat, address), words)
    write(site_url.of_table(table), address, mail_text, language(), seat)


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
    write(site, contact.address, texts.confirmation(link), contact.language)


def renew_passwords(site: str, address: str, links: Mapping[str, str]) -> None:
    """Send an address the reset links of its accounts, by name, unless it has reached its limit."""
    with suppress(BrassError):
        addresses.check_unasked(address)
        write(site, address, texts.new_passwords(links), language())


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


def _notify(
    table: Table,
    seat: Seat,
    event: str,
    mail_text: Callable[[], MailText],
    link: str,
    path: str = "",
) -> None:
    """Notify the player of a seat, by the ways they have chosen."""
    _by_mail(table, seat, event, mail_text)
    deliveries.announce(event, table, seat, _notice(table, seat, mail_text, link, path))


def _by_mail(table: Table, seat: Seat, event: str, mail_text: Callable[[], MailText]) -> None:
    """E-mail the player of a seat in their language, if they want it."""
    contact = reached_at(table, seat.holder)
    if contact is None:
        return
    chosen, now = choices.of(seat.holder), database.now()
    if not choices.wants(chosen, event, choices.MAIL):
        return
    site = site_url.of_table(table)
    with speaking(contact.language):
        found = mail_text()
        if moment := held.until(chosen, event, table, now):
            held.hold(table, seat, event, found, site, moment)
        else:
            write(site, contact.address, found, contact.language)


def _notice(
    table: Table,
    seat: Seat | None,
    mail_text: Callable[[], MailText],
    link: str = "",
    path: str = "",
) -> Callable[[], Notice]:
    """The same words without the link, which opens a seat for anyone who has it."""

    def words() -> Notice:
        found = mail_text()
        return Notice(
            title=found.subject,
            text=found.without(link),
            path=path or reverse("table", args=[table.id]),
            site=site_url.of_table(table),
            edition=table.edition,
            player=seat.name if seat else "",
        )

    return words
