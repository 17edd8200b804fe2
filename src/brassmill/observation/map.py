"""The map: the tile on every space, and the owner of every link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brassmill.editions.edition import Edition
from brassmill.observation.index import Index, seat_names
from brassmill.observation.seats import far_round
from brassmill.rules.jit import rule
from brassmill.rules.layout import NOBODY, NOWHERE, SYMBOLS

# --- the spaces ----------------------------------------------------------------------------------


def words_of_spaces(edition: Edition) -> Iterator[Index]:
    for number, space in enumerate(edition.spaces):
        name = edition.space_name(number)
        for seat in seat_names(edition):
            yield Index(name, f"a tile of {seat}")
        for symbol in space.symbols:
            yield Index(name, symbol)
        fitting = [tile for tile in edition.tiles if tile.industry in space.symbols]
        yield Index(name, "level", max(tile.level for tile in fitting))
        yield Index(name, "flipped")
        yield Index(name, "cubes or barrels", max(max(tile.contents) for tile in fitting))
        yield Index(name, "the action in progress is here")


@rule
def see_spaces(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """The tile on every space; an empty one is all zeros."""
    for space in range(int(board.spaces)):
        kind = int(state.tile[space])
        if kind != 0:
            values[at + far_round(board, seat, int(state.owner[space]))] = 1
        at += int(board.players)
        for symbol in range(SYMBOLS):
            industry = int(board.symbol[space, symbol])
            if industry != NOWHERE:
                if kind != 0 and board.industry_of[kind] == industry:
                    values[at] = 1
                at += 1
        values[at] = board.level_of[kind]
        values[at + 1] = state.flipped[space]
        values[at + 2] = state.cubes[space]
        if state.space == space:
            values[at + 3] = 1
        at += 4
    return at


# --- the lines -----------------------------------------------------------------------------------


def words_of_lines(edition: Edition) -> Iterator[Index]:
    for line in range(len(edition.lines)):
        name = edition.line_name(line)
        for seat in seat_names(edition):
            yield Index(name, f"a link of {seat}")
        yield Index(name, "the action in progress is here")


@rule
def see_lines(state: Any, board: Any, seat: int, values: Any, at: int) -> Any:
    """The link on every line; a free one is all zeros."""
    players = int(board.players)
    for line in range(int(board.lines)):
        owner = int(state.link_owner[line])
        if owner != NOBODY:
            values[at + far_round(board, seat, owner)] = 1
        if state.line == line:
            values[at + players] = 1
        at += players + 1
    return at
