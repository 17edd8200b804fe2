"""Walking the moves of an analysis board, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.analysis.board import BoardGame
from brassmill.web.analysis.board_views import shown
from brassmill.web.analysis.ground import Ground, with_board
from brassmill.web.identity import rate_limit
from brassmill.web.replay.move_list import branches, rounds_of
from brassmill.web.replay.notes import Move
from brassmill.web.server.errors import too_often
from brassmill.web.table.guards import is_part
from brassmill.web.table.views import without_rule

Change = Callable[[BoardGame, Move], None]


@require_safe
@with_board
def board_moves(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """All moves of the game, with their variations and comments."""
    return _moves(request, ground, found)


def _moves(request: HttpRequest, ground: Ground, found: BoardGame, note: str = "") -> HttpResponse:
    notes, here = found.notes, found.move
    context = {
        "name": found.row.pk,
        "title": ground.title,
        "ground": ground,
        "stamp": found.stamp,
        "timeline": found.timeline,
        "start": notes.moves[0],
        "is_at_start": here is notes.moves[0],
        "rounds": rounds_of(found.timeline, notes, here),
        "more": branches(found.timeline, notes.moves[-1].others, here),
        "counts": counts_of(found),
        "note": note,
    }
    return render(request, "analysis/moves.html", context, status=409 if note else 200)


def counts_of(found: BoardGame) -> dict[str, int]:
    """How many variations and comments there are."""
    return {"variations": len(found.notes.variations), "comments": len(found.notes.comments)}


def _changed(
    request: HttpRequest, ground: Ground, found: BoardGame, change: Change
) -> HttpResponse:
    """Change something about the move that a form names, if its page is up to date."""
    if not rate_limit.is_allowed(request, rate_limit.BOARDS):
        return too_often(request)
    from_list = request.POST.get("from") == "moves"
    note, move = "", found.notes.find(request.POST.get("move", ""))
    if request.POST.get("stamp") != found.stamp or move is None:
        note = _("The board has changed meanwhile: look again.")
    else:
        try:
            change(found, move)
        except BrassError as refused:
            note = without_rule(refused)
    again = BoardGame(found.timeline, found.row)
    if from_list:
        return (
            _moves(request, ground, again, note) if note else redirect("board_moves", found.row.pk)
        )
    if is_part(request):
        return shown(request, ground, again, note)
    return redirect("board", found.row.pk)


@require_POST
@with_board
def board_go(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """Set the board up after another move."""
    return _changed(request, ground, found, BoardGame.go_to)


@require_POST
@with_board
def board_comment(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """Say something about a move; no words delete the comment."""
    text = "" if request.POST.get("delete") else request.POST.get("text", "")
    return _changed(request, ground, found, lambda board, move: board.comment(move, text))


@require_POST
@with_board
def board_promote(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """Move a variation one place forward."""
    return _changed(request, ground, found, BoardGame.promote)


@require_POST
@with_board
def board_remove(request: HttpRequest, ground: Ground, found: BoardGame) -> HttpResponse:
    """Delete a move of a variation, and what follows."""
    return _changed(request, ground, found, BoardGame.remove)
