"""Why a bot has played an action: the coach's reasons, for the only person in a game.

They come from what that person's seat sees before and after the action. In a game with other
people nobody gets any, and spectators never do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from brassmill.coach import AdviceReason, reasons_for_played
from brassmill.core.action import Action
from brassmill.core.engine import Engine
from brassmill.core.view import view_of
from brassmill.web.table import coach
from brassmill.web.table.viewer import Viewer

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

KEPT = 20  # answers for each table

log = logging.getLogger("brassmill.web")


class BotReasons:
    """The reasons of an action, as a seat may know them."""

    def __init__(self, action: Action, seat: int) -> None:
        """Look at the action from a seat. The action knows everything, and is not kept."""
        engine = Engine(action.edition, action.seats, action.before)
        number = action.number or 0
        known = action.edition, action.seats, engine.state, seat
        self.before = view_of(*known, number - 1)
        for choice in action.ids:
            engine.step(choice)
        self.after = view_of(*known, number)
        self.edition = action.edition
        self.actor = action.seat
        self.choice = action.ids[0]
        self.reasons: tuple[AdviceReason, ...] | None = None  # None: still thinking
        self.is_refused = False  # too many questions: ask again later

    def think(self) -> None:
        """Find the reasons."""
        found: tuple[AdviceReason, ...] = ()
        try:
            known = self.edition, self.before, self.after, self.actor, self.choice
            found = reasons_for_played(*known)
        except Exception:
            log.exception("the coach failed")
        self.reasons = found

    def refuse(self) -> None:
        """Leave the question unanswered."""
        self.reasons, self.is_refused = (), True

    def words(self) -> tuple[str, ...]:
        """The reasons so far, in the current language."""
        return tuple(coach.reason_words(reason) for reason in self.reasons or ())


def may_ask(session: TableSession, viewer: Viewer) -> bool:
    """Is the visitor the only person who has ever played in this game, and may they ask?"""
    if session.table.day is not None or session.table.rated:
        return False
    people = [seat.number for seat in session.seats if seat.holder or not seat.first_bot]
    return people == [viewer.seat]


def action_of(session: TableSession, viewer: Viewer, number: int) -> Action | None:
    """A published action of an opponent, by its number."""
    if not 0 < number <= session.actions:
        return None
    action = session.game.actions[number - 1]
    return None if action.seat == viewer.seat else action


def ask(
    session: TableSession, seat: int, action: Action, key: str, is_allowed: Callable[[], bool]
) -> BotReasons:
    """Ask the coach about an action, unless it was asked already.

    The key is the visitor's. A visitor who asks too often is refused.
    """
    number = action.number or 0
    with session.lock:
        answer = session.bot_reasons.pop(number, None)
        if answer is None or answer.is_refused:
            answer = BotReasons(action, seat)
            is_new = True
        else:
            is_new = False
        session.bot_reasons[number] = answer
        while len(session.bot_reasons) > KEPT:
            session.bot_reasons.pop(next(iter(session.bot_reasons)))
    if is_new and is_allowed():
        coach.queue.put(key, answer, lambda: session.bot_reasons.get(number) is answer)
    elif is_new:
        answer.refuse()
    return answer
