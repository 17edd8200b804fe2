"""Worlds: complete positions that could be the true one, as far as a seat knows.

All worlds that agree with a view are equally likely. The cards that the seat has not seen are
shuffled and dealt to the other hands, the deck and the cards set aside. The face-down distant
tiles, and all cards and tiles of a rail era to come, are shuffled too. Only what a view shows is
read. So the start may be a view's position or a complete one, whose hidden information has no
influence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.core.deal import seed_bits, shuffle
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.build import card_opens, may_combine
from brassmill.rules.hand import holds_card
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import (
    BOARD,
    BUILDING,
    CANAL,
    CARD,
    CARDS,
    DISTANT_TILES,
    NOBODY,
    STATE,
    WILD_INDUSTRY,
    WILD_LOCATION,
    WORK,
)
from brassmill.rules.network import survey_network
from brassmill.rules.reasons import Reason
from brassmill.rules.setup import first_aside


def sample(edition: Edition, view: View, seed: int) -> bytes:
    """A position that could be the true one behind a view; the same seed gives the same one."""
    boards, works, states = np.zeros(1, BOARD), np.zeros(1, WORK), np.zeros(1, STATE)
    boards[0] = edition.board
    states[:] = np.frombuffer(view.position, STATE)
    seats = np.array([NOBODY if view.seat is None else view.seat], np.int8)
    make_worlds(boards, works, states, seats, seed_bits(seed), 0, 0, 1)
    return bytes(states.tobytes())


@entry
def make_worlds(
    boards: Any, works: Any, states: Any, seats: Any, seed: int, thread: int, first: int, last: int
) -> None:
    """Turn positions into worlds, each for its given seat, with the seeds from `seed` on."""
    for game in range(first, last):
        sample_world(states[game], boards[0], works[thread], int(seats[game]), seed + game)


@rule
def sample_world(state: Any, board: Any, work: Any, seat: int, seed: int) -> None:
    """Turn a position into a world of a seat (NOBODY: of a spectator)."""
    drawn = sample_cards(state, board, seat, seed, 0)
    while not can_go_on(state, board, work):
        drawn = sample_cards(state, board, seat, seed, drawn)
    drawn = sample_distant(state, board, seed, drawn)
    sample_rail_era(state, board, seed, drawn)


# --- the cards of this era -----------------------------------------------------------------------


@rule
def sample_cards(state: Any, board: Any, seat: int, seed: int, drawn: int) -> int:
    """Deal the cards that the seat has not seen; return the count of random numbers drawn.

    The memory of the rail era's cards, which are made last, serves for sorting: first the cards
    that the seat has seen, then those in the other hands, then the rest.
    """
    cards = state.rail_deck
    size = int(board.deck_size)
    known = sort_cards(state, board, seat)
    drawn = shuffle(cards[known:], size - known, seed, drawn)
    dealt = known
    for rival in range(int(board.players)):
        if rival != seat:
            dealt = deal_hand(state, rival, dealt)
    aside = first_aside(board, int(state.era))
    aside_end = aside + int(board.set_aside[int(state.era)])
    past = 0
    for place in range(size):
        if place >= state.deck_next or aside <= place < aside_end:
            state.deck[place] = cards[dealt]
            dealt += 1
        else:  # already drawn: their order no longer matters
            state.deck[place] = cards[past]
            past += 1
    return drawn


@rule
def sort_cards(state: Any, board: Any, seat: int) -> int:
    """Sort the deck, with the cards that a seat has seen first; return their number."""
    known = 0
    unseen = int(board.deck_size)
    for kind in range(WILD_LOCATION):
        seen = int(state.discards[kind])
        if seat != NOBODY:
            seen += int(state.hand[seat, kind])
        for copy in range(int(board.deck_count[kind])):
            if copy < seen:
                state.rail_deck[known] = kind
                known += 1
            else:
                unseen -= 1
                state.rail_deck[unseen] = kind
    return known


@rule
def deal_hand(state: Any, seat: int, dealt: int) -> int:
    """Deal a seat its cards other than wild ones; return how many cards have been dealt."""
    for kind in range(WILD_LOCATION):
        state.hand[seat, kind] = 0
    wild = int(state.hand[seat, WILD_LOCATION]) + int(state.hand[seat, WILD_INDUSTRY])
    for _ in range(int(state.hand_size[seat]) - wild):
        state.hand[seat, int(state.rail_deck[dealt])] += 1
        dealt += 1
    return dealt


@rule
def can_go_on(state: Any, board: Any, work: Any) -> bool:
    """Whether a seat that has begun a build, and must still discard, has a card for it."""
    if state.phase != CARD or state.doing != BUILDING:
        return True
    if state.combined or may_combine(state, board):
        return True
    survey_network(state, board, work)
    for kind in range(CARDS):
        if holds_card(state, kind) and card_opens(state, board, work, kind) == Reason.OK:
            return True
    return False


# --- the distant tiles, and the rail era ---------------------------------------------------------


@rule
def sample_distant(state: Any, board: Any, seed: int, drawn: int) -> int:
    """Shuffle the face-down distant tiles; return the count of random numbers drawn."""
    tiles = state.rail_distant  # sorted here, like the cards
    for place in range(DISTANT_TILES):
        tiles[place] = board.distant_set[place]
    turned = int(state.distant_next)
    for place in range(turned):
        found = place
        while tiles[found] != state.distant[place]:
            found += 1
        tiles[found] = tiles[place]
        tiles[place] = state.distant[place]
    drawn = shuffle(tiles[turned:], int(board.distant_tiles) - turned, seed, drawn)
    for place in range(DISTANT_TILES):
        state.distant[place] = tiles[place]
    return drawn


@rule
def sample_rail_era(state: Any, board: Any, seed: int, drawn: int) -> None:
    """Shuffle all cards and distant tiles of the rail era, which were sorted before."""
    if state.era == CANAL:
        drawn = shuffle(state.rail_deck, int(board.deck_size), seed, drawn)
        shuffle(state.rail_distant, int(board.distant_tiles), seed, drawn)
    else:
        for place in range(int(board.deck_size)):
            state.rail_deck[place] = state.deck[place]
