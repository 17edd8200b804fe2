"""The leaderboards."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.editions import EDITIONS
from brassmill.web.identity.auth import account_of
from brassmill.web.models import Ladder
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.ratings import boards
from brassmill.web.ratings.computing import NEWCOMER, shown
from brassmill.web.server import database

LAST = 10_000  # page


@require_safe
def ratings(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """Show the leaderboard of an edition and number of players."""
    asked = request.GET
    name = boards.read(asked.get("kind", ""), asked.get("game", ""), asked.get("players", ""))
    number = asked.get("page", "")
    is_number = number.isascii() and number.isdigit() and len(number) <= len(str(LAST))
    page = max(1, min(int(number), LAST)) if is_number else 1
    account = account_of(request)
    board = boards.board_of(name, account.pk if account else None, page, database.now())
    if as_json:
        return JsonResponse(
            {
                **name._asdict(),
                "page": page,
                "more": board.has_more,
                "rows": [row.as_dict() for row in board.rows],
                "own": board.own and board.own.as_dict(),
            }
        )
    context = {
        "board": board,
        "ladder_words": boards.ladder_words,
        "kinds": [kind for kind, _words in Ladder.KINDS],
        "editions": [(edition, title_of(edition)) for edition in EDITION_ORDER],
        "numbers": EDITIONS[name.edition].players,
        "newcomer": shown(NEWCOMER.mu, NEWCOMER.sigma),
    }
    return render(request, "ratings/board.html", context)
