"""What the people of a game decide together: to end it now, or to let one take back a turn.

A request waits in the row of the table until everyone who must agree has agreed. Then it becomes a
log entry. The player who asked may withdraw it, the others may decline, and it lapses when a person
ends a turn instead. Only those players are shown it: for everyone else no byte changes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from brassmill.core.engine import Engine
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.rules.layout import DEBT, TURN_OVER
from brassmill.web.models import Table
from brassmill.web.server import notify
from brassmill.web.setup.people import has_several_people
from brassmill.web.table import clock, entries, live, take_back
from brassmill.web.table.take_back import acted_since, checked_turn

if TYPE_CHECKING:
    from brassmill.web.table.clock import Waiting
    from brassmill.web.table.session import TableSession

END, TAKE_BACK = "end", "take back"
KINDS = (END, TAKE_BACK)

Request = dict[str, Any]  # {"kind": what, "seat": who asks, "agreed": seats}

GONE = N_("This request is no longer open.")


class NoLongerStands(BrassError):  # noqa: N818 (the name says what happened)
    """The request was withdrawn or declined."""


# --- who decides ---------------------------------------------------------------------------------


def people_of(session: TableSession) -> set[int]:
    """The seats whose players are in the game: those who left may come back, too."""
    return {
        seat.number for seat in session.seats if seat.holder and seat.number not in session.conceded
    }


def must_agree(session: TableSession, kind: str, seat: int) -> set[int]:
    """The seats whose players must agree to the request of a player."""
    people = people_of(session)
    if kind == TAKE_BACK and (turn := take_back.turn_of(session, seat)):
        # They have seen their new cards, so bots alone cannot agree: then everyone is asked.
        people = people & acted_since(session, turn) or people
    asking = session.seats[seat].holder
    return {other for other in people if session.seats[other].holder != asking}


def check(session: TableSession, kind: str, seat: int) -> None:
    """Check that a player may ask; an error says why not."""
    if session.over or session.table.gathering:
        raise entries.game_is_over()
    if kind not in KINDS or not has_several_people(session.seats) or session.bots[seat]:
        raise BrassError(_("Only players of this game can ask that."))
    if kind == TAKE_BACK and session.table.rated:
        raise BrassError(_("In a rated game no turn can be taken back."))
    if kind == TAKE_BACK and session.table.tournament:
        raise BrassError(_("In a tournament no turn can be taken back."))
    if kind == END:
        entries.check_agreed_end(session)
        _check_debts(session)
    else:
        turn = checked_turn(session, seat)
        if clock.left_at(session, turn) == timedelta():
            raise BrassError(_("Your time for that turn is used up."))


def _check_debts(session: TableSession) -> None:
    """No debt may be open, nor arise when a turn whose actions are done ends."""
    game = session.game
    engine = Engine(game.edition, game.seats, game.view().position)  # without unpublished moves
    if engine.phase == TURN_OVER:
        engine = game.engine.copy()
        engine.end_turn()
    if engine.phase == DEBT:
        raise BrassError(_("Wait until the debt is paid."))


# --- asking and answering ------------------------------------------------------------------------


def ask(session: TableSession, kind: str, seat: int) -> None:
    """Ask the others; if nobody must agree, do it at once.

    A player who has asked already changes nothing: others may have agreed meanwhile.
    """
    with session.lock:
        session.catch_up()
        check(session, kind, seat)
        if any((kept["kind"], kept["seat"]) == (kind, seat) for kept in session.table.requests):
            return
        if must_agree(session, kind, seat):
            _store(session, kind, seat, {"kind": kind, "seat": seat, "agreed": []})
        else:
            _carry_out(session, kind, seat)


def agree(session: TableSession, kind: str, seat: int, held: Sequence[int]) -> None:
    """Agree to the request of a seat; once everyone has, carry it out."""
    with session.lock:
        request = _open(session, kind, seat, held)
        check(session, kind, seat)
        agreed = {*request["agreed"], *held}
        if must_agree(session, kind, seat) <= agreed:
            _carry_out(session, kind, seat, request)
        else:
            _store(session, kind, seat, {**request, "agreed": sorted(agreed)})


def drop(session: TableSession, kind: str, seat: int, held: Sequence[int]) -> None:
    """Withdraw a request, or decline it."""
    with session.lock:
        _open(session, kind, seat, held)
        _store(session, kind, seat, None)


def _open(session: TableSession, kind: str, seat: int, held: Sequence[int]) -> Request:
    """The request of a seat, if the holder of these seats takes part in it."""
    session.catch_up()
    for request in seen_by(session, held):
        if (request["kind"], request["seat"]) == (kind, seat):
            return request
    raise BrassError(_(GONE))


def seen_by(session: TableSession, held: Sequence[int]) -> list[Request]:
    """The requests that the holder of these seats takes part in: they ask, or must agree."""
    return [
        request
        for request in session.table.requests
        if request["seat"] in held
        or not must_agree(session, request["kind"], request["seat"]).isdisjoint(held)
    ]


def _carry_out(session: TableSession, kind: str, seat: int, request: Request | None = None) -> None:
    if kind == END:
        session.end_by_agreement(sorted(people_of(session)), request)
    else:
        session.take_back(seat, checked_turn(session, seat), request)


def check_stands(row: Table, request: Request | None) -> None:
    """Check that nobody has withdrawn or declined a request, in the locked row of its table."""
    if request is not None and request not in row.requests:
        raise NoLongerStands(_(GONE))


def _store(session: TableSession, kind: str, seat: int, request: Request | None) -> None:
    """Store the request of a seat, or remove it, if the table has not changed meanwhile."""
    table = session.table
    with transaction.atomic():
        row = Table.objects.select_for_update().only("requests").get(pk=table.pk)
        if row.requests != table.requests:
            raise BrassError(_(GONE))
        row.requests = [
            kept for kept in row.requests if (kept["kind"], kept["seat"]) != (kind, seat)
        ] + ([] if request is None else [request])
        row.save(update_fields=["requests"])
        notify.send(notify.MOVED, table.pk)
    table.requests = row.requests
    live.moved(table.pk)


def after_entry(
    session: TableSession, before: Waiting | None, body: dict[str, Any]
) -> dict[str, Any]:
    """The column that an entry changes: requests lapse when a person ends a turn instead.

    `before` is the person that the table was waiting for.
    """
    if not session.table.requests:
        return {}
    acts = "end" in body and before is not None
    others = any(key in body for key in ("seat", "rewind", "void", "agree"))
    return {"requests": []} if acts or others or session.over else {}


# --- on the page ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class RequestView:
    """A request as one of its players sees it."""

    kind: str
    seat: int  # who asks
    own: bool  # the visitor's
    can_agree: bool
    waits_for: tuple[str, ...]  # names


@dataclass(frozen=True)
class Together:
    """What a visitor can decide with the others, and by conceding."""

    requests: tuple[RequestView, ...] = ()
    can_end: int | None = None  # the own seat that may ask to end the game now
    can_take_back: int | None = None  # the own seat that may ask to take back its last turn
    can_concede: tuple[int, ...] = ()  # own seats

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


def together_of(session: TableSession, held: tuple[int, ...]) -> Together:
    """What the holder of these seats can decide, and what they are asked."""
    if not held or session.over or session.table.gathering:
        return Together()
    able = [seat for seat in held if not session.bots[seat]]
    asked = seen_by(session, held)

    def asking(kind: str) -> int | None:
        """The own seat that may ask, unless it has asked, or was asked the same."""
        if kind == END and any(request["kind"] == END for request in asked):
            return None
        own = {request["seat"] for request in asked if request["kind"] == kind}
        return next((n for n in able if n not in own and _may_ask(session, kind, n)), None)

    return Together(
        requests=tuple(_view(session, request, held) for request in asked),
        can_end=asking(END),
        can_take_back=asking(TAKE_BACK),
        can_concede=tuple(seat for seat in held if seat not in session.conceded),
    )


def _may_ask(session: TableSession, kind: str, seat: int) -> bool:
    """May the button be shown? A press may still be refused in words."""
    if not has_several_people(session.seats):
        return False
    if kind == END:
        return True
    if session.table.rated or session.table.tournament:
        return False
    return take_back.turn_of(session, seat) is not None


def _view(session: TableSession, request: Request, held: Sequence[int]) -> RequestView:
    kind, seat = request["kind"], request["seat"]
    missing = must_agree(session, kind, seat) - set(request["agreed"])
    return RequestView(
        kind=kind,
        seat=seat,
        own=seat in held,
        can_agree=not missing.isdisjoint(held),
        waits_for=tuple(session.seats[other].name for other in sorted(missing)),
    )


def told(session: TableSession, seats: Sequence[int]) -> tuple[int, ...]:
    """What changes the stamp of those who see a request; nothing for everyone else."""
    if not session.table.requests or session.over:
        return ()
    seen = seen_by(session, seats)
    return (zlib.crc32(json.dumps(seen, sort_keys=True).encode()),) if seen else ()
