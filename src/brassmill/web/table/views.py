"""The table: the page, its parts, its JSON version, and the moves made there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

import orjson
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brassmill.core.events import ERAS
from brassmill.errors import BrassError, IllegalAction
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.play.held import with_card
from brassmill.svg.panel import capital, edition_of
from brassmill.web.identity import rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.mail.addresses import may_write_words
from brassmill.web.mail.notifications import reached_at
from brassmill.web.models import Seat
from brassmill.web.page import why as asking
from brassmill.web.page.chat import chat_of, is_chat_for
from brassmill.web.page.dom_ids import card_of
from brassmill.web.page.game_list import free_seat
from brassmill.web.page.key import key_context
from brassmill.web.page.model import (
    PageModel,
    SeatInfo,
    before_the_game,
    of_plan,
    page_model,
    without_result,
)
from brassmill.web.page.parts import update, whole_table
from brassmill.web.page.pictures import drawings_of, pictures_of
from brassmill.web.server import site_url, startup
from brassmill.web.server.errors import error
from brassmill.web.setup import meanwhile, rematch
from brassmill.web.setup.fair_play import are_hints_allowed, hints_words
from brassmill.web.setup.rated import rated_words
from brassmill.web.table import bots, click_limit, coach, mistakes, sessions
from brassmill.web.table import viewer as viewers
from brassmill.web.table.agreements import Together, together_of
from brassmill.web.table.guards import for_move, is_part, with_session
from brassmill.web.table.leaving import Attendance, attendance_of
from brassmill.web.table.live import hub
from brassmill.web.table.pace import PACES
from brassmill.web.table.planning import PlanView, can_plan, plan_view
from brassmill.web.table.reasons import may_ask
from brassmill.web.table.session import TableSession
from brassmill.web.table.viewer import Viewer, held_by, planner_of, viewer_of
from brassmill.web.table.waiting_room import WaitingRoom, waiting_room_of
from brassmill.words import RULES

DRAWERS = ("mats", "tracks", "discards", "symbols")  # rarely opened: fetched on demand

Move = Callable[[TableSession, int], None]  # the number of the state it is made in

NOT_YOU = N_("It is not your turn.")
TOO_MANY = N_(
    "You have clicked very often this turn. Wait a few seconds before the next click. "
    "You can still undo and end your turn."
)


class SeenTable(NamedTuple):
    """The table as one visitor sees it at one moment."""

    viewer: Viewer
    model: PageModel
    notes: tuple[str, ...]
    room: WaitingRoom | None  # until the game starts
    attendance: Attendance  # clocks and absences
    together: Together  # what the visitor can decide with the others
    plan: PlanView | None = None  # the visitor's planned turn
    can_plan: bool = False


# --- showing the table ---------------------------------------------------------------------------


def seen_table(request: HttpRequest, session: TableSession, planning: bool = False) -> SeenTable:
    """Everything the page shows, as one consistent snapshot; while `planning`, the next turn."""
    with session.lock:
        viewer = planner_of(request, session) if planning else viewer_of(request, session)
        view, others = viewer.view, viewer.others
        history, seen = session.history_for(viewer.seat, viewer.held)
        number, undoable, draft = 0, 0, None
        if viewer.is_to_move:
            number, undoable, draft = session.number, session.undoable, session.game.draft
        elif plan := viewer.plan:
            number, undoable, draft = plan.number, plan.clicks, plan.game.draft
        stamp = viewer.stamp
        since = history[seen - 1].number if seen else 0
        notes = [each.words(session.game) for each in session.forfeits if each.number > since]
        if session.fault and session.mover_is_bot:
            notes.append(_("This bot cannot play: {reason}").format(reason=session.fault))
        if not viewer.held and visitor(request) in [seat.former for seat in session.seats]:
            notes.append(_("Your seat has moved to another device: here you are watching."))
        words = _("The seat of {name} is being offered to someone else. The game waits for them.")
        mover = None if session.to_move is None else session.seats[session.to_move]
        notes += [words.format(name=mover.name)] if mover and mover.offered else []
        if viewer.plan:
            notes = [viewer.plan.problem()] if viewer.plan.refusal else []
        together = together_of(session, viewer.held)
        plan_seen = None if planning else plan_view(session, viewer.seat, viewer.is_to_move)
        may_plan, to_move = can_plan(session, viewer.seat), session.to_move
        outcome = session.outcome if session.over else None
    model = page_model(
        view,
        [seat_info(session, seat) for seat in session.seats],
        number=number,
        stamp=stamp,
        undoable=undoable,
        draft=draft,
        others=others,
        history=history,
        seen=seen,
        hints=are_hints_allowed(session.table, session.seats),
        outcome=outcome,
    )
    if viewer.plan:
        model = of_plan(model, to_move)
    attendance = attendance_of(session, viewer.held)
    if session.is_void:
        return SeenTable(viewer, without_result(model), tuple(notes), None, attendance, together)
    if not session.table.gathering:
        seen_now = viewer, model, tuple(notes), None, attendance, together
        return SeenTable(*seen_now, plan_seen, may_plan)
    room = waiting_room_of(session.table, session.seats, visitor(request))
    return SeenTable(viewer, before_the_game(model), tuple(notes), room, attendance, together)


def seat_info(session: TableSession, seat: Seat) -> SeatInfo:
    """Who plays a seat, and whether a bot there is still getting ready."""
    return SeatInfo(
        seat.name or free_seat(),
        seat.bot,
        seat.is_stood_in,
        seat.is_left,
        has_conceded=seat.number in session.conceded,
        is_preparing=bool(seat.bot) and meanwhile.waits(session.table.id, seat.bot),
        is_program=seat.program,
    )


def shown(
    request: HttpRequest,
    session: TableSession,
    note: str = "",
    sent: str = "",
    planning: bool = False,
) -> HttpResponse:
    """The current table: a whole page, or the part that a loaded page replaces.

    A `note` says what was refused, and `sent` what was e-mailed. While `planning`, it is the table
    as if it were the visitor's turn.
    """
    seen = seen_table(request, session, planning)
    viewer, model = seen.viewer, seen.model
    is_whole = not is_part(request)
    is_new = seen.room is not None or (model.era_name == ERAS[0] and model.round == 1)
    context = {
        "model": model,
        "pictures": pictures_of(
            viewer.view, model, shape=request.COOKIES.get("shape", "wide"), whole=is_whole
        ),
        "viewer": viewer,
        "table": session.table,
        "cover": None if viewer.cover is None else model.players[viewer.cover],
        "room": seen.room,
        "attendance": seen.attendance,
        "together": seen.together,
        "plan": seen.plan,
        "can_plan": seen.can_plan,
        "planning": planning,
        "moves": "plan_" if planning else "",
        "can_mail": bool(site_url.of_table(session.table)),
        "can_invite": settings.MAIL_INVITATIONS,
        "can_write": seen.room is not None and may_write_words(request),
        "mails_to": mails_to(session, seen) if is_whole or is_new else "",
        "is_new": is_new,
        "address": lambda token: request.build_absolute_uri(reverse("join", args=[token])),
        "note": " ".join(filter(None, [note, *seen.notes])),
        "sent": sent,
        "may_ask_why": may_ask(session, viewer),
        "coach_watches": mistakes.is_to_judge(session, viewer),
        **thoughts(session, viewer),
    }
    known = (session.table, session.seats, visitor(request))
    context |= {
        "waits": rematch.who_waits(*known),
        "watching": watching(session),
        "rated": capital(rated_words(session.table, session.seats)),
        "hints": capital(hints_words(session.table, session.seats)),
        "has_chat": is_chat_for(*known),
        "chat": chat_of(*known) if is_whole else None,  # later fetched on each new message
        "chat_note": "",
    }
    template = "table/page.html" if is_whole else "table/content.html"
    markup = render_to_string(template, context, request)
    return HttpResponse(whole_table(request, markup) if is_whole else update(request, markup))


def mails_to(session: TableSession, seen: SeenTable) -> str:
    """The address for the visitor's turn e-mails at this table; empty: none."""
    held = seen.viewer.held
    if not held or not seen.attendance.several_screens:
        return ""
    contact = reached_at(session.table, session.seats[held[0]].holder)
    return contact.address if contact else ""


