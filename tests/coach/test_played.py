"""Why an opponent's action makes sense: true of it, and told from what another seat sees."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from brassmill.coach import AdviceReason, reasons_for_played
from brassmill.coach.played import KEPT_BACK, OF_ANOTHER
from brassmill.coach.reasons import LOAN, REASONS
from brassmill.core.action import Action
from brassmill.core.choice import MEANING
from brassmill.core.engine import Engine
from brassmill.core.view import view_of
from brassmill.core.worlds import sample
from brassmill.editions import Edition
from brassmill.rules.choices import SELL_FAR
from support.kinds import PLAIN
from support.moments import at_an_action

SENTENCES = {
    sentence
    for name, sayings in REASONS.items()
    if name not in KEPT_BACK
    for saying in sayings
    for sentence in (saying.good, saying.bad)
}


def reasons_of(action: Action, asker: int, before: bytes | None = None) -> tuple[AdviceReason, ...]:
    """Return the reasons of an action, as a seat sees it."""
    engine = Engine(action.edition, action.seats, before or action.before)
    known = action.edition, action.seats, engine.state, asker
    first = view_of(*known, 0)
    for choice in action.ids:
        engine.step(choice)
    return reasons_for_played(action.edition, first, view_of(*known, 1), action.seat, action.ids[0])


def test_nothing_is_said_to_the_player_who_asks() -> None:
    """Every sentence about "you" has one about the player who acted."""
    about_you = {sentence for sentence in SENTENCES if re.search(r"\byour?\b", sentence)}
    assert about_you == set(OF_ANOTHER)
    assert not any(re.search(r"\byour?\b", words) for words in (*OF_ANOTHER.values(), LOAN))


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_a_loan_brings_money_and_costs_income(kind: Edition) -> None:
    game = at_an_action(kind, seed=4, choices=30)
    loan = next(choice for choice in game.legal_choices() if str(choice).startswith("loan"))
    game.choose(loan.id)
    while game.draft:
        game.choose(game.legal_choices().ids[0])
    action = game.actions[-1]
    reasons = reasons_of(action, asker=(action.seat + 1) % game.players)
    assert "loan" in {reason.name for reason in reasons}
    assert [reason.points for reason in reasons] == sorted(
        (reason.points for reason in reasons), reverse=True
    )


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_the_reasons_do_not_depend_on_what_the_asker_cannot_see(kind: Edition) -> None:
    """Another hand and deck behind the same view: the same reasons, word for word."""
    game = at_an_action(kind, seed=kind.players, choices=0)
    differed = 0
    for number in range(14):
        position, seat = game.engine.snapshot(), game.seat
        assert seat is not None
        ids = game.legal_choices().ids
        game.choose(ids[(7 * number) % len(ids)])
        while game.draft:
            game.choose(game.legal_choices().ids[0])
        action = game.actions[-1]
        asker = (seat + 1) % game.players
        told = reasons_of(action, asker)
        other = action.before if SELL_FAR in action.ids else another_hand(kind, action, asker)
        differed += other != position
        assert reasons_of(action, asker, other) == told
        assert not any(reason.name in KEPT_BACK for reason in told)
        if game.question == "turn over":
            game.end_turn()
    assert differed > 7


def another_hand(kind: Edition, action: Action, asker: int) -> bytes:
    """Return a position that the asker cannot tell from the true one, with the card played."""
    engine = Engine(kind, action.seats, action.before)
    known = view_of(kind, action.seats, engine.state, asker, 0)
    used = Counter(
        card for kind_of, card in map(MEANING.__getitem__, action.ids) if kind_of == "CARD"
    )
    for seed in range(200):
        position = sample(kind, known, seed)
        hand = Engine(kind, action.seats, position).state.hand[action.seat]
        if all(hand[card] >= count for card, count in used.items()):
            return position
    return action.before
