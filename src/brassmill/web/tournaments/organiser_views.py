"""The form of a new tournament, and what organisers decide."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from brassmill.editions import EDITIONS
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.models import Tournament
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.page.time_words import clock_words
from brassmill.web.server import database, site_url
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.setup.options import OPTION_TITLES, VALUE_WORDS
from brassmill.web.tournaments import organising
from brassmill.web.tournaments.page import STYLES
from brassmill.web.tournaments.views import shown


@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament(request: HttpRequest) -> HttpResponse:
    """The form of a new tournament; a POST makes it or shows what is wrong."""
    account, now = account_of(request), database.now()
    fault = organising.organiser_fault(account)
    if request.method != "POST":
        return _form(request, organising.usual(now), fault)
    if not rate_limit.is_allowed(request, rate_limit.TOURNAMENTS):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    given = organising.read(request.POST.dict(), now)
    if fault or account is None or given.faults:
        return _form(request, given, fault, 403 if fault else 422)
    made = organising.make(given, account, site_url.of_request(request))
    return redirect("tournament", made.pk)


def _form(
    request: HttpRequest, given: organising.Given, fault: str, status: int = 200
) -> HttpResponse:
    context = {
        "given": given,
        "fault": fault,
        "styles": [(name, _(title), _(words)) for name, (title, words) in STYLES.items()],
        "editions": [(name, title_of(name)) for name in EDITION_ORDER],
        "clocks": {name: clock_words(name) for name in CLOCKS},
        "options": _options(),
        "numbers": organising.NUMBERS,
    }
    return render(request, "tournaments/new_tournament.html", context, status=status)


def _options() -> list[tuple[str, str, list[tuple[str, str]], list[str]]]:
    """Every option: its name, title, values in words, and the games that have it."""
    found: dict[str, tuple[str, str, list[tuple[str, str]], list[str]]] = {}
    for edition in EDITIONS.values():
        for option in edition.options:
            values = [(str(value), _value_words(option.name, value)) for value in option.values]
            games: list[str] = []
            row = (option.name, _(OPTION_TITLES[option.name]), values, games)
            found.setdefault(option.name, row)[3].append(title_of(edition.name))
    return list(found.values())


def _value_words(name: str, value: object) -> str:
    if value in (True, False):
        return _("yes") if value else _("no")
    words = {key: text for key, text in VALUE_WORDS.items() if key[0] == name}
    return _(next((text for key, text in words.items() if key[1] == value), str(value)))


@require_POST
def manage_tournament(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 (the address says so)
    """Carry out what the organiser decides."""
    found = get_object_or_404(Tournament, pk=id)
    account = account_of(request)
    if account is None or found.organiser_id != account.pk:
        words = _("Only the organiser of a tournament can do that.")
        return error(request, 403, _("Not your tournament"), words)
    if blocks.is_blocked(request):
        return blocked(request)
    if not rate_limit.is_allowed(request, rate_limit.REJECTED):
        return too_often(request)
    try:
        organising.manage(found, request.POST.get("do", ""), request.POST.dict())
    except BrassError as refused:
        return shown(request, found, str(refused), status=409)
    return redirect("tournament", found.pk)