def watching(session: TableSession) -> int:
    """The approximate number of spectators."""
    return len(hub.visitors(session.table.id) - {seat.holder for seat in session.seats})


@require_safe
@with_session
def table(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """The page of a table."""
    return as_data(request, session) if as_json else shown(request, session)


def as_data(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Everything the page shows, as JSON."""
    viewer, model, notes, room, attendance, together, *_plan = seen = seen_table(request, session)
    data = {
        **vars(model),
        "table": session.table.id,
        "held": viewer.held,
        "cover": viewer.cover,
        "hands": session.table.hands,
        "rated": session.table.rated,
        "hints": are_hints_allowed(session.table, session.seats),
        "pace": session.table.pace,
        "notes": notes,
        "watching": watching(session),
        "gathering": room and room.as_dict(),
        "attendance": attendance.as_dict(),
        "together": together.as_dict(),
        "plan": seen.plan and seen.plan.as_dict(),
        "can_plan": seen.can_plan,
        "mails_to": mails_to(session, seen),
        "waits": rematch.who_waits(session.table, session.seats, visitor(request)),
    }
    return HttpResponse(orjson.dumps(data, default=list), content_type="application/json")


@require_safe
@with_session
def part(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The table again if anything has changed for this visitor, or the content of a drawer."""
    with session.lock:
        viewer = viewer_of(request, session)
        view, stamp = viewer.view, viewer.stamp
    if "drawer" in request.GET:
        if request.GET["drawer"] not in DRAWERS:
            raise Http404
        if request.GET["drawer"] == "symbols":
            return render(request, "shared/key.html", key_context(edition_of(view)))
        drawings = drawings_of(view, request.GET["drawer"])
        return render(request, "table/drawer_content.html", {"drawings": drawings})
    if request.GET.get("stamp") == stamp:
        return HttpResponse(status=204)
    return shown(request, session)


@require_safe
@with_session
def past(request: HttpRequest, session: TableSession, action: int, as_json: bool) -> HttpResponse:
    """The table just after an action, as the visitor may see it."""
    with session.lock:
        if action > session.actions:
            raise Http404
        return JsonResponse(session.past(viewer_of(request, session).seat, action).as_dict())


@require_safe
@with_session
def why(
    request: HttpRequest, session: TableSession, as_json: bool = False, planning: bool = False
) -> HttpResponse:
    """Why an element of the page cannot be chosen now."""
    element = request.GET.get("on", "")
    with session.lock:
        view = planning_or_not(request, session, planning).view
    explanations = asking.why_not(view, element, held_card(session, request.GET))
    if as_json:
        return JsonResponse({"on": element, "explanations": [*map(asdict, explanations)]})
    if all(explanation.is_general for explanation in explanations):
        return HttpResponse(status=204)
    return render(request, "table/why.html", {"explanations": explanations, "table": session.table})


@require_safe
@with_session
def preview(
    request: HttpRequest, session: TableSession, as_json: bool = False, planning: bool = False
) -> HttpResponse:
    """What a choice would cost and yield."""
    with session.lock:
        viewer = planning_or_not(request, session, planning)
        view, draft = viewer.view, session.game.draft if viewer.is_to_move else None
        draft = viewer.plan.game.draft if viewer.plan else draft
    ids = numbers(request.GET.get("choice", ""))
    try:
        found = asking.preview(view, ids[0], draft, held_card(session, request.GET))
    except (IndexError, IllegalAction):  # no choice, or not an open one
        return JsonResponse({}) if as_json else HttpResponse(status=204)
    if as_json:
        return JsonResponse(asdict(found))
    return render(request, "table/preview.html", {"preview": found, "table": session.table})


def planning_or_not(request: HttpRequest, session: TableSession, planning: bool) -> Viewer:
    """The visitor, who plans a turn if they can and wish."""
    try:
        return planner_of(request, session) if planning else viewer_of(request, session)
    except BrassError:  # their turn has come
        return viewer_of(request, session)


# --- moves ---------------------------------------------------------------------------------------


def done(request: HttpRequest, session: TableSession, as_json: bool, move: Move) -> HttpResponse:
    """Make a move for the seat to move, and answer with the updated table."""
    note = refusal(request, session, move)
    if note:  # perhaps by an outdated session
        session = sessions.get(session.table.id)
        note = refusal(request, session, move)
    if session.is_lost:  # its log has been replaced
        session = sessions.get(session.table.id)
    if not as_json:
        return answered(request, session, note)
    return error(request, 409, _("Move not played"), note) if note else as_data(request, session)


def refusal(request: HttpRequest, session: TableSession, move: Move) -> str:
    """Make a move; if it is refused, why."""
    number = numbers(request.POST.get("number", ""))
    with session.lock:
        try:
            if not viewer_of(request, session).is_to_move:
                raise IllegalAction(_(NOT_YOU))
            move(session, number[0] if number else 0)
        except BrassError as refused:
            return without_rule(refused)
    return ""


def answered(request: HttpRequest, session: TableSession, note: str = "") -> HttpResponse:
    """The updated table after a post; a browser without JavaScript is redirected to it."""
    if is_part(request) or note:
        return shown(request, session, note)
    return redirect("table", session.table.id)


@require_POST
@for_move
def choose(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Play one click; a card held by the player is discarded without being asked for."""
    ids = numbers(request.POST.get("choice", ""))
    if not ids:
        return error(request, 400, _("Move not played"), _("Nothing was chosen."))
    if click_limit.is_over_limit(request, session):
        if is_part(request):
            return shown(request, session, _(TOO_MANY))
        return error(request, 429, _("Move not played"), _(TOO_MANY))
    card = held_card(session, request.POST)

    def move(session: TableSession, number: int) -> None:
        choices = ids
        if card is not None and number == session.number:  # `choose` refuses any other
            choices = [*with_card(session.game.engine, ids[0], card)]
        session.choose(number, choices)

    return done(request, session, as_json, move)


@require_POST
@for_move
def end(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """End the turn."""
    return done(request, session, as_json, TableSession.end_turn)


@require_POST
@for_move
def back(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Undo the last click, some of them, or the whole turn."""
    wanted = next(iter(numbers(request.POST.get("moves", ""))), 1)
    moves = None if request.POST.get("all") == "1" else wanted
    return done(request, session, as_json, lambda session, number: session.undo(number, moves))


@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def hint(request: HttpRequest, session: TableSession, as_json: bool = False) -> HttpResponse:
    """Ask the coach, if this game allows it, or fetch its answer."""
    if request.method == "POST" and not are_hints_allowed(session.table, session.seats):
        words = _("Between people, hints are off unless the host allows them before the start.")
        if session.table.day is not None:
            words = _("There are no hints in the deal of the day.")
        return error(request, 403, _("No hints in this game"), words)
    with session.lock:
        viewer = viewer_of(request, session)
        if request.method == "POST" and viewer.is_to_move and viewer.seat is not None:
            is_allowed = rate_limit.is_allowed(request, rate_limit.HINTS)
            coach.ask(session, viewer.seat, visitor(request), is_allowed)
    if as_json:
        said = thoughts(session, viewer)
        return JsonResponse(said | {"ideas": [idea._asdict() for idea in said["ideas"]]})
    context = {"table": session.table, "viewer": viewer, **thoughts(session, viewer)}
    return render(request, "table/hint.html", context)


def thoughts(session: TableSession, viewer: Viewer) -> dict[str, Any]:
    """The coach's answer to this visitor, if it was asked."""
    answer = coach.asked(session, viewer.seat)
    return {
        "ideas": answer.ideas() if answer else (),
        "thinking": answer is not None and answer.advice is None,
        "preparing": not startup.is_compiled(),
        "prepared": round(100 * startup.progress().share),  # per cent of the rules
        "asked": answer is not None,
        "refused": answer is not None and answer.is_refused,
    }


@require_POST
@with_session
def pace(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Set the bots' pace, or skip their pauses this once."""
    wish = request.POST.get("pace", "")
    if held_by(session, visitor(request)):
        if wish == "skip":
            bots.skip(session)
        elif wish in PACES:
            session.table.pace = PACES[wish]
            session.table.save(update_fields=["pace"])
    return answered(request, session)


@require_POST
@with_session
def cover(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Uncover or cover the hand of the player to move."""
    with session.lock:
        seat = viewer_of(request, session).cover
        if seat is not None and request.POST.get("show") == str(seat):
            viewers.show(request.session, session, seat)
        elif "hide" in request.POST:
            viewers.cover(request.session, session)
    return answered(request, session)


# --- parsing -------------------------------------------------------------------------------------


def numbers(text: str) -> list[int]:
    """The numbers in a text, separated by spaces; none if it contains anything else."""
    words = text.split()
    return [int(word) for word in words] if all(map(is_number, words)) else []


def held_card(session: TableSession, asked: QueryDict) -> int | None:
    """The card that the visitor has chosen before the action."""
    return card_of(session.game.edition, asked.get("card", ""))


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 15


def without_rule(error: BrassError) -> str:
    """The text of a refusal without the name of the rule."""
    rule = RULES.get(error.reason, "") if isinstance(error, IllegalAction) and error.reason else ""
    return str(error).removesuffix(f" ({rule})")
