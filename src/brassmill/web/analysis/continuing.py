"""Play on from a moment of a finished game: a new table with its deal and the log up to there.

From a position, it is a table that begins there.

One seat is the visitor's, bots play the others. Nobody else sees the table in a list, and it counts
in no statistics (`Table.begun_at`): its players may know what the cards will be.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from brassmill import position
from brassmill.bots import parse
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import gettext as _
from brassmill.play.seating import Participant
from brassmill.record import Record
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Entry, Table
from brassmill.web.server import site_url
from brassmill.web.setup.chairs import names_beside
from brassmill.web.table import archive, entries, sessions
from brassmill.web.table.archive import Body
from brassmill.web.table.create import create_table
from brassmill.web.table.session import TableSession


def can_continue(record: Record) -> bool:
    """Does a record have the deal, which a table needs?"""
    return record.deal is not None


def play_on(
    request: HttpRequest, record: Record, at: int, seat: int, level: str, name: str
) -> Table:
    """A table that begins after an action of a record: the visitor against bots."""
    edition = record.edition
    if record.deal is None:
        raise BrassError(_("This record does not say how the cards were dealt."))
    game = record.game(to=at)
    if game.over or not 0 <= seat < edition.players:
        raise BrassError(_("It is nobody's turn there."))
    deal = record.deal.to_dict(edition)
    deal.pop("seed", None)
    with transaction.atomic():
        table = _table(request, edition, seat, level, name, begun_at=at, deal=deal)
        fresh = TableSession(table, table.seats.all())
        bodies = [
            (body, _apply(fresh, body)) for body in _log(fresh, [a.ids for a in game.actions])
        ]
        if bodies:
            Entry.objects.bulk_create(
                Entry(table=table, number=number, body=stored)
                for number, (_body, stored) in enumerate(bodies[:-1], 1)
            )
            # The last one as any move is written, with everything that follows from it.
            sessions.get(table.id).append(bodies[-1][0])
    return table


def play_from_position(request: HttpRequest, text: str, seat: int, level: str, name: str) -> Table:
    """A table that begins from a position: the visitor against bots."""
    game = startable(text)
    if not 0 <= seat < game.players:
        raise BrassError(_("There is no such player."))
    start = position.to_text(game.edition, game.state, one_line=True)
    return _table(request, game.edition, seat, level, name, begun_at=1, position=start)


def startable(text: str) -> Game:
    """The game at a position, if a table can begin there: at the start of an action."""
    game = Game.from_position(text)
    if game.question == "turn over":
        game.end_turn()
    if game.over:
        raise BrassError(_("The game is over."))
    if game.question != "action":
        raise BrassError(_("This position is in the middle of an action. Go back to its start."))
    return game


def _table(
    request: HttpRequest,
    edition: Edition,
    seat: int,
    level: str,
    name: str,
    begun_at: int,
    **dealt: Any,
) -> Table:
    """A table of the visitor and bots; `dealt` says how it begins."""
    name = name.strip()[:20] or _("Player")
    bots = names_beside({name.casefold()}, edition.players)
    seats = [
        Participant(name, name) if n == seat else Participant(level, bots[n], parse(level))
        for n in range(edition.players)
    ]
    return create_table(
        edition.name,
        edition.players,
        {option: edition.options[option] for option in edition.changed_options},
        seats,
        dealt={**dealt, "bot_key": secrets.token_hex(16)},
        host=visitor(request),
        standby=level,
        site=site_url.of_request(request),
        begun_at=begun_at,
    )


def _log(session: TableSession, actions: list[tuple[int, ...]]) -> Iterator[Body]:
    """The entries of these actions, and of the ends of their turns."""
    for ids in actions:
        if session.game.question == "turn over":
            yield {"end": True}
        yield {"choose": list(ids)}
    if session.game.question == "turn over":
        yield {"end": True}


def _apply(session: TableSession, body: Body) -> Body:
    """Apply an entry; return it as stored."""
    entries.check(session, body)
    since = session.actions_before_turn
    session.apply(body)
    proof = archive.proof_of(session.game, since) if "end" in body else {}
    return {**archive.written(session.game.edition, body), **proof}
