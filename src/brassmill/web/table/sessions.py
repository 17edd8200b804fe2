"""The sessions of this process: a cache, since any of them can be rebuilt from its log."""

from __future__ import annotations

import logging
from collections import OrderedDict
from functools import partial
from threading import Lock

from django.db import connection, transaction
from django.db.models import F

from brassmill.web.models import Table
from brassmill.web.server import notify
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import archived, live
from brassmill.web.table.session import TableSession
from brassmill.web.table.writing import Stale

MOST = 600  # sessions in memory, about half a megabyte each

log = logging.getLogger("brassmill.web")

_sessions: OrderedDict[str, TableSession] = OrderedDict()  # most recently used last
_lock = Lock()  # never query the database while holding it
_era = 0  # how often the cache was cleared


def get(table_id: str) -> TableSession:
    """The up-to-date session of a table; raises `Table.DoesNotExist` if there is none."""
    try:
        return _up_to_date(table_id)
    except Stale:  # the log has been replaced: rebuild the session
        return _up_to_date(table_id)


def perhaps_outdated(table_id: str) -> TableSession:
    """The session of a table for a move, which is refused if another process has changed it.

    So a move costs no query of its own to find out. Whoever is refused tries again with `get`.
    """
    found = _take(table_id)
    if found is None or not found.is_replayed:
        return get(table_id)
    connection.ensure_connection()  # never wait for one while holding the lock
    return found


def _up_to_date(table_id: str) -> TableSession:
    while (found := _take(table_id)) is None:
        _fetch(table_id)
    try:
        found.catch_up()
    except TROUBLE:
        raise  # the session is still good
    except Exception:
        forget(table_id)
        raise
    return found


def _take(table_id: str) -> TableSession | None:
    """The session if it is in memory, marked as most recently used."""
    with _lock:
        found = _sessions.get(table_id)
        if found and found.is_lost:
            del _sessions[table_id]
            return None
        if found:
            _sessions.move_to_end(table_id)
        return found


def _fetch(table_id: str) -> None:
    """Load a session, unless another thread was faster."""
    era = _era
    table = Table.objects.get(pk=table_id)
    fresh = TableSession(table, table.seats.all())
    with _lock:
        if era == _era:  # otherwise what was read may be outdated
            _sessions.setdefault(table_id, fresh)
        while len(_sessions) > MOST:
            _sessions.popitem(last=False)


def changed(*table_ids: str) -> None:
    """Announce that rows of these tables or their seats changed, so that sessions reread them.

    In the transaction that changes them, so that no session ever plays on with the old rows.
    """
    for table_id in table_ids:
        with transaction.atomic():
            Table.objects.filter(pk=table_id).update(revision=F("revision") + 1)
            archived.reread_seats([table_id])
            notify.send(notify.MOVED, table_id)
            transaction.on_commit(partial(catch_up, table_id))


def at_hand(table_id: str) -> TableSession | None:
    """The session of a table if it is in memory, for callers that must not wait for a query."""
    found = _sessions.get(table_id)
    return None if found and found.is_lost else found


def forget(table_id: str) -> None:
    """Drop a session from memory."""
    with _lock:
        _sessions.pop(table_id, None)


def forget_all() -> None:
    """Drop all sessions from memory."""
    global _era
    with _lock:
        _era += 1
        for found in _sessions.values():
            found.is_lost = True  # threads still using it write nothing more
        _sessions.clear()


# --- changes by other processes ------------------------------------------------------------------


def catch_up(table_id: str) -> None:
    """A table changed elsewhere: catch up, then notify the browsers that show it."""
    if table_id not in live.hub.watched():
        return  # the next request catches up
    try:
        get(table_id)
    except TROUBLE:
        raise
    except Exception:  # gone, or played with different rules: the page says so
        log.info("cannot catch up with table %s", table_id, exc_info=True)
    live.moved(table_id)


def catch_up_all() -> None:
    """Notifications may have been missed: catch up with every table on screen."""
    for table_id in live.hub.watched():
        catch_up(table_id)


def reload_all(_everything: str) -> None:
    """The database was restored: discard everything in memory."""
    forget_all()
    catch_up_all()
    for table_id in live.hub.watched():
        live.said(table_id)
