"""The turn: which question is open, which choices answer it, and what follows.

`choose` plays a choice and the forced ones after it, and stops when the actions of the turn are
done. `finish_turn` does what follows: refill, next seat, end of round and era. `play` does both.
"""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.build import (
    answer_build_card,
    ask_build,
    ask_build_card,
    begin_build,
    build_card_reason,
    build_reason,
    supply_build,
)
from brassmill.rules.choices import (
    CHOICES,
    DONE,
    PASS,
    SCOUT,
    is_barrel_of,
    is_build,
    is_develop,
    is_link,
    is_loan,
    is_sell,
)
from brassmill.rules.develop import (
    answer_develop_card,
    answer_second_develop,
    ask_develop,
    ask_more_develop,
    ask_remove,
    begin_develop,
    develop_reason,
    more_develop_reason,
    remove_reason,
    supply_develop,
)
from brassmill.rules.emit import EventKind, emit
from brassmill.rules.hand import any_card_reason, ask_any_card, refill
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    ACTION,
    BEER_SOURCE,
    BORROWING,
    BUILDING,
    BUYER,
    CANAL,
    CARD,
    COAL_SOURCE,
    DEBT,
    DEVELOPING,
    FREE_DEVELOP,
    GAME_OVER,
    IRON_SOURCE,
    LINKING,
    MORE_DEVELOP,
    MORE_RAIL,
    MORE_SALES,
    NOBODY,
    RAIL,
    RAIL_END,
    SCOUTING,
    SELLING,
    TRAIL,
    TURN_OVER,
)
from brassmill.rules.link import (
    answer_end,
    answer_link_card,
    answer_second_rail,
    ask_end,
    ask_link,
    ask_more_rail,
    begin_link,
    end_reason,
    link_reason,
    more_rail_reason,
    supply_rail,
)
from brassmill.rules.loan import answer_loan_card, ask_loan, begin_loan, loan_reason
from brassmill.rules.network import survey, survey_network
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import (
    ask_beer,
    ask_coal,
    ask_iron,
    beer_reason,
    coal_reason,
    iron_reason,
    take_beer,
    take_coal,
    take_iron,
)
from brassmill.rules.rounds import (
    answer_debt_tile,
    ask_debt_tile,
    clear_spent,
    collect_income,
    debt_tile_reason,
    demand_debt,
    set_order,
)
from brassmill.rules.scoring import score_era
from brassmill.rules.scout import (
    answer_pass_card,
    answer_scout_card,
    ask_scout,
    begin_pass,
    begin_scout,
    pass_reason,
    scout_reason,
)
from brassmill.rules.sell import (
    answer_buyer,
    answer_next_sale,
    answer_remove,
    answer_sell_card,
    ask_buyer,
    ask_more_sales,
    ask_sell,
    begin_sell,
    buyer_reason,
    more_sales_reason,
    sell_reason,
    supply_sale,
    take_barrel,
)
from brassmill.rules.setup import begin_rail_era

# --- the open question ---------------------------------------------------------------------------


@rule
def look(state, board, work):
    """The survey, as far as the open question needs it."""
    phase = int(state.phase)
    if phase == CARD:
        if state.doing == BUILDING:
            survey_network(state, board, work)
    elif (
        phase == ACTION
        or phase == MORE_RAIL
        or phase == MORE_SALES
        or phase == MORE_DEVELOP
        or phase == RAIL_END
    ):
        survey(state, board, work)


@rule
def list_choices(state, board, work):
    """Fill the list of legal choices; return their number."""
    if state.phase == ACTION:
        return list_actions(state, board, work)
    return list_answers(state, board, work)


@rule
def list_actions(state, board, work):
    """List the legal choices between two actions: what to do and where."""
    work.legal_count = 0
    survey(state, board, work)
    ask_build(state, board, work)
    ask_link(state, board, work)
    ask_sell(state, board, work)
    ask_develop(state, board, work)
    ask_loan(state, board, work)
    ask_scout(state, board, work)
    return int(work.legal_count)


@rule
def list_answers(state, board, work):
    """List the legal choices of every other question."""
    work.legal_count = 0
    look(state, board, work)
    phase = int(state.phase)
    if phase == CARD:
        if state.doing == BUILDING:
            ask_build_card(state, board, work)
        else:
            ask_any_card(state, work)
    elif phase == COAL_SOURCE:
        ask_coal(state, board, work)
    elif phase == IRON_SOURCE:
        ask_iron(state, board, work)
    elif phase == BEER_SOURCE:
        ask_beer(state, board, work)
    elif phase == MORE_RAIL:
        ask_more_rail(state, board, work)
    elif phase == MORE_SALES:
        ask_more_sales(state, board, work)
    elif phase == MORE_DEVELOP:
        ask_more_develop(state, board, work)
    elif phase == BUYER:
        ask_buyer(state, board, work)
    elif phase == FREE_DEVELOP:
        ask_remove(state, board, work)
    elif phase == RAIL_END:
        ask_end(state, board, work)
    elif phase == DEBT:
        ask_debt_tile(state, board, work)
    return int(work.legal_count)


