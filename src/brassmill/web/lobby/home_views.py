"""The home page, the new game form, and the language and theme settings of every page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from csp.decorators import csp_replace
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brassmill.editions import EDITIONS, EditionInfo
from brassmill.language import LANGUAGES, N_, either
from brassmill.language import gettext as _
from brassmill.language import language as language_now
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.identity.visitor import NAME, visitor
from brassmill.web.lobby import new_game
from brassmill.web.lobby.cover_art import PICTURES, cover_picture
from brassmill.web.lobby.new_game import NewGame, usual
from brassmill.web.models import Club, PlayerReport, Table
from brassmill.web.page.game_list import EDITION_ORDER, YEARS, games_of, listed, title_of
from brassmill.web.page.time_words import clock_words
from brassmill.web.server import site_url
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.server.middleware import COOKIE as LANGUAGE
from brassmill.web.server.startup import progress
from brassmill.web.server.style import THEME, chosen_theme
from brassmill.web.setup import meanwhile, membership, programs, rated
from brassmill.web.setup.chairs import YOU, for_friends, levels
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.table import repair
from brassmill.web.table.create import create_table
from brassmill.web.tournaments.page import own

YEAR, DAY = 365 * 24 * 3600, 24 * 3600

ABOUT = {
    "birmingham": N_(
        "Brew beer, fire pots and sell to merchants around the Black Country. The richest of "
        "the three: hardly anything sells without beer."
    ),
    "lancashire": N_(
        "Spin cotton and ship it through ports or to a distant market whose demand keeps "
        "falling. Quick to learn, and sharp with two players too."
    ),
    "classic": N_(
        "The original: cotton, coal and ports between Liverpool and the Pennines. The 2007 "
        "rules, for three or four players."
    ),
}
INTRO = "intro"  # the option of the introductory game, which the classic edition does not have
# The games that start with one click, by name.
AT_ONCE: Mapping[str, Mapping[str, Any]] = {
    "usual": {"level": "apprentice", "players": 3},
    "first": {"level": "beginner", "players": 3, INTRO: "True"},
}


class Card(NamedTuple):
    """A game to choose on the home page."""

    name: str
    title: str
    facts: str  # its year and number of players
    words: str


def cards() -> list[Card]:
    """Return the three games."""
    return [_card(EDITIONS[name]) for name in EDITION_ORDER]


def _card(box: EditionInfo) -> Card:
    players = _("{numbers} players").format(numbers=either(box.players))
    return Card(box.name, title_of(box.name), f"{YEARS[box.name]} · {players}", _(ABOUT[box.name]))


# --- home page -----------------------------------------------------------------------------------


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show games to choose, games to resume, and results."""
    unfinished, finished = games_of(visitor(request))
    context = {
        "cards": cards(),
        "unfinished": unfinished,
        "finished": finished,
        "tournaments": own(account_of(request)),
        "has_answer": PlayerReport.objects.filter(visitor=visitor(request), read=False).exists(),
        "progress": progress(),
    }
    return render(request, "lobby/home.html", context)


@require_safe
def home_json(request: HttpRequest) -> JsonResponse:
    """Return the home page as data."""
    unfinished, finished = games_of(visitor(request))
    return JsonResponse(
        {
            "language": language_now(),
            "ready": progress()._asdict(),
            "games": [
                card._asdict() | {"players": EDITIONS[card.name].players} for card in cards()
            ],
            "levels": [level._asdict() for level in levels()],
            "unfinished": [game.as_dict() for game in unfinished],
            "finished": [game.as_dict() for game in finished],
            "tournaments": [one.as_dict() for one in own(account_of(request))],
        }
    )


