"""Planning a turn: completing actions, the best action, and both actions together."""

from __future__ import annotations

from brassmill.bots.mind import FIRST, MORE, SECOND
from brassmill.bots.terms import value, weigh_cards
from brassmill.rules.choices import DONE, TWO_CARDS, card_kind
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    ACTION,
    CARD,
    GAME_OVER,
    MORE_DEVELOP,
    MORE_RAIL,
    MORE_SALES,
    TURN_OVER,
)
from brassmill.rules.turn import forget, list_choices, make

WORST = -1.0e9

# Slots of the stack of positions.
ROOT = 0
TRIAL = 1  # an action is tried here and in the next three slots
BEST = 5  # the best position so far
STORE = 6  # positions after each first action


# --- one action ----------------------------------------------------------------------------------


@rule
def asks_for_more(phase):
    """Can the action either continue or end here?"""
    return phase in (MORE_RAIL, MORE_SALES, MORE_DEVELOP)


@rule
def between_actions(phase):
    """Is no action in progress?"""
    return phase in (ACTION, TURN_OVER, GAME_OVER)


@rule
def copy_to_try(states, slot, trial, board):
    """Copy a position to try something, hiding what that would reveal."""
    states[trial] = states[slot]
    expect_middling_tiles(states[trial], board)


@rule
def expect_middling_tiles(state, board):
    """Reorder the face-down distant market tiles, whatever their true order is.

    Tiles closest to the mean come first; of two equally close ones, the smaller.
    """
    tiles = state.distant
    first = int(state.distant_next)
    end = int(board.distant_tiles)
    total = 0
    for place in range(first, end):
        total += int(tiles[place])
    for place in range(first, end):
        for other in range(place + 1, end):
            ahead = abs(int(tiles[place]) * (end - first) - total)
            behind = abs(int(tiles[other]) * (end - first) - total)
            if behind < ahead or (behind == ahead and tiles[other] < tiles[place]):
                tiles[place], tiles[other] = tiles[other], tiles[place]


@rule
def list_into(state, board, work, mind, which):
    """Copy the list of choices to where nested questions do not overwrite it."""
    count = list_choices(state, board, work)
    for row in range(count):
        mind.lists[which, row] = work.legal[row]
    return count


@rule
def complete(states, slot, board, work, mind, seat, choice):
    """Play an action to its end with the best answer to each question.

    Answers are judged by the position they lead to; discards by what the cards are good for.
    """
    make(states[slot], board, work, choice)
    settle(states, slot, board, work, mind, seat)
    while asks_for_more(int(states[slot].phase)):
        more = best_more(states, slot, board, work, mind, seat)
        make(states[slot], board, work, more)
        settle(states, slot, board, work, mind, seat)


@rule
def settle(states, slot, board, work, mind, seat):
    """Choose cards and sources until the action ends or could continue."""
    state = states[slot]
    while not between_actions(int(state.phase)) and not asks_for_more(int(state.phase)):
        count = list_choices(state, board, work)
        if count == 1:
            choice = int(work.legal[0])
        elif state.phase == CARD:
            choice = card_to_give(work, mind, count)
        else:
            choice = best_answer(states, slot, board, work, mind, seat, count)
        make(state, board, work, choice)


@rule
def best_answer(states, slot, board, work, mind, seat, count):
    """The answer that leads to the best position."""
    made = int(work.trail_count)
    best = int(work.legal[0])
    most = WORST
    for row in range(count):
        choice = int(work.legal[row])
        copy_to_try(states, slot, slot + 1, board)
        make(states[slot + 1], board, work, choice)
        worth = value(states[slot + 1], board, work, mind, seat)
        if worth > most:
            most = worth
            best = choice
    work.trail_count = made
    return best


@rule
def best_more(states, slot, board, work, mind, seat):
    """One more railway, sale or development, or done."""
    made = int(work.trail_count)
    count = list_into(states[slot], board, work, mind, MORE)
    best = DONE
    most = value(states[slot], board, work, mind, seat)
    for row in range(count):
        choice = int(mind.lists[MORE, row])
        if choice != DONE:
            copy_to_try(states, slot, slot + 1, board)
            make(states[slot + 1], board, work, choice)
            settle(states, slot + 1, board, work, mind, seat)
            worth = value(states[slot + 1], board, work, mind, seat)
            if worth > most:
                most = worth
                best = choice
    work.trail_count = made
    return best


