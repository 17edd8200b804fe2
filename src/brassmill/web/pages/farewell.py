"""Taking along all that is kept of you, and deleting the account."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.language import gettext as _
from brassmill.web import farewell, limits
from brassmill.web.export import export_of
from brassmill.web.models import Account
from brassmill.web.pages.account import for_account, is_meant
from brassmill.web.pages.entrance import when_ready
from brassmill.web.pages.errors import too_often


@require_POST
@when_ready
@for_account
def export(request: HttpRequest, account: Account) -> HttpResponse:
    """All that is kept of you, as one file."""
    if not limits.is_allowed(request, limits.EXPORTS):
        return too_often(request)
    response = JsonResponse(export_of(account), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = 'attachment; filename="brassmill.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@when_ready
@for_account
def delete(request: HttpRequest, account: Account) -> HttpResponse:
    """What goes and what stays; with the password, it is done."""
    faults = {}
    if request.method == "POST":
        if not limits.is_allowed(request, limits.SIGN_INS):
            return too_often(request)
        faults = is_meant(request, account, "present")
        if account.user.is_staff:  # what was done in the office is written down with his name
            faults = {"present": _("Who runs the server cannot delete this account here.")}
        if not faults:
            context = {"name": account.name, "stayed": farewell.delete(account)}
            logout(request)
            return render(request, "account-deleted.html", context)
    context = {"account": account, "faults": faults}
    return render(request, "account-delete.html", context, status=422 if faults else 200)
