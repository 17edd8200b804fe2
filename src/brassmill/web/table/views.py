"""The table: the page, its parts, its JSON twin, and everything that is done there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brassmill.errors import BrassError, IllegalAction
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.identity.visitor import visitor
from brassmill.web.mail.notifications import reached_at
from brassmill.web.page import why as asking
from brassmill.web.page.chat import chat_of, is_chat_for
from brassmill.web.page.game_list import ERAS, free_seat
from brassmill.web.page.model import SeatInfo, Sheet, before_the_game, sheet_of, without_result
from brassmill.web.page.pictures import drawings_of, pictures_of
from brassmill.web.server import site_url
from brassmill.web.server.errors import error
from brassmill.web.setup import rematch
from brassmill.web.table import bots, coach
from brassmill.web.table import viewer as viewers
from brassmill.web.table.guards import at_desk, is_part
from brassmill.web.table.leaving import Attendance, attendance_of
from brassmill.web.table.live import hub
from brassmill.web.table.pace import PACES
from brassmill.web.table.session import Desk
from brassmill.web.table.viewer import Viewer, held_by, viewer_of
from brassmill.web.table.waiting_room import Room, room_of
from brassmill.words import RULES

DRAWERS = ("mats", "tracks", "discards")  # opened by few: not part of the page

NOT_YOU = N_("It is not your turn.")


class Scene(NamedTuple):
    """The table as one visitor sees it at one moment."""

    viewer: Viewer
    sheet: Sheet
    notes: tuple[str, ...]
    room: Room | None  # the waiting room, until the game begins
    attendance: Attendance  # whose time runs, and who is not there


# --- what is seen --------------------------------------------------------------------------------


def scene(request: HttpRequest, desk: Desk) -> Scene:
    """What the page shows, all of one moment."""
    with desk.lock:
        viewer = viewer_of(request, desk)
        view, others = viewer.view, viewer.others
        story, heard = desk.told(viewer.seat, viewer.held)
        number, undoable, draft = 0, 0, None
        if viewer.is_to_move:
            number, undoable, draft = desk.number, desk.undoable, desk.game.draft
        stamp = viewer.stamp
        since = story[heard - 1].number if heard else 0
        notes = [each.words(desk.game) for each in desk.forfeits if each.number > since]
        if desk.fault and desk.mover_is_bot:
            notes.append(_("This opponent cannot play: {reason}").format(reason=desk.fault))
        if not viewer.held and visitor(request) in [seat.former for seat in desk.seats]:
            notes.append(_("Your seat has moved to another device: here you are watching."))
        words = _("The seat of {name} is being offered to someone else. The game waits for them.")
        mover = None if desk.to_move is None else desk.seats[desk.to_move]
        notes += [words.format(name=mover.name)] if mover and mover.offered else []
    sheet = sheet_of(
        view,
        [
            SeatInfo(seat.name or free_seat(), seat.bot, seat.is_stood_in, seat.is_left)
            for seat in desk.seats
        ],
        number=number,
        stamp=stamp,
        undoable=undoable,
        draft=draft,
        others=others,
        story=story,
        heard=heard,
    )
    attendance = attendance_of(desk, viewer.held)
    if desk.is_void:
        return Scene(viewer, without_result(sheet), tuple(notes), None, attendance)
    if not desk.table.gathering:
        return Scene(viewer, sheet, tuple(notes), None, attendance)
    room = room_of(desk.table, desk.seats, visitor(request))
    return Scene(viewer, before_the_game(sheet), tuple(notes), room, attendance)


def shown(request: HttpRequest, desk: Desk, note: str = "", sent: str = "") -> HttpResponse:
    """The fresh table: a part for a page that is there already, or a whole page.

    A `note` says what could not be done, and `sent` what was.
    """
    seen = scene(request, desk)
    viewer, sheet = seen.viewer, seen.sheet
    is_whole = not is_part(request)
    is_new = seen.room is not None or (sheet.era_name == ERAS[0] and sheet.round == 1)
    context = {
        "sheet": sheet,
        "pictures": pictures_of(
            viewer.view, sheet, shape=request.COOKIES.get("shape", "wide"), whole=is_whole
        ),
        "viewer": viewer,
        "table": desk.table,
        "cover": None if viewer.cover is None else sheet.players[viewer.cover],
        "room": seen.room,
        "attendance": seen.attendance,
        "can_mail": bool(site_url.of_table(desk.table)),
        "mails_to": mails_to(desk, seen) if is_whole or is_new else "",
        "is_new": is_new,
        "address": lambda token: request.build_absolute_uri(reverse("join", args=[token])),
        "note": " ".join(filter(None, [note, *seen.notes])),
        "sent": sent,
        **thoughts(desk, viewer),
    }
    known = (desk.table, desk.seats, visitor(request))
    context |= {
        "waits": rematch.who_waits(*known),
        "watching": watching(desk),
        "has_chat": is_chat_for(*known),
        "chat": chat_of(*known) if is_whole else None,  # it is fetched when something is said
        "chat_note": "",
    }
    return render(request, "table/page.html" if is_whole else "table/content.html", context)


def mails_to(desk: Desk, seen: Scene) -> str:
    """Where the visitor is told of his turns at this table; nothing: nowhere."""
    held = seen.viewer.held
    if not held or not seen.attendance.among_people:
        return ""
    contact = reached_at(desk.table, desk.seats[held[0]].holder)
    return contact.address if contact else ""


def watching(desk: Desk) -> int:
    """About how many look on who do not play."""
    return len(hub.visitors(desk.table.id) - {seat.holder for seat in desk.seats})


@require_safe
@at_desk
def table(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """The page of a table."""
    return as_data(request, desk) if as_json else shown(request, desk)


def as_data(request: HttpRequest, desk: Desk) -> JsonResponse:
    """All that the page shows, for programs."""
    viewer, sheet, notes, room, attendance = seen = scene(request, desk)
    data = {
        **sheet.as_dict(),
        "table": desk.table.id,
        "held": viewer.held,
        "cover": viewer.cover,
        "hands": desk.table.hands,
        "pace": desk.table.pace,
        "notes": notes,
        "watching": watching(desk),
        "gathering": room and room.as_dict(),
        "attendance": attendance.as_dict(),
        "mails_to": mails_to(desk, seen),
        "waits": rematch.who_waits(desk.table, desk.seats, visitor(request)),
    }
    return JsonResponse(data)


@require_safe
@at_desk
def part(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The table again, if anything has changed for this visitor; or what a drawer holds."""
    with desk.lock:
        viewer = viewer_of(request, desk)
        view, stamp = viewer.view, viewer.stamp
    if "drawer" in request.GET:
        if request.GET["drawer"] not in DRAWERS:
            raise Http404
        drawings = drawings_of(view, request.GET["drawer"])
        return render(request, "table/drawer_content.html", {"drawings": drawings})
    if request.GET.get("stamp") == stamp:
        return HttpResponse(status=204)
    return shown(request, desk)