@rule
def card_to_give(work, mind, count):
    """The least useful card; two cards for one build only if no single card is enough."""
    best = int(work.legal[0])
    least = -WORST
    for row in range(count):
        choice = int(work.legal[row])
        if choice != TWO_CARDS and mind.missed[card_kind(choice)] < least:
            least = mind.missed[card_kind(choice)]
            best = choice
    return best


# --- a turn --------------------------------------------------------------------------------------


@rule
def best_action(states, board, work, mind, seat):
    """The first choice of the action that leads to the best position (the root is ACTION)."""
    weigh_cards(states[ROOT], board, work, mind, seat)
    count = list_into(states[ROOT], board, work, mind, FIRST)
    best = int(mind.lists[FIRST, 0])
    most = WORST
    for row in range(count):
        choice = int(mind.lists[FIRST, row])
        copy_to_try(states, ROOT, TRIAL, board)
        forget(work)
        complete(states, TRIAL, board, work, mind, seat, choice)
        worth = value(states[TRIAL], board, work, mind, seat)
        if worth > most:
            most = worth
            best = choice
    return best


@rule
def survey_turn(states, board, work, mind, seat, width):
    """Judge the turns that start with each legal choice; return how many there are.

    The `width` best first actions are tried with every second action. `mind.whole` holds the value
    of the best turn that starts with each choice in `mind.lists[FIRST]`, and `states[STORE + row]`
    the position after it. Anything not tried has the value WORST.
    """
    weigh_cards(states[ROOT], board, work, mind, seat)
    count = list_into(states[ROOT], board, work, mind, FIRST)
    for row in range(count):
        copy_to_try(states, ROOT, TRIAL, board)
        forget(work)
        complete(states, TRIAL, board, work, mind, seat, int(mind.lists[FIRST, row]))
        states[STORE + row] = states[TRIAL]
        mind.first[row] = value(states[TRIAL], board, work, mind, seat)
        mind.whole[row] = WORST
    for _ in range(min(width, count)):
        row = best_row(mind.first, count)
        mind.whole[row] = mind.first[row]
        mind.first[row] = WORST
        if states[STORE + row].phase == ACTION:
            mind.whole[row] = best_second(states, STORE + row, board, work, mind, seat)
    return count


@rule
def best_row(values, count):
    """The row with the highest value."""
    best = 0
    for row in range(count):
        if values[row] > values[best]:
            best = row
    return best


@rule
def best_second(states, slot, board, work, mind, seat):
    """Add the best second action to a position after a first one; return the value of the turn."""
    weigh_cards(states[slot], board, work, mind, seat)
    count = list_into(states[slot], board, work, mind, SECOND)
    most = WORST
    for row in range(count):
        copy_to_try(states, slot, TRIAL, board)
        forget(work)
        complete(states, TRIAL, board, work, mind, seat, int(mind.lists[SECOND, row]))
        worth = value(states[TRIAL], board, work, mind, seat)
        if worth > most:
            most = worth
            states[BEST] = states[TRIAL]
    states[slot] = states[BEST]
    return most


@rule
def best_turn(states, board, work, mind, seat, width):
    """The first choice of the best turn."""
    count = survey_turn(states, board, work, mind, seat, width)
    return int(mind.lists[FIRST, best_row(mind.whole, count)])


@rule
def act(states, board, work, mind, seat, width):
    """Play the best action at the root, or continue the one in progress."""
    if states[ROOT].phase == ACTION:
        if width > 0 and states[ROOT].actions_left > 1:
            choice = best_turn(states, board, work, mind, seat, width)
        else:
            choice = best_action(states, board, work, mind, seat)
        carry_out(states, board, work, mind, seat, choice)
    else:
        go_on(states, board, work, mind, seat)


@rule
def carry_out(states, board, work, mind, seat, choice):
    """Play the action that starts with a choice; the trail records its choices."""
    weigh_cards(states[ROOT], board, work, mind, seat)
    forget(work)
    complete(states, ROOT, board, work, mind, seat, choice)


@rule
def go_on(states, board, work, mind, seat):
    """Answer the open question of an action in progress, or of a debt."""
    weigh_cards(states[ROOT], board, work, mind, seat)
    forget(work)
    if asks_for_more(int(states[ROOT].phase)):
        choice = best_more(states, ROOT, board, work, mind, seat)
    else:
        count = list_choices(states[ROOT], board, work)
        if states[ROOT].phase == CARD:
            choice = card_to_give(work, mind, count)
        else:
            choice = best_answer(states, ROOT, board, work, mind, seat, count)
    make(states[ROOT], board, work, choice)
