"""The desks of this process. Any of them may be forgotten: its log brings it back."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F

from brassmill.web.models import Archive, Seat, Table, token
from brassmill.web.server import metrics, notify
from brassmill.web.server.database import TROUBLE

if TYPE_CHECKING:
    from brassmill.play.seating import Seat as Sitter
    from brassmill.web.table.session import Desk

MOST = 200  # desks in memory

_desks: OrderedDict[str, Desk] = OrderedDict()  # the one used last at the end
_lock = Lock()  # nobody asks the database with it in hand
_era = 0  # how often all were forgotten


def begin(
    edition: str,
    players: int,
    options: Mapping[str, Any],
    seats: Sequence[Sitter],
    hands: str = Table.COVERED,
    seed: int | None = None,
    host: str = "",
    **wishes: Any,
) -> Table:
    """Set up a table; its people are at the host's screen, but for those who have no name yet.

    Without a seed the deal is by chance, and a secret until the game is over. Its bots have a key
    of their own then: what they do tells nothing of it.
    """
    dealt: dict[str, Any] = {}
    if seed is None:
        from brassmill.core.deal import Deal  # they load the rules
        from brassmill.editions import edition as edition_of

        box = edition_of(edition, players, **options)
        dealt = {"deal": Deal.by_chance(box).to_dict(box), "bot_key": secrets.token_hex(16)}
    with transaction.atomic():
        table = Table.objects.create(
            edition=edition,
            players=players,
            options=dict(options),
            seed="" if seed is None else str(seed),
            secret=seed is None,
            hands=hands,
            host=host,
            gathering=any(not sitter.name for sitter in seats),
            **wishes,
        )
        Archive.objects.create(table=table, **dealt)
        Seat.objects.bulk_create(
            Seat(
                table=table,
                number=number,
                name=sitter.name,
                bot=sitter.bot.text if sitter.bot else "",
                first_bot=sitter.bot.text if sitter.bot else "",
                holder=host if sitter.is_person and sitter.name else "",
                invite="" if sitter.name else token(),
            )
            for number, sitter in enumerate(seats)
        )
    metrics.begun.inc()
    return table


def desk(table_id: str) -> Desk:
    """The desk of a table, as its log is now; `Table.DoesNotExist` if there is none."""
    from brassmill.web.table.session import Stale  # it loads the rules

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
        if table_id in _desks:
            _desks.move_to_end(table_id)
        return _desks.get(table_id)


def _fetch(table_id: str) -> None:
    """Put a desk into memory, unless another thread was faster."""
    from brassmill.web.table.session import Desk

    era = _era
    table = Table.objects.get(pk=table_id)
    fresh = Desk(table, table.seats.all())
    with _lock:
        if era == _era:  # else what was read may be of another time
            _desks.setdefault(table_id, fresh)
        while len(_desks) > MOST:
            _desks.popitem(last=False)


def changed(table_id: str) -> None:
    """Whoever changes the rows of a table or of its seats says so: every desk reads them anew."""
    from brassmill.web.table import live  # it knows the desks

    with transaction.atomic():
        Table.objects.filter(pk=table_id).update(revision=F("revision") + 1)
        notify.send(notify.MOVED, table_id)
    live.catch_up(table_id)


def at_hand(table_id: str) -> Desk | None:
    """The desk of a table if it is in memory: for who must not wait for the database."""
    return _desks.get(table_id)


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
