"""What one process has done is told to the others that share the database.

PostgreSQL carries it (`NOTIFY`): a message comes with the transaction that it tells of, or not at
all. It says what table moved and no more; what is true is in the database, and a message that is
lost only comes late.

Where the database is a file there is one server. Only the commands of who runs it (`brass admin`)
are another process: they leave word in the database, and the server looks for it now and then.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from time import sleep
from typing import Any

from django.db import Error, connection

from brassmill.web.models import PendingNotification
from brassmill.web.server import database

CHANNEL = "brassmill"
MOVED, SAID, SKIP, ANEW = "moved", "said", "skip", "anew"
EVERYTHING = "*"  # in the place of a table
SENDER = secrets.token_hex(8)  # this process
SILENCE = 10.0  # seconds after which it is asked whether the line still stands
PAUSE = 0.5  # seconds between attempts to connect

Hearer = Callable[[str], None]

_is_outside = False  # is this another process than the server of the file?

log = logging.getLogger("brassmill.web")


def send(word: str, table_id: str) -> None:
    """Tell the other processes, when the transaction of this thread is written."""
    if database.is_shared():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{word} {table_id} {SENDER}"])
    elif _is_outside:
        PendingNotification.objects.create(word=word, table_id=table_id)


def leave_word() -> None:
    """From now on this process tells the server of a file what it does."""
    global _is_outside
    _is_outside = True


def collect(hearers: Mapping[str, Hearer]) -> None:
    """Hear what was left for the server of a file; each word once."""
    left = list(PendingNotification.objects.order_by("pk"))
    if left:
        PendingNotification.objects.filter(pk__lte=left[-1].pk).delete()
    for pending in left:
        if pending.word in hearers:
            hearers[pending.word](pending.table_id)


def listen(hearers: Mapping[str, Hearer], connected: Callable[[], None]) -> None:
    """Hear what the others tell, for ever; on a line of its own that is mended when it breaks.

    Whatever was told while there was no line is missed: so `connected` is called whenever there is
    one, and looks at everything once.
    """
    stands = True
    while True:
        try:
            with database.line() as line, connection.wrap_database_errors:
                line.execute(f"LISTEN {CHANNEL}")
                if not stands:
                    log.warning("the database is back")
                    database.mend()
                stands = True
                connected()
                _hear(line, hearers)
        except Error as error:
            if stands:
                log.warning("the database is gone, it is tried again: %s", error)
            stands = False
        finally:
            connection.close()
        sleep(PAUSE)


def _hear(line: Any, hearers: Mapping[str, Hearer]) -> None:
    while True:
        for message in line.notifies(timeout=SILENCE):
            match message.payload.split():
                case [word, table_id, sender] if sender != SENDER and word in hearers:
                    hearers[word](table_id)
        connection.close()  # nothing was told for a while: others may need it
        line.execute("SELECT 1")
