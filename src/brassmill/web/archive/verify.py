"""Compare the index of the archive with the games. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from brassmill import record as records
from brassmill.errors import BrassError
from brassmill.web.archive.events import facts_of
from brassmill.web.archive.filling import row_of
from brassmill.web.archive.public import finished, is_public
from brassmill.web.models import Archive, ArchivedGame, ArchivedSeat, Table
from brassmill.web.table.archived import seat_rows


class VerifiedEntry(NamedTuple):
    """What was found about a table in the archive."""

    archived: str  # its table
    problem: str = ""  # empty: everything matches


def verified(table_ids: Iterable[str] = ()) -> Iterator[VerifiedEntry]:
    """Verify what the archive has of these tables; without any, all of it."""
    named = list(table_ids)
    rows = ArchivedGame.objects.select_related("table").order_by("pk")
    for game in (rows.filter(table__in=named) if named else rows).iterator(500):
        try:
            _verify(game)
        except Exception as error:  # what is damaged may fail in any way
            yield VerifiedEntry(game.table_id, str(error) or type(error).__name__)
        else:
            yield VerifiedEntry(game.table_id)
    missing = Table.objects.filter(finished(), archived=True, archived_game=None, misfit="")
    for table in missing.filter(pk__in=named) if named else missing:
        if is_public(table) and Archive.objects.filter(pk=table.pk).exclude(record="").exists():
            yield VerifiedEntry(table.pk, "it is public, but not in the archive")


def _verify(game: ArchivedGame) -> None:
    table = game.table
    if not is_public(table):
        raise BrassError("it is in the archive, but not public")
    if table.misfit:
        return  # played with other rules: its record may differ by now
    record = Archive.objects.values_list("record", flat=True).get(pk=table.pk)
    true = row_of(table, facts_of(records.loads(record)))
    for field in ArchivedGame._meta.concrete_fields:
        if field.name != "id" and getattr(true, field.attname) != getattr(game, field.attname):
            raise BrassError(f"its {field.name} in the archive differs")
    true.pk = game.pk
    kept = ArchivedSeat.objects.filter(game=game).order_by("number")
    if [*map(_seat, kept)] != [*map(_seat, seat_rows(true, list(table.seats.all())))]:
        raise BrassError("its seats in the archive differ")


def _seat(row: ArchivedSeat) -> tuple[object, ...]:
    return row.number, row.player, row.account_id, row.finished
