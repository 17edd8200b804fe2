"""Records that come and go: upload and download."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brassmill import record as records
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import BrokenRecord, Record
from brassmill.web.identity import blocks, rate_limit, visitor
from brassmill.web.models import Upload
from brassmill.web.replay.record_error import Fault, fault_of
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server.errors import blocked, too_often
from brassmill.web.table.archive import stored_record
from brassmill.web.table.guards import with_session
from brassmill.web.table.session import TableSession
from brassmill.web.table.unplayable_views import as_file
from brassmill.web.table.viewer import viewer_of

LARGEST = 1_000_000  # bytes; a game has some 15,000
NO_LETTER = re.compile("[\ud800-\udfff]")  # a byte that is no UTF-8, as the reader gets it
LONGEST = 100  # letters of a name
MOST = 100  # records of a visitor
LISTED = 12  # of what a visitor has brought, the newest


@dataclass(frozen=True)
class Brought:
    """What somebody sent: a text, and what it is called."""

    text: str
    name: str


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """A form for a record; one that can be read and played is kept and shown."""
    if request.method != "POST":
        return page(request, Brought("", ""))
    if not rate_limit.is_allowed(request, rate_limit.UPLOADS):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        brought = _brought(request)
    except BrassError as error:
        return page(request, Brought(request.POST.get("text", ""), ""), Fault(str(error)))
    try:
        timeline = Timeline(games_of(brought.text)[0])
    except BrassError as error:
        shown = replace(brought, text=NO_LETTER.sub("\N{REPLACEMENT CHARACTER}", brought.text))
        return page(request, shown, fault_of(shown.text, error))
    if Upload.objects.filter(visitor=visitor.visitor(request)).count() >= MOST:
        words = _("You have uploaded {most} records: delete one first.").format(most=MOST)
        return page(request, brought, Fault(words))
    kept = Upload.objects.create(
        visitor=visitor.visitor(request),
        name=brought.name or ", ".join(timeline.seats)[:LONGEST],
        text=brought.text,
    )
    return redirect("upload_replay", kept.id)


@require_safe
def uploads_json(request: HttpRequest) -> JsonResponse:
    """What a visitor has brought."""
    kept = [
        {"id": one.id, "name": one.name, "at": one.at.isoformat()} for one in brought_by(request)
    ]
    return JsonResponse({"records": kept, "largest": LARGEST})


@require_POST
def delete(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 (the address says so)
    """Delete a record that the visitor has brought."""
    get_object_or_404(Upload, pk=id, visitor=visitor.visitor(request)).delete()
    return redirect("upload")


def brought_by(request: HttpRequest) -> QuerySet[Upload]:
    """The newest records that a visitor has brought."""
    return Upload.objects.filter(visitor=visitor.visitor(request)).order_by("-at")[:LISTED]


def page(request: HttpRequest, brought: Brought, fault: Fault | None = None) -> HttpResponse:
    """The form with all that was in it, and what is wrong with it."""
    context = {
        "brought": brought,
        "fault": fault,
        "largest": LARGEST,
        "uploads": brought_by(request),
    }
    return render(request, "replay/upload.html", context, status=422 if fault else 200)


def _brought(request: HttpRequest) -> Brought:
    """The file if there is one, else the text; an error says why it is not taken."""
    file = request.FILES.get("file")
    text, name = request.POST.get("text", ""), request.POST.get("name", "")
    if isinstance(file, UploadedFile):
        _check_size(file.size or 0)
        # What is no UTF-8 stays recognisable for the reader, who says where it is.
        text, name = file.read().decode("utf-8", "surrogateescape"), file.name or ""
    _check_size(len(text.encode("utf-8", "surrogateescape")))
    if not text.strip():
        raise BrassError(_("Choose a file or paste the text of a record."))
    return Brought(text, name.replace("\0", "")[:LONGEST])  # PostgreSQL takes none


def _check_size(size: int) -> None:
    if size > LARGEST:
        raise BrassError(
            _(
                "This is {size} kB; the limit is {largest} kB (a game has about 15). From a "
                "long file, paste a single game."
            ).format(size=-(-size // 1000), largest=LARGEST // 1000)
        )


def games_of(text: str) -> list[Record]:
    """The games of a text; the first that cannot be read is raised."""
    games: list[Record] = []
    for found in records.read(text.split("\n")):
        if isinstance(found, BrokenRecord):
            raise found
        games.append(found)
    if not games:
        raise BrassError(_("This text contains no game."))
    return games


# --- download ------------------------------------------------------------------------------------


@require_safe
@with_session
def record(request: HttpRequest, session: TableSession) -> HttpResponse:
    """The record of a table as a file: all of it, or what the visitor may know."""
    viewer = viewer_of(request, session)
    with session.lock:
        text = record_text(session, viewer.seat)
    return as_file(session.table, text)


def record_text(session: TableSession, seat: int | None) -> str:
    """The whole record of a game that was played out; else that of a seat or a spectator."""
    if session.is_revealed:
        return stored_record(session.table, session.seats)
    return str(_known_record(session, seat))


def record_of(session: TableSession, seat: int | None) -> Record:
    """The same, to be played."""
    if session.is_revealed:
        return records.loads(stored_record(session.table, session.seats))
    return _known_record(session, seat)


def _known_record(session: TableSession, seat: int | None) -> Record:
    headers = {"Date": f"{session.table.began:%Y-%m-%d}"}
    return session.game.record("spectator" if seat is None else seat, headers)
