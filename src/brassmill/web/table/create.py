"""Set up a table: ready to play, or waiting for its players."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction

from brassmill.core.deal import Deal
from brassmill.editions import edition as edition_of
from brassmill.web.models import Archive, Seat, Table, token
from brassmill.web.server import metrics
from brassmill.web.setup import programs

if TYPE_CHECKING:
    from brassmill.play.seating import Participant


def random_deal(edition: str, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """A secret deal as stored in an `Archive`.

    The bots get a key of their own, so that their moves reveal nothing about the deal.
    """
    chosen = edition_of(edition, players, **options)
    return {"deal": Deal.random(chosen).to_dict(chosen), "bot_key": secrets.token_hex(16)}


def create_table(
    edition: str,
    players: int,
    options: Mapping[str, Any],
    seats: Sequence[Participant],
    hands: str = Table.COVERED,
    seed: int | None = None,
    host: str = "",
    dealt: Mapping[str, Any] | None = None,
    **wishes: Any,
) -> Table:
    """Set up a table. Named people play at the host's screen; seats without a name are open.

    Without a seed the deal is secret until the game is over: the one `dealt`, or a random one.
    """
    is_program = programs.is_program(host)
    if seed is None and dealt is None:
        dealt = random_deal(edition, players, options)
    if is_program:
        wishes["programs"] = True  # it plays with others of its kind
        if all(participant.name for participant in seats):
            wishes["pace"] = 0  # nobody watches what the bots do
    with transaction.atomic():
        table = Table.objects.create(
            edition=edition,
            players=players,
            options=dict(options),
            seed="" if seed is None else str(seed),
            secret=seed is None,
            hands=hands,
            host=host,
            gathering=any(not participant.name for participant in seats),
            **wishes,
        )
        Archive.objects.create(table=table, **(dealt or {}))
        Seat.objects.bulk_create(
            Seat(
                table=table,
                number=number,
                name=participant.name,
                bot=participant.bot.text if participant.bot else "",
                first_bot=participant.bot.text if participant.bot else "",
                holder=host if participant.is_person and participant.name else "",
                invite="" if participant.name else token(),
                program=is_program and participant.is_person and bool(participant.name),
            )
            for number, participant in enumerate(seats)
        )
    metrics.begun.inc()
    return table
