"""Signing up, in and out, and a password that was forgotten."""

from __future__ import annotations

from collections.abc import Iterator
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

from brassmill.language import gettext as _
from brassmill.web.accounts import accounts
from brassmill.web.accounts.accounts import Refused
from brassmill.web.identity import rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.visitor import NAME, VISITOR
from brassmill.web.lobby.home_views import own_address
from brassmill.web.mail import notifications, queue
from brassmill.web.models import Account
from brassmill.web.page.game_list import tables_of
from brassmill.web.server import site_url
from brassmill.web.server.errors import too_often


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """A new account; who has made it is signed in."""
    if account_of(request):
        return redirect("account")
    sent, faults = request.POST, {}
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.SIGN_UPS):
            return too_often(request)
        try:
            account = accounts.create(
                sent.get("name", ""), sent.get("password", ""), sent.get("address", "")
            )
        except Refused as refused:
            faults = refused.faults
        else:
            return enter(request, account.user)
    return page(
        request,
        "accounts/sign_up.html",
        faults,
        name=sent.get("name", request.session.get(NAME, "")),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """By name and password: whether there is such a name is not told."""
    if account_of(request):
        return redirect("account")
    sent, faults = request.POST, {}
    if request.method == "POST":
        known = accounts.login_of(sent.get("name", ""))
        if not rate_limit.is_allowed(request, rate_limit.SIGN_INS, known):
            return too_often(request)
        # It takes as long where there is no such name.
        user = authenticate(request, username=known, password=sent.get("password", ""))
        if user is not None:
            return enter(request, user)
        faults = {"password": _("Wrong name or password.")}
    return page(request, "accounts/sign_in.html", faults, name=sent.get("name", ""))


def enter(request: HttpRequest, user: Any) -> HttpResponseRedirect:
    """Sign in, with all that this browser had as a visitor, and go on where it was."""
    wanted = own_address(request, request.POST.get("next", ""), "account")
    before = request.session.pop(VISITOR, "")
    login(request, user, "django.contrib.auth.backends.ModelBackend")
    if before:
        accounts.adopt(user.account, before)
    request.session[NAME] = user.account.name
    return HttpResponseRedirect(wanted)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """The browser is another visitor's from now on."""
    logout(request)
    return redirect("home")


def page(request: HttpRequest, template: str, faults: dict[str, str], **more: Any) -> HttpResponse:
    """A form with what was typed, and what is wrong with it; passwords are typed anew."""
    context = {
        "faults": faults,
        "sent": request.POST,
        "next": own_address(request, request.POST.get("next", request.GET.get("next", "")), "home"),
        "games": tables_of(request.session.get(VISITOR, "-")).count(),
        **more,
    }
    return render(request, template, context, status=422 if faults else 200)


# --- a password that was forgotten ---------------------------------------------------------------


class Forgotten(PasswordResetForm):
    """Django's form, which knows whose an address is."""

    def get_users(self, email: str) -> Iterator[User]:
        """Who runs the server gets no new password by mail: `brass admin superuser` gives one."""
        users = super().get_users(email)
        return (user for user in users if hasattr(user, "account") and not user.is_staff)

    def write(self, site: str) -> None:
        """One mail, with a link for each account of the address."""
        users = list(self.get_users(self.cleaned_data["email"]))
        if users:
            links = {user.account.name: site + link_of(user) for user in users}
            notifications.renew_passwords(site, users[0].email, links)


def link_of(user: User) -> str:
    """Where another password is chosen."""
    known = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset", args=[known, default_token_generator.make_token(user)])


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a mail; the answer is the same whether there is such an address."""
    address, faults, is_sent = request.POST.get("address", "").strip(), {}, False
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.RESETS, address.casefold()):
            return too_often(request)
        form, site = Forgotten({"email": address}), site_url.of_request(request)
        fault = accounts.address_fault(address) or ("" if address else _("Enter the address."))
        if not site:
            fault = _("This server does not know its own address, so it cannot send e-mail.")
        if fault or not form.is_valid():
            faults = {"address": fault}
        else:
            form.write(site)
            is_sent = True
    kept = queue.kept(request)
    return page(
        request,
        "accounts/forgotten_password.html",
        faults,
        address=address,
        is_sent=is_sent,
        kept=kept,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, user: str, token: str) -> HttpResponse:
    """The other end of that mail: to look at it changes nothing, a new password signs in."""
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
            return enter(request, found.user)
    return page(request, "accounts/new_password.html", faults, account=found)


def account_by(encoded: str) -> Account | None:
    """The account that a mail names."""
    try:
        number = int(urlsafe_base64_decode(encoded))
    except ValueError:
        return None
    if not 0 < number < 2**31:  # a database counts no further
        return None
    return Account.objects.select_related("user").filter(user=number).first()
