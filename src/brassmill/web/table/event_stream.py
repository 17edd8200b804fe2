"""Server-sent events: "something moved", "something was said". The browser then fetches it.

A stream never waits for the database: it uses only sessions in memory, and looks up the account
once, when it opens. Opening a table has loaded its session already. Changes by other processes
arrive through `notify`, whose thread lets the session catch up before it wakes any stream.

Every change wakes all streams of a table, also one that few may see: a click, or a planned turn. So
nothing that a stream sends to the others depends on when it was woken.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from brassmill.web.identity import rate_limit
from brassmill.web.identity.auth import is_signed_in
from brassmill.web.identity.visitor import VISITOR, visitor
from brassmill.web.models import Seat, Table
from brassmill.web.page.chat import is_chat_for
from brassmill.web.server import metrics
from brassmill.web.server.errors import too_often
from brassmill.web.setup.membership import may_enter
from brassmill.web.table import sessions
from brassmill.web.table.live import ALIVE, Listener, hub
from brassmill.web.table.viewer import held_by


@require_GET
def events(request: HttpRequest, table_id: str) -> HttpResponseBase:
    """The stream of a table for one browser."""
    key = visitor(request) if is_signed_in(request) else request.session.get(VISITOR, "")
    address = rate_limit.address_of(request)
    session = sessions.at_hand(table_id)
    table = session.table if session else Table.objects.filter(pk=table_id).first()
    if table is None or (table.club_id and not may_enter(table, table.seats.all(), key)):
        raise Http404
    plays = bool(key) and Seat.objects.filter(table=table_id, holder=key).exists()
    if table.held and not plays:
        raise Http404
    if not hub.admit(table_id, key, address, plays):
        return too_often(request)
    return StreamingHttpResponse(
        stream(table_id, key, address),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def stream(table_id: str, key: str, address: str = "") -> AsyncGenerator[str]:
    """The visitor's stamp of the table, now and whenever it changes."""
    listener, woken = Listener(key, address), True
    last: str | None = None
    hub.add(table_id, listener)
    metrics.open_streams.inc()
    heard = hub.said[table_id]
    now = asyncio.get_running_loop().time
    alive = now() + ALIVE  # when to send a keep-alive
    try:
        while not hub.closed:
            session = sessions.at_hand(table_id)
            if session:
                stamp = session.stamp(held_by(session, key))
            elif woken:  # gone, or not in memory yet: the next request finds out
                stamp = ""
            if stamp != last:
                last = stamp
                yield f"event: moved\ndata: {stamp}\n\n"
            if session and heard != hub.said[table_id]:
                heard = hub.said[table_id]
                if is_chat_for(session.table, session.seats, key):
                    yield "event: said\ndata: something\n\n"
            woken = await listener.wait(alive)
            if not woken or now() >= alive:
                alive = now() + ALIVE
                yield ":\n\n"
    finally:
        hub.remove(table_id, listener)
        metrics.open_streams.dec()
