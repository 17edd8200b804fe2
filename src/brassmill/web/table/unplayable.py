"""A game that the current rules play differently: its record, and what can still be done.

Nothing here replays the game. It shows only what was stored as public: the full record of a game
with a result, or else the actions of finished turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record.rows import FORMAT, HIDDEN, ROWS, header_line, row
from brassmill.record.writer import escaped
from brassmill.web.models import Entry, Seat, Table
from brassmill.web.server import notify
from brassmill.web.table import archived, live, rated
from brassmill.web.table.archive import (
    Body,
    archive_of,
    named,
    path_of,
    stored_outcome,
    stored_record,
)


class RankedSeat(NamedTuple):
    """A player and, if the game has a result, their rank and total."""

    seat: int
    name: str
    rank: int | None = None
    total: int | None = None


@dataclass(frozen=True)
class Unplayable:
    """What a page shows of such a game."""

    table: Table
    seats: tuple[Seat, ...]
    record: str
    actions: tuple[tuple[int, str], ...]  # seats and their actions, in the notation
    places: tuple[RankedSeat, ...]  # best first, if the game has a result


def unplayable_of(table_id: str) -> Unplayable:
    """The game of a table, without replaying it."""
    table = Table.objects.get(pk=table_id)
    seats = tuple(table.seats.all())
    outcome = stored_outcome(table, seats)
    actions = tuple(actions_of(table, seats))
    record = stored_record(table, seats) or public_record(table, seats, actions)
    places = [RankedSeat(seat.number, seat.name) for seat in seats]
    if outcome and not table.summary.get("void"):
        places = [RankedSeat(row.seat, row.name, row.rank, row.total) for row in outcome.ranking]
    return Unplayable(table, seats, record, actions, tuple(places))


def actions_of(table: Table, seats: Sequence[Seat]) -> list[tuple[int, str]]:
    """The actions of finished turns, as everyone saw them."""
    log = list(Entry.objects.filter(table=table).values_list("body", flat=True))
    names = [seat.name for seat in seats]
    return [
        (seat, named(text, names))
        for number in path_of(log, len(log))
        for seat, text in log[number - 1].get("done", ())
    ]


def public_record(table: Table, seats: Sequence[Seat], actions: Sequence[tuple[int, str]]) -> str:
    """A running game as a spectator's record: the actions, and what is public of the deal."""
    headers = {
        "Brass": FORMAT,
        "Edition": table.edition,
        "Players": str(table.players),
        "Options": ", ".join(f"{name}={value}" for name, value in table.options.items()),
        "Seats": ", ".join(seat.name for seat in seats),
        "Rules": table.rules.partition("-")[0],
        "View": "spectator",
        "Date": f"{table.began:%Y-%m-%d}",
    }
    lines = [header_line(name, value) for name, value in headers.items() if value]
    lines += ["", *public_deal(table, seats), ""]
    for number, (seat, text) in enumerate(actions, 1):
        lines.append(f"{number} {escaped(f'{seats[seat].name}: {text}', '{')}")
    return "".join(f"{line}\n" for line in [*lines, "", "unfinished"])


def public_deal(table: Table, seats: Sequence[Seat]) -> Iterator[str]:
    """The rows of a deal, with the first turn order and the merchants; the rest is hidden.

    The stored names are copied, because today's edition may not have all of them.
    """
    deal = archive_of(table).deal or {}
    for name, dealt in deal.items():
        if name == "order":
            yield from row(name, ", ".join(seats[seat].name for seat in dealt))
        elif name == "merchants":
            places = (f"{place}: {', '.join(tiles)}" for place, tiles in dealt.items())
            yield from row(name, "; ".join(places))
        elif name in ROWS:
            yield from row(name, ", ".join([HIDDEN] * len(dealt)))


# --- changes -------------------------------------------------------------------------------------


def leave(table_id: str, seat: int) -> None:
    """Hand a seat to a bot, which plays if the game ever resumes."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        place = table.seats.get(number=seat)
        if table.over:
            raise BrassError(_("The game is over."))
        if place.is_bot:
            return  # a double click
        _append(table, {"seat": seat, "bot": table.standby, "why": Entry.LEFT})
        place.bot = table.standby
        place.save(update_fields=["bot"])
    live.moved(table_id)


def void(table_id: str) -> None:
    """End the game without a result."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.summary.get("void"):
            raise BrassError(_("The game is over."))
        _append(table, {"void": True})
        table.over = True
        table.summary = {**table.summary, "to_move": None, "void": True}
        table.summary.pop("result", None)
        table.archived = False
        table.save(update_fields=["over", "summary", "archived"])
        archived.remove(table_id)
        rated.unrate(table_id)
    live.moved(table_id)


def _append(table: Table, body: Body) -> None:
    last = table.entries.aggregate(last=Max("number"))["last"] or 0
    Entry.objects.create(table=table, number=last + 1, body=body)
    notify.send(notify.MOVED, table.pk)
