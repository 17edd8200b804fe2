"""Download all data kept about you, and delete the account."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.language import gettext as _
from brassmill.web.accounts import deletion
from brassmill.web.accounts.account_views import for_account, password_faults
from brassmill.web.accounts.export import export_of
from brassmill.web.identity import rate_limit
from brassmill.web.models import Account
from brassmill.web.server.errors import too_often


@require_POST
@for_account
def export(request: HttpRequest, account: Account) -> HttpResponse:
    """Download everything kept about you as one file."""
    if not rate_limit.is_allowed(request, rate_limit.EXPORTS):
        return too_often(request)
    response = JsonResponse(export_of(account), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = 'attachment; filename="brassmill.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@for_account
def delete(request: HttpRequest, account: Account) -> HttpResponse:
    """Show what will be deleted and what stays; delete it once the password is given."""
    faults = {}
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.SIGN_INS):
            return too_often(request)
        faults = password_faults(request, account, "present")
        if account.user.is_staff:  # the admin log refers to the user
            faults = {"present": _("An operator's account cannot be deleted here.")}
        if not faults:
            context = {"name": account.name, "stayed": deletion.delete(account)}
            logout(request)
            return render(request, "accounts/deleted.html", context)
    context = {"account": account, "faults": faults}
    return render(request, "accounts/delete.html", context, status=422 if faults else 200)
