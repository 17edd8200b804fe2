"""Planning the next turn while others think.

A plan is a list of actions, each a list of clicks, in the words of stored games. It is made on the
position as its player sees it (`play/ahead.py`) and stored in the row of the table, for that player
alone: for everyone else no byte changes. It is gone once the player has ended a turn.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.crypto import salted_hmac

from brassmill.core.view import View
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.language import gettext as _
from brassmill.notation import stored
from brassmill.play import ahead
from brassmill.rules.choices import SELL_FAR
from brassmill.svg.panel import capital
from brassmill.web.models import Seat, Table
from brassmill.web.page.draft import steps_of
from brassmill.web.table import live

if TYPE_CHECKING:
    from brassmill.web.table.clock import Waiting
    from brassmill.web.table.session import TableSession

Clicks = list[list[str]]  # of one action, in stored words


@dataclass(frozen=True)
class PlanView:
    """A plan as its player sees it."""

    steps: tuple[str, ...]  # every planned action in words
    problem: str  # which step no longer works, and why; empty: all of them are legal
    ends_turn: bool  # nothing is left to do after them
    can_play: bool  # it is the player's turn

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return {
            "steps": list(self.steps),
            "problem": self.problem,
            "ends_turn": self.ends_turn,
            "can_play": self.can_play,
        }


class PlannedTurn:
    """A turn planned ahead, replayed on what the player sees now."""

    def __init__(self, session: TableSession, seat: int) -> None:
        """Replay the stored plan; raises an error if the next turn cannot be planned."""
        self.session, self.seat = session, seat
        self.actions: list[Clicks] = _stored(session, seat)
        edition = session.game.edition
        self.game: Game = ahead.turn_ahead(edition, session.view(seat))
        whole = [self._ids(clicks) for clicks in self.actions]
        self.refusal = ahead.replay(self.game, whole)

    def _ids(self, clicks: Clicks) -> list[int]:
        words = [word for click in clicks for word in click]
        return stored.read(self.session.game.edition, words)

    @property
    def number(self) -> int:
        """An identifier of the plan and the position, sent back with the next click."""
        return zlib.crc32(json.dumps([self.actions, self.session.published]).encode())

    @property
    def clicks(self) -> int:
        """How many clicks can be undone."""
        return sum(map(len, self.actions))

    @property
    def view(self) -> View:
        """What the player sees while planning: their own turn, without hidden sales."""
        return self.game.view(self.seat)

    def words(self) -> tuple[str, ...]:
        """The planned actions, as far as they are legal and complete."""
        return tuple(_words(self.game, n) for n in range(len(self.game.actions)))

    def problem(self) -> str:
        """Which step no longer works, and why."""
        if self.refusal is None:
            return ""
        return _("Step {number} no longer works: {why}").format(
            number=len(self.game.actions) + 1, why=self.refusal.words
        )

    # --- changes ---------------------------------------------------------------------------------

    def choose(self, number: int, ids: Sequence[int]) -> None:
        """Add a click."""
        self._check(number)
        goes_on = self.game.draft is not None
        made = ahead.choose(self.game, ids)
        click = stored.write(self.session.game.edition, made)
        if goes_on:
            self.actions[-1].append(click)
        else:
            self.actions.append([click])
        _keep(self.session, self.seat, self.actions)

    def undo(self, number: int, everything: bool) -> None:
        """Remove the last click, or all."""
        self._check(number, is_undo=True)
        if self.actions:
            self.actions[-1].pop()
        kept = [clicks for clicks in self.actions if clicks]
        _keep(self.session, self.seat, [] if everything else kept)

    def _check(self, number: int, is_undo: bool = False) -> None:
        if number != self.number:
            raise BrassError(_("The table has changed in the meantime. This is how it stands now."))
        if self.refusal is not None and not is_undo:
            raise IllegalAction(self.problem())


def _words(game: Game, number: int) -> str:
    action = game.actions[number]
    engine = game.engine.copy()
    engine.restore(action.before)
    steps = steps_of(engine, action.ids)
    return capital(", ".join((*steps.actions, *steps.others)))


# --- at the table --------------------------------------------------------------------------------


def plan_view(session: TableSession, seat: int | None, is_to_move: bool) -> PlanView | None:
    """The plan of a player; None if there is none. Unfinished actions are not part of it."""
    if seat is None or session.over or not _stored(session, seat):
        return None
    try:
        plan = PlannedTurn(session, seat)
    except BrassError:  # not now: it is kept
        return None
    steps, problem = plan.words(), plan.problem()
    if not steps and not problem:
        return None
    at_start = is_to_move and session.game.question == "action" and not session.undoable
    if is_to_move and not at_start:
        return None
    return PlanView(steps, problem, plan.game.question == "turn over", at_start)


def can_plan(session: TableSession, seat: int | None) -> bool:
    """May a player plan now?"""
    if seat is None or session.over or session.table.gathering:
        return False
    if session.bots[seat] or session.to_move == seat:
        return False
    try:
        ahead.turn_ahead(session.game.edition, session.view(seat))
    except BrassError:
        return False
    return True


def play(session: TableSession, seat: int) -> None:
    """Play the plan of the seat to move, and end the turn if nothing is left to do."""
    with session.lock:
        session.catch_up()
        found = plan_view(session, seat, session.to_move == seat)
        if found is None or not found.can_play:
            raise BrassError(_("There is no plan to play now."))
        if found.problem:
            raise IllegalAction(found.problem)
        actions = [action.ids for action in PlannedTurn(session, seat).game.actions]
        assert not any(SELL_FAR in ids for ids in actions)
        for ids in actions:
            session.append_next({"choose": list(ids)})
        if session.to_move == seat and session.game.question == "turn over":
            session.append_next({"end": True})
        else:
            _keep(session, seat, [])


def discard(session: TableSession, seat: int) -> None:
    """Forget a plan."""
    with session.lock:
        session.catch_up()
        _keep(session, seat, [])


# --- storage -------------------------------------------------------------------------------------


def plan_of(table: Table, seat: Seat) -> list[Clicks]:
    """The stored plan of the present player of a seat."""
    plan = table.plans.get(str(seat.number))
    if not plan or plan["owner"] != _owner(seat):
        return []
    return [[list(click) for click in clicks] for clicks in plan["actions"]]


def _stored(session: TableSession, seat: int) -> list[Clicks]:
    return plan_of(session.table, session.seats[seat])


def _owner(seat: Seat) -> str:
    """Who made a plan, without the player's key."""
    return salted_hmac("brassmill.web.plan", seat.holder).hexdigest()[:16]


