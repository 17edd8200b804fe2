"""Sign-up, sign-in, sign-out and password reset."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.accounts import accounts
from brassmill.web.accounts.accounts import Address, Refused
from brassmill.web.accounts.confirming import (
    ask_to_confirm,
    is_to_confirm,
    may_send,
    typed_address,
)
from brassmill.web.identity import networks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.names import login_of
from brassmill.web.identity.visitor import NAME, PLAYED, VISITOR
from brassmill.web.lobby.home_views import own_address
from brassmill.web.mail import addresses, notifications, queue
from brassmill.web.models import Account
from brassmill.web.page.game_list import tables_of
from brassmill.web.server import site_url
from brassmill.web.server.errors import too_often


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account and sign in to it."""
    if account_of(request):
        return redirect("account")
    sent, faults = request.POST, {}
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.SIGN_UPS):
            return too_often(request)
        try:
            account = accounts.create(
                sent.get("name", ""), sent.get("password", ""), typed_address(sent)
            )
        except Refused as refused:
            faults = refused.faults
        else:
            entered = enter(request, account.user)
            if is_to_confirm(account.key) and may_send(request):
                with suppress(BrassError):  # the settings say that it is not confirmed
                    ask_to_confirm(request, account.key)
            return entered
    return page(
        request,
        "accounts/sign_up.html",
        faults,
        name=sent.get("name", request.session.get(NAME, "")),
        address=typed_address(sent) if sent else address_before(request),
    )


def address_before(request: HttpRequest) -> Address:
    """Return the address that this browser gave for its games."""
    contact = addresses.of(request.session.get(VISITOR, "-"))
    wants_mail = bool(contact.address) and contact.wants_mail
    return Address(contact.address, resets=True, wants_mail=wants_mail)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by name and password, without revealing whether the name exists."""
    if account_of(request):
        return redirect("account")
    sent, faults = request.POST, {}
    if request.method == "POST":
        known = login_of(sent.get("name", ""))
        aim = networks.aim_of(request, known)
        if not rate_limit.is_allowed(request, rate_limit.SIGN_INS, aim):
            return too_often(request)
        # Take as long for an unknown name as for a wrong password.
        user = authenticate(request, username=known, password=sent.get("password", ""))
        if user is not None:
            return enter(request, user)
        faults = {"password": _("Wrong name or password.")}
    return page(request, "accounts/sign_in.html", faults, name=sent.get("name", ""))


def enter(request: HttpRequest, user: Any) -> HttpResponseRedirect:
    """Sign in, take over what this browser did as a visitor, and continue where it was."""
    wanted = own_address(request, request.POST.get("next", ""), "account")
    before = request.session.pop(VISITOR, "")
    login(request, user, "django.contrib.auth.backends.ModelBackend")
    if before:
        accounts.adopt(user.account, before)
    request.session[NAME] = user.account.name
    return HttpResponseRedirect(wanted)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; this browser becomes a new visitor."""
    played = request.session.get(PLAYED, "")
    logout(request)
    if played:  # nobody plays the same deal again because they have signed out
        request.session[PLAYED] = played
    return redirect("home")


def page(request: HttpRequest, template: str, faults: dict[str, str], **more: Any) -> HttpResponse:
    """Render a form with what was typed and any errors; passwords must be typed again."""
    context = {
        "faults": faults,
        "sent": request.POST,
        "next": own_address(request, request.POST.get("next", request.GET.get("next", "")), "home"),
        "games": tables_of(request.session.get(VISITOR, "-")).count(),
        **more,
    }
    return render(request, template, context, status=422 if faults else 200)


# --- password reset ------------------------------------------------------------------------------


def users_of(address: str) -> list[User]:
    """Return the users of an address; never staff, who use `brass admin superuser` instead."""
    users = PasswordResetForm().get_users(address)
    return [user for user in users if hasattr(user, "account") and not user.is_staff]


def send_links(site: str, address: str) -> None:
    """Send one e-mail with a link for each account of the address.

    Addresses that differ in case, or only look alike to the database, may be different mailboxes:
    each gets the links of its own accounts.
    """
    links: dict[str, dict[str, str]] = defaultdict(dict)
    for user in users_of(address):
        links[user.email][user.account.name] = site + link_of(user)
    for mailbox, own in links.items():
        notifications.renew_passwords(site, mailbox, own)


def link_of(user: User) -> str:
    """Return the link to choose a new password."""
    known = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset", args=[known, default_token_generator.make_token(user)])


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a reset e-mail; the answer is the same whether or not the address is known.

    So is the time it takes, because the address is looked up later.
    """
    address, faults, is_sent = request.POST.get("address", "").strip(), {}, False
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.RESETS, address.casefold()):
            return too_often(request)
        site = site_url.of_request(request)
        if not site:
            fault = _("This server does not know its own address, so it cannot send e-mail.")
        elif not address:
            fault = _("Enter your e-mail address.")
        else:
            fault = accounts.address_fault(address)
        if fault:
            faults = {"address": fault}
        else:
            queue.write_later(partial(send_links, site, address))
            is_sent = True
    more = {"address": address, "is_sent": is_sent, "kept": queue.kept()}
    return page(request, "accounts/forgotten_password.html", faults, **more)


@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, user: str, token: str) -> HttpResponse:
    """Choose a new password by an e-mailed link, and sign in.

    Opening the link changes nothing.
    """
    found = account_by(user)
    if found is None or not default_token_generator.check_token(found.user, token):
        return page(request, "accounts/new_password.html", {}, account=None)
    faults = {}
    if request.method == "POST":
        try:
            accounts.change_password(found, request.POST.get("password", ""))
        except Refused as refused:
            faults = refused.faults
        else:
            addresses.confirm(found.key, found.user.email)  # they have read the e-mail
            return enter(request, found.user)
    return page(request, "accounts/new_password.html", faults, account=found)


def account_by(encoded: str) -> Account | None:
    """Return the account named in the link."""
    try:
        number = int(urlsafe_base64_decode(encoded))
    except ValueError:
        return None
    if not 0 < number < 2**31:  # the largest key in the database
        return None
    return Account.objects.select_related("user").filter(user=number).first()
