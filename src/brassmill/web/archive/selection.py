"""A selection of games as one file: records one after the other, as the reader takes them.

The file is bounded and streamed: a few records at a time are read, and sent, before the next ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

from django.db import connection

from brassmill.web.archive.public import is_public
from brassmill.web.archive.search import PAGE, Search, find
from brassmill.web.models import Archive, ArchivedGame
from brassmill.web.table.archive import named

MOST = 1000  # games in a file


async def stream(search: Search, most: int = MOST) -> AsyncIterator[str]:
    """The records of a selection, in the order of its page."""
    parts = texts(search, most)
    while (part := await asyncio.to_thread(_next, parts)) is not None:
        yield part


def _next(parts: Iterator[str]) -> str | None:
    try:
        return next(parts, None)
    finally:
        connection.close()  # the thread may never serve this again


def texts(search: Search, most: int = MOST) -> Iterator[str]:
    """The records of a selection, some at a time; ends early rather than read on and on."""
    after, left = "", most
    while left > 0:
        found = find(search, after, min(PAGE, left))
        yield "".join(records_of(found.games))
        left -= len(found.games)
        after = found.after
        if not after or not found.is_full:
            return


def records_of(numbers: Sequence[int]) -> Iterator[str]:
    """The records of games of the index, with the names that the games show."""
    rows = ArchivedGame.objects.select_related("table").prefetch_related("table__seats")
    games = rows.in_bulk(list(numbers))
    tables = [games[number].table for number in numbers if number in games]
    kept = dict(Archive.objects.filter(pk__in=tables).values_list("pk", "record"))
    for table in tables:
        if is_public(table) and kept.get(table.pk):
            text = named(kept[table.pk], [seat.name for seat in table.seats.all()])
            yield f"{text.rstrip()}\n\n"
