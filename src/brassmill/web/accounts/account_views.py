"""The account page: games, statistics and settings."""

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
    """Require a signed-in account; send anyone else to the sign-in page."""

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
    """Show your games, your results and your settings."""
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
    """Render the page with what was typed and any errors."""
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


# --- settings ------------------------------------------------------------------------------------


def password_faults(request: HttpRequest, account: Account, field: str) -> dict[str, str]:
    """Check the current password, so that an open browser alone cannot change the account."""
    if account.user.check_password(request.POST.get(field, "")):
        return {}
    return {field: _("That password is wrong.")}


@require_POST
@for_account
def details(request: HttpRequest, account: Account) -> HttpResponse:
    """Change the name or address; this needs the current password."""
    if not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
        return too_often(request)
    sent = {field: request.POST.get(field, "") for field in ("name", "address")}
    faults = password_faults(request, account, "present")
    try:
        if not faults:
            accounts.change(account, **sent)
    except Refused as refused:
        faults = refused.faults
    if faults:
        return page(request, Account.objects.get(pk=account.pk), faults, **sent)
    request.session[NAME] = account.name
    return page(request, account, note=_("Your name and e-mail address have been saved."))


@require_POST
@for_account
def password(request: HttpRequest, account: Account) -> HttpResponse:
    """Change the password and sign out all other browsers."""
    if not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
        return too_often(request)
    faults = password_faults(request, account, "old")
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
        request,
        account,
        note=_("Your password has been changed. Other browsers have been signed out."),
    )