@require_safe
@csp_replace({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """Return a picture of a game; the browser may cache it."""
    if name not in PICTURES:
        raise Http404
    theme = chosen_theme(request.GET.get("theme")) or "auto"
    drawn = cover_picture(name, theme, language_now())
    response = HttpResponse(drawn, content_type="image/svg+xml")
    response["Cache-Control"] = f"private, max-age={DAY}"
    return response


@require_safe
def readiness(request: HttpRequest) -> HttpResponse:
    """Show how far the rules have compiled: a part of a page that polls until they are."""
    now = progress()
    if request.GET.get("format") == "json":
        return JsonResponse(now._asdict())
    return render(request, "shared/loading_progress.html", {"progress": now})


# --- new game ------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, edition: str) -> HttpResponse:
    """Show the form of a new game; a POST starts the game or shows what is wrong."""
    box = EDITIONS.get(edition)
    if box is None:
        raise Http404
    if request.method != "POST":
        visitor(request)  # known from now on: a double click makes two tables of one visitor
        chosen = usual(box, name=request.session.get(NAME, ""))
        if club := own_club(request, request.GET.get("club", "")):
            chosen = replace(chosen, club=club.pk, chairs=for_friends(chosen.chairs))
        return _form(request, box, chosen)
    given = _given(request, box)
    if given.is_sound:
        return _begin(request, given)
    if not rate_limit.is_allowed(request, rate_limit.REJECTED):
        return too_often(request)
    return _form(request, box, given, 422)


def _given(request: HttpRequest, box: EditionInfo) -> NewGame:
    """Read the posted form."""
    given = new_game.read(box, request.POST)
    if given.rated and (fault := _unrated(request, given)):
        given = replace(given, faults={"rated": fault, **given.faults})
    if given.club and not own_club(request, given.club):
        given = replace(given, faults={"club": _("Choose one of these."), **given.faults})
    return given


def own_club(request: HttpRequest, club_id: str) -> Club | None:
    """A club of the visitor's account."""
    if not (club_id and club_id.isprintable()):
        return None
    return membership.clubs_of(visitor(request)).filter(pk=club_id).first()


def _unrated(request: HttpRequest, given: NewGame) -> str:
    """Say why this visitor cannot play a rated game now, or return nothing."""
    if not account_of(request):
        return _("Sign in to play a rated game.")
    if not given.awaits_friends and rated.has_unfinished(visitor(request)):
        return _("First finish your other rated game against bots, or concede it.")
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
def new_json(request: HttpRequest, edition: str) -> HttpResponse:
    """Return the possible and the default settings of a new game; a POST starts it."""
    box = EDITIONS.get(edition)
    if box is None:
        raise Http404
    if request.method == "POST":
        chosen = _given(request, box)
        if chosen.is_sound:
            return _begin(request, chosen, as_json=True)
        if not rate_limit.is_allowed(request, rate_limit.REJECTED):
            return too_often(request)
        return error(request, 422, _("Game not set up"), " ".join(chosen.all_faults))
    given = usual(box, name=request.session.get(NAME, ""))
    return JsonResponse(
        {
            **_card(box)._asdict(),
            "players": box.players,
            "usual": {
                "players": given.players,
                "hands": given.hands,
                "hints": given.hints,
                "rated": given.rated,
            },
            "seats": [{"who": chair.who, "name": chair.name} for chair in given.chairs],
            "levels": [level._asdict() for level in levels()],
            "options": [switch.as_dict() for switch in given.switches],
            "clocks": {name: clock_words(name) for name in CLOCKS},
        }
    )


def _form(
    request: HttpRequest, box: EditionInfo, given: NewGame, status: int = 200
) -> HttpResponse:
    context = {
        "box": box,
        "card": _card(box),
        "others": [(card.name, card.title) for card in cards() if card.name != box.name],
        "given": given,
        "levels": levels(),
        "clocks": {name: clock_words(name) for name in CLOCKS},
        "clubs": membership.clubs_of(visitor(request)) if account_of(request) else [],
        "progress": progress(),
        "slow": [level.title for level in levels() if not meanwhile.is_quick(level.name)],
    }
    return render(request, "lobby/new_game.html", context, status=status)


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """Start a game with one click, of Birmingham unless the visitor has learned another one."""
    box = EDITIONS.get(request.POST.get("edition", ""), EDITIONS["birmingham"])
    options: dict[str, Any] = {**AT_ONCE.get(request.POST.get("game", ""), AT_ONCE["usual"])}
    if INTRO not in [option.name for option in box.options]:
        options.pop(INTRO, None)
    name = request.session.get(NAME, "")
    return _begin(request, usual(box, name=name, **options))


def _begin(request: HttpRequest, given: NewGame, as_json: bool = False) -> HttpResponse:
    """Create the table and go there, or say which it is."""
    if not rate_limit.is_allowed(request, rate_limit.TABLES):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    if programs.is_over_limit(visitor(request)):
        words = _("At most {most} tables of a program wait for players at a time.")
        return error(request, 409, _("Too many tables"), words.format(most=programs.MOST_WAITING))
    seats = given.seats()
    for chair, seat in zip(given.chairs, seats, strict=False):
        if chair.who == YOU and chair.name.strip():
            request.session[NAME] = seat.name
    table = create_table(
        given.box.name,
        given.players,
        given.options,
        seats,
        hands=given.hands,
        seed=given.number,
        host=visitor(request),
        listed=given.listed and given.awaits_friends and not given.club,
        club_id=(given.club or None) if given.awaits_friends else None,
        overheard=given.overheard,
        hints=given.hints and given.awaits_friends,
        rated=given.rated,
        programs=given.programs and given.awaits_friends,
        standby=given.standby,
        clock=given.clock if given.awaits_friends else "",
        notice=given.notice,
        site=site_url.of_request(request),
    )
    if given.meanwhile == meanwhile.REPLACE:
        meanwhile.replace_bots(table.id)
    return JsonResponse({"table": table.id}) if as_json else redirect("table", table.id)


@require_POST
def delete(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 (as all pages call it)
    """Delete a game that the visitor set up and that nobody else plays, once confirmed."""
    key = visitor(request)
    table = get_object_or_404(Table, pk=id, host=key)
    if not listed(table, key).can_delete:
        words = _("Other people play in this game too.")
        if rated.must_end(table):
            words = _("A rated game counts: play it to its end, or concede.")
        return error(request, 409, _("You cannot delete this game"), words)
    if request.POST.get("confirm") == "yes":
        repair.delete(id)
    return redirect("home")


# --- settings ------------------------------------------------------------------------------------


@require_POST
def language(request: HttpRequest) -> HttpResponseRedirect:
    """Change the language."""
    response = _back(request)
    code = request.POST.get("code", "")
    if code in LANGUAGES:
        response.set_cookie(LANGUAGE, code, max_age=YEAR, samesite="Lax")
    return response


@require_POST
def theme(request: HttpRequest) -> HttpResponseRedirect:
    """Switch to light, dark or the system's theme."""
    response = _back(request)
    if chosen := chosen_theme(request.POST.get("theme")):
        response.set_cookie(THEME, chosen, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(THEME, samesite="Lax")
    return response


def _back(request: HttpRequest) -> HttpResponseRedirect:
    """Return to the page that the request came from."""
    return HttpResponseRedirect(own_address(request, request.POST.get("next", ""), "home"))


def own_address(request: HttpRequest, wanted: str, otherwise: str) -> str:
    """Return the address to go to next, if it is one of our pages, or else a default."""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure()):
        return wanted
    return reverse(otherwise)
