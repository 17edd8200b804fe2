"""The pages of the deal of the day: today's, and those of past days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.daily import attempts, deals, results
from brassmill.web.daily.deals import DailyGame
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.visitor import NAME, PLAYED, visitor
from brassmill.web.models import Attempt, DailyDeal, Table
from brassmill.web.page.time_words import duration
from brassmill.web.server import database, site_url
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.setup import deal_of_the_day
from brassmill.web.table.unplayable_views import file_named

Page = Callable[..., HttpResponse]

# How a visitor stands to today's deal.
OPEN, PLAYING, DONE, ELSEWHERE = "open", "playing", "done", "another visitor"
ONE_ATTEMPT = N_(
    "Today's deal has already been started in this browser, under another name. Each player "
    "has one attempt."
)


# --- today ---------------------------------------------------------------------------------------


@require_safe
def daily(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """Today's deal: start or resume it, and its results once the visitor has played."""
    if not rate_limit.is_allowed(request, rate_limit.LONG_PAGES):
        return too_often(request)
    if as_json:
        return JsonResponse(as_data(todays_page(request)))
    return render(request, "daily/today.html", todays_page(request))


def todays_page(request: HttpRequest, fault: str = "", name: str | None = None) -> dict[str, Any]:
    """Everything that the page of today shows."""
    key, day = visitor(request), deal_of_the_day.today()
    attempt = attempts.of(day, key)
    state = state_of(request, day, attempt)
    rows = results.results_of(day, key) if state == DONE else []
    return {
        "day": day,
        "left": duration(deal_of_the_day.end_of(day) - database.now()),
        "game": game_today(day),
        "tomorrow": deals.game_of(day + timedelta(days=1)),
        "state": state,
        "table": attempt.table if attempt else None,
        "finished": results.finishers(day),
        "results": results.shown(rows),
        "own": results.own_of(rows),
        "streak": results.streak_of(key, day),
        "history": results.history(day, key),
        "name": request.session.get(NAME, "") if name is None else name,
        "fault": fault,
    }


def game_today(day: date) -> DailyGame:
    """What is played today: as it was made, if it was."""
    made = DailyDeal.objects.filter(pk=day).defer("deal").first()
    return deals.played_on(made) if made else deals.game_of(day)


def state_of(request: HttpRequest, day: date, attempt: Attempt | None) -> str:
    """How the visitor stands to today's deal."""
    if attempt is not None:
        return DONE if deal_of_the_day.is_done(attempt) else PLAYING
    return ELSEWHERE if request.session.get(PLAYED) == day.isoformat() else OPEN


def as_data(page: dict[str, Any]) -> dict[str, Any]:
    """The page of today as plain data."""
    table: Table | None = page["table"]
    return {
        "day": page["day"].isoformat(),
        "ends": deal_of_the_day.end_of(page["day"]).isoformat(),
        **game_data(page["game"]),
        "tomorrow": game_data(page["tomorrow"]),
        "state": page["state"],
        "table": table.id if table else None,
        "finished": page["finished"],
        "results": [row.as_dict() for row in page["results"]],
        "streak": page["streak"].as_dict(),
        "history": [past.as_dict() for past in page["history"]],
    }


def game_data(game: DailyGame) -> dict[str, Any]:
    """What is played on a day as plain data."""
    return {"edition": game.edition, "players": game.players, "bots": game.bot}


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Start today's deal, or go to the table where the visitor has started it."""
    key, day = visitor(request), deal_of_the_day.today()
    attempt = attempts.of(day, key)
    if attempt is not None:
        return redirect("table", attempt.table_id) if attempt.table_id else redirect("daily")
    if state_of(request, day, None) == ELSEWHERE:
        return error(request, 409, _("Already played"), _(ONE_ATTEMPT))
    if not rate_limit.is_allowed(request, rate_limit.TABLES):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    typed = request.POST.get("name", "")
    try:
        name = name_of(typed)
    except BrassError as fault:
        page = todays_page(request, str(fault), typed)
        return render(request, "daily/today.html", page, status=422)
    try:
        table = attempts.begin(key, name, site=site_url.of_request(request))
    except attempts.AlreadyBegun:
        return redirect("daily")
    if typed.strip():
        request.session[NAME] = name
    assert table.day is not None
    request.session[PLAYED] = table.day.isoformat()
    return redirect("table", table.id)


def name_of(typed: str) -> str:
    """The name of the player; an error says what is wrong with it."""
    return attempts.person(typed).name or _("Player")


# --- past days -----------------------------------------------------------------------------------


def with_deal(page: Page) -> Page:
    """Pass the published deal of a day to a page; today's leads to its own page."""

    @wraps(page)
    def answer(request: HttpRequest, day: str, **options: Any) -> HttpResponse:
        try:
            wanted = date.fromisoformat(day)
        except ValueError:
            raise Http404 from None
        if wanted == deal_of_the_day.today():
            return redirect("daily_json" if options.get("as_json") else "daily")
        deal = deals.published(wanted)
        if deal is None:
            raise Http404
        return page(request, deal, **options)

    return answer


@require_safe
@with_deal
def past_day(request: HttpRequest, deal: DailyDeal, as_json: bool = False) -> HttpResponse:
    """The results of a day that is over, and its deal to download and to play."""
    if not rate_limit.is_allowed(request, rate_limit.LONG_PAGES):
        return too_often(request)
    key, day = visitor(request), deal.day
    rows = results.results_of(day, key)
    if as_json:
        found = {"results": [row.as_dict() for row in results.shown(rows)], "deal": deal.deal}
        return JsonResponse({"day": day.isoformat(), **game_data(deals.played_on(deal)), **found})
    context = {
        "day": day,
        "game": deals.played_on(deal),
        "results": results.shown(rows),
        "own": results.own_of(rows),
        "late": late_table(day, key) if not results.own_of(rows) else None,
        "history": results.history(day, key),
    }
    return render(request, "daily/past.html", context)


def late_table(day: date, key: str) -> Table | None:
    """The visitor's game with the deal of a past day, if it was not finished in time."""
    attempt = attempts.of(day, key)
    return attempt.table if attempt else None


@require_safe
@with_deal
def past_deal(_request: HttpRequest, deal: DailyDeal) -> HttpResponse:
    """Download the deal of a day that is over, as a record without actions."""
    return file_named(f"deal-{deal.day}.brass", deals.record_of(deal))


@require_POST
@with_deal
def play_past(request: HttpRequest, deal: DailyDeal) -> HttpResponse:
    """Play the deal of a day that is over; it counts for nothing."""
    if not rate_limit.is_allowed(request, rate_limit.TABLES):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    name = name_of(request.session.get(NAME, ""))
    site = site_url.of_request(request)
    return redirect("table", attempts.play_again(deal, visitor(request), name, site=site).id)
