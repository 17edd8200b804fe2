"""The markets: coal and iron, the distant market, the merchants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from brassmill.position.problems import show
from brassmill.position.words import WITHOUT_BARREL
from brassmill.rules.layout import CANAL, CLOSED, RAIL

if TYPE_CHECKING:
    from brassmill.position.reader import Reading


def read_markets(reading: Reading) -> None:
    """Read all markets of the edition."""
    state, board, problems, mapping = (
        reading.state,
        reading.board,
        reading.problems,
        reading.mapping,
    )
    state.coal_market = problems.number(
        "coal market", mapping.get("coal market"), 0, int(board.coal_spaces), int(board.coal_start)
    )
    state.iron_market = problems.number(
        "iron market", mapping.get("iron market"), 0, int(board.iron_spaces), int(board.iron_start)
    )
    read_distant(reading)
    read_merchants(reading)


def without(everything: Iterable[int], named: Iterable[int]) -> list[int]:
    """A list without the items named elsewhere, in the same order."""
    missing = Counter(named)
    left = []
    for thing in everything:
        if missing[thing] > 0:
            missing[thing] -= 1
        else:
            left.append(thing)
    return left


# --- the distant market (SELL-3) -----------------------------------------------------------------


def read_distant(reading: Reading) -> None:
    """Read the marker, and the tiles of both eras."""
    state, problems, mapping = reading.state, reading.problems, reading.mapping
    keys = ("demand", "distant", "distant drawn", "rail distant")
    if not reading.board.distant_tiles:
        for key in keys:
            if key in mapping:
                problems.add(f"{key}: {reading.edition.name} has no distant market")
        return
    demand = str(mapping.get("demand", 0))
    if demand.upper() == "X":
        state.demand = CLOSED
    elif demand in map(str, range(CLOSED)):
        state.demand = int(demand)
    else:
        problems.add(f"demand is {show(demand)}: it must be from 0 to {CLOSED - 1}, or X")
    drawn = read_steps(reading, "distant drawn")
    era = int(state.era)
    tiles = all_steps(reading, era, [*drawn, *read_steps(reading, "distant")], "distant")
    state.distant[: len(tiles)] = tiles
    state.distant_next = len(drawn)
    if era == CANAL:
        later = all_steps(reading, RAIL, read_steps(reading, "rail distant"), "rail distant")
        state.rail_distant[: len(later)] = later
    else:
        if "rail distant" in mapping:
            problems.add("rail distant: the rail era has begun; write 'distant'")
        state.rail_distant = state.distant


def read_steps(reading: Reading, key: str) -> list[int]:
    """Read distant tiles as steps down the track, with or without a minus."""
    texts = reading.problems.texts(key, reading.mapping.get(key))
    numbers = [reading.problems.whole(key, text) for text in texts]
    return [abs(number) for number in numbers if number is not None]


def all_steps(reading: Reading, era: int, named: Sequence[int], key: str) -> list[int]:
    """The named tiles, then the others in the order of the deal."""
    size = int(reading.board.distant_tiles)
    box = Counter(int(steps) for steps in reading.board.distant_set[:size])
    for steps, count in Counter(named).items():
        if count > box[steps]:
            reading.problems.add(
                f"{key}: {count} x {steps} steps {'is' if count == 1 else 'are'} named,"
                f" the box has {box[steps]}"
            )
    dealt = [int(steps) for steps in reading.dealt.distant[era][:size]]
    known = [steps for steps in named if steps in box]
    return [*known, *without(dealt, known)][:size]


# --- the merchants (6.C) -------------------------------------------------------------------------


def read_merchants(reading: Reading) -> None:
    """Put the named merchant tiles on their spaces, and the others on the rest."""
    state, edition, problems = reading.state, reading.edition, reading.problems
    named = problems.mapping("merchants", reading.mapping.get("merchants"))
    if not edition.merchants:
        if named:
            problems.add(f"merchants: {edition.name} has none")
        return
    spaces: dict[int, int] = {}  # goods by merchant space
    bare: set[int] = set()  # without a barrel
    for town, value in named.items():
        place = problems.find("merchants", edition.find_place, town)
        if place is None:
            continue
        texts = problems.texts(f"merchants.{town}", value)
        own = [space for space, at in enumerate(edition.merchant_places) if at == place]
        if not own:
            open_places = ", ".join(dict.fromkeys(edition.merchants))
            problems.add(
                f"merchants: with {edition.players} players there is none in"
                f" {edition.place_name(place)}, only in {open_places}"
            )
        elif len(texts) > len(own):
            problems.add(f"merchants.{town}: {len(texts)} tiles for {len(own)} spaces")
        for space, text in zip(own, texts, strict=False):
            tile = text.strip().removesuffix(WITHOUT_BARREL)
            goods = problems.find(f"merchants.{town}", edition.find_goods, tile)
            if goods is not None:
                spaces[space] = goods
                if text.strip().endswith(WITHOUT_BARREL):
                    bare.add(space)
    count = len(edition.merchants)
    box = Counter(int(goods) for goods in reading.board.merchant_set[:count])
    for goods, number in Counter(spaces.values()).items():
        if number > box[goods]:
            name = edition.goods_name(goods)
            problems.add(f"merchants: {number} x {name} are named, the box has {box[goods]}")
    dealt = [int(goods) for goods in reading.dealt.merchant[:count]]
    others = iter(without(dealt, spaces.values()))
    for space in range(count):
        state.merchant[space] = spaces[space] if space in spaces else next(others, 0)
        state.barrel[space] = state.merchant[space] != 0 and space not in bare
