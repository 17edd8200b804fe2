"""Records: upload and download."""

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
from brassmill.record.parser import GAME_BEGINS
from brassmill.record.record import Viewer
from brassmill.web.identity import blocks, rate_limit, visitor
from brassmill.web.models import Upload
from brassmill.web.replay import uploads
from brassmill.web.replay.record_error import RecordProblem, problem_of
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.table.archive import stored_record
from brassmill.web.table.guards import with_record
from brassmill.web.table.session import TableSession
from brassmill.web.table.unplayable_views import as_file
from brassmill.web.table.viewer import viewer_of

LARGEST = 1_000_000  # bytes; a game takes about 15,000
NO_LETTER = re.compile("[\ud800-\udfff]")  # a byte that is not UTF-8, as the reader gets it
BEGINNING = re.compile(rf"(?:\A\ufeff?|^){re.escape(GAME_BEGINS)}", re.MULTILINE)
LONGEST = 100  # characters of a name
ECHOED = 100_000  # characters of a refused text that are sent back
LISTED = 12  # newest uploads of a visitor


@dataclass(frozen=True)
class Submission:
    """An uploaded text and its name."""

    text: str
    name: str


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Show the upload form; a POST stores a valid record and shows it."""
    if request.method != "POST":
        return page(request, Submission("", ""))
    if not rate_limit.is_allowed(request, rate_limit.UPLOADS):
        return too_often(request)
    if blocks.is_blocked(request):
        return blocked(request)
    try:
        submission = _submitted(request)
    except BrassError as refused:
        return page(
            request, Submission(request.POST.get("text", ""), ""), RecordProblem(str(refused))
        )
    try:
        timeline = Timeline(games_of(submission.text)[0])
    except BrassError as refused:
        shown = replace(
            submission, text=NO_LETTER.sub("\N{REPLACEMENT CHARACTER}", submission.text)
        )
        return page(request, shown, problem_of(shown.text, refused))
    name = submission.name or ", ".join(timeline.seats)[:LONGEST]
    try:
        kept = uploads.keep(request, name, submission.text)
    except BrassError as refused:
        return page(request, submission, RecordProblem(str(refused)))
    return redirect("upload_replay", kept.id)


@require_safe
def uploads_json(request: HttpRequest) -> JsonResponse:
    """Return a visitor's uploads as data."""
    kept = [
        {"id": one.id, "name": one.name, "at": one.at.isoformat()} for one in uploads_by(request)
    ]
    return JsonResponse({"records": kept, "largest": LARGEST})


@require_POST
def delete(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 (the address says so)
    """Delete one of the visitor's uploads."""
    get_object_or_404(Upload, pk=id, visitor=visitor.visitor(request)).delete()
    return redirect("upload")


def uploads_by(request: HttpRequest) -> QuerySet[Upload]:
    """Return a visitor's newest uploads."""
    return Upload.objects.filter(visitor=visitor.visitor(request)).order_by("-at")[:LISTED]


def page(
    request: HttpRequest, submission: Submission, fault: RecordProblem | None = None
) -> HttpResponse:
    """Render the form with its input and any errors.

    A very long text is not sent back: many such answers would fill the memory.
    """
    if len(submission.text) > ECHOED:
        submission = replace(submission, text="")
    context = {
        "submission": submission,
        "fault": fault,
        "largest": LARGEST,
        "uploads": uploads_by(request),
        "days": uploads.KEPT.days,
    }
    return render(request, "replay/upload.html", context, status=422 if fault else 200)


def _submitted(request: HttpRequest) -> Submission:
    """Return the uploaded file, or else the pasted text; raise an error if it is refused."""
    file = request.FILES.get("file")
    text, name = request.POST.get("text", ""), request.POST.get("name", "")
    if isinstance(file, UploadedFile):
        _check_size(file.size or 0)
        # Keep bytes that are not UTF-8 recognisable: the reader reports where they are.
        text, name = file.read().decode("utf-8", "surrogateescape"), file.name or ""
    _check_size(len(text.encode("utf-8", "surrogateescape")))
    if not text.strip():
        raise BrassError(_("Choose a file or paste the text of a record."))
    return Submission(text, name.replace("\0", "")[:LONGEST])  # PostgreSQL rejects NUL


def _check_size(size: int) -> None:
    if size > LARGEST:
        raise BrassError(
            _(
                "This is {size} kB; the limit is {largest} MB (a game has about 15 kB). From a "
                "long file, paste a single game."
            ).format(size=-(-size // 1000), largest=LARGEST // 1_000_000)
        )


def games_of(text: str) -> list[Record]:
    """Return the games of a text; raise the error of the first that cannot be read."""
    games: list[Record] = []
    for found in records.read(text.split("\n")):
        if isinstance(found, BrokenRecord):
            raise found
        games.append(found)
    if not games:
        raise BrassError(_("This text contains no game."))
    return games


def game_of(text: str, number: int) -> Record:
    """Return one game of a text, without reading the others; raise an error if it is broken."""
    start, end = _place_of(text, number)
    blank = text.count("\n", 0, start)  # lines, so that an error names its line of the whole text
    try:
        return games_of("\n" * blank + text[start:end])[0]
    except BrokenRecord as error:
        raise BrokenRecord(number, error.line, error.message) from None


def text_of_game(text: str, number: int) -> str:
    """Return the text of one game."""
    start, end = _place_of(text, number)
    return text[start:end]


def _place_of(text: str, number: int) -> tuple[int, int]:
    """Return where the text of a game begins and ends."""
    begins = _beginnings(text)
    start = begins[number - 1] if number > 1 else 0
    return start, begins[number] if number < len(begins) else len(text)


def number_of_games(text: str) -> int:
    """Count the games of a text."""
    return max(1, len(_beginnings(text)))


def _beginnings(text: str) -> list[int]:
    return [found.start() for found in BEGINNING.finditer(text)]


# --- download ------------------------------------------------------------------------------------


@require_safe
@with_record
def record(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Download the record of a table: all of it, or what the visitor may see."""
    viewer = viewer_of(request, session)
    try:
        with session.lock:
            text = record_text(session, viewer.seat)
    except NoRecord as refused:
        return error(request, 409, _("No record yet"), str(refused))
    return as_file(session.table, text)


def record_text(session: TableSession, seat: int | None) -> str:
    """Return the full record of a finished game, or else the record for a seat or a spectator."""
    if session.is_revealed:
        return stored_record(session.table, session.seats)
    return str(_known_record(session, seat))


def record_of(session: TableSession, seat: int | None) -> Record:
    """Return the same record, parsed."""
    if session.is_revealed:
        return records.loads(stored_record(session.table, session.seats))
    return _known_record(session, seat)


class NoRecord(BrassError):  # noqa: N818 (errors are named by what happened, as in errors.py)
    """A running game has no record for a seat."""


def _known_record(session: TableSession, seat: int | None) -> Record:
    if session.archive.position:
        words = _("This game began from a position. It has a record once it is over.")
        raise NoRecord(words)
    headers = {"Date": f"{session.table.began:%Y-%m-%d}"}
    viewer: Viewer = "spectator" if seat is None else seat
    return Record.of(session.game, viewer, headers, conceded=session.conceded)
