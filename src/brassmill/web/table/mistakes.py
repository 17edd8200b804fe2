"""The coach speaks up at a big mistake, while its player can still undo it.

It does so in games of one person against beginners, such as the introductory game after a lesson.
It knows only what that person's seat saw before the action.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from brassmill.coach import Advice, advise
from brassmill.coach.analysis import MARKS
from brassmill.core.action import Action
from brassmill.core.engine import Engine
from brassmill.game import Game
from brassmill.web.server import startup
from brassmill.web.table import coach
from brassmill.web.table.reasons import may_ask
from brassmill.web.table.viewer import Viewer

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

BEGINNER = "beginner"  # the level of all bots in the games where it speaks up
LEAST = MARKS["blunder"]  # VP
WORLDS = 10

log = logging.getLogger("brassmill.web")


class LastAction:
    """The last action of an unfinished turn, and what the coach says of it."""

    def __init__(self, action: Action, moves: int) -> None:
        """Look at the action from the seat that took it. The action knows more, and is not kept."""
        engine = Engine(action.edition, action.seats, action.before)
        self.edition, self.number = action.edition, action.number
        self.view = Game.from_state(action.edition, engine.state, action.seats).view(action.seat)
        self.choices = action.ids
        self.moves = moves  # to undo it
        self.is_thinking = True
        self.better: Advice | None = None  # if it was a big mistake
        self.loss = 0.0

    def think(self) -> None:
        """Compare it with the best action found."""
        try:
            if startup.is_compiled():
                known = self.edition, self.view
                advice = advise(*known, worlds=WORLDS, most=1, played=self.choices)
                self.loss = advice[-1].loss
                self.better = advice[0] if self.loss >= LEAST else None
        except Exception:
            log.exception("the coach failed")
        self.is_thinking = False

    def refuse(self) -> None:
        """Say nothing."""
        self.is_thinking = False


def speaks_up(session: TableSession, viewer: Viewer) -> bool:
    """Does the coach watch this player?"""
    bots = {seat.first_bot for seat in session.seats if seat.first_bot}
    return bots == {BEGINNER} and may_ask(session, viewer)


def last_action(session: TableSession, viewer: Viewer) -> Action | None:
    """The player's last whole action, if it can be undone and no other has begun."""
    game = session.game
    is_between = viewer.is_to_move and session.undoable and game.draft is None
    if not is_between or len(game.actions) <= session.actions_before_turn:
        return None
    return game.actions[-1]


def is_to_judge(session: TableSession, viewer: Viewer) -> bool:
    """Is there an action that the coach looks at?"""
    with session.lock:
        return speaks_up(session, viewer) and last_action(session, viewer) is not None


def judged(
    session: TableSession, viewer: Viewer, key: str, is_allowed: Callable[[], bool]
) -> LastAction | None:
    """What the coach says of the last action; it is asked if it was not yet.

    The key is the visitor's. A visitor who asks too often gets no answer.
    """
    with session.lock:
        action = last_action(session, viewer) if speaks_up(session, viewer) else None
        if action is None:
            return None
        known = session.last_action
        if known and (known.number, known.choices) == (action.number, action.ids):
            return known
        judgement = session.last_action = LastAction(action, session.moves_of(action))
    if is_allowed():
        is_wanted = lambda: session.last_action is judgement  # noqa: E731
        coach.queue.put(f"mistake {key}", judgement, is_wanted)
    else:
        judgement.refuse()
    return judgement
