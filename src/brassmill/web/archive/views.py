"""The pages of the archive: the search, and a selection as a file."""

from __future__ import annotations

from threading import Lock

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brassmill.web.archive import following, page, selection
from brassmill.web.archive.search import GameSearch, find
from brassmill.web.identity import rate_limit, visitor
from brassmill.web.server.errors import too_often

_one_at_a_time = Lock()  # a selection takes a page thread up to a second


@require_safe
def archive(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """Search all finished public games."""
    if not rate_limit.is_allowed(request, rate_limit.SEARCHES):
        return too_often(request)
    search = GameSearch.of(request.GET.dict())
    found = find(search, request.GET.get("after", ""))
    rows = page.rows_of(found.games)
    if as_json:
        return JsonResponse(
            {
                "asked": search.asked,
                "games": [row.as_dict() for row in rows],
                "after": found.after,
                "is_full": found.is_full,
            }
        )
    account = following.account_named(search.player) if search.player else None
    context = {
        "search": search,
        "choices": page.choices(search),
        "ranges": page.ranges(),
        "rows": rows,
        "found": found,
        "begun": bool(request.GET.get("after")),
        "openings": sorted({row.first_actions for row in rows if row.opening}),
        "account": account,
        "is_followed": account is not None and following.follows(visitor.visitor(request), account),
        "most": selection.MOST,
    }
    return render(request, "archive/archive.html", context)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """A selection as one file."""
    if not rate_limit.is_allowed(request, rate_limit.SELECTIONS):
        return too_often(request)
    if not _one_at_a_time.acquire(blocking=False):
        return too_often(request)
    try:
        content = "".join(selection.texts(GameSearch.of(request.GET.dict())))
    finally:
        _one_at_a_time.release()
    return HttpResponse(
        content,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="games.brass"'},
    )
