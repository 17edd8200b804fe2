"""The cards: the own hand, and what is known about cards and tiles not yet seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from brassmill.editions.edition import Edition
from brassmill.observation.index import Index
from brassmill.rules.jit import rule
from brassmill.rules.layout import CARDS, HAND, PLACES, WILD_LOCATION

STEPS = 5  # a distant tile is worth 0 to 4 steps


@rule
def is_card(board: Any, kind: int) -> Any:
    """Does this edition have such cards?"""
    if kind < PLACES:
        return (int(board.towns) >> kind) & 1 != 0
    if kind == WILD_LOCATION:
        return board.scouting != 0
    return board.card_industries[kind] != 0


# --- the own hand --------------------------------------------------------------------------------


def words_of_hand(edition: Edition) -> Iterator[Index]:
    for card in edition.cards:
        high = min(HAND, edition.deck[card]) if card in edition.deck else 1
        yield Index("your cards", edition.card_name(card), high)


@rule
def see_hand(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """The own cards by kind."""
    for kind in range(CARDS):
        if is_card(board, kind):
            values[at] = state.hand[seat, kind]
            at += 1
    return at


# --- what nobody has seen ------------------------------------------------------------------------


def words_of_unseen(edition: Edition) -> Iterator[Index]:
    for card, count in edition.deck.items():
        yield Index("cards of this era", edition.card_name(card), count)
    tiles = Counter(edition.distant)
    for steps in range(STEPS if tiles else 0):
        yield Index("distant tiles of this era", f"{steps} steps", tiles[steps])


@rule
def see_unseen(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """All cards except the discards and the own hand, and the face-down distant tiles."""
    for kind in range(WILD_LOCATION):
        if is_card(board, kind):
            seen = int(state.discards[kind]) + int(state.hand[seat, kind])
            values[at] = int(board.deck_count[kind]) - seen
            at += 1
    if board.distant_tiles > 0:
        for tile in range(int(board.distant_tiles)):
            values[at + int(board.distant_set[tile])] += 1
        for tile in range(int(state.distant_next)):
            values[at + int(state.distant[tile])] -= 1
        at += STEPS
    return at
