"""The seats: money, income, VP, number of cards, the turn order, and the tiles on the mats.

Every part has a function for its words and, below it, a compiled one that writes its numbers. Both
go through the edition in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from brassmill.core.events import ERAS
from brassmill.core.names import SOURCES as SOURCE_NAMES
from brassmill.editions.edition import WILD_CARDS, Edition
from brassmill.observation.index import POINTS, POUNDS, Index, seat_names
from brassmill.rules.income import LAST, LOWEST_LEVEL, income_level
from brassmill.rules.jit import rule
from brassmill.rules.layout import (
    HAND,
    INDUSTRIES,
    LINK_TILES,
    SOURCES,
    WILD_INDUSTRY,
    WILD_LOCATION,
)

HIGHEST_LEVEL = 30


@rule
def far_round(board: Any, seat: int, other: int) -> Any:
    """How many places round the table a seat is from the viewer."""
    players = int(board.players)
    return (other - seat + players) % players


@rule
def seat_round(board: Any, seat: int, far: int) -> Any:
    """The seat this many places round the table from the viewer."""
    return (seat + far) % int(board.players)


# --- the seats -----------------------------------------------------------------------------------


def words_of_seats(edition: Edition) -> Iterator[Index]:
    for name in seat_names(edition):
        yield Index(name, "pounds", POUNDS)
        yield Index(name, "pounds spent this round", POUNDS)
        yield Index(name, "space of the income marker", LAST)
        yield Index(name, "income level", HIGHEST_LEVEL, LOWEST_LEVEL)
        yield Index(name, "points", POINTS)
        yield Index(name, "cards in hand", HAND)
        yield Index(name, "link tiles left", LINK_TILES)
        if edition.wild_cards:
            for card in WILD_CARDS:
                yield Index(name, f"holds a {edition.card_name(card)}")
        for place in range(1, edition.players + 1):
            yield Index(name, f"is number {place} in the turn order")
        yield Index(name, "must choose now")


@rule
def see_seats(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """What every seat has, and the turn order."""
    players = int(board.players)
    for far in range(players):
        one = seat_round(board, seat, far)
        values[at] = state.cash[one]
        values[at + 1] = state.spent[one]
        values[at + 2] = state.income[one]
        values[at + 3] = income_level(int(state.income[one]))
        values[at + 4] = state.vp[one]
        values[at + 5] = state.hand_size[one]
        values[at + 6] = links_left(state, board, one)
        at += 7
        if board.scouting:
            values[at] = state.hand[one, WILD_LOCATION]
            values[at + 1] = state.hand[one, WILD_INDUSTRY]
            at += 2
        for place in range(players):
            if state.order[place] == one:
                values[at + place] = 1
        at += players
        if state.seat == one:
            values[at] = 1
        at += 1
    return at


@rule
def links_left(state: Any, board: Any, seat: int) -> Any:
    """SUP-1."""
    left = LINK_TILES
    for line in range(int(board.lines)):
        if state.link_owner[line] == seat:
            left -= 1
    return left


# --- the mats ------------------------------------------------------------------------------------


def words_of_mats(edition: Edition) -> Iterator[Index]:
    board = edition.board
    for name in seat_names(edition):
        for industry in edition.industries:
            stack = board.stack[industry, : int(board.stack_size[industry])].tolist()
            for kind, count in Counter(stack).items():
                level = f"tiles of level {edition.tile[kind].level} left"
                yield Index(f"{name}, {edition.industry_name(industry)}", level, count)


@rule
def see_mats(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """How many tiles of each kind are left on the mats, lowest level first."""
    for far in range(int(board.players)):
        one = seat_round(board, seat, far)
        for industry in range(INDUSTRIES):
            last = 0
            for place in range(int(board.stack_size[industry])):
                kind = int(board.stack[industry, place])
                if kind != last:
                    at += 1
                    last = kind
                if place >= state.gone[one, industry]:
                    values[at - 1] += 1
    return at


# --- victory points ------------------------------------------------------------------------------


def words_of_points(edition: Edition) -> Iterator[Index]:
    numbers = (*edition.industries, *range(INDUSTRIES, SOURCES))
    for name in seat_names(edition):
        for era in ERAS:
            for source in numbers:
                yield Index(f"{name}, {era} era", SOURCE_NAMES[source], POINTS, -POINTS)


@rule
def see_points(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """The sources of every seat's VP."""
    for far in range(int(board.players)):
        one = seat_round(board, seat, far)
        for era in range(2):
            for source in range(SOURCES):
                if source >= INDUSTRIES or board.stack_size[source] > 0:
                    values[at] = state.points[one, era, source]
                    at += 1
    return at
