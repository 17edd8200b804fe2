"""A turn planned ahead, on the position as its player sees it, as if it were their turn now.

Only a view is read, so a plan knows nothing that its player may not know. What a plan contains is
played step by step by the rules, now and again when the turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence

from brassmill.core.engine import Engine, plain
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.notation import matching
from brassmill.rules import turn
from brassmill.rules.action import clear_action as rules_clear_action
from brassmill.rules.choices import SELL_FAR
from brassmill.rules.layout import DEBT
from brassmill.rules.reasons import Reason
from brassmill.words import Refusal

clear_action, start_turn = plain(rules_clear_action), plain(turn.start_turn)

HIDDEN = Refusal(
    Reason.NOT_ASKED_NOW,
    N_("The next distant market tile is hidden: sell there when it is your turn."),
)


def begin_turn_of(engine: Engine, seat: int) -> None:
    """Let a seat have its turn now; whatever was in progress is dropped."""
    clear_action(engine.state)
    engine.state.turn = engine.state.order.tolist().index(seat)
    start_turn(engine.state, engine.edition.board, engine.work)


def turn_ahead(edition: Edition, view: View) -> Game:
    """The next turn of the seat of a view; an error says why it cannot be planned."""
    seat = view.seat
    assert seat is not None
    engine = Engine(edition, tuple(each.name for each in view.seats), view.position)
    state = engine.state
    if engine.seat != seat:
        if engine.in_progress or engine.phase == DEBT:
            raise BrassError(_("Wait until the action in progress is finished."))
        if view.order.index(seat) < state.turn:
            if view.round >= view.rounds:
                raise BrassError(_("The era ends before your next turn."))
            state.round_number += 1  # its turn of this round is over
        if not view.hand:
            raise BrassError(_("You have no cards to plan with."))
        begin_turn_of(engine, seat)
    state.distant[int(state.distant_next) :] = 0  # nobody has seen them
    return Game.from_state(edition, state, engine.seats)


def choose(game: Game, choices: Sequence[int]) -> tuple[int, ...]:
    """Make choices in a turn planned ahead; return them with the forced ones."""
    refusal = matching.why_not_all(game.engine, choices)
    if refusal:
        raise refusal.error()
    before = len(made(game))
    if not _carry_out(game, choices):
        raise HIDDEN.error()
    return made(game)[before:]


def _carry_out(game: Game, choices: Sequence[int]) -> bool:
    """Make legal choices and the forced ones, unless they sell to the distant market."""
    before = len(made(game))
    game.carry_out(tuple(choices), ends_turn=False)
    if SELL_FAR not in made(game)[before:]:
        return True
    game.undo()
    return False


def made(game: Game) -> tuple[int, ...]:
    """All choices of the turn so far."""
    ids = tuple(choice for action in game.actions for choice in action.ids)
    return ids + (game.draft.ids if game.draft else ())


def replay(game: Game, actions: Sequence[Sequence[int]]) -> Refusal | None:
    """Play planned actions as far as they are legal; return why the next one is not."""
    for ids in actions:
        refusal = matching.why_not_all(game.engine, ids)
        if refusal:
            return refusal
        if not _carry_out(game, ids):  # another buyer is gone, for example
            return HIDDEN
    return None
