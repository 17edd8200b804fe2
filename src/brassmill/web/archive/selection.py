"""A selection of games as one file: records one after the other, as the reader takes them.

The file is bounded, and so is what the search for it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brassmill.web.archive.public import is_public
from brassmill.web.archive.search import PAGE, GameSearch, find
from brassmill.web.models import Archive, ArchivedGame
from brassmill.web.table.archive import named

MOST = 500  # games in a file: some 5 MB


def texts(search: GameSearch, most: int = MOST) -> Iterator[str]:
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
