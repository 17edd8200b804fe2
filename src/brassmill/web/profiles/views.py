"""Profiles, what others see of them, and one's games as files."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from markupsafe import Markup

from brassmill.editions import EDITIONS
from brassmill.language import gettext as _
from brassmill.reports.html import Figure, FigureTable, Widths
from brassmill.svg.chart import Axis, LineChart, Series
from brassmill.web.accounts.account_views import for_account
from brassmill.web.identity import rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.models import Account, Profile, RatedPlayer
from brassmill.web.page.game_list import title_of
from brassmill.web.profiles.games import as_csv, rows_of
from brassmill.web.profiles.profile import PARTS, ProfilePage, profile_of, shown_by
from brassmill.web.ratings.boards import ladder_words
from brassmill.web.ratings.results import player_of
from brassmill.web.server import startup
from brassmill.web.server.errors import too_often

WIDTHS = Widths(page=1180, tablet=680, card=560, phone=326)


@require_safe
def profile(request: HttpRequest, number: int, as_json: bool = False) -> HttpResponse:
    """Show a player, as far as they let others see it."""
    if not rate_limit.is_allowed(request, rate_limit.LONG_PAGES):
        return too_often(request)
    startup.settle()  # figures of games that nobody has asked for are replayed
    player = RatedPlayer.objects.filter(pk=min(number, 2**62)).select_related("account").first()
    if player is None or player.account is None:
        raise Http404
    own = account_of(request)
    is_own = own is not None and own.pk == player.account.pk
    found = profile_of(player, player.account, is_own, wanted(request))
    if found is None:
        raise Http404
    if as_json:
        return JsonResponse(found.as_dict())
    figures = [_curve(found, ladder) for ladder in found.ladders if _has_curve(found, ladder)]
    context = {
        "profile": found,
        "kinds": [(edition, players, title_of(edition)) for edition, players in found.kinds],
        "parts": part_words(),
        "figures": [
            (figure, {screen: Markup(svg) for screen, svg in figure.drawn(WIDTHS).items()})
            for figure in figures
        ],
        "ladder_words": ladder_words,
    }
    return render(request, "profiles/profile.html", context)


def wanted(request: HttpRequest) -> tuple[str, int] | None:
    """The edition and number of players whose style is asked for."""
    edition, players = request.GET.get("game", ""), request.GET.get("players", "")
    numbers = map(str, EDITIONS[edition].players) if edition in EDITIONS else ()
    return (edition, int(players)) if players in numbers else None


def part_words() -> list[tuple[str, str, str]]:
    """The parts that a player may show: their names, titles and contents."""
    words = {
        "results": (_("Results"), _("games, wins and VP by edition, and the rating curve")),
        "style": (_("Style"), _("sources of VP, industries, merchants and openings")),
        "games": (_("Games"), _("your best games, and your record against others")),
        "practice": (_("Practice"), _("levels beaten and your puzzle rating")),
    }
    return [(part, *words[part]) for part in PARTS]


def _id(ladder: Any) -> str:
    return f"{ladder.kind}-{ladder.edition}-{ladder.players}"


def _has_curve(found: ProfilePage, ladder: Any) -> bool:
    return len(found.curves.get(_id(ladder), [])) > 1


def _curve(found: ProfilePage, ladder: Any) -> Figure:
    """The rating after each game, between the ends of its interval."""
    points = found.curves[_id(ladder)]
    lines = [
        (_("rating"), [(n, rating) for n, (rating, _margin) in enumerate(points, 1)]),
        (_("lower"), [(n, rating - margin) for n, (rating, margin) in enumerate(points, 1)]),
        (_("upper"), [(n, rating + margin) for n, (rating, margin) in enumerate(points, 1)]),
    ]
    title = f"{ladder.title} · {ladder.players} · {ladder_words(ladder.kind)}"
    chart = LineChart(
        title,
        [Series(name, line, number) for number, (name, line) in enumerate(lines)],
        Axis(_("games"), whole=True),
        Axis(whole=True),
        "",
    )
    table = FigureTable(
        [_("games"), _("rating"), _("margin")],
        [[str(n), str(rating), str(margin)] for n, (rating, margin) in enumerate(points, 1)],
    )
    return Figure(f"curve-{_id(ladder)}", title, "", chart, table)


# --- one's own -----------------------------------------------------------------------------------


@require_safe
@for_account
def own_profile(request: HttpRequest, account: Account) -> HttpResponse:
    """Lead to one's own profile."""
    return redirect("profile", player_of(account).pk)


@require_POST
@for_account
def show_parts(request: HttpRequest, account: Account) -> HttpResponse:
    """Choose which parts others see."""
    chosen = {part: request.POST.get(part) == "yes" for part in shown_by(account)}
    Profile.objects.update_or_create(account=account, defaults=chosen)
    return redirect("profile", player_of(account).pk)


@require_safe
@for_account
def games_csv(request: HttpRequest, account: Account) -> HttpResponse:
    """All one's finished games for a spreadsheet."""
    response = HttpResponse(as_csv(rows_of(account, request)), content_type="text/csv")
    response["Content-Disposition"] = 'attachment; filename="brassmill-games.csv"'
    return response


@require_safe
@for_account
def games_json(request: HttpRequest, account: Account, as_json: bool) -> HttpResponse:
    """The same as data."""
    return JsonResponse({"games": rows_of(account, request)})
