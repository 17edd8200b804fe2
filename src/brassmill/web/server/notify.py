"""Notify the other processes that share the database of a change.

PostgreSQL delivers the messages (`NOTIFY`), each together with the transaction it is about or not
at all. A message only names the table that changed. The truth is in the database, so a lost message
merely delays an update.

With SQLite there is one server process. Only the operator's commands (`brass admin`) run in
another: they leave notifications in the database, which the server polls.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import sleep
from typing import Any

from django.db import Error, connection

from brassmill.web.models import PendingNotification
from brassmill.web.server import database

CHANNEL = "brassmill"
MOVED, SAID, SKIP, RELOAD = "moved", "said", "skip", "reload"
EVERYTHING = "*"  # instead of a table
SENDER = secrets.token_hex(8)  # this process
SILENCE = 10.0  # seconds before the connection is tested
PAUSE = 0.5  # seconds between attempts to connect

Handler = Callable[[str], None]

_is_outside = False  # is this an operator's command beside an SQLite server?

log = logging.getLogger("brassmill.web")


def send(word: str, table_id: str) -> None:
    """Notify the other processes once this thread's transaction is committed."""
    if database.is_shared():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, _message(word, table_id)])
    elif _is_outside:
        PendingNotification.objects.create(word=word, table_id=table_id)


def as_column(word: str, table_id: str) -> tuple[str, list[str]]:
    """The same as a column of a query, with its values: PostgreSQL needs no statement more."""
    if database.is_shared():
        return ", pg_notify(%s, %s)", [CHANNEL, _message(word, table_id)]
    send(word, table_id)
    return "", []


def _message(word: str, table_id: str) -> str:
    return f"{word} {table_id} {SENDER}"


@contextmanager
def outside() -> Iterator[None]:
    """Leave notifications for the SQLite server, which runs in another process."""
    global _is_outside
    _is_outside = True
    try:
        yield
    finally:
        _is_outside = False


def collect(handlers: Mapping[str, Handler]) -> None:
    """Handle the notifications left for the SQLite server, each once."""
    left = list(PendingNotification.objects.order_by("pk"))
    if left:
        PendingNotification.objects.filter(pk__lte=left[-1].pk).delete()
    for pending in left:
        if pending.word in handlers:
            handlers[pending.word](pending.table_id)


def listen(handlers: Mapping[str, Handler], connected: Callable[[], None]) -> None:
    """Handle notifications from other processes forever, reconnecting when necessary.

    Notifications sent while disconnected are lost, so `connected` is called on every connection to
    catch up.
    """
    is_connected = True
    while True:
        try:
            with database.line() as line, connection.wrap_database_errors:
                line.execute(f"LISTEN {CHANNEL}")
                if not is_connected:
                    log.warning("database connection restored")
                    database.mend()
                is_connected = True
                connected()
                _handle(line, handlers)
        except Error as error:
            if is_connected:
                log.warning("database connection lost, reconnecting: %s", error)
            is_connected = False
        finally:
            connection.close()
        sleep(PAUSE)


def _handle(line: Any, handlers: Mapping[str, Handler]) -> None:
    while True:
        for message in line.notifies(timeout=SILENCE):
            match message.payload.split():
                case [word, table_id, sender] if sender != SENDER and word in handlers:
                    handlers[word](table_id)
        connection.close()  # nothing came for a while: do not occupy one
        line.execute("SELECT 1")
