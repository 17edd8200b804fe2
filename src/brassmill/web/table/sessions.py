"""The sessions of this process. Any of them may be forgotten: its log brings it back."""

from __future__ import annotations

import logging
from collections import OrderedDict
from threading import Lock

from django.db import transaction
from django.db.models import F

from brassmill.web.models import Table
from brassmill.web.server import notify
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import live
from brassmill.web.table.session import Stale, TableSession

MOST = 200  # sessions in memory

log = logging.getLogger("brassmill.web")

_sessions: OrderedDict[str, TableSession] = OrderedDict()  # the one used last at the end
_lock = Lock()  # nobody asks the database with it in hand
_era = 0  # how often all were forgotten


def get(table_id: str) -> TableSession:
    """The session of a table, as its log is now; `Table.DoesNotExist` if there is none."""
    try:
        return _up_to_date(table_id)
    except Stale:  # the log is another than it was: begin anew
        return _up_to_date(table_id)


def _up_to_date(table_id: str) -> TableSession:
    while (found := _take(table_id)) is None:
        _fetch(table_id)
    try:
        found.catch_up()
    except TROUBLE:
        raise  # it knows what it knew
    except Exception:
        forget(table_id)
        raise
    return found


def _take(table_id: str) -> TableSession | None:
    """A session that is in memory, as the one used last."""
    with _lock:
        found = _sessions.get(table_id)
        if found and found.is_lost:
            del _sessions[table_id]
            return None
        if found:
            _sessions.move_to_end(table_id)
        return found


def _fetch(table_id: str) -> None:
    """Put a session into memory, unless another thread was faster."""
    era = _era
    table = Table.objects.get(pk=table_id)
    fresh = TableSession(table, table.seats.all())
    with _lock:
        if era == _era:  # else what was read may be of another time
            _sessions.setdefault(table_id, fresh)
        while len(_sessions) > MOST:
            _sessions.popitem(last=False)


def changed(*table_ids: str) -> None:
    """Whoever changes the rows of tables or of their seats says so: each session reads them."""
    for table_id in table_ids:
        with transaction.atomic():
            Table.objects.filter(pk=table_id).update(revision=F("revision") + 1)
            notify.send(notify.MOVED, table_id)
        catch_up(table_id)


def at_hand(table_id: str) -> TableSession | None:
    """The session of a table if it is in memory: for who must not wait for the database."""
    found = _sessions.get(table_id)
    return None if found and found.is_lost else found


def forget(table_id: str) -> None:
    """Put a session out of memory."""
    with _lock:
        _sessions.pop(table_id, None)


def forget_all() -> None:
    """Put all of them out of memory."""
    global _era
    with _lock:
        _era += 1
        for found in _sessions.values():
            found.is_lost = True  # whoever has it in hand writes nothing more
        _sessions.clear()


# --- what others do -----------------------------------------------------------------------------


def catch_up(table_id: str) -> None:
    """A table was changed elsewhere: its session catches up, then who looks at it here is told."""
    if table_id not in live.hub.watched():
        return  # whoever asks for it next catches up
    try:
        get(table_id)
    except TROUBLE:
        raise
    except Exception:  # gone, or played by other rules: the page says so
        log.info("the table %s cannot be followed", table_id, exc_info=True)
    live.moved(table_id)


def catch_up_all() -> None:
    """Nobody knows what has moved: look at every table that somebody looks at."""
    for table_id in live.hub.watched():
        catch_up(table_id)


def reload_all(_everything: str) -> None:
    """The whole database is another one: nothing that is in memory is true any more."""
    forget_all()
    catch_up_all()
    for table_id in live.hub.watched():
        live.said(table_id)