def _keep(session: TableSession, seat: int, actions: list[Clicks]) -> None:
    table = session.table
    with transaction.atomic():
        row = Table.objects.select_for_update().only("plans").get(pk=table.pk)
        row.plans = {key: plan for key, plan in row.plans.items() if key != str(seat)}
        if actions:
            owner = _owner(session.seats[seat])
            row.plans[str(seat)] = {"owner": owner, "actions": actions}
        row.save(update_fields=["plans"])
    table.plans = row.plans
    live.moved(table.pk)  # the player's other screens; no other stamp changes


def after_entry(
    session: TableSession, before: Waiting | None, body: dict[str, Any]
) -> dict[str, Any]:
    """The column that an entry changes: a plan ends with its turn, or when its player leaves."""
    plans = session.table.plans
    gone = body.get("seat", before.seat if before and "end" in body else None)
    if str(gone) not in plans:
        return {}
    return {"plans": {key: plan for key, plan in plans.items() if key != str(gone)}}


def told(session: TableSession, seats: Sequence[int]) -> tuple[int, ...]:
    """What changes the stamp of a player with a plan; nothing for everyone else."""
    if not session.table.plans:
        return ()
    own = [_stored(session, seat) for seat in seats]
    return (zlib.crc32(json.dumps(own).encode()),) if any(own) else ()
