"""Server-sent events: "something moved", "something was said". What, each browser fetches itself.

A stream never waits for the database: it knows only sessions in memory. Whoever opens one fetches
the table once anyway; who is signed in is asked for once, at its beginning. What another process
does is told by `notify`, and the thread that hears it lets the session catch up before anybody is
woken.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from brassmill.web.identity.auth import is_signed_in
from brassmill.web.identity.visitor import VISITOR, visitor
from brassmill.web.server import metrics
from brassmill.web.table import sessions
from brassmill.web.table.live import Listener, hub
from brassmill.web.table.viewer import held_by


@require_GET
def events(request: HttpRequest, table_id: str) -> StreamingHttpResponse:
    """The stream of a table for one browser."""
    key = visitor(request) if is_signed_in(request) else request.session.get(VISITOR, "")
    return StreamingHttpResponse(
        stream(table_id, key),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def stream(table_id: str, key: str) -> AsyncGenerator[str]:
    """The stamp of the table as this visitor sees it, now and whenever it changes."""
    listener, woken = Listener(key), True
    last: str | None = None
    hub.add(table_id, listener)
    metrics.open_streams.inc()
    heard = hub.said[table_id]
    try:
        while not hub.closed:
            session = sessions.at_hand(table_id)
            if session:
                stamp = session.stamp(held_by(session, key))
            elif woken:  # it is gone, or not in memory yet: whoever fetches it knows
                stamp = ""
            if stamp != last:
                last = stamp
                yield f"event: moved\ndata: {stamp}\n\n"
            if heard != hub.said[table_id]:
                heard = hub.said[table_id]
                yield "event: said\ndata: something\n\n"
            woken = await listener.wait()
            if not woken:
                yield ":\n\n"
    finally:
        hub.remove(table_id, listener)
        metrics.open_streams.dec()
