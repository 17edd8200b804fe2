"""All complete actions of a position: counting them, playing the nth one, listing them; compiled.

An action is what to do and where, then the cards, then everything else. What is left to answer
after the cards does not depend on them: sources, a second rail, more sales. So the actions that
begin with the same choice are counted as sets of cards times ways to go on, and most ways to go on
are counted without playing them.

The nth action is the nth that a walk through all answers finds, depth first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.rules.build import card_opens, may_combine
from brassmill.rules.choices import (
    DONE,
    SCOUT,
    TWO_CARDS,
    build_space,
    build_symbol,
    coal_at,
    develop,
    develop_industry,
    is_build,
    is_develop,
    is_link,
    is_sell,
    link_line,
)
from brassmill.rules.develop import develop_reason, take_off_mat
from brassmill.rules.hand import holds_card
from brassmill.rules.jit import inlined, rule
from brassmill.rules.layout import (
    ACTION,
    BEER_SOURCE,
    CANAL,
    CARD,
    CARDS,
    CHOICES_MAX,
    COAL_SOURCE,
    GAME_OVER,
    HAND,
    INDUSTRIES,
    IRON_SOURCE,
    MORE_DEVELOP,
    MORE_RAIL,
    TURN_OVER,
)
from brassmill.rules.link import end_reason, second_rail_is_out
from brassmill.rules.network import all_connected
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import brewery_reason, nearest_coal, stocked_works
from brassmill.rules.scout import SCOUT_CARDS
from brassmill.rules.turn import forget, list_answers, list_choices, make

DEPTH = 96  # choices of one action: a long sale with beer for every tile
STACK = DEPTH + 2  # positions: the root, and one for each choice
END = -1  # of a list of choices
NO_LIMIT = 1 << 62
UNKNOWN = 0  # ways to go on that must be walked through
ROWS = 4096  # choices written by one call

MENU = np.dtype(
    [
        # The actions of the root, by their first choice.
        ("actions", "i8", CHOICES_MAX),  # how many begin with it
        ("rests", "i8", CHOICES_MAX),  # ways to go on after the cards
        # What the first choices share.
        ("sets", "i8", SCOUT_CARDS + 1),  # sets of that many cards in hand
        ("irons", "i8", 3),  # sets of sources for that many iron
        ("irons_in_turn", "i8"),  # sources for one iron, then for another
        ("kind_count", "i8"),
        # The walk: the answers to each open question, and which one is being tried.
        ("depth", "i8"),  # -1 when it has ended
        ("written", "i8"),  # choices in `rows`
        ("kinds", "i2", HAND),  # kinds of card in hand
        ("firsts", "i2", CHOICES_MAX),
        ("lists", "i2", (DEPTH + 1, CHOICES_MAX + 4)),
        ("rows", "i2", ROWS),  # actions written: their choices, then END
    ],
    align=True,
)


# --- the walk ------------------------------------------------------------------------------------


@inlined
def begin_walk(states: Any, board: Any, work: Any, menu: Any) -> None:
    """Start before the first complete action of `states[0]`."""
    states[1] = states[0]
    menu.depth = 0
    open_list(states[1], board, work, menu, -1)


@rule
def advance(states: Any, board: Any, work: Any, menu: Any, limit: int) -> Any:
    """Go on to the next complete action, passing over up to `limit` of them; how many were passed?

    Position n + 1 comes from position n by the choice under `lists[n - 1, 0]` in its list. The one
    after the action is at `menu.depth + 2`; the depth is -1 if there is none.
    """
    passed = 0
    while menu.depth >= 0:
        depth = int(menu.depth)
        row = int(menu.lists[depth, 0]) + 1
        menu.lists[depth, 0] = row
        choice = int(menu.lists[depth, row])
        if choice == END:
            menu.depth -= 1
            continue
        states[depth + 2] = states[depth + 1]
        after = states[depth + 2]
        make(after, board, work, choice)
        if between_actions(int(after.phase)):
            return passed
        if depth + 1 < DEPTH:
            ways = ways_to_end(after, board, work, menu) if limit > passed else UNKNOWN
            if ways != UNKNOWN and passed + ways <= limit:
                passed += ways
            else:
                menu.depth += 1
                open_list(after, board, work, menu, choice)
    return passed


@inlined
def open_list(state: Any, board: Any, work: Any, menu: Any, last: int) -> None:
    """List the choices of a position.

    Cards discarded together, and the sources of one need, are sets. A smaller choice that could
    have been made before the last one has already been tried in the other order.
    """
    forget(work)
    count = list_choices(state, board, work)
    depth = int(menu.depth)
    is_set = last != TWO_CARDS and state.phase in (CARD, COAL_SOURCE, IRON_SOURCE, BEER_SOURCE)
    put = 0
    for dropped in (False, True):  # dropped choices come after the end of the list
        for row in range(count):
            choice = int(work.legal[row])
            if (is_set and choice < last and was_open(menu, depth - 1, choice)) == dropped:
                put += 1
                menu.lists[depth, put] = choice
        put += 1
        menu.lists[depth, put] = END
    menu.lists[depth, 0] = 0


@rule
def was_open(menu: Any, depth: int, choice: int) -> Any:
    """Whether a choice was legal in an earlier position, dropped or not."""
    row = 1
    ends = 0
    while ends < 2:
        if menu.lists[depth, row] == choice:
            return True
        if menu.lists[depth, row] == END:
            ends += 1
        row += 1
    return False


@inlined
def walk(states: Any, board: Any, work: Any, menu: Any, wanted: int) -> Any:
    """Count the ways to complete the action in `states[1]`.

    Stops at the wanted one and leaves the position after it in `states[1]`.
    """
    menu.depth = 0
    open_list(states[1], board, work, menu, -1)
    found = 0
    while True:
        found += advance(states, board, work, menu, wanted - found)
        if menu.depth < 0:
            return found
        if found == wanted:
            states[1] = states[int(menu.depth) + 2]
            return found
        found += 1


@inlined
def write_actions(states: Any, board: Any, work: Any, menu: Any, actions: int) -> Any:
    """Write the next actions of the walk into `menu.rows`, up to a limit; return their number."""
    menu.written = 0
    for number in range(actions):
        if menu.written + DEPTH + 2 > ROWS:
            return number
        advance(states, board, work, menu, 0)
        if menu.depth < 0:
            return number
        for depth in range(int(menu.depth) + 1):
            menu.rows[int(menu.written)] = menu.lists[depth, int(menu.lists[depth, 0])]
            menu.written += 1
        menu.rows[int(menu.written)] = END
        menu.written += 1
    return actions


# --- counting ------------------------------------------------------------------------------------


@inlined
def count_actions(states: Any, board: Any, work: Any, menu: Any) -> Any:
    """Count the complete actions at `states[0]`; between actions, by their first choice too."""
    states[1] = states[0]
    trial = states[1]
    if trial.phase != ACTION:
        return walk(states, board, work, menu, NO_LIMIT)
    count = list_choices(trial, board, work)
    count_hand(trial, menu)
    count_irons(trial, board, menu)
    total = 0
    for row in range(count):
        choice = int(work.legal[row])
        menu.firsts[row] = choice
        menu.actions[row] = card_sets(trial, board, work, menu, choice)
        menu.rests[row] = ways_after_cards(trial, board, work, menu, choice)
    for row in range(count):
        if menu.rests[row] == UNKNOWN:  # after the rest: a walk overwrites the survey
            count_by_walking(states, board, work, menu, row)
        menu.actions[row] *= menu.rests[row]
        total += int(menu.actions[row])
    return total


@inlined
def count_by_walking(states: Any, board: Any, work: Any, menu: Any, row: int) -> None:
    """Walk through the ways to go on after a first choice and any cards for it."""
    states[1] = states[0]
    trial = states[1]
    forget(work)
    make(trial, board, work, int(menu.firsts[row]))
    while trial.phase == CARD:
        list_answers(trial, board, work)
        make(trial, board, work, int(work.legal[0]))
    is_complete = between_actions(int(trial.phase))
    menu.rests[row] = 1 if is_complete else walk(states, board, work, menu, NO_LIMIT)


@rule
def between_actions(phase: int) -> Any:
    """Is no action in progress?"""
    return phase in (ACTION, TURN_OVER, GAME_OVER)


@inlined
def play_action(states: Any, board: Any, work: Any, menu: Any, number: int) -> None:
    """Play the nth action of those just counted at `states[0]`; the position goes to `states[1]`.

    The first has the number 0.
    """
    states[1] = states[0]
    trial = states[1]
    rest = number
    if trial.phase == ACTION:
        row = 0
        while rest >= menu.actions[row]:
            rest -= int(menu.actions[row])
            row += 1
        forget(work)
        make(trial, board, work, int(menu.firsts[row]))
        if menu.firsts[row] != SCOUT:
            rest = discard_for(trial, board, work, rest, int(menu.rests[row]))
    if not between_actions(int(trial.phase)):
        walk(states, board, work, menu, rest)


@inlined
def discard_for(state: Any, board: Any, work: Any, number: int, ways: int) -> Any:
    """Discard the card of the nth action, or begin to discard two; its number among the rest."""
    cards = list_answers(state, board, work)
    row = min(number // ways, cards - 1)
    make(state, board, work, int(work.legal[row]))
    return number - row * ways


# --- cards ---------------------------------------------------------------------------------------


@rule
def count_hand(state: Any, menu: Any) -> None:
    """How many sets of one, two and three cards there are in hand; equal cards are one choice."""
    menu.sets[0] = 1
    for size in range(1, SCOUT_CARDS + 1):
        menu.sets[size] = 0
    kinds = 0
    for kind in range(CARDS):
        if holds_card(state, kind):
            menu.kinds[kinds] = kind
            kinds += 1
            for size in range(SCOUT_CARDS, 0, -1):
                copies = min(size, int(state.hand[int(state.seat), kind]))
                for fewer in range(size - copies, size):
                    menu.sets[size] += menu.sets[fewer]
    menu.kind_count = kinds


@rule
def card_sets(trial: Any, board: Any, work: Any, menu: Any, first: int) -> Any:
    """How many sets of cards could be discarded for the action that begins with a choice."""
    if first == SCOUT:
        return int(menu.sets[SCOUT_CARDS])
    if not is_build(first):
        return int(menu.sets[1])
    trial.space = build_space(first)
    trial.industry = int(board.symbol[build_space(first), build_symbol(first)])
    sets = int(menu.sets[2]) if may_combine(trial, board) else 0
    for row in range(int(menu.kind_count)):
        if card_opens(trial, board, work, int(menu.kinds[row])) == Reason.OK:
            sets += 1
    return sets


# --- ways to go on -------------------------------------------------------------------------------


@rule
def ways_after_cards(trial: Any, board: Any, work: Any, menu: Any, first: int) -> Any:
    """How many ways an action can go on after its cards, or UNKNOWN (after a survey)."""
    if is_build(first):
        return ways_to_build(trial, board, work, menu, build_space(first), first)
    if is_link(first):
        if trial.era == CANAL:
            return 1
        if second_rail_is_out(trial, board, work):
            return coal_for_rail(trial, board, work, link_line(first))
        return UNKNOWN
    if is_develop(first):
        return ways_to_develop(trial, board, work, menu, develop_industry(first))
    if is_sell(first):
        return UNKNOWN
    return 1  # loans, scouting and passing have no further question


@inlined
def ways_to_end(state: Any, board: Any, work: Any, menu: Any) -> Any:
    """How many ways an action that asks for more can end, or UNKNOWN."""
    if state.phase == MORE_RAIL:
        return ways_to_add_rail(state, board, work)
    if state.phase == MORE_DEVELOP:
        count = list_answers(state, board, work)
        return 1 + (count - 1) * max(1, bits(stocked_works(state, board)))
    return UNKNOWN


@rule
def ways_to_build(trial: Any, board: Any, work: Any, menu: Any, space: int, first: int) -> Any:
    """How many sets of sources there are for a tile; overbuilding may remove a source."""
    if trial.cubes[space] > 0:
        return UNKNOWN
    tile = int(work.next_tile[int(board.symbol[space, build_symbol(first)])])
    coal = int(board.coal_need[tile])
    ways = int(menu.irons[int(board.iron_need[tile])])
    if coal > 0 and work.coal_1 & board.space_bit[space]:
        ways *= ways_to_supply(trial, board, int(board.space_bit[space]), coal)
    return ways


@rule
def ways_to_develop(trial: Any, board: Any, work: Any, menu: Any, industry: int) -> Any:
    """How many ways to get the iron, and to add a second tile with its own iron."""
    seat = int(trial.seat)
    price = int(work.iron_cost[1])
    work.iron_cost[1] = work.iron_cost[2]  # what the second tile must cost at most, with the first
    take_off_mat(trial, board, work, industry)
    seconds = 0
    for second in range(INDUSTRIES):
        if develop_reason(trial, board, work, develop(second)) == Reason.OK:
            seconds += 1
    trial.gone[seat, industry] -= 1
    work.iron_cost[1] = price
    return int(menu.irons[1]) + seconds * int(menu.irons_in_turn)


@rule
def coal_for_rail(state: Any, board: Any, work: Any, line: int) -> Any:
    """How many sources the coal of a rail can come from; with A-COAL, at each of its ends."""
    if board.coal_at_chosen_end == 0:
        return ways_to_supply(state, board, int(board.line_ends[line]), 1)
    ways = 0
    state.line = line
    for place in range(int(board.places)):
        if end_reason(state, board, work, coal_at(place)) == Reason.OK:
            ways += ways_to_supply(state, board, 1 << place, 1)
    return ways


@inlined
def ways_to_add_rail(state: Any, board: Any, work: Any) -> Any:
    """How many ways to end the action, or to add a second rail with its coal and beer."""
    line = int(state.line)
    ways = 0
    for row in range(list_answers(state, board, work)):
        choice = int(work.legal[row])
        if choice == DONE:
            ways += 1
        else:
            coal = coal_for_rail(state, board, work, link_line(choice))
            ways += coal * beer_for_rail(state, board, link_line(choice))
    state.line = line
    return ways


@rule
def beer_for_rail(state: Any, board: Any, line: int) -> Any:
    """How many breweries the beer of a second rail can come from."""
    if board.beer_for_second_rail == 0:
        return 1
    reached = all_connected(state, board, int(board.line_ends[line]))
    ways = 0
    for space in range(int(board.spaces)):
        if brewery_reason(state, board, space, reached) == Reason.OK:
            ways += 1
    return ways


# --- coal and iron -------------------------------------------------------------------------------


@rule
def count_irons(trial: Any, board: Any, menu: Any) -> None:
    """How many ways there are to get iron, which is the same everywhere."""
    menu.irons[0] = 1
    menu.irons[1] = ways_to_supply(trial, board, 0, 1)
    menu.irons[2] = ways_to_supply(trial, board, 0, 2)
    works = stocked_works(trial, board)
    menu.irons_in_turn = 1 if works == 0 else 0
    for space in range(int(board.spaces)):
        if works >> space & 1:
            trial.cubes[space] -= 1
            menu.irons_in_turn += max(1, bits(stocked_works(trial, board)))
            trial.cubes[space] += 1


@rule
def sources(state: Any, board: Any, anchors: int) -> Any:
    """The nearest mines to some places; without places, all iron works."""
    return nearest_coal(state, board, anchors) if anchors else stocked_works(state, board)


@rule
def ways_to_supply(trial: Any, board: Any, anchors: int, need: int) -> Any:
    """How many sets of sources one or two cubes can come from; the market is a single source."""
    nearest = sources(trial, board, anchors)
    if need == 1 or nearest == 0:
        return max(1, bits(nearest))
    ways = 0
    for space in range(int(board.spaces)):
        if nearest >> space & 1:
            trial.cubes[space] -= 1
            second = sources(trial, board, anchors)
            trial.cubes[space] += 1
            tried = nearest & (1 << space) - 1  # sets with these have been counted
            ways += bits(second & ~tried) if second else 1
    return ways


@rule
def bits(mask: int) -> Any:
    """How many bits a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
