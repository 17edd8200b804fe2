"""The desks of this process. Any of them may be forgotten: its log brings it back."""

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
from brassmill.web.table.session import Desk, Stale

MOST = 200  # desks in memory

log = logging.getLogger("brassmill.web")

_desks: OrderedDict[str, Desk] = OrderedDict()  # the one used last at the end
_lock = Lock()  # nobody asks the database with it in hand
_era = 0  # how often all were forgotten


def desk(table_id: str) -> Desk:
    """The desk of a table, as its log is now; `Table.DoesNotExist` if there is none."""
    try:
        return _desk(table_id)
    except Stale:  # the log is another than it was: begin anew
        return _desk(table_id)


def _desk(table_id: str) -> Desk:
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


def _take(table_id: str) -> Desk | None:
    """A desk that is in memory, as the one used last."""
    with _lock:
        found = _desks.get(table_id)
        if found and found.is_lost:
            del _desks[table_id]
            return None
        if found:
            _desks.move_to_end(table_id)
        return found


def _fetch(table_id: str) -> None:
    """Put a desk into memory, unless another thread was faster."""
    era = _era
    table = Table.objects.get(pk=table_id)
    fresh = Desk(table, table.seats.all())
    with _lock:
        if era == _era:  # else what was read may be of another time
            _desks.setdefault(table_id, fresh)
        while len(_desks) > MOST:
            _desks.popitem(last=False)


def changed(*table_ids: str) -> None:
    """Whoever changes the rows of tables or of their seats says so: every desk reads them anew."""
    for table_id in table_ids:
        with transaction.atomic():
            Table.objects.filter(pk=table_id).update(revision=F("revision") + 1)
            notify.send(notify.MOVED, table_id)
        catch_up(table_id)


def at_hand(table_id: str) -> Desk | None:
    """The desk of a table if it is in memory: for who must not wait for the database."""
    found = _desks.get(table_id)
    return None if found and found.is_lost else found


def forget(table_id: str) -> None:
    """Put a desk out of memory."""
    with _lock:
        _desks.pop(table_id, None)


def forget_all() -> None:
    """Put all of them out of memory."""
    global _era
    with _lock:
        _era += 1
        for found in _desks.values():
            found.is_lost = True  # whoever has it in hand writes nothing more
        _desks.clear()


# --- what others do -----------------------------------------------------------------------------


def catch_up(table_id: str) -> None:
    """A table was changed elsewhere: its desk catches up, then who looks at it here is told."""
    if table_id not in live.hub.watched():
        return  # whoever asks for it next catches up
    try:
        desk(table_id)
    except TROUBLE:
        raise
    except Exception:  # gone, or played by other rules: the page says so
        log.info("the table %s cannot be followed", table_id, exc_info=True)
    live.moved(table_id)


def anything_moved() -> None:
    """Nobody knows what has moved: look at every table that somebody looks at."""
    for table_id in live.hub.watched():
        catch_up(table_id)


def anew(_everything: str) -> None:
    """The whole database is another one: nothing that is in memory is true any more."""
    forget_all()
    anything_moved()
    for table_id in live.hub.watched():
        live.said(table_id)
