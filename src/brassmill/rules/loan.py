"""The loan (LOAN-1)."""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.choices import card_kind, loan, loan_levels
from brassmill.rules.emit import EventKind, Money, emit
from brassmill.rules.hand import deck_is_empty, discard
from brassmill.rules.income import LOWEST_LEVEL, highest_space, income_level, move_income
from brassmill.rules.jit import rule
from brassmill.rules.layout import BORROWING, CARD, RAIL
from brassmill.rules.market import receive
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason

POUNDS_A_LEVEL = 10


@rule
def ask_loan(state, board, work):
    """Offer every size of loan that may be taken."""
    for levels in range(1, 4):
        if loan_reason(state, board, work, loan(levels)) == Reason.OK:
            offer(work, loan(levels))


@rule
def loan_reason(state, board, work, choice):
    """LOAN-1 to LOAN-3: why a loan of this size cannot be taken."""
    levels = loan_levels(choice)
    if board.loan_sizes[levels - 1] == 0:
        return Reason.NO_SUCH_LOAN
    level = income_level(int(state.income[int(state.seat)]))
    if level - levels < LOWEST_LEVEL:
        work.details[1] = LOWEST_LEVEL - (level - levels)
        return Reason.INCOME_TOO_LOW
    if board.loans_end_with_deck and state.era == RAIL and deck_is_empty(state):
        return Reason.LOANS_HAVE_ENDED
    return Reason.OK


@rule
def begin_loan(state, choice):
    """The size is decided; ask for the card."""
    state.doing = BORROWING
    state.loan = loan_levels(choice)
    state.cards_due = 1
    state.phase = CARD


@rule
def answer_loan_card(state, work, choice):
    """LOAN-1, INC-4: discard the card, take the money, lower the income level."""
    seat = int(state.seat)
    levels = int(state.loan)
    discard(state, work, card_kind(choice))
    emit(work, EventKind.BORROWED, seat, levels * POUNDS_A_LEVEL, levels)
    receive(state, work, seat, levels * POUNDS_A_LEVEL, Money.LOAN)
    move_income(state, work, seat, highest_space(income_level(int(state.income[seat])) - levels))
    finish_action(state)
