"""Invitations: links to seats, and the waiting room."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.visitor import NAME, visitor
from brassmill.web.lobby import move_seat
from brassmill.web.mail import addresses, notifications, queue
from brassmill.web.models import Seat, Table
from brassmill.web.page.game_list import listed
from brassmill.web.server import site_url
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.setup import seat_links
from brassmill.web.setup.host import host_name
from brassmill.web.setup.membership import may_enter
from brassmill.web.table import repair, sessions, waiting_room
from brassmill.web.table.guards import Page, with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import held_by
from brassmill.web.table.views import answered, numbers, shown

NO_SEAT = N_("It may be mistyped, or the host has made a new one. Ask the host for the new link.")

# --- seat links ----------------------------------------------------------------------------------


def by_link(page: Page) -> Page:
    """Wrap a page opened by a seat link: GET changes nothing, POST is rate limited."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(page)
    def answer(request: HttpRequest, token: str) -> HttpResponse:
        if request.method == "POST" and not rate_limit.is_allowed(request, rate_limit.SEATS):
            return too_often(request)
        return page(request, token)

    return answer


@by_link
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; a POST takes the seat."""
    if request.method == "POST" and blocks.is_blocked(request):
        return blocked(request)
    try:
        seat = seat_links.invited(token)
    except seat_links.NoLink:
        return dead(request)
    key = visitor(request)
    if not may_enter(seat.table, [seat], key):
        return dead(request)
    if seat.holder == key:
        return redirect("table", seat.table_id)
    status = 409 if request.method == "POST" else 200  # the seat cannot be taken
    if not (seat.is_open or seat.offered):
        words = _("This link has been used. You can watch, or ask for a new link.")
        return card(request, seat, _("This seat is taken"), words, status)
    if seat.table.seats.filter(holder=key).exists():
        words = _(
            "You already have a seat here. Send the link to a friend, or open it in "
            "another browser."
        )
        return card(request, seat, _("This seat is for a friend"), words, status)
    if seat.table.rated and not account_of(request):
        words = _("This game is rated: sign in to take the seat, or create an account.")
        way_on = f"{reverse('sign_in')}?{urlencode({'next': request.get_full_path()})}"
        return card(request, seat, _invites(seat), words, status, sign_in_at=way_on)
    name, fault = request.session.get(NAME, ""), ""
    mailed_to = seat_links.address_of(seat, request.GET.get("to", ""))
    if not addresses.may_become(key, mailed_to):
        mailed_to = ""
    if request.method == "POST":
        name = request.POST.get("name", "")
        try:
            repair.take_over(seat, key, name) if seat.offered else waiting_room.take(
                seat, key, name
            )
        except BrassError as refused:
            fault = str(refused)
        else:
            request.session[NAME] = " ".join(name.split())
            if mailed_to and request.POST.get("tell") == "yes":
                # They opened the link from their e-mail, so the address is confirmed.
                addresses.keep(key, mailed_to, confirmed=True)
            return redirect("table", seat.table_id)
    words = _("Enter your name and take the seat. The game starts when every seat is taken.")
    if seat.offered:
        words = _("Enter your name and take over from {name} where the game stands.").format(
            name=seat.name
        )
    return card(
        request,
        seat,
        _invites(seat),
        words,
        status=422 if fault else 200,
        asks="name",
        button=_("Take this seat"),
        name=name,
        fault=fault,
        mailed_to=mailed_to,
    )


@require_POST
def join_json(request: HttpRequest, token: str) -> HttpResponse:
    """Take a seat, and say at which table."""
    if not rate_limit.is_allowed(request, rate_limit.SEATS):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        seat = seat_links.invited(token)
        if not may_enter(seat.table, [seat], visitor(request)):
            raise seat_links.NoLink
        if seat.holder != visitor(request):
            waiting_room.take(seat, visitor(request), request.POST.get("name", ""))
    except seat_links.NoLink:
        return error(request, 404, _("This link does not lead to a seat"), _(NO_SEAT))
    except BrassError as refused:
        return error(request, 409, _("Seat not taken"), str(refused))
    return JsonResponse({"table": seat.table_id, "seat": seat.number})


def _invites(seat: Seat) -> str:
    """Say who invites; a seat in a running game is offered by the operator."""
    name = "" if seat.offered else host_name(seat.table, seat.table.seats.all())
    return _("{name} invites you").format(name=name) if name else _("You are invited to a game")


def card(
    request: HttpRequest, seat: Seat, heading: str, words: str, status: int = 200, **more: Any
) -> HttpResponse:
    """Describe a seat to the person who opens its link."""
    context = {
        "heading": heading,
        "words": words,
        "game": listed(seat.table, visitor(request)),
        "seat": seat.number,
        "picture": seat.table.edition,
        "asks": "",
        "mailed_to": "",
        "can_sign_in": False,
        "sign_in_at": "",
        **more,
    }
    return render(request, "lobby/invitation.html", context, status=status)


def dead(request: HttpRequest, words: str = "") -> HttpResponse:
    """Answer a dead link without saying where it led."""
    context = {
        "heading": _("This link does not lead to a seat"),
        "words": words or _(NO_SEAT),
        "game": None,
        "picture": "midlands",
        "asks": "",
        "can_sign_in": False,
        "sign_in_at": "",
    }
    return render(request, "lobby/invitation.html", context, status=404)


# --- another device ------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def device(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show this browser's seats; a POST creates the link that moves one of them."""
    held = held_by(session, visitor(request))
    if not held or _is_personal(session.table) or session.table.day is not None:
        return redirect("table", session.table.id)
    link, seat = "", None
    for number in numbers(request.POST.get("seat", ""))[:1]:
        if number in held:
            seat = session.seats[number]
            token = seat_links.handover(move_seat.offer(seat))
            link = request.build_absolute_uri(reverse("move", args=[token]))
    context = {
        "table": session.table,
        "seats": [session.seats[number] for number in held],
        "seat": seat,
        "link": link,
        "minutes": int(seat_links.LASTING.total_seconds()) // 60,
    }
    return render(request, "lobby/move_seat.html", context)


