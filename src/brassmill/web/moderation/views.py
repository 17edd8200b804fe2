"""Report a player from their profile or from a table, and read the answers."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import PlayerReport, RatedPlayer, Seat, Table
from brassmill.web.moderation import player_reports
from brassmill.web.moderation.player_reports import REASONS
from brassmill.web.server.errors import error, too_often
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.views import numbers


@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def report_at_table(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Ask whom at a table, and why; a POST reports them."""
    own = visitor(request)
    seats = [seat for seat in session.seats if seat.holder not in ("", own)]
    back = reverse("table", args=[session.table.id])
    if not seats:
        return redirect(back)
    chosen = next(iter(numbers(request.POST.get("seat", request.GET.get("seat", "")))), -1)
    seat = next((seat for seat in seats if seat.number == chosen), None)
    if seat is None and request.method == "POST":  # nobody is reported in place of another
        return error(request, 409, _("Not reported"), _("This player has left the seat."))
    seat = seat or seats[0]
    return _form(request, seat.holder, seat.name, session.table, back, seats, seat)


@require_http_methods(["GET", "HEAD", "POST"])
def report_player(request: HttpRequest, number: int) -> HttpResponse:
    """Ask why; a POST reports the account."""
    found = RatedPlayer.objects.filter(pk=min(number, 2**62)).select_related("account").first()
    if found is None or found.account is None:
        raise Http404
    back = reverse("profile", args=[found.pk])
    if found.account.key == visitor(request):
        return redirect(back)
    return _form(request, found.account.key, found.account.name, None, back)


def _form(
    request: HttpRequest,
    about: str,
    name: str,
    table: Table | None,
    back: str,
    seats: list[Seat] | None = None,
    seat: Seat | None = None,
) -> HttpResponse:
    reason, text, fault = request.POST.get("reason", ""), request.POST.get("text", ""), ""
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.REPORTS):
            return too_often(request)
        try:
            player_reports.report(visitor(request), about, name, table, reason, text)
        except BrassError as refused:
            fault = str(refused)
        else:
            return redirect("reports")
    context = {
        "name": name,
        "seats": seats or [],
        "seat": seat,
        "reasons": {reason: _(words) for reason, words in REASONS.items()},
        "reason": reason,
        "text": text,
        "most": PlayerReport.LONGEST,
        "fault": fault,
        "back": back,
    }
    return render(request, "moderation/report.html", context, status=422 if fault else 200)


@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """Show one's own reports, and what the operators have answered."""
    return render(request, "moderation/reports.html", _own(visitor(request)))


def _own(key: str) -> dict[str, Any]:
    states = {
        PlayerReport.OPEN: _("waits for the operator"),
        PlayerReport.RESOLVED: _("resolved"),
        PlayerReport.DISMISSED: _("dismissed"),
    }
    found = [
        (one, _(REASONS[one.reason]), states[one.state]) for one in player_reports.read_all(key)
    ]
    return {"reports": found}
