"""The network action (4): canals, rails, and the coal and beer they need."""

from __future__ import annotations

from brassmill.rules.action import finish_action
from brassmill.rules.choices import (
    DONE,
    card_kind,
    coal_at,
    coal_place,
    is_coal_at,
    is_link,
    link_line,
    link_on,
)
from brassmill.rules.emit import EventKind, Money, emit
from brassmill.rules.hand import discard
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    BEER_SOURCE,
    CANAL,
    CARD,
    COAL_SOURCE,
    LINKING,
    MORE_RAIL,
    NOBODY,
    NOWHERE,
    RAIL,
    RAIL_END,
)
from brassmill.rules.market import buy_coal, pay
from brassmill.rules.offer import offer
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import (
    UNREACHABLE,
    coal_anchors,
    coal_cost,
    nearest_coal,
)

CANAL_COST = 3  # LNK-3
RAIL_COST = 5  # LNK-4
SECOND_RAIL_COST = 10

# --- which line ----------------------------------------------------------------------------------


@rule
def ask_link(state, board, work):
    """Offer every line that may be linked."""
    if work.links_left == 0 or link_cost(state) > state.cash[int(state.seat)]:
        return
    for line in range(int(board.lines)):
        if link_reason(state, board, work, link_on(line)) == Reason.OK:
            offer(work, link_on(line))


@rule
def link_reason(state, board, work, choice):
    """LNK-1 to LNK-7, in the order link tile, adjacency, coal, money, beer (LNK-6)."""
    line = link_line(choice)
    if line >= board.lines:
        return Reason.NOT_IN_THIS_GAME
    work.details[0] = line
    if board.line_era[line, int(state.era)] == 0:
        return Reason.WRONG_ERA
    if state.link_owner[line] != NOBODY:
        return Reason.LINE_TAKEN
    if work.links_left == 0:
        return Reason.NO_LINK_LEFT
    ends = int(board.line_ends[line])
    if not ends & work.network and (work.presence or board.links_need_presence):
        return Reason.NOT_IN_NETWORK
    why = link_cost_reason(state, work, ends)
    if why != Reason.OK:
        return why
    if state.count == 1 and board.beer_for_second_rail and not beer_reaches(work, ends):
        return Reason.NO_BEER_IN_REACH
    return Reason.OK


@rule
def link_cost(state):
    """LNK-3, LNK-4: the price of the next link of the action, without its coal."""
    if state.era == CANAL:
        return CANAL_COST
    return RAIL_COST if state.count == 0 else SECOND_RAIL_COST


@rule
def link_cost_reason(state, work, anchors):
    """LNK-6, LNK-7: coal at these places, and money for it and for the link."""
    coal = 0
    if state.era == RAIL:
        coal = coal_cost(work, anchors, 1)
        if coal == UNREACHABLE:
            return Reason.NO_COAL_IN_REACH
    missing = link_cost(state) + coal - int(state.cash[int(state.seat)])
    if missing > 0:
        work.details[1] = missing
        return Reason.CANNOT_AFFORD
    return Reason.OK


@rule
def beer_reaches(work, ends):
    """6.3: whether there is an own barrel anywhere, or an opponent's connected to the new rail."""
    return work.own_beer > 0 or ends & work.rival_beer_1 != 0


@rule
def begin_link(state, choice):
    """The line is decided; ask for the card, once for the whole action."""
    state.doing = LINKING
    state.line = link_line(choice)
    state.cards_due = 1
    state.phase = CARD


@rule
def answer_link_card(state, board, work, choice):
    """LNK-1: discard the card and build the first link."""
    discard(state, work, card_kind(choice))
    state.cards_due = 0
    lay_link(state, board, work)


@rule
def answer_second_rail(state, board, work, choice):
    """LNK-4, LNK-5: a second rail for 10 more."""
    state.line = link_line(choice)
    state.end = NOWHERE
    lay_link(state, board, work)


# --- laying it -----------------------------------------------------------------------------------


@rule
def lay_link(state, board, work):
    """LNK-5: place the link, then take its coal; with A-COAL, coal first."""
    if state.era == CANAL:
        place_link(state, work)
        finish_action(state)
        return
    state.coal_due = 1
    if board.coal_at_chosen_end:
        state.phase = RAIL_END
        return
    place_link(state, work)
    supply_rail(state, board, work)


@rule
def place_link(state, work):
    """MAP-3, LNK-4: place the link on its line and pay for it."""
    seat = int(state.seat)
    state.link_owner[int(state.line)] = seat
    emit(work, EventKind.LINKED, seat, int(state.line), 0)
    pay(state, work, seat, link_cost(state), Money.LINK)
    state.count += 1


@rule
def supply_rail(state, board, work):
    """LNK-7: ask for the mine or buy the coal, get beer for a second rail, continue or end."""
    if state.coal_due > 0:
        if nearest_coal(state, board, coal_anchors(state, board)):
            state.phase = COAL_SOURCE
            return
        buy_coal(state, board, work, int(state.seat))
        state.coal_due = 0
    if board.coal_at_chosen_end:
        place_link(state, work)
    if state.count == 1:
        state.phase = MORE_RAIL
    elif board.beer_for_second_rail:
        state.beer_due = 1
        state.phase = BEER_SOURCE
    else:
        finish_action(state)


# --- at which end (A-COAL) -----------------------------------------------------------------------


@rule
def ask_end(state, board, work):
    """Offer the ends of the rail where coal is available."""
    for place in range(int(board.places)):
        if end_reason(state, board, work, coal_at(place)) == Reason.OK:
            offer(work, coal_at(place))


@rule
def end_reason(state, board, work, choice):
    """A-COAL: why an end cannot be chosen: no coal from a mine or the market, or too dear."""
    if not is_coal_at(choice):
        return Reason.NOT_ASKED_NOW
    place = coal_place(choice)
    work.details[0] = place
    if not board.line_ends[int(state.line)] >> place & 1:
        return Reason.NOT_AN_END
    return link_cost_reason(state, work, 1 << place)


@rule
def answer_end(state, board, work, choice):
    """A-COAL: choose the end where the coal is needed."""
    state.end = coal_place(choice)
    supply_rail(state, board, work)


# --- a second rail -------------------------------------------------------------------------------


@rule
def ask_more_rail(state, board, work):
    """LNK-4: offer every second rail that is possible, or to end the action."""
    ask_link(state, board, work)
    offer(work, DONE)


@rule
def second_rail_is_out(state, board, work):
    """LNK-4, 6.3: whether no line can be a second rail, for lack of money, link tiles or beer."""
    return (
        state.cash[int(state.seat)] < RAIL_COST + SECOND_RAIL_COST
        or work.links_left < 2
        or (board.beer_for_second_rail != 0 and not beer_reaches(work, ~0))
    )


@rule
def more_rail_reason(state, board, work, choice):
    """LNK-6: why a line cannot be the second rail."""
    if choice == DONE:
        return Reason.OK
    if not is_link(choice):
        return Reason.NOT_ASKED_NOW
    return link_reason(state, board, work, choice)
