"""The result page: the winner, what decided it, where the VP came from, and how the game went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe
from markupsafe import Markup

from brassmill import terms
from brassmill.bots import BotError, parse
from brassmill.core.view import income_level
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.play.seating import Participant
from brassmill.reports.html import game_title
from brassmill.svg.chart.scale import written
from brassmill.web.identity import blocks, rate_limit, visitor
from brassmill.web.identity.visitor import NAME
from brassmill.web.mail import notifications
from brassmill.web.models import Seat, Table, Upload
from brassmill.web.page.game_list import level_of
from brassmill.web.ratings import moves
from brassmill.web.replay import bg_stats
from brassmill.web.replay.pictures import SHAPES, map_of
from brassmill.web.replay.replay_views import timeline_of, timeline_of_upload, with_upload
from brassmill.web.replay.result import WIDTHS, ResultPage, result_page_of
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import site_url
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.setup import rematch, seat_links
from brassmill.web.setup.chairs import FRIEND
from brassmill.web.setup.membership import is_member, may_enter
from brassmill.web.setup.people import is_on_several_screens
from brassmill.web.setup.programs import program_words
from brassmill.web.setup.rated import has_unfinished, is_account
from brassmill.web.table import sessions, waiting_room
from brassmill.web.table.archive import stored_outcome
from brassmill.web.table.create import create_table
from brassmill.web.table.guards import is_part, with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import viewer_of


@require_safe
@with_session
def result(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Show how a game ended; redirect a running game to its table."""
    with session.lock:
        if is_part(request):
            return part(request, session)
        if not session.over:
            return redirect("table_json" if as_json else "table", session.table.id)
        if session.is_void:
            return without_result(request, session, as_json)
        timeline = timeline_of(session, None)
        outcome = stored_outcome(session.table, session.seats)
    game_result = result_page_of(timeline, outcome)
    assert game_result is not None
    held = viewer_of(request, session).held
    if as_json:
        rated = {"rated": session.table.rated, "ratings": moves.as_data(session.table)}
        return JsonResponse(game_result.as_dict() | as_data(request, session) | rated)
    context = context_of(timeline, game_result) | {
        **once_more(request, session),
        "headline": headline(game_result, held),
        "who": [who(seat, seat.number in held, len(held)) for seat in session.seats],
        **moves.of_table(session.table),
        "bg_stats": bg_stats.link(session.table, game_result.outcome),
        "replay": reverse("replay", args=[session.table.id]),
        "analyse": reverse("analyse", args=[session.table.id]),
    }
    return render(request, "replay/result.html", context)


