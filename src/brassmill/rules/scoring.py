"""Victory points (SCO-1), the end of an era (END-1), the winner (END-3)."""

from __future__ import annotations

from brassmill.rules.emit import EventKind, emit
from brassmill.rules.income import income_level
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    CASH_POINTS,
    INCOME_POINTS,
    LINK_POINTS,
    NOBODY,
    RAIL,
)

POUNDS_A_POINT = 10  # SCO-4
INTRO_POUNDS_A_POINT = 4  # 6.B
INTRO_CASH_POINTS = 15

NO_TIE, BY_INCOME, BY_CASH, BY_ORDER, SHARED = range(5)  # what decides (END-3)


@rule
def score(state, seat, source, points):
    """Add VP to a seat, under their source."""
    state.vp[seat] += points
    state.points[seat, int(state.era), source] += points


@rule
def score_era(state, board, work):
    """SCO-1 to SCO-4: score the position as at the end of the era."""
    score_links(state, board, work)
    score_tiles(state, board, work, 1)
    if state.era == RAIL:
        if board.cash_scores:
            for seat in range(int(board.players)):
                score_cash(state, board, work, seat)
    elif board.canal_era_only:
        score_introduction(state, board, work)


@rule
def score_links(state, board, work):
    """SCO-1: one VP for every link symbol at the ends of a link."""
    for line in range(int(board.lines)):
        owner = int(state.link_owner[line])
        if owner != NOBODY:
            points = link_symbols(state, board, int(board.line_ends[line]))
            score(state, owner, LINK_POINTS, points)
            emit(work, EventKind.LINK_SCORED, owner, line, points)


@rule
def link_symbols(state, board, places):
    """SCO-1: the printed symbols, and those of flipped tiles of any owner."""
    symbols = 0
    for place in range(int(board.places)):
        if places >> place & 1:
            symbols += int(board.icons[place])
    for space in range(int(board.spaces)):
        if state.flipped[space] and board.space_bit[space] & places:
            symbols += int(board.tile_icons[int(state.tile[space])])
    return symbols


@rule
def score_tiles(state, board, work, lowest_level):
    """SCO-3: flipped tiles score their value."""
    for space in range(int(board.spaces)):
        tile = int(state.tile[space])
        if state.flipped[space] and board.level_of[tile] >= lowest_level:
            owner = int(state.owner[space])
            points = int(board.value[tile])
            score(state, owner, int(board.industry_of[tile]), points)
            emit(work, EventKind.TILE_SCORED, owner, space, points)


@rule
def cash_points(state, board, seat):
    """SCO-4, 6.B: the VP for a seat's money if the era ended now."""
    cash = int(state.cash[seat])
    if state.era == RAIL:
        return cash // POUNDS_A_POINT if board.cash_scores else 0
    if board.canal_era_only:
        return min(INTRO_CASH_POINTS, cash // INTRO_POUNDS_A_POINT)
    return 0


@rule
def score_cash(state, board, work, seat):
    """SCO-4: money at the end."""
    points = cash_points(state, board, seat)
    score(state, seat, CASH_POINTS, points)
    emit(work, EventKind.CASH_SCORED, seat, points, 0)


@rule
def score_introduction(state, board, work):
    """6.B, X-38, X-39: the introductory game adds money, income, and higher tiles once more."""
    for seat in range(int(board.players)):
        score_cash(state, board, work, seat)
        points = max(income_level(int(state.income[seat])), -int(state.vp[seat]))
        score(state, seat, INCOME_POINTS, points)
        emit(work, EventKind.INCOME_SCORED, seat, points, 0)
    score_tiles(state, board, work, 2)


# --- the winner (END-3) --------------------------------------------------------------------------


@rule
def income_rank(state, board, seat):
    """X-32: the income level or the space of the marker, as the edition compares."""
    if board.income_tie_by_space:
        return int(state.income[seat])
    return income_level(int(state.income[seat]))


@rule
def turn_place(state, seat):
    """The position of a seat in the turn order."""
    place = 0
    while state.order[place] != seat:
        place += 1
    return place


@rule
def compare(state, board, one, other):
    """END-3: what decides between two seats, plus 1; positive if `one` wins, 0 for a tie."""
    difference = int(state.vp[one]) - int(state.vp[other])
    if difference != 0:
        return sided(difference, NO_TIE + 1)
    difference = income_rank(state, board, one) - income_rank(state, board, other)
    if difference != 0:
        return sided(difference, BY_INCOME + 1)
    difference = int(state.cash[one]) - int(state.cash[other])
    if difference != 0:
        return sided(difference, BY_CASH + 1)
    if board.order_breaks_ties:
        return sided(turn_place(state, other) - turn_place(state, one), BY_ORDER + 1)
    return 0


@rule
def sided(difference, size):
    """The given number, with the sign of the difference."""
    return size if difference > 0 else -size


@rule
def standing(state, board, seat):
    """END-3: the rank of a seat; tied seats have the same."""
    rank = 1
    for other in range(int(board.players)):
        if compare(state, board, other, seat) > 0:
            rank += 1
    return rank


@rule
def tie_break(state, board):
    """END-3: what decided the win: NO_TIE, BY_INCOME, BY_CASH, BY_ORDER or SHARED."""
    decided = NO_TIE
    for seat in range(int(board.players)):
        if standing(state, board, seat) == 1:
            for other in range(int(board.players)):
                if other != seat:
                    by = compare(state, board, seat, other)
                    if by == 0:
                        return SHARED
                    decided = max(decided, by - 1)
    return decided
