"""The pages of tournaments, and joining and leaving one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe
from markupsafe import Markup

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.svg.chart import Axis, LineChart, Series, picture
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.models import Archive, Tournament
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.table.archive import named
from brassmill.web.tournaments import entrants, page
from brassmill.web.tournaments.organising import organiser_fault
from brassmill.web.tournaments.state import State, state_of

WIDE, NARROW = 900, 340  # of the chart


@require_safe
def tournaments(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """Tournaments to join, running and over, and one's own."""
    account = account_of(request)
    found = {"own": page.own(account), **page.lists(account)}
    if as_json:
        return JsonResponse({kind: [row.as_dict() for row in rows] for kind, rows in found.items()})
    return render(request, "tournaments/tournaments.html", {"lists": found})


@require_safe
def tournament(request: HttpRequest, id: str, as_json: bool = False) -> HttpResponse:  # noqa: A002 (the address says so)
    """A tournament: its standings, rounds and cross table."""
    return shown(request, get_object_or_404(Tournament, pk=id), as_json=as_json)


def shown(
    request: HttpRequest,
    found: Tournament,
    note: str = "",
    status: int = 200,
    as_json: bool = False,
) -> HttpResponse:
    """The page of a tournament; the note says what was refused."""
    state = state_of(found)
    made = page.page_of(state, account_of(request))
    if as_json:
        return JsonResponse(made.as_dict())
    context = {
        "page": made,
        "note": note,
        "charts": _charts(state) if len(made.rounds) > 1 else {},
        "signed_in": account_of(request) is not None,
    }
    return render(request, "tournaments/tournament.html", context, status=status)


def _charts(state: State) -> dict[str, Markup]:
    """The points of the first players, round by round, for two widths."""
    curves = page.curves_of(state)
    chart = LineChart(
        _("Points after each round"),
        [Series(name, points, number) for number, (name, points) in enumerate(curves)],
        Axis(_("round"), whole=True),
        Axis(whole=True),
        "",
    )
    return {
        screen: Markup(picture(chart, width, headed=False).document(None))
        for screen, width in (("wide", WIDE), ("narrow", NARROW))
    }


@require_safe
def tournament_games(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """All finished games of a tournament that everyone may see, as one file."""
    if not rate_limit.is_allowed(request, rate_limit.SELECTIONS):
        return too_often(request)
    state = state_of(get_object_or_404(Tournament, pk=id))
    tables = [
        each.table
        for each in state.tables
        if each.table and each.table.over and not each.table.held
    ]
    kept = dict(Archive.objects.filter(pk__in=tables).values_list("pk", "record"))
    texts = [
        named(kept[table.pk], [seat.name for seat in table.seats.all()]).rstrip()
        for table in tables
        if kept.get(table.pk)
    ]
    return HttpResponse(
        "".join(f"{text}\n\n" for text in texts),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="tournament.brass"'},
    )


@require_POST
def join_tournament(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Join a tournament."""
    found = get_object_or_404(Tournament, pk=id)
    account = account_of(request)
    address = reverse("tournament", args=[found.pk])
    if account is None:
        return redirect(f"{reverse('sign_in')}?{urlencode({'next': address})}")
    if not rate_limit.is_allowed(request, rate_limit.ENTRIES):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        entrants.join(found, account)
    except BrassError as refused:
        return shown(request, found, str(refused), status=409)
    return redirect(address)


@require_POST
def leave_tournament(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Leave a tournament."""
    found = get_object_or_404(Tournament, pk=id)
    account = account_of(request)
    if account is None:
        return error(request, 403, _("Sign in"), organiser_fault(None))
    if not rate_limit.is_allowed(request, rate_limit.ENTRIES):
        return too_often(request)
    try:
        entrants.leave(found, account)
    except BrassError as refused:
        return shown(request, found, str(refused), status=409)
    return redirect("tournament", found.pk)
