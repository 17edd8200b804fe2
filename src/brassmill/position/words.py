"""The words of a position: its keys, and tiles as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brassmill.core.names import DUE
from brassmill.editions.edition import Edition
from brassmill.errors import InvalidPosition, UnknownName

SEAT_NAMES = ("Y", "R", "G", "P")
WITHOUT_BARREL = " without barrel"

POSITION_KEYS = (
    "edition", "players", "options", "seed", "seats", "era", "round", "order", "to move",
    "actions left", "tiles", "links", "coal market", "iron market", "demand", "distant",
    "distant drawn", "merchants", "deck", "aside", "drawn", "discards", "rail deck",
    "rail distant", "action",
)  # fmt: skip
SEAT_KEYS = ("cash", "spent", "vp", "income", "hand", "mat", "points")
ACTION_KEYS = (
    "question", "seat", "doing", "space", "industry", "line", "end", "owed",
    "incomes paid", *(word for word, _, _ in DUE),
)  # fmt: skip


def find_seat(seats: Sequence[str], text: str) -> int:
    """The number of a seat by its name, ignoring case."""
    folded = [name.casefold() for name in seats]
    if text.strip().casefold() not in folded:
        raise UnknownName("seat", text, list(seats))
    return folded.index(text.strip().casefold())


def split_owner(seats: Sequence[str], text: str) -> tuple[int, str]:
    """Split `Y Bury-Manchester` into the seat and the rest."""
    for name in sorted(seats, key=len, reverse=True):
        if text.casefold().startswith(f"{name} ".casefold()):
            return find_seat(seats, name), text[len(name) :].strip()
    raise UnknownName("seat", text.split(" ")[0], list(seats))


@dataclass(frozen=True)
class Tile:
    """An industry tile as written; None means not given."""

    owner: int
    kind: int
    place: int
    number: int | None
    cubes: int | None
    flipped: bool


_TILE = re.compile(r"(?P<industry>\D+?)\s+(?P<level>\d+)\s+(?P<place>\D.*)")
_CUBES = re.compile(r"(.*?)\s*\(\s*(\d{1,9})\s*\)")


def parse_tile(edition: Edition, seats: Sequence[str], text: str) -> Tile:
    """`R coal 2 Bury (3)`, `Y port 2 Preston 2 flipped`."""
    owner, rest = split_owner(seats, text)
    words, cubes, flipped = rest, None, False
    if words.casefold().endswith(" flipped"):
        words, flipped = words[: -len(" flipped")].strip(), True
    if found := _CUBES.fullmatch(words):
        words, cubes = found[1], int(found[2])
    match = _TILE.fullmatch(words)
    if match is None:
        raise InvalidPosition(
            ["a tile is written 'OWNER INDUSTRY LEVEL PLACE', then '(cubes)' or 'flipped'"]
        )
    kind = edition.find_tile(f"{match['industry']} {match['level']}")
    place, number = edition.find_space(match["place"])
    return Tile(owner, kind, place, number, cubes, flipped)


def tile_text(edition: Edition, seats: Sequence[str], state: Any, space: int) -> str:
    """The tile on a space, as `parse_tile` reads it."""
    kind = int(state.tile[space])
    owner = seats[int(state.owner[space])]
    words = f"{owner} {edition.tile_name(kind)} {edition.space_name(space)}"
    if state.flipped[space]:
        return f"{words} flipped"
    cubes = int(state.cubes[space])
    return f"{words} ({cubes})" if cubes or edition.board.contents[kind].any() else words


def mat_text(edition: Edition, state: Any, seat: int, industry: int) -> str:
    """The lowest tile of an industry on a mat, and how many are left of it: `2 x1`, or `none`."""
    stack = edition.board.stack[industry][: int(edition.board.stack_size[industry])]
    left = [int(kind) for kind in stack[int(state.gone[seat, industry]) :]]
    if not left:
        return "none"
    return f"{int(edition.board.level_of[left[0]])} x{left.count(left[0])}"


def merchant_text(edition: Edition, state: Any, merchant: int) -> str:
    """The merchant tile on a space, as a position writes it."""
    goods = edition.goods_name(int(state.merchant[merchant]))
    bare = goods != "blank" and not state.barrel[merchant]
    return f"{goods}{WITHOUT_BARREL}" if bare else goods


def demand_text(edition: Edition, state: Any) -> str | int:
    """The space of the distant-market marker, or `X`."""
    demand = int(state.demand)
    return "X" if demand == len(edition.distant_bonus) - 1 else demand
