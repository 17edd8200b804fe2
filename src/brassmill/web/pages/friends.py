"""Friends at a table: links to their seats, and the waiting room."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web import (
    blocks,
    contacts,
    desks,
    gathering,
    handover,
    limits,
    links,
    notices,
    origin,
    post,
    repairs,
)
from brassmill.web.access import held_by, visitor
from brassmill.web.desk import Desk
from brassmill.web.games import listed
from brassmill.web.models import Seat
from brassmill.web.pages.entrance import Page, at_desk
from brassmill.web.pages.errors import blocked, too_often
from brassmill.web.pages.home import NAME
from brassmill.web.pages.table import answered, numbers, shown
from brassmill.web.signing import account_of

# --- by a link -----------------------------------------------------------------------------------


def by_link(page: Page) -> Page:
    """A page that a link to a seat leads to: to look at it changes nothing, answers are counted."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(page)
    def answer(request: HttpRequest, token: str) -> HttpResponse:
        if request.method == "POST" and not limits.is_allowed(request, limits.SEATS):
            return too_often(request)
        return page(request, token)

    return answer


@by_link
def join(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation: to answer it takes the seat."""
    if request.method == "POST" and blocks.is_blocked(request):
        return blocked(request)
    try:
        seat = links.invited(token)
    except links.NoLink:
        return dead(request)
    key = visitor(request)
    if seat.holder == key:
        return redirect("table", seat.table_id)
    status = 409 if request.method == "POST" else 200  # where it cannot be taken
    if not (seat.is_open or seat.offered):
        words = _("The link was used already. You can watch, or ask who sent it for another.")
        return card(request, seat, _("This seat is taken"), words, status)
    if seat.table.seats.filter(holder=key).exists():
        words = _("You sit at this table already. Send the link on: it works in another browser.")
        return card(request, seat, _("This seat is for a friend"), words, status)
    name, fault = request.session.get(NAME, ""), ""
    mailed_to = links.address_of(seat, request.GET.get("to", ""))
    if request.method == "POST":
        name = request.POST.get("name", "")
        try:
            repairs.take_over(seat, key, name) if seat.offered else gathering.take(seat, key, name)
        except BrassError as refused:
            fault = str(refused)
        else:
            request.session[NAME] = " ".join(name.split())
            if mailed_to and request.POST.get("tell") == "yes" and not contacts.reached(key):
                # He has read the mail that brought it.
                contacts.keep(key, mailed_to, confirmed=True)
            return redirect("table", seat.table_id)
    words = _("Say who you are and sit down: the game begins when every seat is taken.")
    if seat.offered:
        words = _("Say who you are and sit down: you go on for {name}, as the game stands.").format(
            name=seat.name
        )
    return card(
        request,
        seat,
        _("You are invited to a game"),
        words,
        status=422 if fault else 200,
        asks="name",
        button=_("Take the seat"),
        name=name,
        fault=fault,
        mailed_to=mailed_to,
    )


def card(
    request: HttpRequest, seat: Seat, heading: str, words: str, status: int = 200, **more: Any
) -> HttpResponse:
    """What is said of a seat to who comes by a link."""
    context = {
        "heading": heading,
        "words": words,
        "game": listed(seat.table, visitor(request)),
        "seat": seat.number,
        "picture": seat.table.edition,
        "asks": "",
        "mailed_to": "",
        "can_sign_in": False,
        **more,
    }
    return render(request, "join.html", context, status=status)


def dead(request: HttpRequest, words: str = "") -> HttpResponse:
    """A link that leads nowhere says nothing of where it led."""
    context = {
        "heading": _("This link leads to no seat"),
        "words": words or _("It may be mistyped, or the host has made a new one: ask for that."),
        "game": None,
        "picture": "midlands",
        "asks": "",
        "can_sign_in": False,
    }
    return render(request, "join.html", context, status=404)


# --- to another device ---------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk
def device(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The seats of this browser; a link that moves one of them is made by a post."""
    held = held_by(desk, visitor(request))
    if not held:
        return redirect("table", desk.table.id)
    link, seat = "", None
    for number in numbers(request.POST.get("seat", ""))[:1]:
        if number in held:
            seat = desk.seats[number]
            token = links.handover(handover.offer(seat))
            link = request.build_absolute_uri(reverse("move", args=[token]))
    context = {
        "table": desk.table,
        "seats": [desk.seats[number] for number in held],
        "seat": seat,
        "link": link,
        "minutes": int(links.LASTING.total_seconds()) // 60,
    }
    return render(request, "device.html", context)


@by_link
def move(request: HttpRequest, token: str) -> HttpResponse:
    """The other end of that link."""
    try:
        seat = links.handed_over(token)
        if seat.holder != visitor(request):
            return bring(request, seat)
    except links.NoLink:
        words = _(
            "It was used already, or it is too old. On the device where you play, make another one:"
            " Menu, This seat on another device."
        )
        return dead(request, words)
    words = _("Open the link on the other device, within {minutes} minutes.")
    minutes = int(links.LASTING.total_seconds()) // 60
    heading = _("You have this seat here already")
    return card(request, seat, heading, words.format(minutes=minutes))


@by_link
def seat(request: HttpRequest, token: str) -> HttpResponse:
    """The link of a mail: to the table, or on another device to the button that brings the seat."""
    try:
        found = links.by_mail(token)
        if found.holder != visitor(request):
            return bring(request, found, by_mail=True)
    except links.Moved as moved:
        if moved.seat.holder != visitor(request):
            return used_up(request, moved.seat)
        found = moved.seat  # it has come to this browser
    except links.NoLink:
        return dead(request, _("It is mistyped or too old. A newer mail has a fresh one."))
    return redirect("table", found.table_id)


def used_up(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Where to go whose mailed link has lost its seat to another device."""
    words = _("You do not hold this seat any more. Here you can watch.")
    if seat.holder:
        words = _(
            "The seat has gone to another device since. Play on there, or make a link there that"
            " brings it here: Menu, This seat on another device. Here you can watch."
        )
    if not account_of(request):
        words += " " + _("If you play with an account, sign in.")
    return card(request, seat, _("This link was used already"), words, status=404, can_sign_in=True)


def bring(request: HttpRequest, seat: Seat, *, by_mail: bool = False) -> HttpResponse:
    """The button that brings a seat to this browser; once it is pressed, the seat is here."""
    if request.method == "POST":
        handover.accept(seat, visitor(request), by_mail=by_mail)
        request.session[NAME] = seat.name
        return redirect("table", seat.table_id)
    return card(
        request,
        seat,
        _("Play on here as {name}").format(name=seat.name),
        _("The seat comes to this browser; the one that had it can only watch then."),
        asks="nothing",
        button=_("Bring the seat here"),
    )


# --- the waiting room ----------------------------------------------------------------------------


@require_POST
@at_desk
def gather(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What only the host does: another link, a free seat, bots in all that are empty."""
    table, note = desk.table, ""
    try:
        if table.host != visitor(request):
            raise BrassError(_("Only who set the table up can do that."))
        for deed, do in (("renew", gathering.renew), ("free", gathering.free)):
            for number in numbers(request.POST.get(deed, ""))[:1]:
                do(table, number)
        if "fill" in request.POST:
            gathering.fill(table)
    except BrassError as refused:
        note = str(refused)
    return answered(request, desks.desk(table.id), note)  # as it is now


@require_POST
@at_desk
def invite(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The host sends a friend the link to a seat by mail."""
    table, key, note, sent = desk.table, visitor(request), "", ""
    if not limits.is_allowed(request, limits.LETTERS):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        if table.host != key:
            raise BrassError(_("Only who set the table up can do that."))
        if not origin.of_table(table):
            raise BrassError(_("This server does not know its own address: it sends no mails."))
        address = post.address_in(request.POST.get("address", ""))
        words = gathering.words_in(request.POST.get("words", ""))
        place = gathering.open_seat(table, request.POST.get("seat", ""))
        host = next((seat.name for seat in desk.seats if seat.holder == key), _("Somebody"))
        notices.invite(table, place, host, address, words)
        if kept := post.kept(request):
            note = " ".join([kept, _("Copy the link and send it yourself.")])
        else:
            sent = _("The invitation is on its way to {address}.").format(address=address)
    except BrassError as refused:
        note = str(refused)
    return shown(request, desk, note, sent)