def _is_personal(table: Table) -> bool:
    """Is the rated result, the membership or the place in a tournament the player's own?"""
    return bool(table.rated or table.club_id or table.tournament)


@by_link
def move(request: HttpRequest, token: str) -> HttpResponse:
    """Open such a link on the other device."""
    try:
        seat = seat_links.handed_over(token)
        if seat.holder != visitor(request):
            return bring(request, seat)
    except seat_links.NoLink:
        words = _(
            "This link has been used or has expired. Make another one on the device you play "
            "on: Menu, Continue on another device."
        )
        return dead(request, words)
    words = _("Open the link on the other device within {minutes} minutes.")
    minutes = int(seat_links.LASTING.total_seconds()) // 60
    heading = _("You already play this seat here")
    return card(request, seat, heading, words.format(minutes=minutes))


@by_link
def seat(request: HttpRequest, token: str) -> HttpResponse:
    """Open a seat link from an e-mail.

    It leads to the table, or on another device to the button that moves the seat.
    """
    try:
        found = seat_links.by_mail(token)
        if found.holder != visitor(request):
            return bring(request, found, by_mail=True)
    except seat_links.Moved as moved:
        if moved.seat.holder != visitor(request):
            return used_up(request, moved.seat)
        found = moved.seat  # this browser has it now
    except seat_links.NoLink:
        return dead(request, _("It is mistyped or has expired. A newer e-mail has a working link."))
    return redirect("table", found.table_id)


def used_up(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Return where to go when an e-mailed link has lost its seat to another device."""
    words = _("You no longer hold this seat. You can watch here.")
    if seat.holder:
        words = _(
            "This seat has moved to another device. Play there, or make a link there to bring "
            "it back here: Menu, Continue on another device. You can watch here."
        )
    if not account_of(request):
        words += " " + _("If you play with an account, sign in.")
    return card(request, seat, _("This link has been used"), words, status=404, can_sign_in=True)


def bring(request: HttpRequest, seat: Seat, *, by_mail: bool = False) -> HttpResponse:
    """Show the button that moves a seat to this browser; a POST moves it."""
    if _is_personal(seat.table):
        words = _("Sign in with the account that plays this game.")
        return card(request, seat, _("Continue on this device"), words, 403, can_sign_in=True)
    if request.method == "POST":
        move_seat.accept(seat, visitor(request), by_mail=by_mail)
        request.session[NAME] = seat.name
        return redirect("table", seat.table_id)
    return card(
        request,
        seat,
        _("Continue here as {name}").format(name=seat.name),
        _("The seat moves to this browser. The other one can then only watch."),
        asks="nothing",
        button=_("Move the seat here"),
    )


# --- waiting room --------------------------------------------------------------------------------


@require_POST
@with_session
def gather(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Host only: renew a link, free a seat, allow hints, play casually, or fill with bots."""
    table, note = session.table, ""
    try:
        if table.host != visitor(request):
            raise BrassError(_("Only the host can do that."))
        for name, do in (("renew", waiting_room.renew), ("free", waiting_room.free)):
            for number in numbers(request.POST.get(name, ""))[:1]:
                do(table, number)
        if (hints := request.POST.get("hints")) in ("yes", "no"):
            waiting_room.allow_hints(table, hints == "yes")
        if "casual" in request.POST:
            waiting_room.make_casual(table)
        if "fill" in request.POST:
            waiting_room.fill(table)
    except BrassError as refused:
        note = str(refused)
    return answered(request, sessions.get(table.id), note)  # in its new state


@require_POST
@with_session
def invite(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Send a friend the link to a seat by e-mail; only the host can."""
    table, key, note, sent = session.table, visitor(request), "", ""
    if not rate_limit.is_allowed(request, rate_limit.REJECTED):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        if table.host != key:
            raise BrassError(_("Only the host can do that."))
        if not settings.MAIL_INVITATIONS:
            raise BrassError(
                _("This server sends no invitations by e-mail: copy the link instead.")
            )
        if not site_url.of_table(table):
            raise BrassError(
                _("This server does not know its own address, so it cannot send e-mail.")
            )
        address = queue.address_in(request.POST.get("address", ""))
        words = waiting_room.words_in(request.POST.get("words", ""))
        if words and not addresses.may_write_words(request):
            raise BrassError(_("Sign in and confirm your e-mail address to add your own message."))
        place = waiting_room.open_seat(table, request.POST.get("seat", ""))
        host = host_name(table, session.seats) or _("Someone")
        # Only now: otherwise anyone could use up what the whole site may send.
        if not rate_limit.is_allowed(request, rate_limit.INVITATIONS):
            return too_often(request)
        notifications.invite(table, place, host, address, words)
        if kept := queue.kept():
            note = " ".join([kept, _("Copy the link and send it yourself.")])
        else:
            sent = _("The invitation to {address} is on its way.").format(address=address)
    except BrassError as refused:
        note = str(refused)
    return shown(request, session, note, sent)