@rule
def why(state, board, work, choice):
    """Why a choice cannot be made now: a `Reason`, OK if it can."""
    work.details[0] = 0
    work.details[1] = 0
    if choice < 0 or choice >= CHOICES:
        return Reason.NOT_IN_THIS_GAME
    look(state, board, work)
    return reason(state, board, work, choice)


@rule
def reason(state, board, work, choice):
    """The reason given by the module of the open question (after `look`)."""
    phase = int(state.phase)
    if phase == ACTION:
        return action_reason(state, board, work, choice)
    if phase == CARD:
        if state.doing == BUILDING:
            return build_card_reason(state, board, work, choice)
        return any_card_reason(state, work, choice)
    if phase == COAL_SOURCE:
        return coal_reason(state, board, work, choice)
    if phase == IRON_SOURCE:
        return iron_reason(state, board, work, choice)
    if phase == BEER_SOURCE:
        return beer_reason(state, board, work, choice)
    if phase == MORE_RAIL:
        return more_rail_reason(state, board, work, choice)
    if phase == MORE_SALES:
        return more_sales_reason(state, board, work, choice)
    if phase == MORE_DEVELOP:
        return more_develop_reason(state, board, work, choice)
    if phase == BUYER:
        return buyer_reason(state, board, work, choice)
    if phase == FREE_DEVELOP:
        return remove_reason(state, board, work, choice)
    if phase == RAIL_END:
        return end_reason(state, board, work, choice)
    if phase == DEBT:
        return debt_tile_reason(state, board, work, choice)
    if phase == GAME_OVER:
        return Reason.GAME_IS_OVER
    return Reason.NOT_ASKED_NOW


@rule
def action_reason(state, board, work, choice):
    """Why an action cannot begin."""
    if is_build(choice):
        return build_reason(state, board, work, choice)
    if is_link(choice):
        return link_reason(state, board, work, choice)
    if is_sell(choice):
        return sell_reason(state, board, work, choice)
    if is_develop(choice):
        return develop_reason(state, board, work, choice)
    if is_loan(choice):
        return loan_reason(state, board, work, choice)
    if choice == SCOUT:
        return scout_reason(state, board)
    if choice == PASS:
        return pass_reason(state)
    return Reason.NOT_ASKED_NOW


# --- answers -------------------------------------------------------------------------------------


@rule
def answer(state, board, work, choice):
    """Carry out a legal choice."""
    phase = int(state.phase)
    if phase == ACTION:
        begin(state, board, choice)
    elif phase == CARD:
        answer_card(state, board, work, choice)
    elif phase == COAL_SOURCE:
        take_coal(state, board, work, choice)
        supply(state, board, work)
    elif phase == IRON_SOURCE:
        take_iron(state, board, work, choice)
        supply(state, board, work)
    elif phase == BEER_SOURCE:
        answer_beer(state, board, work, choice)
    elif phase == DEBT:
        answer_debt(state, board, work, choice)
    elif choice == DONE:
        finish_action(state)
    elif phase == MORE_RAIL:
        answer_second_rail(state, board, work, choice)
    elif phase == MORE_SALES:
        answer_next_sale(state, board, work, choice)
    elif phase == MORE_DEVELOP:
        answer_second_develop(state, board, work, choice)
    elif phase == BUYER:
        answer_buyer(state, board, work, choice)
    elif phase == FREE_DEVELOP:
        answer_remove(state, board, work, choice)
    elif phase == RAIL_END:
        answer_end(state, board, work, choice)


@rule
def begin(state, board, choice):
    """Begin an action: what to do and where is now decided."""
    if is_build(choice):
        begin_build(state, board, choice)
    elif is_link(choice):
        begin_link(state, choice)
    elif is_sell(choice):
        begin_sell(state, choice)
    elif is_develop(choice):
        begin_develop(state, choice)
    elif is_loan(choice):
        begin_loan(state, choice)
    elif choice == SCOUT:
        begin_scout(state)
    else:
        begin_pass(state)


@rule
def answer_card(state, board, work, choice):
    """Discard a card."""
    doing = int(state.doing)
    if doing == BUILDING:
        answer_build_card(state, board, work, choice)
    elif doing == LINKING:
        answer_link_card(state, board, work, choice)
    elif doing == SELLING:
        answer_sell_card(state, board, work, choice)
    elif doing == DEVELOPING:
        answer_develop_card(state, board, work, choice)
    elif doing == BORROWING:
        answer_loan_card(state, work, choice)
    elif doing == SCOUTING:
        answer_scout_card(state, work, choice)
    else:
        answer_pass_card(state, work, choice)


@rule
def supply(state, board, work):
    """A cube has been taken; continue the action."""
    doing = int(state.doing)
    if doing == BUILDING:
        supply_build(state, board, work)
    elif doing == LINKING:
        supply_rail(state, board, work)
    else:
        supply_develop(state, board, work)


@rule
def answer_beer(state, board, work, choice):
    """A barrel has been taken; finish the second rail, or continue the sale."""
    if is_barrel_of(choice):
        take_barrel(state, board, work, choice)
    else:
        take_beer(state, board, work, choice)
    if state.doing == LINKING:
        finish_action(state)
    else:
        supply_sale(state, board, work)