@require_safe
@at_desk
def past(request: HttpRequest, desk: Desk, action: int, as_json: bool) -> HttpResponse:
    """The table just after an action, as its visitor may know it."""
    with desk.lock:
        if action > desk.actions:
            raise Http404
        return JsonResponse(desk.past(viewer_of(request, desk).seat, action).as_dict())


@require_safe
@at_desk
def why(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """Why something on the page cannot be done now."""
    element = request.GET.get("on", "")
    with desk.lock:
        view = viewer_of(request, desk).view
    explanations = asking.why_not(view, element)
    if as_json:
        return JsonResponse({"on": element, "explanations": [*map(asdict, explanations)]})
    return render(request, "table/why.html", {"explanations": explanations, "table": desk.table})


@require_safe
@at_desk
def preview(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """What a choice would cost and bring."""
    with desk.lock:
        viewer = viewer_of(request, desk)
        view, draft = viewer.view, desk.game.draft if viewer.is_to_move else None
    ids = numbers(request.GET.get("choice", ""))
    if not ids or ids[0] not in view.legal:
        return JsonResponse({}) if as_json else HttpResponse(status=204)
    found = asking.preview(view, ids[0], draft)
    if as_json:
        return JsonResponse(asdict(found))
    return render(request, "table/preview.html", {"preview": found, "table": desk.table})


# --- what is done --------------------------------------------------------------------------------


def done(
    request: HttpRequest, desk: Desk, as_json: bool, call: Callable[[int], None]
) -> HttpResponse:
    """Do something for the seat that must choose, and answer with the fresh table."""
    note = ""
    number = numbers(request.POST.get("number", ""))
    with desk.lock:
        try:
            if not viewer_of(request, desk).is_to_move:
                raise IllegalAction(_(NOT_YOU))
            call(number[0] if number else 0)
        except BrassError as refused:
            note = without_rule(refused)
    bots.wake(desk)
    if not as_json:
        return answered(request, desk, note)
    return error(request, 409, _("Move not played"), note) if note else as_data(request, desk)


def answered(request: HttpRequest, desk: Desk, note: str = "") -> HttpResponse:
    """The fresh table after a post; a page without a script is sent there."""
    if is_part(request) or note:
        return shown(request, desk, note)
    return redirect("table", desk.table.id)


@require_POST
@at_desk
def choose(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """One click."""
    ids = numbers(request.POST.get("choice", ""))
    if not ids:
        return error(request, 400, _("Move not played"), _("Nothing was chosen."))
    return done(request, desk, as_json, lambda number: desk.choose(number, ids))


@require_POST
@at_desk
def end(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """The end of a turn."""
    return done(request, desk, as_json, desk.end)


@require_POST
@at_desk
def back(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """Take back the last click, or all of the turn."""
    calls = None if request.POST.get("all") == "1" else 1
    return done(request, desk, as_json, lambda number: desk.back(number, calls))


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk
def hint(request: HttpRequest, desk: Desk, as_json: bool = False) -> HttpResponse:
    """Ask the coach, or look whether he has an answer."""
    with desk.lock:
        viewer = viewer_of(request, desk)
        if request.method == "POST" and viewer.is_to_move and viewer.seat is not None:
            coach.ask(desk, viewer.seat)
    if as_json:
        said = thoughts(desk, viewer)
        return JsonResponse(said | {"ideas": [idea._asdict() for idea in said["ideas"]]})
    context = {"table": desk.table, "viewer": viewer, **thoughts(desk, viewer)}
    return render(request, "table/hint.html", context)


def thoughts(desk: Desk, viewer: Viewer) -> dict[str, Any]:
    """What the coach says to who is looking, as far as he was asked."""
    adviser = coach.asked(desk, viewer.seat)
    return {
        "ideas": adviser.ideas() if adviser else (),
        "thinking": adviser is not None and adviser.advice is None,
        "asked": adviser is not None,
    }


@require_POST
@at_desk
def pace(request: HttpRequest, desk: Desk) -> HttpResponse:
    """How fast bots play, or that they shall not wait for now."""
    wish = request.POST.get("pace", "")
    if held_by(desk, visitor(request)):
        if wish == "skip":
            bots.skip(desk)
        elif wish in PACES:
            desk.table.pace = PACES[wish]
            desk.table.save(update_fields=["pace"])
    return answered(request, desk)


@require_POST
@at_desk
def cover(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Uncover the hand of who is to move, or cover it."""
    with desk.lock:
        seat = viewer_of(request, desk).cover
        if seat is not None and request.POST.get("show") == str(seat):
            viewers.show(request.session, desk, seat)
        elif "hide" in request.POST:
            viewers.cover(request.session, desk)
    return answered(request, desk)


# --- reading -------------------------------------------------------------------------------------


def numbers(text: str) -> list[int]:
    """Whole numbers with blanks between them; nothing if it is anything else."""
    words = text.split()
    return [int(word) for word in words] if all(map(is_number, words)) else []


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 15


def without_rule(error: BrassError) -> str:
    """The words of a refusal, without the name of the rule."""
    rule = RULES.get(error.reason, "") if isinstance(error, IllegalAction) and error.reason else ""
    return str(error).removesuffix(f" ({rule})")