def as_data(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    """Return the result as data: the game, the visitor's seats and who waits to play again."""
    now = once_more(request, session)
    return {"table": session.table.id, "you": list(now["held"]), "waits": now["waits"]}


def once_more(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    """Return the label of the button to play again."""
    viewer = viewer_of(request, session)
    return {
        "table": session.table,
        "held": viewer.held,
        "stamp": viewer.stamp,
        "several_screens": is_on_several_screens(session.seats),
        "waits": rematch.who_waits(session.table, session.seats, visitor.visitor(request)),
    }


def part(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Return the button if anything has changed."""
    now = once_more(request, session)
    if not session.over:  # the game was repaired: the page is out of date
        return HttpResponse(headers={"HX-Refresh": "true"})
    if request.GET.get("stamp") == now["stamp"]:
        return HttpResponse(status=204)
    return render(request, "replay/play_again.html", now)


def without_result(request: HttpRequest, session: TableSession, as_json: bool) -> HttpResponse:
    """Show a game that was stopped without a result."""
    held = viewer_of(request, session).held
    headline = _("Ended without a result")
    if as_json:
        data = {"headline": headline, "void": True, "winners": [], "results": []}
        return JsonResponse(data | as_data(request, session))
    context = {
        "headline": headline,
        "title": game_title(session.game.edition.title, session.table.players),
        "date": f"{session.table.began:%Y-%m-%d}",
        **once_more(request, session),
        "analyse": "",
        "bg_stats": "",
        "seats": [
            (seat.number, seat.name, who(seat, seat.number in held, len(held)))
            for seat in session.seats
        ],
        "replay": reverse("replay", args=[session.table.id]),
    }
    return render(request, "replay/no_result.html", context)


@with_upload
def upload_result(request: HttpRequest, upload: Upload, game: int, as_json: bool) -> HttpResponse:
    """Show the result of an uploaded game; one without an end redirects to its replay."""
    replay = f"{reverse('upload_replay', args=[upload.id])}?game={game}"
    try:
        timeline = timeline_of_upload(upload, game)
    except BrassError:  # the replay page explains it
        return redirect(replay)
    game_result = result_page_of(timeline)
    if game_result is None:
        return redirect(replay)
    if as_json:
        return JsonResponse(game_result.as_dict())
    context = context_of(timeline, game_result) | {
        "table": None,
        "headline": game_result.headline,
        "who": [""] * len(timeline.seats),
        "moves": {},
        "bg_stats": "",
        "replay": replay,
        "analyse": f"{reverse('analyse_upload', args=[upload.id])}?{urlencode({'game': game})}",
        "held": (),
    }
    return render(request, "replay/result.html", context)


def context_of(timeline: Timeline, game_result: ResultPage) -> dict[str, Any]:
    """Return what the page shows for any game."""
    end = timeline.view(timeline.last, timeline.angles[-1])
    return {
        "title": game_title(timeline.edition.title, timeline.edition.players),
        **moves.NOT_RATED,
        "date": timeline.record.headers.get("Date", ""),
        "seats": timeline.seats,
        "game_result": game_result,
        "charts": {
            figure.name: {screen: Markup(svg) for screen, svg in figure.drawn(WIDTHS).items()}
            for figure in game_result.figures
        },
        "maps": {shape: map_of(end, shape) for shape in SHAPES},
        "pounds": terms.pounds,
        "level": income_level,
        "written": written,
    }


def headline(game_result: ResultPage, held: tuple[int, ...]) -> str:
    """Name the winner: "you" where that is clear."""
    won = [result.seat for result in game_result.ranking if result.rank == 1]
    return _("You win") if len(held) == 1 and won == list(held) else game_result.headline


def who(seat: Seat, is_own: bool, own: int) -> str:
    """Return a note beside the name: the level of a bot, or "you"."""
    if seat.is_left:
        return _("former player")
    if seat.is_bot:
        return level_of(seat.bot)
    if seat.program:
        return program_words()
    return _("you") if is_own and own == 1 else ""


@require_POST
@with_session
def again(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Start the same game with the same seats and a new deal; others are invited again.

    If another player has done so already, join that table as by an invitation.
    """
    if blocks.is_blocked(request):
        return blocked(request)
    table, seats, key = session.table, session.seats, visitor.visitor(request)
    names = {seat.number: seat.name for seat in seats if seat.holder == key}
    place = rematch.place_of(table, seats, key)
    if place is not None:
        return _join_rematch(request, place, names)
    try:
        participants = [_participant(seat, key) for seat in seats]
    except BotError as fault:  # its package is no longer installed
        return error(request, 409, _("A bot is not available"), str(fault))
    if not rate_limit.is_allowed(request, rate_limit.TABLES):
        return too_often(request)
    with transaction.atomic():
        # Of two at once, only one creates the table.
        last = Table.objects.select_for_update().get(pk=table.pk)
        place = rematch.place_of(last, seats, key)
        if place is None:
            fresh = create_table(
                table.edition,
                table.players,
                table.options,
                participants,
                hands=table.hands,
                host=key,
                standby=table.standby,
                overheard=table.overheard,
                hints=table.hints,
                rated=_is_rated(table, participants, key),
                programs=table.programs,
                club=table.club if is_member(table.club_id or "", key) else None,
                clock=table.clock
                if any(not participant.name for participant in participants)
                else "",
                notice=table.notice,
                site=site_url.of_request(request),
            )
            if last.over and names and fresh.gathering:
                last.sequel = fresh
                last.save(update_fields=["sequel"])
                notifications.plays_again(fresh, seats, key)
    if place is not None:
        return _join_rematch(request, place, names)
    if last.sequel == fresh:
        sessions.changed(table.id)
    return redirect("table", fresh.id)


def _is_rated(table: Table, participants: Sequence[Participant], key: str) -> bool:
    """Is the rematch of a rated game rated, too? Alone against bots, one at a time."""
    has_friends = any(participant.text == FRIEND for participant in participants)
    return table.rated and is_account(key) and (has_friends or not has_unfinished(key))


def _join_rematch(request: HttpRequest, place: Seat, names: dict[int, str]) -> HttpResponse:
    """Go to the existing table, taking a free seat as by any invitation.

    Several players on one screen take all their seats; an invitation is for one.
    """
    if not place.is_open:
        return redirect("table", place.table_id)
    key = visitor.visitor(request)
    if (
        len(names) > 1
        and may_enter(place.table, [], key)
        and waiting_room.come_back(place.table_id, key, names)
    ):
        return redirect("table", place.table_id)
    request.session.setdefault(NAME, next(iter(names.values())))
    return redirect("join", seat_links.invitation(place))


def _participant(seat: Seat, key: str) -> Participant:
    """Return who gets the seat in the next game: the person, not the bot that stood in for them."""
    if seat.is_bot and not seat.holder:
        return Participant(seat.bot, seat.name, parse(seat.bot))
    return Participant(seat.name, seat.name) if seat.holder == key else Participant(FRIEND, "")