@rule
def answer_debt(state, board, work, choice):
    """DEBT-3: remove tiles until the debt is paid; then continue with income and the round."""
    answer_debt_tile(state, board, work, choice)
    demand_debt(state, board, work)
    if state.owed == 0:
        state.phase = TURN_OVER
        go_on_with_income(state, board, work)


# --- a choice, and what follows ------------------------------------------------------------------


@rule
def choose(state, board, work, choice):
    """Play a legal choice and the forced ones after it, up to the end of the turn's actions.

    Debt is settled after them; its last answer continues the round.
    """
    forget(work)
    make(state, board, work, choice)
    force(state, board, work)


@rule
def finish_turn(state, board, work):
    """End the turn and move on to the next seat that must choose, or to the end of the game."""
    forget(work)
    end_turn(state, board, work)
    force(state, board, work)


@rule
def play(state, board, work, choice):
    """Play a legal choice, end the turn if it is over, and list the legal choices."""
    forget(work)
    make(state, board, work, choice)
    while follows(state, board, work):
        make(state, board, work, int(work.legal[0]))
    if state.phase == ACTION:
        list_actions(state, board, work)


@rule
def follows(state, board, work):
    """End a turn that is over and list the legal answers: is there exactly one?

    The caller lists the actions: that is by far the longest list, and games that run side by side
    on a GPU make it together.
    """
    if state.phase == TURN_OVER:
        end_turn(state, board, work)
    if state.phase == ACTION:
        return False
    return list_answers(state, board, work) == 1


@rule
def forget(work):
    """Clear the events and choices of the last call."""
    work.event_count = 0
    work.trail_count = 0


@rule
def make(state, board, work, choice):
    """Answer the open question, and add the choice to the trail."""
    if work.trail_count < TRAIL:
        work.trail[int(work.trail_count)] = choice
        work.trail_count += 1
    answer(state, board, work, choice)


@rule
def force(state, board, work):
    """Make every forced choice. The start of an action is never forced."""
    while state.phase != ACTION and list_answers(state, board, work) == 1:
        make(state, board, work, int(work.legal[0]))
    if state.phase == ACTION:
        list_actions(state, board, work)


# --- the end of turns, rounds and eras (2) -------------------------------------------------------


@rule
def end_turn(state, board, work):
    """2: refill, then the next seat with cards, else the end of the round."""
    if board.refill_together == 0:
        refill(state, work, int(state.order[int(state.turn)]))
    state.turn += 1
    start_turn(state, board, work)
    if state.turn == board.players:
        end_round(state, board, work)


@rule
def start_turn(state, board, work):
    """2: two actions, but one in the first round of the game; a seat without cards only draws."""
    while state.turn < board.players:
        seat = int(state.order[int(state.turn)])
        if state.hand_size[seat] > 0:
            state.seat = seat
            state.actions_left = 1 if state.era == CANAL and state.round_number == 1 else 2
            state.phase = ACTION
            return
        if board.refill_together == 0:
            refill(state, work, seat)
        state.turn += 1


@rule
def end_round(state, board, work):
    """TURN-5, A-ORDER: set the turn order, then refill and pay income as the edition does."""
    set_order(state, board, work)
    clear_spent(state, board)
    if board.refill_together:
        for place in range(int(board.players)):
            refill(state, work, int(state.order[place]))
    state.income_turn = 0
    if board.income_first:
        close_round(state, board, work)
        if state.phase != GAME_OVER:
            go_on_with_income(state, board, work)
    elif state.era == RAIL and hands_are_empty(state, board):
        close_round(state, board, work)  # no income after the last round of the game (2)
    else:
        go_on_with_income(state, board, work)


@rule
def go_on_with_income(state, board, work):
    """X-10: pay the seats that have had no income yet; then the round begins or ends."""
    collect_income(state, board, work)
    if state.phase == DEBT:
        return
    if board.income_first == 0:
        close_round(state, board, work)
    if state.phase != GAME_OVER:
        state.turn = 0
        start_turn(state, board, work)


@rule
def close_round(state, board, work):
    """END-1: the era ends when all hands are empty; otherwise the next round begins."""
    if hands_are_empty(state, board):
        end_era(state, board, work)
        if state.phase == GAME_OVER:
            return
    state.round_number += 1
    emit(work, EventKind.ROUND_BEGAN, int(state.era), int(state.round_number), 0)


@rule
def hands_are_empty(state, board):
    """END-1: whether no seat holds a card."""
    for seat in range(int(board.players)):
        if state.hand_size[seat] > 0:
            return False
    return True


@rule
def end_era(state, board, work):
    """END-1, END-2: score, then the rail era or the end of the game."""
    emit(work, EventKind.ERA_ENDED, int(state.era), 0, 0)
    score_era(state, board, work)
    if state.era == RAIL or board.canal_era_only:
        state.phase = GAME_OVER
        state.seat = NOBODY
        state.actions_left = 0
        emit(work, EventKind.GAME_ENDED, 0, 0, 0)
    else:
        begin_rail_era(state, board, work)
