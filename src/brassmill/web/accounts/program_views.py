"""The page on which an account is marked as a program's, and its tokens are managed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.accounts import programs as marking
from brassmill.web.accounts.account_views import for_account, password_faults
from brassmill.web.identity import rate_limit, tokens
from brassmill.web.models import Account
from brassmill.web.server.errors import too_often
from brassmill.web.server.scopes import LOBBY, PLAY, READ
from brassmill.web.table.views import numbers


@require_safe
@for_account
def programs(request: HttpRequest, account: Account) -> HttpResponse:
    """Show whether a program plays with the account, and its tokens."""
    return page(request, account)


@require_POST
@for_account
def mark(request: HttpRequest, account: Account) -> HttpResponse:
    """Mark the account as a program's, for good."""
    if not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
        return too_often(request)
    faults = password_faults(request, account, "present")
    try:
        if not faults:
            marking.mark(account)
    except BrassError as refused:
        faults = {"mark": str(refused)}
    return page(request, account, faults) if faults else redirect("programs")


@require_POST
@for_account
def make_token(request: HttpRequest, account: Account) -> HttpResponse:
    """Make a token, and show it this once."""
    is_allowed = rate_limit.is_allowed(request, rate_limit.TOKENS)
    if not is_allowed or not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
        return too_often(request)
    name, scopes = request.POST.get("name", ""), request.POST.getlist("scope")
    faults, made = password_faults(request, account, "present"), ""
    try:
        if not faults:
            made = tokens.make(account, name, scopes)
    except BrassError as refused:
        faults = {"token": str(refused)}
    if made:
        return page(request, account, made=made)
    return page(request, account, faults, name=name, chosen=scopes)


@require_POST
@for_account
def revoke(request: HttpRequest, account: Account) -> HttpResponse:
    """Revoke a token."""
    for number in numbers(request.POST.get("number", ""))[:1]:
        tokens.revoke(account, number)
    return redirect("programs")


def page(
    request: HttpRequest,
    account: Account,
    faults: dict[str, str] | None = None,
    made: str = "",
    name: str = "",
    chosen: list[str] | None = None,
) -> HttpResponse:
    """Render the page with what was typed, any errors, and a token that was just made."""
    context = {
        "account": account,
        "tokens": [
            (token, [_(tokens.SCOPES[scope]) for scope in token.scopes.split()])
            for token in account.tokens.all()
        ],
        "scopes": {scope: _(words) for scope, words in tokens.SCOPES.items()},
        "chosen": [READ, PLAY, LOBBY] if chosen is None else chosen,
        "faults": faults or {},
        "made": made,
        "name": name,
    }
    return render(request, "accounts/programs.html", context, status=422 if faults else 200)
