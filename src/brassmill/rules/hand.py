"""Cards: discarding, drawing, refilling (2, TURN-7)."""

from __future__ import annotations

from brassmill.rules.choices import card, card_kind, is_card
from brassmill.rules.emit import EventKind, emit
from brassmill.rules.jit import rule
from brassmill.rules.layout import CARDS, HAND, WILD_LOCATION
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason


@rule
def discard(state, work, kind):
    """Discard a card; wild cards go back to their piles (WILD-1)."""
    seat = int(state.seat)
    state.hand[seat, kind] -= 1
    state.hand_size[seat] -= 1
    if kind < WILD_LOCATION:
        state.discards[kind] += 1
    emit(work, EventKind.DISCARDED, seat, kind, 0)


@rule
def draw(state, work, seat, cards):
    """Draw this many cards, or as many as the deck has."""
    drawn = 0
    while drawn < cards and state.deck_next < state.deck_end:
        kind = int(state.deck[int(state.deck_next)])
        state.hand[seat, kind] += 1
        state.deck_next += 1
        drawn += 1
    state.hand_size[seat] += drawn
    if drawn > 0:
        emit(work, EventKind.DREW, seat, drawn, 0)


@rule
def refill(state, work, seat):
    """Refill a hand to eight cards (2)."""
    draw(state, work, seat, HAND - int(state.hand_size[seat]))


@rule
def deck_is_empty(state):
    """LOAN-3: whether no card is left to draw."""
    return state.deck_next >= state.deck_end


@rule
def holds_card(state, kind):
    """Whether the seat that must choose has such a card."""
    return state.hand[int(state.seat), kind] > 0


@rule
def ask_any_card(state, work):
    """Offer every kind of card in hand: any will do (LNK-1, DEV-1, TURN-4, ...)."""
    for kind in range(CARDS):
        if holds_card(state, kind):
            offer(work, card(kind))


@rule
def any_card_reason(state, work, choice):
    """Why a card cannot be discarded."""
    if not is_card(choice):
        return Reason.NOT_ASKED_NOW
    work.details[0] = card_kind(choice)
    if not holds_card(state, card_kind(choice)):
        return Reason.NOT_IN_HAND
    return Reason.OK
