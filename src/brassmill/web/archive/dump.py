"""All public games in one file for researchers, without personal data.

The file is gzip-compressed text: the records one after the other, as in any `.brass` file. People
have ids instead of names, made with the key of the site: the same person under the same name gets
the same id in every game and every dump, and nobody without the key can compute a name from it.
Seats that belong to nobody any more have an id of their own. Bots are named by their level. Of the
date only the month is left, and the ids of tables are not in the file.
`docs/research/games.md` describes the format.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from django.utils.crypto import salted_hmac

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.archive.public import is_public
from brassmill.web.identity.names import login_of
from brassmill.web.models import Archive, ArchivedGame, Seat, Table
from brassmill.web.models.archive import EVENTS
from brassmill.web.table.archive import named

BATCH = 200  # games read at once
DIGITS = 16  # of an id: 64 bits
SALT = "brassmill.archive.dump"
DATE = re.compile(r'^\[Date "(\d{4}-\d{2})-\d{2}"\]$', re.MULTILINE)
HEADERS_END = "\n\n"


def write(path: Path) -> int:
    """Write all public games to a file, in place of the last one; return how many there are."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    number = 0
    try:
        with open(part, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file:
                for text in texts():
                    file.write(text.encode())
                    number += 1
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)  # complete or not at all
    except OSError as error:
        words = _("cannot write {file}: {reason}")
        raise BrassError(words.format(file=path, reason=error.strerror or error)) from error
    finally:
        with suppress(OSError):  # it may have been moved into place
            part.unlink()
    return number


def texts() -> Iterator[str]:
    """The anonymous record of every public game, in the order of the index."""
    rows = ArchivedGame.objects.order_by("pk").select_related("table")
    rows = rows.prefetch_related("table__seats")
    found = rows.iterator(BATCH)
    while games := list(islice(found, BATCH)):
        kept = dict(
            Archive.objects.filter(pk__in=[game.table_id for game in games]).values_list(
                "pk", "record"
            )
        )
        for game in games:
            record = kept.get(game.table_id)
            if record and is_public(game.table):
                yield anonymous(game, record)


def anonymous(game: ArchivedGame, record: str) -> str:
    """A record without names, with what the archive knows of the game in its headers."""
    table: Table = game.table
    text = DATE.sub(r'[Date "\1"]', named(record, names_of(table.pk, list(table.seats.all()))))
    more = [f'[Game "{_id("g", table.pk)}"]']
    if events := [event for event in EVENTS if getattr(game, event)]:
        more.append(f'[Events "{", ".join(events)}"]')
    headers, _end, rest = text.partition(HEADERS_END)
    return f"{headers}\n" + "\n".join(more) + f"{HEADERS_END}{rest.rstrip()}\n\n"


def names_of(table_id: str, seats: Sequence[Seat]) -> list[str]:
    """The players of a game as the dump names them, by seat."""
    return [_name_of(table_id, seat) for seat in seats]


def _name_of(table_id: str, seat: Seat) -> str:
    if seat.first_bot:
        level = re.sub(r"[^a-z0-9]+", "-", seat.first_bot.lower()).strip("-")
        return f"bot-{seat.number + 1}-{level}"
    if seat.holder:  # several people may play on one screen, with one key
        return _id("p", f"{seat.holder}\n{login_of(seat.name)}")
    return _id("s", f"{table_id}\n{seat.number}")


def _id(kind: str, secret: str) -> str:
    digest = salted_hmac(SALT, secret, algorithm="sha256").hexdigest()
    return f"{kind}-{digest[:DIGITS]}"
