"""Scouting for wild cards (SCT-1), and passing (TURN-4)."""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.choices import PASS, SCOUT, card_kind
from brassmill.rules.emit import EventKind, emit
from brassmill.rules.hand import discard, holds_card
from brassmill.rules.jit import rule
from brassmill.rules.layout import CARD, PASSING, SCOUTING, WILD_INDUSTRY, WILD_LOCATION
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason

SCOUT_CARDS = 3


@rule
def ask_scout(state, board, work):
    """Offer scouting and passing."""
    if scout_reason(state, board) == Reason.OK:
        offer(work, SCOUT)
    if pass_reason(state) == Reason.OK:
        offer(work, PASS)


@rule
def scout_reason(state, board):
    """SCT-1: why the seat cannot scout: a wild card in hand, or fewer than three cards."""
    if board.scouting == 0:
        return Reason.NOT_IN_THIS_GAME
    if holds_card(state, WILD_LOCATION) or holds_card(state, WILD_INDUSTRY):
        return Reason.HOLDS_WILD_CARD
    if state.hand_size[int(state.seat)] < SCOUT_CARDS:
        return Reason.NEEDS_THREE_CARDS
    return Reason.OK


@rule
def pass_reason(state):
    """TURN-4: why the seat cannot pass: it must discard a card."""
    if state.hand_size[int(state.seat)] == 0:
        return Reason.NOT_IN_HAND
    return Reason.OK


@rule
def begin_scout(state):
    """Ask for three cards."""
    state.doing = SCOUTING
    state.cards_due = SCOUT_CARDS
    state.phase = CARD


@rule
def answer_scout_card(state, work, choice):
    """SCT-1: discard three cards, take one wild card of each kind."""
    discard(state, work, card_kind(choice))
    state.cards_due -= 1
    if state.cards_due > 0:
        return
    seat = int(state.seat)
    state.hand[seat, WILD_LOCATION] += 1
    state.hand[seat, WILD_INDUSTRY] += 1
    state.hand_size[seat] += 2
    emit(work, EventKind.SCOUTED, seat, 0, 0)
    finish_action(state)


@rule
def begin_pass(state):
    """Ask for a card."""
    state.doing = PASSING
    state.cards_due = 1
    state.phase = CARD


@rule
def answer_pass_card(state, work, choice):
    """TURN-4: discard the card; nothing else happens."""
    discard(state, work, card_kind(choice))
    emit(work, EventKind.PASSED, int(state.seat), 0, 0)
    finish_action(state)
