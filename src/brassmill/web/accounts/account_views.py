"""The page of an account: games, scores, and what can be changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from brassmill.language import gettext as _
from brassmill.web.accounts import accounts
from brassmill.web.accounts.accounts import Refused
from brassmill.web.accounts.stats import scores_of
from brassmill.web.identity import rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.visitor import NAME
from brassmill.web.models import Account
from brassmill.web.page.game_list import games_of
from brassmill.web.server.errors import error, too_often

Page = Callable[..., HttpResponse]


def for_account(page: Page) -> Page:
    """A page for who is signed in; anybody else is asked to."""

    @wraps(page)
    def answer(request: HttpRequest, **options: Any) -> HttpResponse:
        account = account_of(request)
        if account:
            return page(request, account, **options)
        if options.get("as_json"):
            return error(request, 401, _("Sign in"), _("Sign in to use this."))
        asked = urlencode({"next": request.path if request.method == "GET" else reverse("account")})
        return redirect(f"{reverse('sign_in')}?{asked}")

    return answer


@require_safe
@for_account
def account(request: HttpRequest, account: Account, as_json: bool = False) -> HttpResponse:
    """Your games, how you have done, and what can be changed."""
    if not as_json:
        return page(request, account)
    unfinished, finished = games_of(account.key)
    return JsonResponse(
        {
            "name": account.name,
            "address": account.user.email,
            "since": account.user.date_joined.isoformat(timespec="seconds"),
            "scores": [score.as_dict() for score in scores_of(account.key)],
            "unfinished": [game.as_dict() for game in unfinished],
            "finished": [game.as_dict() for game in finished],
        }
    )


def page(
    request: HttpRequest,
    account: Account,
    faults: dict[str, str] | None = None,
    note: str = "",
    **sent: str,
) -> HttpResponse:
    """The page, with what was typed and what is wrong with it."""
    unfinished, finished = games_of(account.key)
    context = {
        "account": account,
        "scores": scores_of(account.key),
        "unfinished": unfinished,
        "finished": finished,
        "faults": faults or {},
        "note": note,
        "sent": {"name": account.name, "address": account.user.email, **sent},
    }
    return render(request, "accounts/account.html", context, status=422 if faults else 200)


# --- what can be changed -------------------------------------------------------------------------


def is_meant(request: HttpRequest, account: Account, field: str) -> dict[str, str]:
    """A password that is asked again; nothing is wrong if it is right."""
    if account.user.check_password(request.POST.get(field, "")):
        return {}
    return {field: _("That password is wrong.")}


@require_POST
@for_account
def details(request: HttpRequest, account: Account) -> HttpResponse:
    """Another name or address; who has only found the browser open cannot."""
    if not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
        return too_often(request)
    sent = {field: request.POST.get(field, "") for field in ("name", "address")}
    faults = is_meant(request, account, "present")
    try:
        if not faults:
            accounts.change(account, **sent)
    except Refused as refused:
        faults = refused.faults
    if faults:
        return page(request, Account.objects.get(pk=account.pk), faults, **sent)
    request.session[NAME] = account.name
    return page(request, account, note=_("Your name and address are saved."))


@require_POST
@for_account
def password(request: HttpRequest, account: Account) -> HttpResponse:
    """Another password: all other browsers are signed out."""
    if not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
        return too_often(request)
    faults = is_meant(request, account, "old")
    try:
        if not faults:
            accounts.change_password(account, request.POST.get("password", ""))
    except Refused as refused:
        faults = refused.faults
    if faults:
        return page(request, account, faults)
    login(request, account.user)
    request.session[NAME] = account.name
    return page(
        request, account, note=_("Your password is changed. Other browsers are signed out.")
    )
