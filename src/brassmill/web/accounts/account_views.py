"""The account page: games, statistics and settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.accounts import accounts
from brassmill.web.accounts.accounts import Address, Refused
from brassmill.web.accounts.confirming import ask_to_confirm, is_to_confirm, typed_address
from brassmill.web.accounts.stats import results_of
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.visitor import NAME
from brassmill.web.mail import addresses, queue
from brassmill.web.models import Account
from brassmill.web.page.game_list import games_of
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.tournaments.page import own

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
            **accounts.address_of(account)._asdict(),
            "since": account.user.date_joined.isoformat(timespec="seconds"),
            "scores": [score.as_dict() for score in results_of(account.key)],
            "unfinished": [game.as_dict() for game in unfinished],
            "finished": [game.as_dict() for game in finished],
        }
    )


def page(
    request: HttpRequest,
    account: Account,
    faults: dict[str, str] | None = None,
    note: str = "",
    name: str = "",
    address: Address | None = None,
) -> HttpResponse:
    """Render the page with what was typed and any errors."""
    unfinished, finished = games_of(account.key)
    context = {
        "account": account,
        "scores": results_of(account.key),
        "unfinished": unfinished,
        "finished": finished,
        "tournaments": own(account),
        "faults": faults or {},
        "note": note,
        "name": name or account.name,
        "address": address or accounts.address_of(account),
        "is_to_confirm": is_to_confirm(account.key),
        "kept": queue.kept(),
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
    name, address = request.POST.get("name", ""), typed_address(request.POST)
    faults = password_faults(request, account, "present")
    asks = not faults and is_to_ask(account, address)
    if asks and blocks.is_blocked(request):
        return blocked(request)
    if asks and not rate_limit.is_allowed(request, rate_limit.MAILS):
        return too_often(request)
    try:
        if not faults:
            with transaction.atomic():
                accounts.change(account, name, address)
                if asks:
                    ask_to_confirm(request, account.key)
    except Refused as refused:
        faults = refused.faults
    except BrassError as refused:
        faults = {"address": str(refused)}
    if faults:
        return page(request, Account.objects.get(pk=account.pk), faults, name=name, address=address)
    request.session[NAME] = account.name
    return page(request, account, note=_("Your name and e-mail address have been saved."))


def is_to_ask(account: Account, address: Address) -> bool:
    """Must the reader of a typed address confirm it? Only if it is to get e-mails about games."""
    before = accounts.address_of(account)
    if not address.address or not address.wants_mail:
        return False
    is_changed = address._replace(resets=before.resets) != before
    return is_changed and not addresses.is_confirmed(account.key, address.address)


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
