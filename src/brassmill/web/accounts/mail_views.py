"""Settings of notifications: the page, a visitor's address, links from e-mails, vacation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.accounts import notifications
from brassmill.web.accounts.confirming import ask_to_confirm, is_to_confirm
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.mail import addresses, queue
from brassmill.web.mail.addresses import NoToken
from brassmill.web.models import Account, Contact
from brassmill.web.page.game_list import games_of
from brassmill.web.server import database
from brassmill.web.server.errors import blocked, too_often
from brassmill.web.table import vacation
from brassmill.web.table.views import numbers

PANELS = ("choices", "push", "webhook")  # of the settings page that may have a fault

# --- settings ------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def mails(request: HttpRequest) -> HttpResponse:
    """Show and change the visitor's address and vacation."""
    key, fault, typed = visitor(request), "", ""
    if "stop" in request.POST:
        addresses.stop(key)
    elif "forget" in request.POST:
        with transaction.atomic():
            if not _resets_password(key):
                addresses.forget(key)
    elif "address" in request.POST:
        if not rate_limit.is_allowed(request, rate_limit.MAILS):
            return too_often(request)
        if blocks.is_blocked(request):
            return blocked(request)
        typed = request.POST["address"]
        try:
            _give(request, key, typed)
        except BrassError as refused:
            fault = str(refused)
    if request.method == "POST" and not fault:
        return redirect(request.get_full_path())
    context = {**known(key), "typed": typed, "fault": fault, "away_fault": ""}
    return shown(request, context)


@require_safe
def mails_json(request: HttpRequest) -> JsonResponse:
    """Return the visitor's own settings as data."""
    return JsonResponse(known(visitor(request)))


@require_POST
def away(request: HttpRequest) -> HttpResponse:
    """Start or end a vacation."""
    if not rate_limit.is_allowed(request, rate_limit.SETTINGS):
        return too_often(request)
    key = visitor(request)
    try:
        if "back" in request.POST:
            vacation.come_back(key)
        else:
            vacation.leave(key, next(iter(numbers(request.POST.get("days", ""))), 0))
    except BrassError as refused:
        context = {**known(key), "typed": "", "fault": "", "away_fault": str(refused)}
        return shown(request, context)
    return redirect("notifications")


def _give(request: HttpRequest, key: str, typed: str) -> None:
    """Store an address and ask its reader to confirm it."""
    address = queue.address_in(typed)
    with transaction.atomic():
        if _resets_password(key) and address != addresses.of(key).address:
            fault = _("Your address also resets your password: change it in your account.")
            raise BrassError(fault)
        addresses.change(key, address, wants_mail=True)
        if is_to_confirm(key):
            ask_to_confirm(request, key, request.GET["table"] if _asking(request) else "")
            words = _("Not confirmed yet. We sent you an e-mail: open the link in it.")
            messages.success(request, words)


def _resets_password(key: str) -> bool:
    """May the address reset a password? The account is locked, so that this stays true."""
    list(Account.objects.select_for_update().filter(key=key))
    return addresses.resets_password(key)


def known(key: str) -> dict[str, Any]:
    """Return the address and vacation of a visitor."""
    contact, now = addresses.of(key), database.now()
    is_away = vacation.is_away(contact, now)
    return {
        "address": contact.address,
        "confirmed": contact.confirmed,
        "wants_mail": contact.wants_mail,
        "resets_password": addresses.resets_password(key),
        "refused": bool(contact.address) and addresses.is_refused(contact.address),
        "away_until": contact.away_until if is_away else None,
        "days_left": vacation.days_left(contact, now),
    }


def shown(
    request: HttpRequest, context: dict[str, Any], faults: Mapping[str, str] | None = None
) -> HttpResponse:
    """Show all settings of notifications, with what was wrong."""
    is_sound = not (context["fault"] or context["away_fault"] or faults)
    context |= notifications.panels(request, visitor(request)) | {
        "faults": {**dict.fromkeys(PANELS, ""), **(faults or {})}
    }
    back = _asking(request)
    said = [str(message) for message in messages.get_messages(request)]
    context |= {"back": back, "most": vacation.MOST, "said": said, "kept": queue.kept()}
    return render(request, "accounts/mails.html", context, status=200 if is_sound else 422)


def _asking(request: HttpRequest) -> str:
    """Return the table the visitor comes from, or nothing."""
    try:
        return reverse("table", args=[request.GET.get("table", "")])
    except NoReverseMatch:
        return ""


# --- links from e-mails --------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm an address with a button: a link scanner that opens the page changes nothing."""
    try:
        contact = addresses.to_confirm(token)
    except NoToken:
        return _dead(request)
    if request.method == "POST":
        contact.confirmed = contact.wants_mail = True
        contact.save(update_fields=["confirmed", "wants_mail"])
    if contact.confirmed and contact.wants_mail:
        words = _("We will e-mail {address} when it is your turn.")
        table = _asking(request) or _awaiting(request, contact)
        return _card(request, _("Done"), words.format(address=contact.address), table=table)
    return _card(
        request,
        _("E-mails about your games"),
        _("E-mail {address} when it is your turn?").format(address=contact.address),
        _("Yes, e-mail me"),
    )


def _awaiting(request: HttpRequest, contact: Contact) -> str:
    """Return the first table that waits for the owner of the confirmed address, or nothing."""
    if contact.visitor != visitor(request):  # this browser does not hold the seat
        return ""
    unfinished, _finished = games_of(contact.visitor)
    return next((reverse("table", args=[game.id]) for game in unfinished if game.your_turn), "")


@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop e-mails to an address, or allow them again."""
    try:
        address = addresses.to_stop(token)
    except NoToken:
        return _dead(request)
    if "again" in request.POST:
        addresses.allow(address)
        return _card(request, _("Done"), _("{address} gets e-mails again.").format(address=address))
    if request.method == "POST":
        addresses.refuse(address)
    if addresses.is_refused(address):
        words = _("{address} gets no more e-mails from us.").format(address=address)
        return _card(request, _("Done"), words, _("Send e-mails again"), name="again")
    return _card(
        request,
        _("Stop all e-mails?"),
        _("{address} will get no more e-mails about any game.").format(address=address),
        _("Stop e-mails"),
    )


def _card(
    request: HttpRequest,
    heading: str,
    words: str,
    button: str = "",
    name: str = "",
    table: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "heading": heading,
        "words": words,
        "button": button,
        "name": name,
        "table": table,
    }
    return render(request, "accounts/mail_link.html", context, status=status)


def _dead(request: HttpRequest) -> HttpResponse:
    words = _("The link may be incomplete or expired, or your e-mail address has changed since.")
    return _card(request, _("This link does not work"), words, status=404)
